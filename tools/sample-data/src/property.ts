/**
 * The property record as this tool writes it: the field names and types of the record that the
 * service serves. A field that has nothing to say is null; only the fields about a building are
 * left out where there is none. Amounts are dollars, areas square feet unless a field says
 * otherwise, rates are shares (0.05 is 5 %), `time` and `…Date` numbers are epoch milliseconds.
 */

export type HomeType =
  | 'SINGLE_FAMILY'
  | 'CONDO'
  | 'TOWNHOUSE'
  | 'MULTI_FAMILY'
  | 'MANUFACTURED'
  | 'LOT'
  | 'APARTMENT'

/** `OTHER` is a home that is off the market. */
export type HomeStatus = 'FOR_SALE' | 'COMING_SOON' | 'PENDING' | 'FOR_RENT' | 'RECENTLY_SOLD' | 'OTHER'

export interface PlaceFields {
  address: {
    streetAddress: string
    city: string
    state: string
    zipcode: string
    neighborhood: string | null
    community: string | null
    subdivision: string | null
  }
  abbreviatedAddress: string
  streetAddress: string
  city: string
  state: string
  zipcode: string
  county: string | null
  country: 'USA'
  latitude: number
  longitude: number
  timeZone: string
  neighborhood: string
  neighborhoodRegion: { name: string } | null
  /** The metropolitan area. */
  parentRegion: { name: string }
  regionString: string
  hasBadGeocode: boolean
  isUndisclosedAddress: boolean
  parcelId: string | null
}

/** Units carry all but `isBuilding`, a building's own record all but `unitNumber`. */
export interface BuildingFields {
  /** The same on all records of one building: the key at the end of `bdpUrl`. */
  buildingKey?: string
  /** `{latitude}-{longitude}`. */
  buildingId?: string
  lotId?: number
  buildingName?: string
  /** Path of the building's page. */
  bdpUrl?: string
  unitNumber?: string
  isBuilding?: true
  marketingName?: string
  building?: BuildingDetails
}

export interface BuildingDetails {
  fullAddress: string
  buildingPhoneNumber: string
  homeTypes: HomeType[]
  amenities: string[]
  petPolicies: string[]
  walkScore: { walkscore: number; description: string }
  transitScore: { transit_score: number }
  bikeScore: { bikescore: number }
  isSeniorHousing: boolean
  isStudentHousing: boolean
  rentalUnitsSummary: { unitCount: number; availableUnitCount: number }
}

export interface HomeFields {
  homeType: HomeType
  bedrooms: number | null
  bathrooms: number | null
  livingArea: number | null
  livingAreaValue: number | null
  livingAreaUnits: 'Square Feet'
  livingAreaUnitsShort: 'sqft'
  /** Square feet. */
  lotSize: number | null
  lotAreaValue: number | null
  lotAreaUnits: 'Acres' | 'Square Feet'
  yearBuilt: number | null
  yearRenovated: number | null
  stories: number | null
  /** 1 for a house of its own, null for land. */
  numberOfUnitsTotal: number | null
  description: string
  highlights: string[]
  parking: string[] | null
  heating: string[] | null
  cooling: string[] | null
  hasGarage: boolean
  hasPool: boolean
  isWaterfront: boolean
}

export interface ListingFields {
  homeStatus: HomeStatus
  keystoneHomeStatus: string
  price: number | null
  currency: 'USD'
  priceChange: number | null
  priceChangeDate: number | null
  priceChangeDateString: string | null
  datePriceChanged: number | null
  datePosted: string | null
  datePostedString: string | null
  dateSold: number | null
  dateSoldString: string | null
  lastSoldPrice: number | null
  /** Days since it was posted, or since the sale where `homeStatus` is `RECENTLY_SOLD`. */
  daysOnSite: number | null
  timeOnSite: string | null
  zestimate: number | null
  zestimateLowPercent: string | null
  zestimateHighPercent: string | null
  hideZestimate: boolean
  rentZestimate: number | null
  restimateLowPercent: string | null
  restimateHighPercent: string | null
  /** The property tax of the latest year for which it is known. */
  tax: number | null
  taxAssessedValue: number | null
  taxAssessedYear: number | null
  /** Per cent, as the listing sites give it. */
  propertyTaxRate: number
  annualHomeownersInsurance: number | null
  monthlyHoaFee: number | null
  hoaFee: number | null
  baseRent: number | null
  availabilityDate: string | null
  rentalApplicationsAcceptedType: string | null
  contingentListingType: string | null
  comingSoonOnMarketDate: string | null
  newConstructionType: string | null
  isOffMarket: boolean
  isListedByOwner: boolean
  isNonOwnerOccupied: boolean
  isFeatured: boolean
  isPremierBuilder: boolean
  isPreforeclosureAuction: boolean
  isRecentStatusChange: boolean
  isRentalListingOffMarket: boolean
  isSiteOwned: boolean
  listingSubType: Record<string, boolean>
  listing_sub_type: Record<string, boolean>
  listingDataSource: string
  mlsid: string | null
  brokerageName: string | null
  agent: Pick<
    AttributionInfo,
    | 'agentName'
    | 'agentEmail'
    | 'agentPhoneNumber'
    | 'agentLicenseNumber'
    | 'brokerName'
    | 'brokerPhoneNumber'
  > | null
  broker: Pick<AttributionInfo, 'brokerName' | 'brokerPhoneNumber'> | null
  attributionInfo: AttributionInfo | null
  postingContact: { name: string; photo: string | null } | null
  favoriteCount: number
  pageViewCount: number
  tourViewCount: number
  tourEligibility: {
    isPropertyTourEligible: boolean
    propertyTourOptions: { isFinal: boolean; tourAvailability: object[]; tourType: string | null }
  }
  selfTour: { hasSelfTour: boolean }
}

export interface AttributionInfo {
  agentName: string | null
  agentEmail: string | null
  agentPhoneNumber: string | null
  agentLicenseNumber: string | null
  brokerName: string | null
  brokerPhoneNumber: string | null
  buyerAgentName: string | null
  buyerBrokerageName: string | null
  coAgentName: string | null
  listingAgreement: string | null
  listingAgents: { associatedAgentType: string; memberFullName: string; memberStateLicense: string }[]
  listingOffices: { associatedOfficeType: string; officeName: string }[]
  mlsId: string | null
  mlsName: string | null
  mlsDisclaimer: string | null
  lastChecked: string
  lastUpdated: string
  trueStatus: string | null
}

export interface MediaFields {
  photoCount: number
  /** The default-resolution JPEG of each photo, without the other widths. */
  photos: { url: string; caption: string }[]
  responsivePhotos: Photo[]
  hasVRModel: boolean
  vrModel: { vrModelGuid: string | null; revisionId: string | null }
  hasPublicVideo: boolean
  virtualTourUrl: string | null
  hasApprovedThirdPartyVirtualTourUrl: boolean
}

export interface Photo {
  url: string
  caption: string
  subjectType: string | null
  mixedSources: Record<'jpeg' | 'webp', { url: string; width: number }[]>
}

export interface PriceEvent {
  /** `2026-11-01`. */
  date: string
  time: number
  event: string
  price: number
  priceChangeRate: number
  pricePerSquareFoot: number | null
  postingIsRental: boolean
  source: string
  attributeSource: { infoString1: string | null; infoString2: string; infoString3: string | null }
  buyerAgent: null
  sellerAgent: null
  showCountyLink: boolean
}

export interface TaxYear {
  time: number
  taxPaid: number | null
  /** Null for the first year on record. */
  taxIncreaseRate: number | null
  value: number
  valueIncreaseRate: number | null
}

export interface School {
  name: string
  /** 1 to 10. */
  rating: number | null
  /** Miles. */
  distance: number
  type: 'Public' | 'Charter' | 'Private'
  level: 'Elementary' | 'Middle' | 'High'
  grades: string
  link: string
  size: number | null
  studentsPerTeacher: number | null
  assigned: boolean | null
  isAssigned: boolean | null
}

/** Both ends as ISO 8601 in UTC: `2026-11-07T21:00:00Z`. */
export interface OpenHouse {
  startTime: string
  endTime: string
}
