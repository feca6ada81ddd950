// The names of the store's keys. Names of data of one epoch contain the epoch.

const STORE_PREFIX = '{lotline}:'

export const storeKeys = {
  epoch: `${STORE_PREFIX}epoch`,
  processes: (epoch: string) => `${STORE_PREFIX}${epoch}:processes`,
  window: (epoch: string, keyId: string) => `${STORE_PREFIX}${epoch}:window:${keyId}`,
  early: (epoch: string, keyId: string) => `${STORE_PREFIX}${epoch}:early:${keyId}`,
  queue: (epoch: string, keyId: string) => `${STORE_PREFIX}${epoch}:queue:${keyId}`,
  /** The channel that notifies a process that one of its tickets is at the front. */
  wake: (token: string) => `${STORE_PREFIX}wake:${token}`,
}
