// Rights of sources: what may be shown of homes in rows and events that were stored earlier.

export { type RestrictedInRestore, restrictJournaledHomes } from './rights/restore-restrictions.ts'
export {
  EVENT_WITH_HOMES,
  findWithheld,
  type HomeEventData,
  maskEvents,
  withheldDigest,
  withheldOf,
} from './rights/withheld-homes.ts'
