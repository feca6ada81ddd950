// Real worker processes, for what happens to them: they are killed, paused and told to stop.

import { join } from 'node:path'
import { startProcess, type TestProcess } from '../../setup/child-process.ts'

export const MAIN = join(import.meta.dirname, '../../../src/process/main.ts')

export interface WorkerOptions {
  readonly databaseUrl: string
  readonly providerUrl?: string
  readonly leaseMs?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Resolves when it works on jobs. */
export async function startWorker(options: WorkerOptions): Promise<TestProcess> {
  const worker = startProcess(MAIN, [], {
    env: {
      DATABASE_URL: options.databaseUrl,
      ROLE: 'worker',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      JOB_LEASE_MS: String(options.leaseMs ?? 1000),
      ...(options.providerUrl !== undefined && { PROVIDER: 'http', PROVIDER_URL: options.providerUrl }),
      ...options.env,
    },
  })
  await worker.line(/works on jobs/)
  return worker
}
