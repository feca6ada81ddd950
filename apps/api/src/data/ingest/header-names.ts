// Guesses the field of a CSV column by the name in its header: the names that portals, listing services, and county files use, without
// spaces and signs. `listings map` uses it.

/** The form in which a mapping writes the cells of a field. */
export type CellKind = 'text' | 'zip' | 'number' | 'date' | 'days' | 'status' | 'type' | 'units'

/** A field of the record and the column that it is read from. */
export interface FieldGuess {
  readonly field: string
  readonly kind: CellKind
  readonly column: string
  readonly cells: readonly string[]
}

interface FieldNames {
  /** The path in the record. */
  readonly field: string
  readonly kind: CellKind
  readonly names: readonly string[]
}

const words = (text: string): readonly string[] => text.split(/\s+/)

/** In the order of a record. If several columns could be one field, the one listed first here is used. */
export const FIELD_NAMES: readonly FieldNames[] = [
  {
    field: 'homeStatus',
    kind: 'status',
    names: words('homestatus standardstatus listingstatus mlsstatus status statustype'),
  },
  {
    field: 'homeType',
    kind: 'type',
    names: words('hometype propertysubtype propertytype residentialtype buildingtype bldgtype type'),
  },
  {
    field: 'address.streetAddress',
    kind: 'text',
    names: words(
      'streetaddress addressstreet propertyaddress siteaddress situsaddress unparsedaddress addressline1 address street fulladdress',
    ),
  },
  {
    field: 'unitNumber',
    kind: 'text',
    names: words('unitnumber apartmentnumber unit apartment apt aptno unitno suite'),
  },
  {
    field: 'address.city',
    kind: 'text',
    names: words('city addresscity postalcity town municipality situscity'),
  },
  {
    field: 'address.state',
    kind: 'text',
    names: words('state stateorprovince addressstate statecode province situsstate'),
  },
  {
    field: 'address.zipcode',
    kind: 'zip',
    names: words('zipcode zip postalcode ziporpostalcode addresszipcode postal zip5 situszip'),
  },
  { field: 'county', kind: 'text', names: words('county countyname countyorparish') },
  {
    field: 'neighborhood',
    kind: 'text',
    names: words('neighborhood neighbourhood location subdivision subdivisionname'),
  },
  { field: 'parcelId', kind: 'text', names: words('parcelid parcelnumber apn parcel bbl pin taxid') },
  { field: 'mlsid', kind: 'text', names: words('mlsid mlsnumber mls listingid') },
  { field: 'latitude', kind: 'number', names: words('latitude lat latlonglatitude') },
  { field: 'longitude', kind: 'number', names: words('longitude lon lng long latlonglongitude') },
  {
    field: 'price',
    kind: 'number',
    names: words(
      'price unformattedprice listprice listingprice askingprice saleprice soldprice closeprice saleamount salesprice rent monthlyrent rentamount',
    ),
  },
  {
    field: 'bedrooms',
    kind: 'number',
    names: words('bedrooms bedroom beds bedroomstotal bed br bedroomabvgr numbedrooms'),
  },
  {
    field: 'bathrooms',
    kind: 'number',
    names: words(
      'bathrooms bathroom baths bathroomstotal bathroomstotalinteger bath ba numbathrooms fullbath fullbaths bathroomsfull bathsfull',
    ),
  },
  {
    field: 'livingArea',
    kind: 'number',
    names: words(
      'livingarea squarefeet squarefoot squarefootage sqft sqftliving livingareasqft grosssquarefeet grosssqft buildingarea grlivarea tla area',
    ),
  },
  {
    field: 'lotSize',
    kind: 'number',
    names: words('lotsize lotsizesquarefeet lotsqft sqftlot lotarea landsquarefeet landsqft'),
  },
  {
    field: 'lotAreaValue',
    kind: 'number',
    names: words('lotareavalue lotsizeacres lotacres lotareaacres acres acre acreage'),
  },
  {
    field: 'lotAreaUnits',
    kind: 'units',
    names: words('lotareaunits lotareaunit lotunits lotunit lotsizeunits lotsizeunit'),
  },
  { field: 'yearBuilt', kind: 'number', names: words('yearbuilt yrbuilt yearblt built buildyear') },
  { field: 'stories', kind: 'number', names: words('stories story storiestotal floors floor') },
  {
    field: 'monthlyHoaFee',
    kind: 'number',
    names: words('monthlyhoafee hoamonth hoafee hoa associationfee'),
  },
  { field: 'taxAssessedValue', kind: 'number', names: words('taxassessedvalue assessedvalue assessment') },
  {
    field: 'description',
    kind: 'text',
    names: words('description publicremarks remarks remark comments comment'),
  },
  { field: 'brokerageName', kind: 'text', names: words('brokeragename brokername brokerage listofficename') },
  { field: 'hdpUrl', kind: 'text', names: words('hdpurl detailurl listingurl propertyurl url link') },
  {
    field: 'datePostedString',
    kind: 'date',
    names: words(
      'dateposted datepostedstring listdate listingdate datelisted listingcontractdate onmarketdate listed',
    ),
  },
  { field: 'datePostedString', kind: 'days', names: words('daysonmarket dom daysonsite daysonzillow') },
  {
    field: 'dateSoldString',
    kind: 'date',
    names: words(
      'datesold datesoldstring solddate saledate closedate closingdate daterecorded recordingdate date',
    ),
  },
]

/** Names of columns that count half baths. Beside a column that counts full baths, both make one number. */
export const HALF_BATH_NAMES = words('halfbath halfbaths bathroomshalf bathshalf')
export const FULL_BATH_NAMES = words('fullbath fullbaths bathroomsfull bathsfull')

/** Names of columns whose cells are acres. */
export const ACRE_NAMES = words('lotsizeacres lotacres lotareaacres acres acre acreage')

/** Names of columns with the id of a listing, the best first. Only `zpid` is one in every source. */
export const ID_NAMES = words(
  'zpid listingkey listingid id propertyid homeid mlsnumber mlsid mls uniqueid parcelid parcelnumber apn pin accountnumber serialnumber',
)

const STATUSES: readonly (readonly [pattern: RegExp, status: string])[] = [
  [/coming/, 'COMING_SOON'],
  [/off.?market|withdrawn|cancel|expired|delisted|hold/, 'OFF_MARKET'],
  [/contingent/, 'CONTINGENT'],
  [/under.?contract/, 'UNDER_CONTRACT'],
  [/pend/, 'PENDING'],
  [/rented|leased/, 'OFF_MARKET'],
  [/rent|lease/, 'FOR_RENT'],
  [/sold|closed|past.?sale/, 'RECENTLY_SOLD'],
  [/auction/, 'FOR_AUCTION'],
  [/foreclos/, 'FORECLOSURE'],
  [/active|for.?sale|new|available|listed/, 'FOR_SALE'],
]
const TYPES: readonly (readonly [pattern: RegExp, type: string])[] = [
  [/town/, 'TOWNHOUSE'],
  [/condo|co-?op/, 'CONDO'],
  [/mobile|manufactured|trailer/, 'MANUFACTURED'],
  [/multi|duplex|triplex|two.?f|three.?f|four.?f|2.?f|3.?f/, 'MULTI_FAMILY'],
  [/vacant|land|lot\b/, 'LOT'],
  [/apartment|apt/, 'APARTMENT'],
  [/single|house|one.?f|1.?f|detached|residential/, 'SINGLE_FAMILY'],
]

/** The unit of a lot size as records name it. null: none fits. */
export function guessUnits(cell: string): string | null {
  const text = cell.toLowerCase().replace(/[^a-z]/g, '')
  if (/^ac(?:re)?s?$/.test(text)) return 'Acres'
  return /^(?:sq(?:uare)?f(?:oo|ee)?t|sf)$/.test(text) ? 'Square Feet' : null
}

/** The status or home type that a cell probably means; `OTHER` if none fits. */
export function guessValue(kind: 'status' | 'type', cell: string): string {
  const text = cell.toLowerCase()
  const guesses = kind === 'status' ? STATUSES : TYPES
  return guesses.find(([pattern]) => pattern.test(text))?.[1] ?? 'OTHER'
}
