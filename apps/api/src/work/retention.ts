// What the database keeps for a time only, and the loop that removes it.

export { startRemovingExpired } from './retention/remove-expired.ts'
