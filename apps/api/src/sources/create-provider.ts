import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { createDatasetProvider } from './dataset/dataset-provider.ts'
import { createHttpProvider } from './http/http-provider.ts'
import type { Provider } from './provider.ts'

/** The source that the operator chose, as it is: `guardProvider` belongs in front of it. */
export function createProvider({ provider }: Pick<Config, 'provider'>, database: Database): Provider {
  switch (provider.kind) {
    case 'dataset':
      return createDatasetProvider(database)
    case 'http':
      return createHttpProvider(provider)
  }
}
