// What strangers write on their first day, as text to be put into a project.

const BODY = `
const lotline = new Lotline({ apiKey: process.argv[2], baseUrl: process.argv[3] })
const home = await lotline.properties.get('48749425', { fields: ['price'] })
const rows = []
for await (const row of lotline.properties.batch({ addresses: ['2114 Bigelow Ave N, Seattle, WA 98109'] })) rows.push(row.zpid)
const refused = await lotline.account.me({ headers: { Prefer: 'code=402, example=out_of_credits' } }).catch((error) => error)
const forged = await verifyWebhook('{}', {}, 'whsec_AAAA').catch((error) => error.name)
console.log(JSON.stringify([home.credits.charged, rows, refused instanceof OutOfCreditsError, refused.name, forged]))
`
const NAMES = '{ Lotline, OutOfCreditsError, verifyWebhook }'

export const ES_MODULE_PROGRAM = `import ${NAMES} from '@lotline/client'\n${BODY}`
export const COMMON_JS_PROGRAM = `const ${NAMES} = require('@lotline/client')\nvoid (async () => {${BODY}})()`
/** Assigns `window.answer` in a page. */
export const BROWSER_PROGRAM = (key: string, baseUrl: string) =>
  `import ${NAMES} from '@lotline/client'
   const process = { argv: ['', '', '${key}', '${baseUrl}'] }
   const console = { log: (line) => { window.answer = line } }
   ${BODY}`
export const EXPECTED_OUTPUT = JSON.stringify([
  1,
  ['48749425', '48749512'],
  true,
  'OutOfCreditsError',
  'WebhookVerificationError',
])

export const TYPED_PROGRAM = `
import { type Job, Lotline, LotlineError, type Property, type SearchRow, verifyWebhook } from '@lotline/client'

export async function show(lotline: Lotline, signal: AbortSignal): Promise<void> {
  const { data, credits }: { data: Property; credits: { charged: number } } = await lotline.properties.get('1', { signal })
  const city: string | null | undefined = data.address?.city
  const filters = { bbox: { west: 0, south: 0, east: 1, north: 1 } }
  const rows: SearchRow[] = (await lotline.search.run({ filters, maxItems: 10 })).data
  const { job } = await lotline.properties.batch({ urls: ['u'] })
  const ended: Job = await job.wait({ onProgress: ({ progress }) => console.log(progress.done) })
  for await (const { zpid, input } of job.rows()) console.log(zpid, input, ended.status, city, rows.length, credits)
  const csv = await lotline.jobs.results(job.id, { format: 'csv' })
  const body: ReadableStream<Uint8Array> = csv.body
  // @ts-expect-error a zpid is a string
  await lotline.properties.get(1)
  // @ts-expect-error there is no such filter
  await lotline.search.run({ filters: { ...filters, homeTypes: ['castle'] } })
  await body.cancel()
}

export async function receive(request: Request, secret: string): Promise<string> {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, [secret])
    return event.data.job?.id ?? event.id
  } catch (error) {
    return error instanceof LotlineError ? error.code : 'unknown'
  }
}
`
