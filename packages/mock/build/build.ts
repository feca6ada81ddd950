// What is published, made into dist/: the library and the command as CommonJS that share their chunks, an ES module that
// passes the library on, types for both, and the contract as a file. Everything that runs is inside, Prism too: as a
// dependency it would bring a hundred packages, one of which reports each installation to a third party, and it would
// refuse a Node that the mock itself is content with. Whose code it is stands in THIRD-PARTY-NOTICES.txt.
//
// Nothing here is needed inside the workspace, where everybody imports the source.

import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { asCommonJs, externalContract, replaceUnusedModules } from './plugins.ts'
import { writeNotices } from './third-party.ts'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist')
/** Declarations are made of sources only, and what is found through node_modules counts as none. */
const CONTRACT_SOURCES = {
  '@lotline/contract': [join(ROOT, '../contract/src/index.ts')],
  '@lotline/contract/checks': [join(ROOT, '../contract/src/checks/index.ts')],
  '@lotline/contract/input': [join(ROOT, '../contract/src/input.ts')],
  '@lotline/contract/nodes': [join(ROOT, '../contract/src/nodes.ts')],
}
const CONTRACT = join(ROOT, '../contract/src/generated/openapi.json')
const LIBRARY = join(ROOT, 'src/index.ts')

/** Which part of Prism names the file that it is in. */
const CHUNKS = {
  '/prism-http/dist/mocker/index.js': 'prism-mocker',
  '/prism-http/dist/utils/operations.js': 'prism-reader',
  '/node_modules/lodash/': 'prism-shared',
}

await rm(OUT, { recursive: true, force: true })
await mkdir(OUT)
const [chunks] = await Promise.all([buildCode(), buildTypes(), copyContract()])
await Promise.all([writeModule(chunks), writeNotices(chunks, join(OUT, 'THIRD-PARTY-NOTICES.txt'))])

async function buildCode(): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    input: { index: LIBRARY, main: join(ROOT, 'src/main.ts') },
    platform: 'node',
    transform: { target: 'node20' },
    experimental: { attachDebugInfo: 'none' },
    resolve: {
      alias: {
        // Its CommonJS form has requires that no bundler can follow.
        'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      },
    },
    plugins: [externalContract(), replaceUnusedModules(), asCommonJs(/\/uri-template-lite\//)],
    onLog(level, log) {
      if (level === 'warn' && log.code !== 'EVAL') throw new Error(log.message)
    },
  })
  const { output } = await bundle.write({
    dir: OUT,
    format: 'cjs',
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].cjs',
    chunkFileNames: ({ moduleIds }) => {
      const named = Object.entries(CHUNKS).find(([part]) => moduleIds.some((id) => id.includes(part)))
      return `${named?.[1] ?? '[name]'}.cjs`
    },
  })
  await bundle.close()
  return output.filter((part) => part.type === 'chunk')
}

/** There is one copy of the code, however it is loaded. */
async function writeModule(chunks: readonly OutputChunk[]): Promise<void> {
  const { exports } = chunks.find(({ name, isEntry }) => isEntry && name === 'index')!
  await writeFile(join(OUT, 'index.js'), `export { ${exports.join(', ')} } from './index.cjs'\n`)
}

async function buildTypes(): Promise<void> {
  const bundle = await rolldown({
    input: LIBRARY,
    external: [/^node:/],
    // A type-only import has no effect at run time and can be dropped.
    treeshake: { moduleSideEffects: false },
    plugins: [
      dts({
        tsconfig: join(ROOT, 'tsconfig.json'),
        emitDtsOnly: true,
        compilerOptions: { paths: CONTRACT_SOURCES },
      }),
    ],
    onLog(level, log) {
      if (level === 'warn' && log.code !== 'PLUGIN_TIMINGS') throw new Error(log.message)
    },
  })
  await bundle.write({ dir: OUT, format: 'esm' })
  await bundle.close()
  await copyFile(join(OUT, 'index.d.ts'), join(OUT, 'index.d.cts'))
}

async function copyContract(): Promise<void> {
  const contract: unknown = JSON.parse(await readFile(CONTRACT, 'utf8'))
  await writeFile(join(OUT, 'openapi.json'), JSON.stringify(contract))
}
