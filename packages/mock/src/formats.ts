// In which format the rows are wanted: by the query parameter `format`, else by the header `Accept`.

const MEDIA_TYPE_BY_FORMAT: Readonly<Record<string, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
}
/** The format that a type in `Accept` means. Types that no response has are left out: they are no reason to refuse. */
const FORMATS_BY_MEDIA_TYPE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(MEDIA_TYPE_BY_FORMAT).map((type) => [type, type])),
  'text/*': 'text/csv',
  'application/*': 'application/json',
  '*/*': 'application/json',
}

/** Whether a caller can choose the media type by its name or in `Accept`. */
export function isFormat(mediaType: string): boolean {
  return Object.values(MEDIA_TYPE_BY_FORMAT).includes(mediaType)
}

/** Media types for Prism to choose from, with their weights. */
export function acceptedTypes(format: unknown, accept: string | undefined): readonly string[] {
  const named = MEDIA_TYPE_BY_FORMAT[String(format)]
  if (named !== undefined) return [named]
  return (accept ?? '').split(',').flatMap((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const known = FORMATS_BY_MEDIA_TYPE[type.toLowerCase()]
    // Prism throws on an invalid weight.
    const weight = parameters.find((parameter) => /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.test(parameter))
    return known === undefined ? [] : [weight === undefined ? known : `${known};${weight}`]
  })
}
