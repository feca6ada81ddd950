// Single-flight: concurrent callers share one run of the work, and its error. The next caller after that starts a new run.

export interface SingleFlight<T> {
  /** Joins the current run, or starts one. */
  run(): Promise<T>
  readonly isUnderWay: boolean
  /** Resolves when no run is under way, even if it failed. */
  settled(): Promise<void>
}

export function singleFlight<T>(work: () => Promise<T>): SingleFlight<T> {
  let flight: Promise<T> | undefined
  return {
    run() {
      flight ??= work().finally(() => {
        flight = undefined
      })
      return flight
    },
    get isUnderWay() {
      return flight !== undefined
    },
    async settled() {
      await flight?.catch(() => {})
    },
  }
}

export interface SingleFlights<K, T> {
  /** Joins the current run for this key, or starts one. */
  run(key: K, work: () => Promise<T>): Promise<T>
  /** Later callers start new runs. Current runs continue for the callers that wait for them. */
  forgetAll(): void
}

/** Single-flights by key. */
export function singleFlights<K, T>(): SingleFlights<K, T> {
  const flights = new Map<K, Promise<T>>()
  return {
    run(key, work) {
      const underWay = flights.get(key)
      if (underWay !== undefined) return underWay
      const flight = work().finally(() => {
        if (flights.get(key) === flight) flights.delete(key)
      })
      flights.set(key, flight)
      return flight
    },
    forgetAll: () => flights.clear(),
  }
}
