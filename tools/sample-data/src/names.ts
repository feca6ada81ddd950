/**
 * Names without an owner. Surnames, firms, schools and neighbourhoods are invented; the tests
 * hold every person in the sample to these lists, to 555-01xx telephone numbers and to example.com.
 */
export const givenNames = [
  'Ada', 'Amos', 'Beatrix', 'Calvin', 'Clara', 'Dorian', 'Edith', 'Elias', 'Esme', 'Felix', 'Greta', 'Hugo',
  'Ines', 'Iris', 'Jonas', 'Juno', 'Leona', 'Linus', 'Mabel', 'Magnus', 'Mira', 'Nadia', 'Noel', 'Odette',
  'Orson', 'Petra', 'Quentin', 'Rhea', 'Rufus', 'Selma', 'Silas', 'Tamsin', 'Theo', 'Ursula', 'Vera', 'Wanda',
] // biome-ignore format: one glance is enough

export const surnames = [
  'Alderwick', 'Ambervale', 'Ashgrove', 'Birchmantle', 'Brackenfell', 'Brightwater', 'Cindermoor', 'Copperfold',
  'Dunmarrow', 'Eastermead', 'Elmcroftley', 'Fennimarsh', 'Foxhollow', 'Gorsefield', 'Hawkmere', 'Hollowaye',
  'Inglenorth', 'Kestrelby', 'Larkmantle', 'Lindenvale', 'Marlowick', 'Mistlethorne', 'Northwillow', 'Oakenfirth',
  'Pebblecombe', 'Quillhaven', 'Ravenmoss', 'Rookwether', 'Saltmarrow', 'Silverbeck', 'Stonequill', 'Thistledown',
  'Umberfield', 'Vellacombe', 'Westermoss', 'Wrenfield', 'Yarrowgate', 'Zephyrine',
] // biome-ignore format: one glance is enough

export const brokerages = [
  'Blue Lantern Homes', 'Cobblegate Properties', 'Copper Kettle Realty', 'Doorstep & Daughters', 'Fernwright Group',
  'Gable & Finch', 'Harborlight Realty', 'Juniper Key Realty', 'Lantern Row Brokers', 'Mapletree Partners',
  'North Porch Realty', 'Old Mill Homes', 'Paper Crane Realty', 'Red Gate Residential', 'Tall Window Realty',
] // biome-ignore format: one glance is enough

export const builders = [
  'Brickwell Homes',
  'Cedarline Builders',
  'Hearth & Beam',
  'Plumbline Homes',
  'Truegrain Homes',
]

/** First halves of the names of neighbourhoods, subdivisions, schools and buildings. */
export const natural = [
  'Alder', 'Amber', 'Aspen', 'Bramble', 'Briar', 'Cedar', 'Clover', 'Copper', 'Cypress', 'Elder', 'Fern', 'Fox',
  'Hazel', 'Heron', 'Hickory', 'Juniper', 'Kestrel', 'Larch', 'Lark', 'Laurel', 'Linden', 'Magnolia', 'Maple',
  'Mulberry', 'Orchard', 'Otter', 'Pebble', 'Quail', 'Rowan', 'Sage', 'Sparrow', 'Sycamore', 'Tamarack', 'Thistle',
  'Walnut', 'Willow', 'Wren', 'Yarrow',
] // biome-ignore format: one glance is enough

export const landforms = [
  'Bend', 'Bluff', 'Commons', 'Creek', 'Crossing', 'Glen', 'Grove', 'Heights', 'Hollow', 'Knoll', 'Landing',
  'Meadow', 'Park', 'Point', 'Ridge', 'Run', 'Square', 'Terrace', 'Vale', 'Village',
] // biome-ignore format: one glance is enough
