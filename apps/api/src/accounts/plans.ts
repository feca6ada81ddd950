// What each plan grants and permits. spec/schemas/PlanId.yaml says the same to those who call the API.

export const PLANS = ['free', 'monthly', 'annual', 'custom'] as const
export type PlanId = (typeof PLANS)[number]

export interface Plan {
  /** As it is named to customers, for example in a 429. */
  readonly title: string
  readonly creditsPerCycle: number
  /** For each key. */
  readonly rateLimitPerMinute: number
  /** null: it does not renew, and its credits are granted once in the life of an account. */
  readonly cycleMonths: 1 | 12 | null
  readonly topUps: boolean
}

/** For `custom` these are the figures that hold where the operator names none. */
export const plans: Readonly<Record<PlanId, Plan>> = {
  free: { title: 'Free', creditsPerCycle: 100, rateLimitPerMinute: 20, cycleMonths: null, topUps: false },
  monthly: { title: 'Monthly', creditsPerCycle: 1000, rateLimitPerMinute: 200, cycleMonths: 1, topUps: true },
  annual: { title: 'Annual', creditsPerCycle: 12000, rateLimitPerMinute: 300, cycleMonths: 12, topUps: true },
  custom: { title: 'Custom', creditsPerCycle: 1000, rateLimitPerMinute: 300, cycleMonths: 1, topUps: true },
}
