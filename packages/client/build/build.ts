// What is published, made into dist/: one ES module and one CommonJS module, each with its own types. openapi-fetch stays
// a dependency; what we take of the contract, types and one rule, is written into ours. Nothing here is needed inside the
// workspace, where everybody imports the source: package.json has `exports` for us and `publishConfig.exports` for others.

import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const ROOT = join(import.meta.dirname, '..')
const ENTRY_FILE = join(ROOT, 'src/index.ts')
const OUT = join(ROOT, 'dist')
/** Declarations are made of sources only, and what is found through node_modules counts as none. */
const CONTRACT_SOURCES = {
  '@lotline/contract': [join(ROOT, '../contract/src/index.ts')],
  '@lotline/contract/search-mode': [join(ROOT, '../contract/src/search-mode.ts')],
}
const COMMONJS_SHIM = '\0default.cjs'

await rm(OUT, { recursive: true, force: true })
await Promise.all([buildCode(), buildTypes()])

async function buildCode(): Promise<void> {
  const shared: InputOptions = { input: ENTRY_FILE, platform: 'neutral' }
  const esm = { ...shared, external: ['openapi-fetch'] }
  await writeModule(esm, { file: join(OUT, 'index.js'), format: 'esm', comments: false })
  const cjs = { ...shared, plugins: [requireDefault('openapi-fetch')] }
  await writeModule(cjs, { file: join(OUT, 'index.cjs'), format: 'cjs', comments: false })
}

async function writeModule(input: InputOptions, output: OutputOptions): Promise<void> {
  const bundle = await rolldown(input)
  await bundle.write(output)
  await bundle.close()
}

/**
 * Takes the default export of a dependency's CommonJS form. Left alone, the bundler does as Node does where an ES module
 * imports CommonJS, and takes the whole module for its default.
 */
function requireDefault(name: string): Plugin {
  return {
    name: 'require-default',
    resolveId(source, importer) {
      if (source !== name) return undefined
      return importer === COMMONJS_SHIM ? { id: name, external: true } : COMMONJS_SHIM
    },
    load: (id) => (id === COMMONJS_SHIM ? `module.exports = require('${name}').default` : undefined),
  }
}

async function buildTypes(): Promise<void> {
  const bundle = await rolldown({
    input: ENTRY_FILE,
    external: ['openapi-fetch'],
    // A type-only import has no effect at run time and can be dropped.
    treeshake: { moduleSideEffects: false },
    plugins: [
      dts({
        tsconfig: join(ROOT, 'tsconfig.build.json'),
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
