// Mail over SMTP, with bounded waits, and the texts of the mails.

export { createMailer, type Mailer } from './mail/mailer.ts'
export { existingAccountMail, invitationMail, signInMail, signUpMail } from './mail/texts.ts'
