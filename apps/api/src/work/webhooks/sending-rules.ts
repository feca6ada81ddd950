// Stores the servers' WEBHOOK_ALLOW_PRIVATE_NETWORKS for the `lotline` command, which runs in another environment.

import type { Database } from '../../infrastructure/database.ts'

/** Records the setting of this server. Each server that sends webhooks calls it when it starts. */
export async function recordAllowPrivateNetworks(
  database: Pick<Database, 'query'>,
  allowed: boolean,
): Promise<void> {
  await database.query(
    `insert into webhook_sending (allow_private_networks) values ($1)
     on conflict (is_only_row) do update set allow_private_networks = excluded.allow_private_networks`,
    [allowed],
  )
}

/** The setting of the server that started last; undefined if no server has started over this database. */
export async function findAllowPrivateNetworks(
  database: Pick<Database, 'query'>,
): Promise<boolean | undefined> {
  const { rows } = await database.query<{ allow_private_networks: boolean }>(
    'select allow_private_networks from webhook_sending',
  )
  return rows[0]?.allow_private_networks
}
