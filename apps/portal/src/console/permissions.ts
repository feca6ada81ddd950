// The permissions of the console. Each route names a permission, which is checked before its page runs (console.ts). An owner has all of them.
// To add one, add a line here and name it in the routes of a page.

export const ROLES = ['support', 'finance', 'data', 'owner'] as const
export type ConsoleRole = (typeof ROLES)[number]

/** The roles that have each permission, beside `owner`. */
export const PERMISSIONS = {
  'accounts.read': ['support', 'finance'],
  'accounts.create': ['finance'],
  'accounts.change-plan': ['finance'],
  'accounts.suspend': ['support', 'finance'],
  // More credits than the operator may move alone wait for an approval.
  'credits.add': ['support', 'finance'],
  'credits.approve': ['finance'],
  'purchases.read': ['support', 'finance'],
  'purchases.decide': ['finance'],
  'data.read': ['data'],
  'data.change': ['data'],
  'service.read': ['support', 'data'],
  'audit.run': ['finance'],
  'trail.read': ['finance'],
  'operators.change': [],
} as const satisfies Readonly<Record<string, readonly ConsoleRole[]>>

export type Permission = keyof typeof PERMISSIONS

export function hasPermission(role: ConsoleRole, permission: Permission): boolean {
  return role === 'owner' || (PERMISSIONS[permission] as readonly ConsoleRole[]).includes(role)
}
