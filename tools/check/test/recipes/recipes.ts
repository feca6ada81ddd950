// The recipes of CONTRIBUTING.md as edits. Each adds one thing in a scratch copy and says where it must appear.
// To add a recipe, add an entry to RECIPES; recipes.test.ts makes all of them in one copy.

import { PLACES } from './places.ts'
import type { ScratchTree } from './scratch-tree.ts'

/** The kinds of things that the observer looks for. Its `RecipeResults` says what it needs to know about each. */
export const ADDED = ['operations', 'filters', 'fields', 'settings', 'tables', 'pages'] as const

export interface Recipe {
  /** The heading in CONTRIBUTING.md. */
  readonly heading: string
  /** The edits that must come before `pnpm generate`. Those in code may come later: the compiler names the places that lack them. */
  readonly declare?: (tree: ScratchTree) => void
  readonly implement?: (tree: ScratchTree) => void
  /** Files that must have the text in the end. */
  readonly appears: readonly (readonly [what: string, file: string, text: string | RegExp])[]
  /** The additions that the running service, the mock, and the SDK must have: see PLACES.observer. */
  readonly added: Readonly<Partial<Record<(typeof ADDED)[number], readonly unknown[]>>>
}

const OPERATION = 'getPropertyCatchments'

const anOperation: Recipe = {
  heading: 'Add an operation',
  declare(tree) {
    const text = tree
      .read(`${PLACES.paths}/properties.{zpid}.schools.yaml`)
      .replace('operationId: getPropertySchools', `operationId: ${OPERATION}`)
      .replace('summary: Read the schools near a home', 'summary: Read the catchments of a home')
      .replace('x-sdk: properties.schools', 'x-sdk: properties.catchments')
    tree.write(`${PLACES.paths}/properties.{zpid}.catchments.yaml`, text)
    tree.insert(
      PLACES.openapi,
      '  /v1/properties/{zpid}/schools:\n',
      '  /v1/properties/{zpid}/catchments:\n    $ref: paths/properties.{zpid}.catchments.yaml\n',
    )
  },
  implement(tree) {
    tree.repeatLines(PLACES.partsOfRecord, 'getPropertySchools', OPERATION)
    tree.insert(
      PLACES.typescriptProperties,
      '  /** The schools near the home. 1 credit. */\n',
      `  /** The catchments of the home. 1 credit. */
  catchments(zpid: string, options?: CallOptions): PartResult<'catchments'> {
    return this.#part('/v1/properties/{zpid}/catchments', zpid, options)
  }

`,
    )
    tree.insert(
      PLACES.pythonProperties,
      '    async def schools(\n',
      `    async def catchments(self, zpid: str, **options: Unpack[CallOptions]) -> Result[list[types.School], Any]:
        """The catchments of the home. 1 credit."""
        return await self._part(zpid, "catchments", options)

`,
    )
    tree.repeatLines(PLACES.scenario, 'schools', 'catchments')
    tree.insert(
      PLACES.priceTest,
      `  ['getPropertyNearby', null, 0, 1],\n`,
      `  ['${OPERATION}', null, 0, 1],\n`,
    )
  },
  appears: [
    ['the contract', 'packages/contract/src/generated/openapi.json', `"operationId": "${OPERATION}"`],
    ['the SDK methods', 'packages/contract/src/generated/operations.ts', `| 'properties.catchments'`],
    ['the types of Python', 'packages/client-python/src/lotline/types.py', 'GetPropertyCatchmentsMeta'],
    ['the Python client', 'packages/client-python/src/lotline/_sync/properties.py', '    def catchments('],
    [
      'the calls of the tests of the Python client',
      'packages/client-python/tests/every_operation.py',
      `"${OPERATION}": lambda c, options: c.properties.catchments("48749425", **options)`,
    ],
  ],
  added: { operations: [OPERATION] },
}

const aFilter: Recipe = {
  heading: 'Add a filter',
  declare(tree) {
    tree.insert(
      PLACES.filterSchema,
      '  isWaterfront:\n',
      `  hasView:
    type: [boolean, "null"]
    description: >-
      True for homes with a view only, false for homes without one; omit it for both.
    x-error-code: invalid_filters
`,
    )
    tree.insert(
      PLACES.providerSchemas,
      '    isWaterfront:\n',
      '    hasView:\n      type: boolean\n      description: Whether there is a view.\n',
    )
    tree.write(
      `${PLACES.parameters}/HasViewQuery.yaml`,
      tree
        .read(`${PLACES.parameters}/SeniorCommunityQuery.yaml`)
        .replace('senior_community', 'has_view')
        .replace('homes in communities with a minimum age for residents, mostly 55', 'homes with a view'),
    )
    tree.insert(
      PLACES.listingsPath,
      '    - $ref: ../parameters/SeniorCommunityQuery.yaml\n',
      '    - $ref: ../parameters/HasViewQuery.yaml\n',
    )
  },
  implement(tree) {
    tree.insert(
      PLACES.searchableFacts,
      "  pending: {\n    kind: 'flag',\n",
      `  hasView: {
    kind: 'flag',
    column: 'has_view',
    query: 'has_view',
    about: 'homes with a view',
    says: (record) => asFlag(readResoFacts(record).hasView),
  },
`,
    )
    tree.insert(
      PLACES.searchableFactsTest,
      '  pending: yesOrNo(',
      '  hasView: yesOrNo({ resoFacts: { hasView: true } }, { resoFacts: { hasView: false } }),\n',
    )
    tree.insert(
      PLACES.listingFields,
      "  ['isUndisclosedAddress', ",
      "  ['resoFacts.hasView', { resoFacts: { hasView: true } }],\n",
    )
    tree.write(
      `${PLACES.migrations}/9001_recipe_view.sql`,
      `alter table listings add column has_view boolean not null default false;
alter type listing_facts add attribute has_view boolean;

${logWith(tree, 'has_view')}
`,
    )
  },
  appears: [
    ['the contract', 'packages/contract/src/generated/openapi.json', '"name": "has_view"'],
    ['the types', 'packages/contract/src/generated/types.ts', 'hasView?: boolean | null;'],
    [
      'the types of Python',
      'packages/client-python/src/lotline/types.py',
      'hasView: NotRequired[bool | None]',
    ],
    ['the guide on searches', PLACES.searchGuide, '| `hasView` | `has_view` | homes with a view |'],
    ['the guide on listings', PLACES.listingsGuide, '| `resoFacts.hasView` | `hasView` |'],
  ],
  added: { filters: [{ name: 'hasView', query: 'has_view', given: true, wrong: 'perhaps' }] },
}

/** The function that writes the change log, from the last migration that has it, with one more column in its four rows of facts. */
function logWith(tree: ScratchTree, column: string): string {
  const texts = tree
    .list(PLACES.migrations)
    .map((file) => tree.read(file))
    .filter((text) => /function log_listing_changes\(\)/.test(text))
  const [, body] = /create (?:or replace )?(function log_listing_changes\(\)[\s\S]*?\nend \$\$;)/.exec(
    texts.at(-1)!,
  )!
  const rows = body!.split(')::listing_facts').length - 1
  if (rows !== 4) throw new Error(`log_listing_changes has ${rows} rows of facts, and the recipe says four`)
  return `create or replace ${body!.replace(/\b([no])\.(\w+)\)::listing_facts/g, `$1.$2, $1.${column})::listing_facts`)}`
}

const aField: Recipe = {
  heading: 'Add a field',
  declare(tree) {
    tree.insert(
      PLACES.recordSchema,
      '  isFeatured:\n',
      '  isPassiveHouse:\n    type: [boolean, "null"]\n    description: Whether the home is certified as a passive house.\n',
    )
    for (const example of PLACES.recordExamples)
      tree.insert(example, '    mlsid: "2461870"\n', '    isPassiveHouse: true\n')
  },
  implement(tree) {
    tree.write(
      PLACES.typedUses,
      `import type { Property, SearchFilters } from '${'@lotline'}/client'

export const filters: SearchFilters = { hasView: true }
export const isPassiveHouse = ({ isPassiveHouse }: Property): boolean | null | undefined => isPassiveHouse
`,
    )
  },
  appears: [
    ['the contract', 'packages/contract/src/generated/openapi.json', '"isPassiveHouse": {'],
    ['the types', 'packages/contract/src/generated/types.ts', 'isPassiveHouse?: boolean | null;'],
    [
      'the types of Python',
      'packages/client-python/src/lotline/types.py',
      'isPassiveHouse: NotRequired[bool | None]',
    ],
  ],
  added: { fields: [{ name: 'isPassiveHouse', given: 'yes', read: true }] },
}

const aSetting: Recipe = {
  heading: 'Add a setting',
  declare(tree) {
    tree.insert(
      PLACES.config,
      '  SYNC_TIMEOUT_MS: setting(\n',
      `  RECIPE_PAUSE_MS: setting(integer(0, 1_000), 7, 'Wait that the test of the recipes adds.'),\n`,
    )
  },
  implement(tree) {
    tree.insert(PLACES.config, '  readonly syncTimeoutMs: number\n', '  readonly recipePauseMs: number\n')
    tree.insert(
      PLACES.config,
      '    syncTimeoutMs: values.SYNC_TIMEOUT_MS,\n',
      '    recipePauseMs: values.RECIPE_PAUSE_MS,\n',
    )
    tree.insert(PLACES.configTest, '    syncTimeoutMs: 300_000,\n', '    recipePauseMs: 7,\n')
    tree.insert(PLACES.configTest, `    SYNC_TIMEOUT_MS: '1000',\n`, `    RECIPE_PAUSE_MS: '9',\n`)
    tree.insert(PLACES.configTest, '    syncTimeoutMs: 1000,\n', '    recipePauseMs: 9,\n')
    tree.insert(
      PLACES.configTest,
      `    ['SYNC_TIMEOUT_MS', '300001'],\n`,
      `    ['RECIPE_PAUSE_MS', '1001'],\n`,
    )
  },
  appears: [
    [
      'the guide for operators',
      PLACES.configGuide,
      /^\| `RECIPE_PAUSE_MS` \|.*Wait that the test of the recipes adds\./m,
    ],
  ],
  added: {
    settings: [{ name: 'RECIPE_PAUSE_MS', field: 'recipePauseMs', given: '9', read: 9, wrong: '1001' }],
  },
}

const aMigration: Recipe = {
  heading: 'Add a migration',
  declare(tree) {
    tree.write(
      `${PLACES.migrations}/9000_recipe_notes.sql`,
      `create table recipe_notes (
  id bigint generated always as identity primary key,
  note text not null
);
`,
    )
    tree.insert(PLACES.tableOwners, `    'removed_listings',\n`, `    'recipe_notes',\n`)
  },
  appears: [],
  added: { tables: ['recipe_notes'] },
}

const aPage: Recipe = {
  heading: 'Add a page',
  declare(tree) {
    tree.write(
      `${PLACES.portal}/pages/recipe.ts`,
      `// The page that the test of the recipes adds.

import { type PortalAnswer, page, type Visit } from '../answer.ts'
import { callForPage } from '../api.ts'
import { html } from '../html.ts'
import type { PageRoute } from '../routes.ts'

export const recipeRoutes: readonly PageRoute[] = [['GET', '/portal/recipe', showRecipe]]

async function showRecipe({ api }: Visit): Promise<PortalAnswer> {
  const { data } = await callForPage(api, 'getAccount')
  return page('recipe', 'Recipe', html\`<h1>Recipe of the plan \${data.plan}</h1>\`)
}
`,
    )
    tree.insert(
      `${PLACES.portal}/portal.ts`,
      `import { usageRoutes }`,
      `import { recipeRoutes } from './pages/recipe.ts'\n`,
    )
    tree.insert(`${PLACES.portal}/portal.ts`, '  ...usageRoutes,\n', '  ...recipeRoutes,\n')
    tree.insert(`${PLACES.portal}/answer.ts`, `'explore' | 'overview'`, `'recipe' | `)
    tree.insert(
      `${PLACES.portal}/layout.ts`,
      `  ['explore', '/portal/explore', 'Explore'],\n`,
      `  ['recipe', '/portal/recipe', 'Recipe'],\n`,
    )
  },
  appears: [],
  added: { pages: [{ path: '/portal/recipe', title: 'Recipe', text: 'Recipe of the plan' }] },
}

export const RECIPES: readonly Recipe[] = [anOperation, aFilter, aField, aSetting, aMigration, aPage]
