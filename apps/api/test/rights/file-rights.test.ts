// Files state the rights of a RESO feed: as fields of NDJSON records, or as columns of CSV, whatever their mapping makes of them.

import { describe, expect, it } from 'vitest'
import { removeListings } from '../../src/data/ingest/remove-listings.ts'
import { startJob, untilEnded } from '../work/jobs/job-calls.ts'
import { KINDS, MAPPING, type Rights, withCountyFiles } from './with-county-files.ts'

const county = withCountyFiles()
const {
  test,
  server,
  begin,
  zpidOf,
  streetOf,
  addressOf,
  latitudeOf,
  fileOf,
  importFile,
  shown,
  statusesOf,
} = county

describe.each(KINDS)('A %s file with the names of the RESO Data Dictionary', (kind) => {
  const SHOWN = {
    InternetEntireListingDisplayYN: 'Y',
    InternetAddressDisplayYN: 'Y',
    MlgCanView: 'true',
    MlgCanUse: 'IDX,VOW',
    StandardStatus: 'Active',
  }
  const RESTRICTED: readonly Rights[] = [
    { InternetEntireListingDisplayYN: 'N' },
    { InternetAddressDisplayYN: 'N' },
    { MlgCanView: 'false' },
    { MlgCanUse: 'VOW' },
    { StandardStatus: 'Delete' },
    { MlsStatus: 'Deleted' },
    { StandardStatus: 'Incomplete' },
  ]
  const RIGHTS = [SHOWN, ...RESTRICTED.map((rights) => ({ ...SHOWN, ...rights }))]
  const AFTER = ['shown', 'gone', 'hidden', 'gone', 'gone', 'gone', 'gone', 'gone']
  const use = 'IDX'

  it('is stored only as far as it may be shown, and its report counts the withheld rows', async () => {
    const report = await importFile(kind, fileOf(kind, RIGHTS), { use })
    expect(report).toMatchObject({
      read: 8,
      inserted: 2,
      withheld: 6,
      rejected: 0,
      removed: 0,
      addressesHidden: 1,
      withheldReasons: { display_forbidden: 1, use_not_permitted: 1, deleted: 3, incomplete: 1 },
    })
    expect(report.rightsFields).toEqual([
      'InternetAddressDisplayYN',
      'InternetEntireListingDisplayYN',
      'MlgCanUse',
      'MlgCanView',
      'MlsStatus',
      'StandardStatus',
    ])
    expect(await shown(8)).toEqual(AFTER)
    const { rows } = await test.database.query<{ stored: string }>(
      'select to_json(l)::text as stored from listings l where source = $1',
      [county.source],
    )
    expect(rows).toHaveLength(2)
    const rights = new RegExp(`${streetOf(2)}|MlgCanUse|DisplayYN`)
    for (const { stored } of rows) expect(stored).not.toMatch(rights)
    // Homes that were never shown need no note.
    const zpids = Array.from({ length: 8 }, (_, at) => zpidOf(at))
    const noted = await test.database.query('select from withheld_homes where zpid = any($1)', [zpids])
    expect(noted.rowCount).toBe(0)
  })

  it('removes homes that were shown before, also from rows of finished jobs, and a dry run only reports it', async () => {
    await importFile(kind, fileOf(kind, Array(8).fill(SHOWN)), { use })
    const { id } = await startJob(
      server,
      '/v1/properties/batch',
      { addresses: Array.from({ length: 8 }, (_, at) => addressOf(at)) },
      { key: county.key },
    )
    expect(await untilEnded(server, county.key, id)).toMatchObject({
      status: 'succeeded',
      credits_charged: 8,
    })
    const report = { read: 8, updated: 1, unchanged: 1, withheld: 6, removed: 6, rejected: 0 }
    expect(await importFile(kind, fileOf(kind, RIGHTS), { use, dryRun: true })).toMatchObject(report)
    expect(await shown(8)).toEqual(Array(8).fill('shown'))
    expect(await importFile(kind, fileOf(kind, RIGHTS), { use })).toMatchObject(report)
    expect(await shown(8)).toEqual(AFTER)
    const { text, json } = await server.get(`/v1/jobs/${id}/results`, { key: county.key })
    expect(text).toContain(streetOf(0))
    for (let at = 1; at < 8; at++) expect(text).not.toContain(streetOf(at))
    expect(json.data.map(({ withheld }: { withheld?: string }) => withheld ?? 'nothing').sort()).toEqual(
      ['address', ...Array(6).fill('listing'), 'nothing'].sort(),
    )
    // If they are permitted again, they are shown again.
    expect(await importFile(kind, fileOf(kind, Array(8).fill(SHOWN)), { use })).toMatchObject({ inserted: 6 })
    // A miss is remembered for half a second.
    await expect.poll(() => statusesOf(8), { timeout: 30_000 }).toEqual(Array(8).fill(200))
    const again = await server.get(`/v1/properties/${zpidOf(1)}`, { key: county.key })
    expect(again.text).toContain(streetOf(1))
  })

  it('permits no use that is not configured', async () => {
    expect(await importFile(kind, fileOf(kind, [SHOWN, {}]))).toMatchObject({
      withheldReasons: { use_not_permitted: kind === 'CSV' ? 2 : 1 },
    })
  })

  it('does not count withheld homes as missing if it is complete', async () => {
    await importFile(kind, fileOf(kind, Array(30).fill(SHOWN)), { use })
    const rights = Array.from({ length: 30 }, (_, at) => (at < 25 ? { ...SHOWN, MlgCanView: '0' } : SHOWN))
    const complete = { sources: [county.source] }
    expect(await importFile(kind, fileOf(kind, rights), { use, complete })).toMatchObject({
      removed: 25,
      withheld: 25,
      unchanged: 5,
      withdrawn: 0,
    })
  })

  it('may write yes and no in any usual way, under a name in any spelling', async () => {
    const no = ['N', 'No', ' no ', 'FALSE', 'f', '0', '0.0', ...(kind === 'CSV' ? [] : [false, 0])]
    const yes = ['Y', 'yes', 'TRUE', 't', '1', '1.0', '', ...(kind === 'CSV' ? [] : [true, 1, null])]
    const rights = (values: readonly unknown[], name: string) => values.map((value) => ({ [name]: value }))
    for (const name of ['Internet Address Display YN', 'INTERNETADDRESSDISPLAYYN']) {
      begin()
      const file = fileOf(kind, [...rights(no, name), ...rights(yes, name)])
      expect(await importFile(kind, file)).toMatchObject({ rejected: 0, addressesHidden: no.length })
      const { rows } = await test.database.query<{ hidden: boolean }>(
        'select address_hidden as hidden from listings where source = $1 order by zpid',
        [county.source],
      )
      expect(rows.map(({ hidden }) => hidden)).toEqual([...no.map(() => true), ...yes.map(() => false)])
    }
  })

  it('has a value that is neither yes nor no rejected, and the restriction holds', async () => {
    await importFile(kind, fileOf(kind, [{}, {}, {}, {}]))
    const rights = [
      { InternetAddressDisplayYN: 'perhaps' },
      { MlgCanView: 'x' },
      {},
      { isUndisclosedAddress: '?' },
    ]
    const report = await importFile(kind, fileOf(kind, rights))
    expect(report).toMatchObject({ read: 4, unchanged: 1, rejected: 3, removed: 1 })
    expect(report.rejections[0]!.reason).toBe(
      'has a value in InternetAddressDisplayYN that is neither yes nor no: "perhaps". It counts as a restriction until it is corrected',
    )
    expect(await shown(4)).toEqual(['hidden', 'gone', 'shown', 'hidden'])
  })

  const FAULT = { price: 'call us' }
  it('hides the stored home of a row that is rejected for another fault', async () => {
    await importFile(kind, fileOf(kind, [{}, {}, {}, {}, {}]))
    const rights = [
      { InternetAddressDisplayYN: 'N', ...FAULT },
      { InternetEntireListingDisplayYN: 'N', ...FAULT },
      { isUndisclosedAddress: 'true', ...FAULT },
      FAULT,
      {},
    ]
    // The rights of a record are read before the record is checked, and those of a CSV row after its mapping.
    const counts = kind === 'CSV' ? { rejected: 4, withheld: 0 } : { rejected: 3, withheld: 1 }
    expect(await importFile(kind, fileOf(kind, rights))).toMatchObject({
      read: 5,
      unchanged: 1,
      removed: 1,
      addressesHidden: 2,
      ...counts,
    })
    expect(await shown(5)).toEqual(['hidden', 'gone', 'hidden', 'shown', 'shown'])
  })

  it('hides stored homes even if none of its rows can be used, whichever file provided them', async () => {
    await importFile(kind, fileOf(kind, [{}]), { source: 'homes' })
    const file = fileOf(kind, [{ InternetAddressDisplayYN: 'N', ...FAULT }])
    expect(await importFile(kind, file)).toMatchObject({ rejected: 1 })
    expect(await shown(1)).toEqual(['hidden'])
    // For a home that was never stored, there is nothing to hide.
    begin()
    const other = fileOf(kind, [{ InternetAddressDisplayYN: 'N', ...FAULT }])
    await expect(importFile(kind, other)).rejects.toThrow(
      /^None of the 1 rows is a record: line \d has a wrong/,
    )
  })

  it('hides rows of jobs of a home that was removed since', async () => {
    await importFile(kind, fileOf(kind, [{}, {}]))
    const { id } = await startJob(
      server,
      '/v1/properties/batch',
      { addresses: [addressOf(0), addressOf(1)] },
      { key: county.key },
    )
    await untilEnded(server, county.key, id)
    await removeListings(test.database, { zpids: [zpidOf(0)] })
    await importFile(kind, fileOf(kind, [{ InternetAddressDisplayYN: 'N', ...FAULT }, {}]))
    const { text } = await server.get(`/v1/jobs/${id}/results`, { key: county.key })
    expect(text).toContain(streetOf(1))
    expect(text).not.toContain(streetOf(0))
    const kept = 'select from listing_changes where zpid = $1 and summary is not null'
    expect((await test.database.query(kept, [zpidOf(0)])).rowCount).toBe(0)
  })

  it('applies the last usable row of a home, and the restrictions of later rows', async () => {
    const [no, yes] = [{ MlgCanView: 'N' }, { MlgCanView: 'Y' }]
    const bad = { InternetAddressDisplayYN: 'N', ...FAULT }
    // Rows of stored homes and of new homes take different paths. Rows of both kinds of files take the same.
    const isStored = kind === 'CSV'
    for (const [rights, expected] of [
      [[no, yes], 'shown'],
      [[yes, no], 'gone'],
      [[yes, bad], 'hidden'],
      [[bad, yes], 'shown'],
      [[bad, no], 'gone'],
      [[no, bad], 'gone'],
    ] as const) {
      begin()
      if (isStored) await importFile(kind, fileOf(kind, [{}]))
      const same = { id: zpidOf(0), zpid: zpidOf(0), price: 700_000 }
      const rows = rights.map((one) => ({ ...same, ...one }))
      await importFile(kind, fileOf(kind, rows).replaceAll(streetOf(1), streetOf(0)))
      const { text, status } = await server.get(`/v1/properties/${zpidOf(0)}`, { key: county.key })
      const seen = status === 404 ? 'gone' : text.includes(streetOf(0)) ? 'shown' : 'hidden'
      expect([rights, seen]).toEqual([rights, expected])
    }
  })
})

describe('A CSV file whose mapping reads columns of rights', () => {
  const mapped = (columns: string, fields: string) =>
    MAPPING.replace('{ price: {} }', `{ ${columns} }`).replace('record:', `record:\n${fields}`)

  it('is judged by the mapped value, and in any case by a plain no in the file', async () => {
    const explained = mapped('InternetAddressDisplayYN: { values: { A: Y, B: N, "N": Y } }', '')
    const rights = ['A', 'B', 'N', 'C'].map((value) => ({ InternetAddressDisplayYN: value }))
    await importFile('CSV', fileOf('CSV', Array(4).fill({})))
    expect(await importFile('CSV', fileOf('CSV', rights), {}, explained)).toMatchObject({
      unchanged: 1,
      updated: 2,
      rejected: 1,
      addressesHidden: 3,
      rejections: [
        { reason: expect.stringMatching(/^has a value in InternetAddressDisplayYN that is neither/) },
      ],
    })
    expect(await shown(4)).toEqual(['shown', 'hidden', 'hidden', 'hidden'])
  })

  it('can state rights in columns of other names, and a cell that cannot be read permits nothing', async () => {
    const named = mapped(
      'web: { values: { show: Y, hide: N } }',
      '  InternetAddressDisplayYN: "{web}"\n  MlgCanUse: "{uses}"',
    )
    const rights = [
      { web: 'show', uses: 'VOW; IDX' },
      { web: 'hide', uses: 'IDX' },
      { web: 'maybe', uses: '["IDX"]' },
      { web: 'show', uses: '' },
    ]
    await importFile('CSV', fileOf('CSV', Array(4).fill({})))
    expect(await importFile('CSV', fileOf('CSV', rights), { use: 'idx' }, named)).toMatchObject({
      unchanged: 1,
      updated: 1,
      rejected: 1,
      withheld: 1,
      removed: 1,
      rejections: [{ reason: expect.stringContaining('the mapping has no value for: "maybe"') }],
    })
    expect(await shown(4)).toEqual(['shown', 'hidden', 'hidden', 'gone'])
  })

  it('still shows a home whose rejected row has only a part of its id', async () => {
    await importFile('CSV', fileOf('CSV', [{}]))
    const broken = MAPPING.replace('"{id}"', '"[{id}]5"').replace('price: {}', 'id: { match: "^[0-9]{3}$" }')
    const file = fileOf('CSV', [
      { InternetAddressDisplayYN: 'N' },
      { id: '901', InternetAddressDisplayYN: 'N' },
    ])
    expect(await importFile('CSV', file, {}, broken)).toMatchObject({ rejected: 1, inserted: 1 })
    expect(await shown(1)).toEqual(['shown'])
  })

  it('restricts the homes of rows that have keys of their source instead of zpids', async () => {
    const keyed = MAPPING.replace('zpid:', 'sourceKey:')
    const keys = (rights: Rights) => fileOf('CSV', [{ id: 'A-1', ...rights }, { id: 'A-2' }])
    await importFile('CSV', keys({}), {}, keyed)
    const stored = async () =>
      (
        await test.database.query<{ key: string; is_hidden: boolean; record: string }>(
          `select source_key as key, address_hidden as is_hidden, record from listings l
             join record_identities i using (zpid) where l.source = $1 and source_key like 'A-%' order by 1`,
          [county.source],
        )
      ).rows
    const hides = keys({ InternetAddressDisplayYN: 'N', price: 'call us' })
    expect(await importFile('CSV', hides, {}, keyed)).toMatchObject({ rejected: 1, unchanged: 1 })
    expect((await stored()).map(({ is_hidden }) => is_hidden)).toEqual([true, false])
    expect((await stored())[0]!.record).not.toContain(streetOf(0))
    const complete = { sources: [county.source] }
    expect(
      await importFile('CSV', keys({ MlgCanView: '0', price: 'call us' }), { complete }, keyed),
    ).toMatchObject({ rejected: 1, removed: 1, withdrawn: 0 })
    expect((await stored()).map(({ key }) => key)).toEqual(['A-2'])
  })
})

describe('The address of an NDJSON record that must not be displayed', () => {
  it('is not stored under standard names, as numbers, or in texts with another spelling of the street', async () => {
    const secret = {
      UnparsedAddress: '88 Hemlock Court, Kent, WA',
      StreetNumber: '88',
      StreetName: 'Hemlock',
      Latitude: latitudeOf(0),
      geo: { lat: latitudeOf(0), list: [-112.23401, 7], STREET_NO: '88' },
      ParcelNumber: '77001',
      CrossStreet: 'Birch',
      note: 'Ask at 88 Hemlock Ct',
      floor: 88,
    }
    await importFile('NDJSON', fileOf('NDJSON', [{ InternetAddressDisplayYN: 'no', ...secret }]))
    const { text, json } = await server.get(`/v1/properties/${zpidOf(0)}`, { key: county.key })
    const reso = await server.get(`/v1/properties/${zpidOf(0)}?shape=reso`, { key: county.key })
    expect(text + reso.text).not.toMatch(new RegExp(`Hemlock|Birch|77001|112[.]234|"88"|${latitudeOf(0)}`))
    expect(json.data).toMatchObject({ geo: { list: [7] }, floor: 88, price: 700_000 })
    expect(await shown(1)).toEqual(['hidden'])
  })
})
