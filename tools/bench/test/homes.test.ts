import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeHomes } from '../src/homes.ts'

test('generated homes are the originals first, then copies with new zpids, each copy farther away', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-homes-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const source = join(directory, 'source.ndjson')
  const originals = [1, 2].map((zpid) => ({ zpid: String(zpid), latitude: 40, longitude: -80, price: zpid }))
  await writeFile(source, originals.map((home) => JSON.stringify(home)).join('\n'))
  const read = async (from: number, to: number) => {
    const text = await readFile(await writeHomes([source], { from, to }, join(directory, 'out')), 'utf8')
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  const homes = await read(0, 5)
  expect(homes.map(({ zpid }) => zpid)).toEqual(['1', '2', '9011', '9012', '9021'])
  expect(homes.slice(0, 2)).toEqual(originals)
  expect(homes[4]).toMatchObject({ price: 1, latitude: 40.001, longitude: -79.999 })
  expect(await read(1, 3)).toEqual(homes.slice(1, 3))
})
