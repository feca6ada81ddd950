// Where the folders of the service are. Every law, the owners of tables, and the choice of tests ask here, so that a folder that moves
// into a module changes these lines and no law.

/** Folders of apps/api/src that only hold other folders: `money` holds `money/credits`. A file of a module itself belongs to the module. */
const MODULES: ReadonlySet<string> = new Set<string>()

/** A place in a folder of the service, wherever that folder is: `credits`, `retention/expired-rows.ts`, or `database/backup`. */
export type Place = string

/** The folder of apps/api/src that a file belongs to, or the file itself if it is at the top. Undefined outside. */
export function folderOf(file: string): string | undefined {
  return placeOf(file)?.split('/', 1)[0]
}

/** A file of the service from its folder on: `credits/ledger.ts`. Undefined outside of apps/api/src. */
export function placeOf(file: string): Place | undefined {
  return withoutModule(/^apps\/api\/src\/(.+)$/.exec(file)?.[1])
}

/** A file of the service's tests from its folder on, which has the name of the folder that it tests. */
export function testPlaceOf(file: string): Place | undefined {
  return withoutModule(/^apps\/api\/test\/(.+)$/.exec(file)?.[1])
}

/** Whether a file of the service is in one of these folders, or is one of these files. */
export function isIn(file: string, places: readonly Place[]): boolean {
  const own = placeOf(file)
  return own !== undefined && places.some((place) => own === place || own.startsWith(`${place}/`))
}

/** SQL files of the schema, in whatever folder they are. */
export function isMigration(file: string): boolean {
  return isIn(file, ['database']) && /\/migrations\/[^/]+\.sql$/.test(file)
}

function withoutModule(path: string | undefined): Place | undefined {
  const [module, ...rest] = path?.split('/') ?? []
  return module !== undefined && MODULES.has(module) && rest.length > 1 ? rest.join('/') : path
}
