// The file that a county serves, and its mapping.

/** Maps the columns of `csv` to a record. */
export const MAPPING = `
record:
  zpid: "{parcel}"
  homeStatus: FOR_SALE
  price: "{price}"
  address: { streetAddress: "{street}", city: Tacoma, state: WA, zipcode: "98406" }
`

/** The file of a county: a home for each price, with its number as its parcel. */
export function csv(prices: readonly number[]): string {
  const rows = prices.map((price, at) => `${9_000 + at},${price},"${at} Oak St, Unit A"`)
  return `parcel,price,street\n${rows.join('\n')}\n`
}
