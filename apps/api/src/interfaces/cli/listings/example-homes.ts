// Shows a dry run's first homes as they would be stored, so that a wrong column is seen before the import.

const SHOWN_HOMES = 5

/** A home of a dry run. null: the record would not have the fact. */
export interface ExampleHome {
  readonly address: string | null
  readonly homeStatus: string | null
  readonly homeType: string | null
  /** US dollars. */
  readonly price: number | null
  readonly bedrooms: number | null
  readonly bathrooms: number | null
  /** Square feet. */
  readonly livingArea: number | null
  /** Degrees. */
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Collects the first homes of an import. `add` takes the JSON of a record. */
export function collectExamples() {
  const homes: ExampleHome[] = []
  return {
    homes,
    add(record: string): void {
      if (homes.length < SHOWN_HOMES) homes.push(exampleOf(JSON.parse(record)))
    },
  }
}

/** The homes as lines of text: a line for each, under a heading. */
export function linesOfExamples(homes: readonly ExampleHome[]): string[] {
  if (homes.length === 0) return []
  return ['', 'The first homes, as they would be stored:', ...homes.map((home) => `  ${lineOf(home)}`)]
}

function exampleOf(record: Readonly<Record<string, unknown>>): ExampleHome {
  const address = (record.address ?? {}) as Readonly<Record<string, unknown>>
  const parts = [address.streetAddress, record.unitNumber, address.city, address.state, address.zipcode]
  const written = parts.filter((part) => typeof part === 'string' && part !== '').join(', ')
  return {
    address: written === '' ? null : written,
    homeStatus: textIn(record.homeStatus),
    homeType: textIn(record.homeType),
    price: numberIn(record.price),
    bedrooms: numberIn(record.bedrooms),
    bathrooms: numberIn(record.bathrooms),
    livingArea: numberIn(record.livingArea),
    latitude: numberIn(record.latitude),
    longitude: numberIn(record.longitude),
  }
}

function lineOf(home: ExampleHome): string {
  const { address, homeStatus, homeType, price, bedrooms, bathrooms, livingArea, latitude, longitude } = home
  const known = (value: number | null) => value?.toLocaleString('en-US') ?? '?'
  return [
    address ?? 'no address',
    homeStatus ?? 'no status',
    homeType ?? 'no home type',
    price === null ? 'no price' : `$${known(price)}`,
    `${known(bedrooms)} bd`,
    `${known(bathrooms)} ba`,
    `${known(livingArea)} sqft`,
    latitude === null || longitude === null ? 'no position' : `${latitude}, ${longitude}`,
  ].join(' | ')
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
