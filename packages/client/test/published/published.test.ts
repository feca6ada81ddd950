// What is published, as strangers get it: the tarball, its types under every way to resolve them, ES modules and CommonJS
// on every Node that is here, a browser on another origin, and a runtime that has nothing but the web's own interfaces.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { DEMO_KEY, type Mock, startMock } from '@lotline/mock'
import { chromium } from 'playwright-core'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findChromium } from './find-chromium.ts'
import {
  BROWSER_PROGRAM,
  COMMON_JS_PROGRAM,
  ES_MODULE_PROGRAM,
  EXPECTED_OUTPUT,
  TYPED_PROGRAM,
} from './programs.ts'
import { createProject, findOtherNodes, type Project } from './project.ts'

const MAX_BYTES = 12_000
const nodes = [{ path: process.execPath, version: process.version }, ...(await findOtherNodes())]
/** The compiler of the workspace; in the full run the one before it as well, which takes ten times as long. */
const COMPILERS = ['../../../../node_modules/.bin/tsc', '../../node_modules/.bin/tsc']
  .slice(0, process.env.LOTLINE_FULL === '1' ? 2 : 1)
  .map((path) => join(import.meta.dirname, path))

let project: Project
let mock: Mock

beforeAll(async () => {
  mock = await startMock()
  project = await createProject()
})
afterAll(async () => {
  await mock?.close()
  await project?.remove()
})

describe('the package tarball', () => {
  it('contains the expected files and nothing else', () => {
    expect(project.files.toSorted()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'package.json',
        'dist/index.cjs',
        'dist/index.d.cts',
        'dist/index.d.ts',
        'dist/index.js',
      ]
        .map((file) => `package/${file}`)
        .toSorted(),
    )
  })

  it('has one dependency, and its types need no other package', async () => {
    const { dependencies } = JSON.parse(await readFile(join(project.client, 'package.json'), 'utf8'))
    expect(Object.keys(dependencies)).toEqual(['openapi-fetch'])
    for (const types of ['index.d.ts', 'index.d.cts']) {
      const text = await readFile(join(project.client, 'dist', types), 'utf8')
      expect(text).not.toMatch(/^\s*import |\bfrom ['"]|import\(|<reference/m)
    }
  })

  it('passes publint', async () => {
    const { messages } = await publint({ pack: { tarball: project.tarball.buffer }, strict: true })
    expect(messages).toEqual([])
  })

  it('has correct types for every module resolution', async () => {
    const result = await checkPackage(createPackageFromTarballData(project.tarball))
    expect(result.types && 'problems' in result && result.problems).toEqual([])
  })

  it('adds at most 12 kB to a web page, openapi-fetch included', async () => {
    const published = await readFile(join(project.client, 'dist/index.js'))
    expect(gzipSync(published).length).toBeLessThan(MAX_BYTES)
    expect(gzipSync(await bundle('esm')).length).toBeLessThan(MAX_BYTES)
  })
})

describe.each(nodes)('on Node $version, the package', ({ path }) => {
  it.each([
    ['an ES module', 'program.mjs', ES_MODULE_PROGRAM],
    ['CommonJS', 'program.cjs', COMMON_JS_PROGRAM],
  ])('can be used by %s', async (_, name, text) => {
    await project.write(name, text)
    expect((await project.run(path, name, DEMO_KEY, mock.origin)).trim()).toBe(EXPECTED_OUTPUT)
  })
})

describe.each([
  ['NodeNext', ['program.mts', 'program.cts'], { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['bundlers', ['program.ts'], { module: 'esnext', moduleResolution: 'bundler' }],
])('type-checks as TypeScript for %s', (_, files, options) => {
  it.each([
    ['the DOM', { types: [] }],
    ['Node’s types alone', { types: ['node'], lib: ['es2022'] }],
  ])('type-checks with %s, libraries included', async (_, environment) => {
    for (const file of files) await project.write(file, TYPED_PROGRAM)
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
    const compilerOptions = {
      ...options,
      ...environment,
      ...strict,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2022',
    }
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
    for (const compiler of COMPILERS) await project.run(compiler, '-p', '.')
  })
})

describe('The READMEs of the package and of the repository', () => {
  it('contain samples that compile and run as printed', async () => {
    const own = await readFile(join(project.client, 'README.md'), 'utf8')
    const whole = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8')
    const samples = [...`${own}\n${whole}`.matchAll(/^```ts\n(.*?)^```/gms)].map(([, sample]) => sample!)
    expect(samples.length).toBeGreaterThan(8)
    const client = "import { Lotline } from '@lotline/client'\nconst lotline = new Lotline()\n"
    const files = samples.map((_, n) => `sample-${n}.mts`)
    for (const [n, sample] of samples.entries()) {
      await project.write(files[n]!, sample.includes('new Lotline') ? sample : client + sample)
    }
    const compilerOptions = {
      module: 'nodenext',
      strict: true,
      noEmit: true,
      target: 'es2022',
      types: ['node'],
    }
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
    await project.run(COMPILERS[0]!, '-p', '.')
    project.env = { LOTLINE_API_KEY: DEMO_KEY, LOTLINE_BASE_URL: mock.origin }
    await Promise.all(files.map((file) => project.run(process.execPath, file)))
    expect(await readFile(join(project.directory, 'homes.csv'), 'utf8')).toMatch(/^zpid,/)
  })
})

describe('outside Node, the package', () => {
  it('works in a browser from another origin', async ({ skip }) => {
    const executablePath = findChromium('the SDK works in a browser') ?? skip('chromium is not installed')
    const origin = await servePage()
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(origin)
    await page.waitForFunction('window.answer').catch(() => undefined)
    expect([complaints, await page.evaluate('window.answer')]).toEqual([[], EXPECTED_OUTPUT])
  })

  it('uses only features that edge runtimes have', async () => {
    const web = {
      AbortController,
      AbortSignal,
      Blob,
      Headers,
      ReadableStream,
      Request,
      Response,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
      FormData,
      atob,
      clearTimeout,
      crypto,
      fetch,
      setTimeout,
    }
    const context = createContext({ ...web, answered: undefined })
    runInContext(await bundle('iife'), context)
    const call = `new lotline.Lotline({ apiKey: '${DEMO_KEY}', baseUrl: '${mock.origin}' }).account.me()`
    const { data } = await runInContext(call, context)
    expect(data.plan_id).toBe('annual')
  })
})

/** The installed SDK with what it depends on, as a bundler makes it small. */
async function bundle(format: 'esm' | 'iife'): Promise<string> {
  await project.write('entry.js', "export * from '@lotline/client'\n")
  const built = await rolldown({ input: join(project.directory, 'entry.js'), platform: 'browser' })
  const { output } = await built.generate({ format, minify: true, name: 'lotline' })
  await built.close()
  return output[0].code
}

/** A page that loads the published files as they are, with an import map in the place of a bundler. */
async function servePage(): Promise<string> {
  const files: Record<string, string> = {
    '/client.js': join(project.client, 'dist/index.js'),
    '/openapi-fetch.js': join(project.directory, 'node_modules/openapi-fetch/dist/index.mjs'),
  }
  const imports = { '@lotline/client': '/client.js', 'openapi-fetch': '/openapi-fetch.js' }
  const page = `<!doctype html><link rel="icon" href="data:,">
    <script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">${BROWSER_PROGRAM(DEMO_KEY, mock.origin)}</script>`
  const server = createServer(async (request, response) => {
    const file = files[request.url ?? '']
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html')
    response.end(file ? await readFile(file) : page)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
