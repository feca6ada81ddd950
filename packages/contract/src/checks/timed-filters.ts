import type { SearchFilters } from '../schemas.ts'

/** The filters whose result time alone changes. A watch refuses them. */
export const TIMED_FILTERS = ['daysOnSite', 'openHouse'] as const satisfies readonly (keyof SearchFilters)[]
