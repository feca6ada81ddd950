// Retention periods of the database, and the loop that deletes expired rows.

export { startRemovingExpired } from './retention/remove-expired.ts'
