// The names of what is kept in the store. What the processes keep under one epoch has the epoch in its name.

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
