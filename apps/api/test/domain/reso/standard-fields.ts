// Names and types of the RESO Data Dictionary 2.0, resource Property, as far as Lotline sends them. Check each at
// https://dd.reso.org/DD2.0/Property/ and its name.

export type StandardType = 'text' | 'number' | 'flag' | 'date' | 'time' | 'lookup' | 'lookups' | 'objects'

const NAMES: Readonly<Record<StandardType, string>> = {
  text: `
    AdditionalParcelsDescription AssociationName AssociationName2 AssociationPhone AssociationPhone2
    AttributionContact BuilderModel BuilderName BuildingName BuyerAgentFullName BuyerAgentStateLicense
    BuyerOfficeName CityRegion CoListAgentFullName CoListAgentStateLicense Contingency EntryLocation
    Exclusions FrontageLength Inclusions ListAgentDirectPhone ListAgentEmail ListAgentFullName
    ListAgentMobilePhone ListAgentPreferredPhone ListAgentStateLicense ListOfficeName ListOfficePhone
    ListingId ListingKey LotSizeDimensions OriginatingSystemName OtherParking Ownership ParcelNumber
    PostalCode PostalCodePlus4 PublicRemarks StreetName StreetNumber SubdivisionName Topography
    UnitNumber UnparsedAddress VirtualTourURLBranded VirtualTourURLUnbranded WaterBodyName Zoning
    ZoningDescription`,
  number: `
    AboveGradeFinishedArea AssociationFee AssociationFee2 BathroomsFull BathroomsHalf
    BathroomsOneQuarter BathroomsPartial BathroomsThreeQuarter BathroomsTotalInteger BedroomsTotal
    BelowGradeFinishedArea CarportSpaces ClosePrice CoveredSpaces CumulativeDaysOnMarket DaysOnSite
    Elevation EntryLevel FireplacesTotal FoundationArea GarageSpaces IrrigationWaterRightsAcres
    LandLeaseAmount Latitude ListPrice ListPriceLow LivingArea Longitude LotSizeAcres LotSizeArea
    LotSizeSquareFeet MainLevelBathrooms MainLevelBedrooms NumberOfUnitsInCommunity NumberOfUnitsTotal
    NumberOfUnitsVacant OpenParkingSpaces OriginalListPrice ParkingTotal PhotosCount PreviousListPrice
    Stories StoriesTotal TaxAnnualAmount TaxAssessedValue TaxYear TotalActualRent WoodedArea YearBuilt
    YearBuiltEffective`,
  flag: `
    AdditionalParcelsYN AssociationYN AttachedGarageYN BasementYN CarportYN CoolingYN CropsIncludedYN
    ElectricOnPropertyYN FireplaceYN GarageYN HeatingYN HomeWarrantyYN HorseYN InternetAddressDisplayYN
    InternetEntireListingDisplayYN IrrigationWaterRightsYN LandLeaseYN NewConstructionYN OpenParkingYN
    PoolPrivateYN PropertyAttachedYN RentControlYN SeniorCommunityYN SpaYN ViewYN WaterfrontYN`,
  date: `
    AvailabilityDate CloseDate LandLeaseExpirationDate ListingContractDate OffMarketDate OnMarketDate
    PurchaseContractDate`,
  time: `
    ModificationTimestamp OnMarketTimestamp PendingTimestamp PriceChangeTimestamp`,
  lookup: `
    AssociationFee2Frequency AssociationFeeFrequency BuildingAreaSource City Country CountyOrParish
    ElementarySchool ElementarySchoolDistrict ElevationUnits Furnished HighSchool HighSchoolDistrict
    LeaseTerm ListAOR ListingAgreement LivingAreaUnits LotSizeUnits MiddleOrJuniorSchool
    MiddleOrJuniorSchoolDistrict MlsStatus OwnershipType PropertySubType PropertyType StandardStatus
    StateOrProvince StreetDirPrefix StreetDirSuffix StreetSuffix`,
  lookups: `
    AccessibilityFeatures Appliances ArchitecturalStyle AssociationAmenities AssociationFeeIncludes
    Basement BodyType BuildingFeatures CommonWalls CommunityFeatures ConstructionMaterials Cooling
    DevelopmentStatus DoorFeatures Electric ExteriorFeatures Fencing FireplaceFeatures Flooring
    FoundationDetails FrontageType GreenBuildingVerificationType GreenEnergyEfficient
    GreenEnergyGeneration GreenIndoorAirQuality GreenSustainability GreenWaterConservation Heating
    HorseAmenities IncomeIncludes InteriorFeatures LaundryFeatures Levels ListingTerms LotFeatures
    OtherEquipment OtherStructures ParkingFeatures PatioAndPorchFeatures PetsAllowed PoolFeatures
    PropertyCondition RoadSurfaceType Roof SecurityFeatures Sewer SpaFeatures SpecialListingConditions
    StructureType Utilities Vegetation View WaterSource WaterfrontFeatures WindowFeatures`,
  objects: `
    Media OpenHouses`,
}

export const STANDARD_FIELDS: Readonly<Record<string, StandardType>> = Object.fromEntries(
  Object.entries(NAMES).flatMap(([type, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, type as StandardType] as const),
  ),
)
