// Retention: rows that the database keeps for some time only, and the loop that removes them.

export { startRemovingExpired } from './retention/remove-expired.ts'
