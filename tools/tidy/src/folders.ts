// Where the folders of the service are. Every law, the owners of tables, and the choice of tests ask here, so that a folder that moves
// into another module changes modules.ts and no law.

import { MODULES, pathOf, SOURCE } from './modules.ts'

/** A place in a folder of the service, wherever that folder is: `credits`, `retention/expired-rows.ts`, or `database/backup`. */
export type Place = string

/** The folder of a module that a file belongs to; for a root file of a module, the module. Undefined outside of the service. */
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

/** Whether a file of the service is in one of these folders or modules, or is one of these files. A place may begin with its module. */
export function isIn(file: string, places: readonly Place[]): boolean {
  const own = placeOf(file)
  if (own === undefined) return false
  const names = [own, file.slice(SOURCE.length)]
  return places.some((place) => names.some((name) => name === place || name.startsWith(`${place}/`)))
}

/** The path of a place, such as `apps/api/src/money/credits/ledger.ts` for `credits/ledger.ts`. @throws {Error} if no module has its folder */
export function fileOf(place: Place): string {
  const [folder, ...rest] = place.split('/')
  return `${pathOf(folder!)}${rest.join('/')}`
}

/** SQL files of the schema, in whatever folder they are. */
export function isMigration(file: string): boolean {
  return isIn(file, ['database']) && /\/migrations\/[^/]+\.sql$/.test(file)
}

function withoutModule(path: string | undefined): Place | undefined {
  const [module, ...rest] = path?.split('/') ?? []
  return module !== undefined && Object.hasOwn(MODULES, module) && rest.length > 1 ? rest.join('/') : path
}
