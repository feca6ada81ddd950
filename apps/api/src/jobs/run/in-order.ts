// Many things at a time, in the order in which they were given.

export interface InOrderOptions {
  /** Under way at a time. */
  readonly atATime: number
  /** Begun and not yet handed on: how far ahead of the slowest it may get. */
  readonly ahead: number
}

/**
 * Does `work` for each item, several at a time, and hands the results on in the order of the items, as many as are ready
 * together. While the receiver is busy, work on the next ones continues. The first error ends it.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  options: InOrderOptions,
  work: (item: T, index: number) => Promise<R>,
): AsyncGenerator<R[], void, undefined> {
  const results: ({ readonly value: R } | undefined)[] = []
  let begun = 0
  let underWay = 0
  let handedOn = 0
  let failure: { readonly error: unknown } | undefined
  let notify: () => void = () => {}
  let stopped = false

  function begin(): void {
    while (
      !stopped &&
      !failure &&
      begun < items.length &&
      underWay < options.atATime &&
      begun - handedOn < options.ahead
    ) {
      const index = begun++
      underWay++
      work(items[index]!, index).then(
        (value) => {
          results[index] = { value }
          ended()
        },
        (error: unknown) => {
          failure ??= { error }
          ended()
        },
      )
    }
  }

  function ended(): void {
    underWay--
    begin()
    notify()
  }

  try {
    begin()
    while (handedOn < items.length) {
      const ready: R[] = []
      for (let result = results[handedOn]; result; result = results[handedOn]) {
        ready.push(result.value)
        results[handedOn++] = undefined
      }
      if (ready.length > 0) {
        begin()
        yield ready
      } else if (failure) throw failure.error
      else
        await new Promise<void>((resolve) => {
          notify = resolve
        })
    }
  } finally {
    stopped = true
  }
}
