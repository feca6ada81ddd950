// The settings of the process, read once from the environment.

export type { StripeConfig } from './config/billing-config.ts'
export {
  type Config,
  ConfigError,
  type ProviderConfig,
  readConfig,
  readSecretVariable,
} from './config/config.ts'
export type { MailConfig } from './config/mail-config.ts'
export { oauthOrigin } from './config/oauth-config.ts'
export type { TracingConfig } from './config/tracing-config.ts'
