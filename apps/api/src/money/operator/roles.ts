// The roles of operators. The console says which role may do what (apps/portal/src/console/permissions.ts).

/** `owner` may do everything. */
export const ROLES = ['support', 'finance', 'data', 'owner'] as const
export type OperatorRole = (typeof ROLES)[number]

/** The name of the shared sign-in by link in lists of operators: an owner without a row. No other operator can have this name. */
export const SHARED_OPERATOR = 'operator'
