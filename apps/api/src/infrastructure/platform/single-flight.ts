// Single-flight: work that many ask for while it is under way is done once for all of them. What it throws reaches all of them, and
// the next one who asks begins it again.

export interface SingleFlight<T> {
  /** Joins the run that is under way, or begins one. */
  run(): Promise<T>
  readonly isUnderWay: boolean
  /** Resolves when nothing is under way, whether or not that failed. */
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
  /** Joins the run for this key that is under way, or begins one. */
  run(key: K, work: () => Promise<T>): Promise<T>
  /** Who asks from now on begins anew. Runs that are under way go on for those who wait for them. */
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
