// The mails to the subscribers of watches. Mail programs read only simple HTML, so each mail has its styles in its elements, no script,
// and no file of the portal. `html` escapes every value.

export { confirmationMail } from './confirmation.ts'
export { type DigestChange, type DigestHome, digestMail } from './digest.ts'
export type { SubscriberMail } from './mail-parts.ts'
