import { descriptionOf, highlightsOf } from './description.ts'
import { type Home, isWholeBuilding } from './home.ts'
import { listingOf } from './listing.ts'
import { round } from './numbers.ts'
import { openHousesOf } from './open-houses.ts'
import { fictionPhone } from './people.ts'
import { photosOf } from './photos.ts'
import { priceHistoryOf } from './price-history.ts'
import type { BuildingFields, HomeFields, MediaFields, PlaceFields } from './property.ts'
import { randomFor } from './random.ts'
import { resoFactsOf } from './reso-facts.ts'
import { parcelNumberOf } from './reso-grounds.ts'
import { schoolsOf } from './schools.ts'
import { SQFT_PER_ACRE } from './sizes.ts'
import { slug } from './street-address.ts'
import { taxHistoryOf } from './tax-history.ts'
import type { Property } from './whole-record.ts'

/** The home of the manual. It is on the listing site, so its link may be a path there. */
const REAL_ZPID = '48749425'
/** example.com is reserved for examples: the link of an invented home leads to no one's site. */
const SITE = 'https://homes.example.com'

function pageOf({ zpid, place: { streetAddress, city, state, zipcode } }: Home): string {
  const path = `/homedetails/${slug(`${streetAddress} ${city} ${state} ${zipcode}`)}/${zpid}_zpid/`
  return zpid === REAL_ZPID ? path : `${SITE}${path}`
}

/** The whole record of a home, or of a building, as of midnight of a day. */
export function recordOf(home: Home, asOf: number): Property {
  const openHouseSchedule = openHousesOf(home, asOf)
  const priceHistory = priceHistoryOf(home, asOf)
  const taxHistory = taxHistoryOf(home, asOf)
  const schools = schoolsOf(home)
  return {
    zpid: home.zpid,
    hdpUrl: pageOf(home),
    ...placeOf(home),
    ...buildingOf(home),
    ...homeOf(home),
    ...listingOf(home, { priceHistory, taxHistory, openHouseSchedule }, asOf),
    ...mediaOf(home),
    openHouseSchedule,
    priceHistory,
    taxHistory,
    schools,
    resoFacts: resoFactsOf(home, schools, taxHistory, asOf),
  }
}

function placeOf(home: Home): PlaceFields {
  const { place } = home
  const { streetAddress, city, state, zipcode } = place
  return {
    address: {
      streetAddress,
      city,
      state,
      zipcode,
      neighborhood: place.neighborhood,
      community: home.within?.building.name ?? null,
      subdivision: place.subdivision,
    },
    abbreviatedAddress: streetAddress,
    streetAddress,
    city,
    state,
    zipcode,
    county: place.county,
    country: 'USA',
    latitude: place.latitude,
    longitude: place.longitude,
    timeZone: place.metro.zone,
    neighborhood: place.neighborhood,
    neighborhoodRegion: { name: place.neighborhood },
    parentRegion: { name: `${place.metro.name} metro` },
    regionString: `${city}, ${state} ${zipcode}`,
    hasBadGeocode: false,
    isUndisclosedAddress: false,
    parcelId: parcelNumberOf(home),
  }
}

function buildingOf({ within }: Home): BuildingFields {
  if (!within) return {}
  const { building } = within
  const shared = {
    buildingKey: building.key,
    buildingId: building.buildingId,
    lotId: building.lotId,
    buildingName: building.name,
    bdpUrl: building.bdpUrl,
  }
  if ('unitNumber' in within) return { ...shared, unitNumber: within.unitNumber }
  const random = randomFor('building', building.serial, 'details')
  const { site } = building
  const walk = random.int(28, 97)
  return {
    ...shared,
    isBuilding: true,
    marketingName: building.name,
    building: {
      fullAddress: `${site.number} ${site.street}, ${site.city}, ${site.state} ${site.zipcode}`,
      buildingPhoneNumber: fictionPhone(site.metro, random.int(0, 99)),
      homeTypes: [building.homeType],
      amenities: random.some(['Bike Room', 'Courtyard', 'Elevator', 'Gym', 'Package Room', 'Roof Deck'], 3),
      petPolicies: [random.pick(['Cats and small dogs allowed', 'No pets', 'Large dogs allowed'])],
      walkScore: { walkscore: walk, description: walk >= 70 ? 'Very walkable' : 'Somewhat walkable' },
      transitScore: { transit_score: random.int(15, 85) },
      bikeScore: { bikescore: random.int(25, 95) },
      isSeniorHousing: false,
      isStudentHousing: false,
      rentalUnitsSummary: {
        unitCount: building.unitCount,
        availableUnitCount: within.summary.availableUnits,
      },
    },
  }
}

function homeOf(home: Home): HomeFields {
  const { size, features } = home
  const inAcres = size.lotSize !== null && size.lotSize >= SQFT_PER_ACRE / 2
  const isLand = home.homeType === 'LOT'
  return {
    homeType: home.homeType,
    bedrooms: size.bedrooms,
    bathrooms: size.bathrooms,
    livingArea: size.livingArea,
    livingAreaValue: size.livingArea,
    livingAreaUnits: 'Square Feet',
    livingAreaUnitsShort: 'sqft',
    lotSize: size.lotSize,
    lotAreaValue: size.lotSize !== null && inAcres ? round(size.lotSize / SQFT_PER_ACRE, 2) : size.lotSize,
    lotAreaUnits: inAcres ? 'Acres' : 'Square Feet',
    yearBuilt: size.yearBuilt,
    yearRenovated: features.yearRenovated,
    stories: size.stories,
    numberOfUnitsTotal: home.within ? home.within.building.unitCount : size.homes,
    description: descriptionOf(home),
    highlights: highlightsOf(home),
    parking: isLand ? null : features.parking,
    heating: isLand ? null : features.heating,
    cooling: isLand ? null : features.cooling.length > 0 ? features.cooling : ['None'],
    hasGarage: features.garageSpaces > 0,
    hasPool: features.hasPool,
    isWaterfront: features.isWaterfront,
  }
}

function mediaOf(home: Home): MediaFields {
  const random = randomFor(home.zpid, 'media')
  const responsivePhotos = photosOf(home)
  const isShown = home.offer.status !== 'OTHER' && home.homeType !== 'LOT' && !isWholeBuilding(home)
  const hasVRModel = isShown && random.chance(0.25)
  const hasTour = isShown && random.chance(0.15)
  return {
    photoCount: responsivePhotos.length,
    photos: responsivePhotos.map(({ url, caption }) => ({ url, caption })),
    responsivePhotos,
    hasVRModel,
    vrModel: {
      vrModelGuid: hasVRModel ? `sample-${home.zpid}` : null,
      revisionId: hasVRModel ? '1' : null,
    },
    hasPublicVideo: isShown && random.chance(0.12),
    virtualTourUrl: hasTour ? `https://tours.example.com/${home.zpid}` : null,
    hasApprovedThirdPartyVirtualTourUrl: hasTour,
  }
}
