// A cache of responses with their entity tags (ETag). A repeated call for unchanged data is then free.

/** A cached response. */
export interface KeptResponse {
  /** The value of the ETag header. */
  readonly tag: string
  /** The JSON text of the body. */
  readonly body: string
}

/** The storage of cached responses. Its keys contain no API key. Only the account of an entity tag can use it. */
export interface ResponseCache {
  get(key: string): KeptResponse | undefined | Promise<KeptResponse | undefined>
  set(key: string, response: KeptResponse): void | Promise<void>
}

/** Keeps the most recently used responses in the memory of this process. */
export class MemoryCache implements ResponseCache {
  readonly #kept = new Map<string, KeptResponse>()
  readonly #maxEntries: number

  /** @param maxEntries the maximum number of responses; a record has about 20 kB */
  constructor({ maxEntries = 1_000 }: { readonly maxEntries?: number } = {}) {
    if (!(Number.isSafeInteger(maxEntries) && maxEntries > 0))
      throw new RangeError(`maxEntries must be a whole number above 0, not ${maxEntries}.`)
    this.#maxEntries = maxEntries
  }

  get(key: string): KeptResponse | undefined {
    const kept = this.#kept.get(key)
    if (kept) {
      // A Map keeps the order of insertion, so the most recently used entry moves to the end.
      this.#kept.delete(key)
      this.#kept.set(key, kept)
    }
    return kept
  }

  set(key: string, response: KeptResponse): void {
    this.#kept.delete(key)
    this.#kept.set(key, response)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxEntries) break
      this.#kept.delete(oldest)
    }
  }
}
