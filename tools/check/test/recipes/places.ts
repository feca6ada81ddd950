// Where the recipes of CONTRIBUTING.md make their edits. This is the only list of these paths for the test of the recipes.

export const PLACES = {
  openapi: 'spec/openapi.yaml',
  paths: 'spec/paths',
  scenario: 'packages/contract/test-cases/client-scenario.json',
  priceTest: 'packages/contract/test/price.test.ts',
  typescriptProperties: 'packages/client/src/resources/properties.ts',
  pythonProperties: 'packages/client-python/src/lotline/_async/properties.py',
  partsOfRecord: 'apps/api/src/requests/operations/sub-resources.ts',
  config: 'apps/api/src/infrastructure/config/config.ts',
  configTest: 'apps/api/test/infrastructure/config/config.test.ts',
  configGuide: 'apps/api/guides/operations/configuration.md',
  migrations: 'apps/api/src/infrastructure/database/migrations',
  tableOwners: 'tools/tidy/src/table-owners.ts',
  portal: 'apps/portal/src',
  /** The test that looks for what the recipes have added. It is not a test of the repository: the scratch copy gets the second name. */
  observer: 'apps/api/test/recipes/added.ts',
  observerTest: 'apps/api/test/recipes/added.test.ts',
  added: 'apps/api/test/recipes/added.json',
} as const
