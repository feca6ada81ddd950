import { Core } from './core/core.ts'
import { type LotlineOptions, readSettings } from './options.ts'
import { AccountResource } from './resources/account.ts'
import { Buildings } from './resources/buildings.ts'
import { Jobs } from './resources/jobs.ts'
import { Keys } from './resources/keys.ts'
import { Listings } from './resources/listings.ts'
import { Properties } from './resources/properties.ts'
import { Search } from './resources/search.ts'
import { Watches } from './resources/watches.ts'
import { Webhooks } from './resources/webhooks.ts'

/**
 * A client of the Lotline API. It keeps no connection open and does not need to be closed. One client can serve a
 * whole program.
 */
export class Lotline {
  readonly properties: Properties
  readonly buildings: Buildings
  readonly search: Search
  readonly listings: Listings
  readonly jobs: Jobs
  readonly watches: Watches
  readonly webhooks: Webhooks
  readonly keys: Keys
  readonly account: AccountResource

  /** @throws LotlineError `missing_api_key` when there is no key; TypeError, RangeError for an option out of bounds */
  constructor(options: LotlineOptions = {}) {
    const core = new Core(readSettings(options))
    this.jobs = new Jobs(core)
    this.properties = new Properties(core, this.jobs)
    this.buildings = new Buildings(core, this.jobs)
    this.search = new Search(core, this.jobs)
    this.listings = new Listings(core, this.jobs)
    this.watches = new Watches(core)
    this.webhooks = new Webhooks(core)
    this.keys = new Keys(core)
    this.account = new AccountResource(core)
  }
}
