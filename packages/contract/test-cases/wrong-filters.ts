// Invalid filters of searches, for the table of wrong inputs.

export const BOX = { west: -122.375, south: 47.622, east: -122.34, north: 47.65 }

/** Each invalid filter in both forms: in the query of GET /v1/listings, and in a body. null: this form cannot express it. */
export const WRONG_FILTERS: readonly (readonly [
  query: Readonly<Record<string, string>> | null,
  filters: unknown,
])[] = [
  [{ bbox: '1' }, { bbox: {} }],
  [{ zip: '9810' }, { zips: ['9810'] }],
  [{ zip: '98109;98119' }, { zips: '98109' }],
  [{ city: 'Seattle' }, { cities: ['Seattle'] }],
  [{ city: 'Seattle, Washington State' }, { cities: 'Seattle, WA' }],
  [
    { polygon: '1,2;3,4' },
    {
      area: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
    },
  ],
  [
    { polygon: '0,0;1,1;1,0;0,1' },
    {
      area: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
            [0, 0],
          ],
        ],
      },
    },
  ],
  [{ polygon: '47.6,-122.3;47.7,-122.3;47.7,-122.2' }, { area: { type: 'square' } }],
  [{ near: '1,2' }, { area: { type: 'circle', center: [1, 2] } }],
  [{ near: '1,2', radius_m: '0' }, { area: { type: 'circle', center: [1, 2], radius_m: 0 } }],
  [{ near: '1,2', radius_m: '100001' }, { area: { type: 'circle', center: [1, 2], radius_m: '5' } }],
  [{ near: '1,200', radius_m: '5' }, { area: 'Seattle' }],
  [{ radius_m: '5' }, { area: { type: 'bbox', west: 0, south: 2, east: 1, north: 1 } }],
  [{ near: '1,2', radius_m: '5', polygon: '0,0;1,0;1,1' }, { area: { coordinates: [] } }],
  [{ bbox: '1,2,3' }, { bbox: { west: 1, south: 2, east: 3 } }],
  [{ bbox: '1,2,3,4,5' }, { bbox: [1, 2, 3, 4] }],
  [{ bbox: 'a,b,c,d' }, { bbox: { ...BOX, west: '-122.375' } }],
  [{ bbox: 'NaN,1,2,3' }, { bbox: { ...BOX, west: null } }],
  [{ bbox: 'Infinity,1,2,3' }, { bbox: 'Infinity,1,2,3' }],
  [{ bbox: '1e1,1,2,3' }, { bbox: 17 }],
  [{ bbox: '-180.1,1,2,3' }, { bbox: { ...BOX, west: -180.1 } }],
  [{ bbox: '-122,1,180.1,3' }, { bbox: { ...BOX, east: 180.1 } }],
  [{ bbox: '-122,-90.1,-121,3' }, { bbox: { ...BOX, south: -90.1 } }],
  [{ bbox: '-122,1,-121,90.1' }, { bbox: { ...BOX, north: 90.1 } }],
  [{ bbox: '-122,48,-121,47' }, { bbox: { ...BOX, south: 48, north: 47 } }],
  [{ bbox: '1;2;3;4' }, { bbox: null }],
  [{ bbox: '1,,3,4' }, { bbox: [] }],
  [{ bbox: '1,2,3,4,' }, { bbox: BOX, price: { minimum: 5 } }],
  [{ bbox: '0x1,2,3,4' }, { bbox: BOX, price: [1, 2] }],
  [{ home_types: 'HOUSE' }, { bbox: BOX, homeTypes: ['HOUSE'] }],
  [{ home_types: 'house,' }, { bbox: BOX, sqft: { min: '500' } }],
  [{ status: 'FOR_SALE' }, { bbox: BOX, status: 'FOR_SALE' }],
  [{ status: 'any' }, { bbox: BOX, status: '' }],
  [{ price_min: 'cheap' }, { bbox: BOX, price: 'cheap' }],
  [{ price_min: '-1' }, { bbox: BOX, price: { min: -1 } }],
  [{ price_max: '1.5' }, { bbox: BOX, price: { max: '1' } }],
  [
    { price_min: '2', price_max: '1' },
    { bbox: BOX, price: { min: 2, max: 1 } },
  ],
  [
    { beds_min: '2', beds_max: '1' },
    { bbox: BOX, beds: { min: 2, max: 1 } },
  ],
  [
    { baths_min: '2', baths_max: '1' },
    { bbox: BOX, baths: { min: 2, max: 1 } },
  ],
  [
    { sqft_min: '2', sqft_max: '1' },
    { bbox: BOX, sqft: { min: 2, max: 1 } },
  ],
  [
    { year_built_min: '2', year_built_max: '1' },
    { bbox: BOX, yearBuilt: { min: 2, max: 1 } },
  ],
  [{ year_built_min: '1990.5' }, { bbox: BOX, yearBuilt: { min: 1990.5 } }],
  [{ beds_min: 'x' }, { bbox: BOX, beds: [] }],
  [
    { lot_size_min: '2', lot_size_max: '1' },
    { bbox: BOX, lotSize: { min: 2, max: 1 } },
  ],
  [
    { hoa_min: '2', hoa_max: '1' },
    { bbox: BOX, hoa: { min: 2, max: 1 } },
  ],
  [{ sale_types: 'by_bank' }, { bbox: BOX, saleTypes: ['by_bank'] }],
  [{ pending: 'maybe' }, { bbox: BOX, pending: 'false' }],
  [{ coming_soon: '2' }, { bbox: BOX, comingSoon: 1 }],
  [{ open_house: 'soon' }, { bbox: BOX, openHouse: 'soon' }],
  [{ senior_community: '55' }, { bbox: BOX, seniorCommunity: 55 }],
  [{ home_types: 'house,castle' }, { bbox: BOX, homeTypes: ['house', 'castle'] }],
  [{ home_types: 'any' }, { bbox: BOX, homeTypes: [null] }],
  [{ home_types: 'house,,condo' }, { bbox: BOX, homeTypes: 'house' }],
  [{ days_on_site: '31' }, { bbox: BOX, daysOnSite: '31' }],
  [{ days_on_site: '07' }, { bbox: BOX, daysOnSite: 7 }],
  [{ location: 'x'.repeat(201) }, { bbox: BOX, location: 17 }],
  [null, { location: 'Seattle, WA' }],
  [null, {}],
  [null, []],
  [null, 'Seattle'],
  [null, { bbox: BOX, hasPool: 'yes' }],
  [null, { bbox: BOX, hasGarage: 1 }],
  [null, { bbox: BOX, isWaterfront: 'true' }],
  [null, { bbox: { ...BOX, zoom: 12 } }],
  [null, { bbox: BOX, yearBuilt: { min: 1990, exact: true } }],
]
