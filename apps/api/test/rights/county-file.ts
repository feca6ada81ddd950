// Files of a county with the rights of its homes, as NDJSON or as CSV.

/** The rights of a row under standard names, and its other fields. */
export type RightsRow = Readonly<Record<string, unknown>>
export type FileKind = 'NDJSON' | 'CSV'

/** The homes of a test, by their number. */
interface CountyHomes {
  readonly zpidOf: (at: number) => string
  readonly streetOf: (at: number) => string
  readonly latitudeOf: (at: number) => number
}

/** Maps the facts of a home, and none of its rights. */
export const COUNTY_MAPPING = `
columns: { price: {} }
record:
  zpid: "{id}"
  homeStatus: FOR_SALE
  price: "{price}"
  latitude: "{lat}"
  longitude: "{lon}"
  description: "{remarks}"
  address: { streetAddress: "{street}", city: Kent, state: WA, zipcode: "98032" }
`

/** A file with one home for each row of rights. */
export function countyFile(
  kind: FileKind,
  rows: readonly RightsRow[],
  { zpidOf, streetOf, latitudeOf }: CountyHomes,
): string {
  const homes = rows.map((rights, at) => {
    const position = { lat: latitudeOf(at), lon: -112.23401 - at / 1_000 }
    return {
      id: zpidOf(at),
      price: 700_000 + at,
      street: streetOf(at),
      ...position,
      remarks: `Come to ${streetOf(at)}.`,
      ...rights,
    }
  })
  if (kind === 'CSV') {
    const names = [...new Set(homes.flatMap((home) => Object.keys(home)))]
    const lines = homes.map((home) =>
      names.map((name) => `"${String((home as RightsRow)[name] ?? '').replaceAll('"', '""')}"`).join(','),
    )
    return [names.join(','), ...lines, ''].join('\n')
  }
  return homes
    .map(({ id, street, lat, lon, remarks, ...home }) =>
      JSON.stringify({
        zpid: id,
        homeStatus: 'FOR_SALE',
        latitude: lat,
        longitude: lon,
        description: remarks,
        address: { streetAddress: street, city: 'Kent', state: 'WA', zipcode: '98032' },
        ...home,
      }),
    )
    .join('\n')
}
