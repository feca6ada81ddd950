import type { Plugin } from 'rolldown'

/**
 * What Prism loads for work that the mock does not give it: callbacks, forms, other formats than OpenAPI 3, and values of
 * the extension `x-faker`, which the contract does not use.
 */
const UNUSED_MODULES = [
  '@faker-js/faker',
  '@stoplight/http-spec/oas2/operation',
  '@stoplight/http-spec/postman/operation',
  'node-fetch',
  'parse-multipart-data',
]
const EMPTY_MODULE_ID = '\0nothing'

/** The contract stays a file beside the code, as people want it for other tools as well. */
export function externalContract(): Plugin {
  return {
    name: 'external-contract',
    resolveId: (source) =>
      source.endsWith('/generated/openapi.json') ? { id: './openapi.json', external: true } : undefined,
  }
}

/** Replaces modules that are never called with empty ones. */
export function replaceUnusedModules(): Plugin {
  return {
    name: 'without-unused',
    resolveId: (source) => (UNUSED_MODULES.includes(source) ? EMPTY_MODULE_ID : undefined),
    load: (id) => (id === EMPTY_MODULE_ID ? 'module.exports = {}' : undefined),
  }
}

/** For scripts that put their exports on a bare `this`, which a bundler takes for that of an ES module. */
export function asCommonJs(files: RegExp): Plugin {
  return {
    name: 'as-common-js',
    transform: (code, id) =>
      files.test(id) ? `(function () {\n${code}\n}).call(module.exports)` : undefined,
  }
}
