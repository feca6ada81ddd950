// Where the recipes of CONTRIBUTING.md make their edits. This is the only list of these paths for the test of the recipes.

export const PLACES = {
  openapi: 'spec/openapi.yaml',
  paths: 'spec/paths',
  parameters: 'spec/parameters',
  listingsPath: 'spec/paths/listings.yaml',
  filterSchema: 'spec/schemas/SearchFilters.yaml',
  providerSchemas: 'spec/provider/schemas.yaml',
  recordSchema: 'spec/schemas/Property.yaml',
  recordExamples: ['spec/examples/properties/home.yaml', 'spec/examples/properties/home-cached.yaml'],
  scenario: 'packages/contract/test-cases/client-scenario.json',
  priceTest: 'packages/contract/test/price.test.ts',
  typescriptProperties: 'packages/client/src/resources/properties.ts',
  pythonProperties: 'packages/client-python/src/lotline/_async/properties.py',
  partsOfRecord: 'apps/api/src/requests/operations/sub-resources.ts',
  searchableFacts: 'apps/api/src/domain/search/searchable-facts.ts',
  searchableFactsTest: 'apps/api/test/domain/search/searchable-facts.test.ts',
  searchGuide: 'apps/api/guides/search.md',
  listingFields: 'apps/api/guides/listing-fields-table.ts',
  listingsGuide: 'apps/api/guides/operations/listings.md',
  config: 'apps/api/src/infrastructure/config/config.ts',
  configTest: 'apps/api/test/infrastructure/config/config.test.ts',
  configGuide: 'apps/api/guides/operations/configuration.md',
  migrations: 'apps/api/src/infrastructure/database/migrations',
  tableOwners: 'tools/tidy/src/table-owners.ts',
  portal: 'apps/portal/src',
  /** The test that looks for what the recipes have added. It is not a test of the repository: the scratch copy gets the second name. */
  observer: 'apps/api/test/recipes/added.ts',
  observerTest: 'apps/api/test/recipes/added.test.ts',
  /** Code that compiles only if the types of the SDK have what was added. */
  typedUses: 'apps/api/test/recipes/typed-uses.ts',
  added: 'apps/api/test/recipes/added.json',
} as const
