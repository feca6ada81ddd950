// Made-up listings of a feed: one city, each with its own street number.

export interface MadeListing extends Readonly<Record<string, unknown>> {
  readonly ListingKey: string
  readonly ListPrice: number
  readonly ModificationTimestamp: string
}

const FROM = Date.parse('2026-11-01T08:00:00Z')

/** Listing number `at`, changed `at` seconds after the first unless `changes` overrides it. */
export function feedListing(at: number, changes: Readonly<Record<string, unknown>> = {}): MadeListing {
  return {
    ListingKey: `M${String(at).padStart(6, '0')}`,
    ListingId: `26-${at}`,
    OriginatingSystemName: 'Metro MLS',
    StandardStatus: 'Active',
    MlsStatus: 'Active',
    PropertyType: 'Residential',
    PropertySubType: 'Single Family Residence',
    ListPrice: 300_000 + at * 100,
    BedroomsTotal: 3,
    BathroomsTotalInteger: 2,
    LivingArea: 1_500 + at,
    YearBuilt: 1990,
    StreetNumber: String(100 + at),
    StreetName: 'Main',
    StreetSuffix: 'St',
    City: 'Seattle',
    StateOrProvince: 'WA',
    PostalCode: '98109',
    CountyOrParish: 'King',
    ParcelNumber: `7700-${String(at).padStart(6, '0')}`,
    Latitude: 47.6 + (at % 100) / 10_000,
    Longitude: -122.35 - Math.floor(at / 100) / 10_000,
    ListOfficeName: 'Example Realty',
    ListAgentFullName: 'Ana Example',
    InternetEntireListingDisplayYN: true,
    InternetAddressDisplayYN: true,
    ModificationTimestamp: new Date(FROM + at * 1_000).toISOString(),
    Media: [{ MediaURL: `https://photos.example.com/${at}.jpg`, Order: 0, MediaCategory: 'Photo' }],
    ...changes,
  }
}

export function feedListings(count: number, changes: Readonly<Record<string, unknown>> = {}): MadeListing[] {
  return Array.from({ length: count }, (_, at) => feedListing(at, changes))
}

/** A time some seconds after all of the first listings. */
export function laterTime(seconds: number): string {
  return new Date(FROM + 7 * 24 * 3_600_000 + seconds * 1_000).toISOString()
}
