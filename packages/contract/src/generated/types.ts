// Generated from spec/ by `pnpm generate`. Edits are lost: change the contract instead.

export interface paths {
    "/v1/properties/by-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a home by its listing URL
         * @description Returns the full record of the home at a listing-site URL, the same record as GET
         *     /v1/properties/{zpid}. Use it if you have a link and no id. URLs of the kinds `/homedetails/`,
         *     `/b/`, `/apartments/` and `/community/` are accepted.
         *
         *     **Buildings.** The URL of a building returns the building's own record. Set `extract_units` to get
         *     its units instead: `data` is then an array with one full record for each unit, and `meta.count`
         *     has their number. The building's own record may come first; it has no unit number and is not in
         *     `meta.count`. It is free if units are returned, and costs 1 if there are no units. If the records
         *     come from several sources, each has its own `source`, and `meta.source` is absent. With the URL of
         *     a single home, `extract_units` has no effect, and `data` is an object.
         *
         *     **Cost.** 1 credit for each record returned, at least 1. A home costs 1 credit; a building with 42
         *     units for rent, read with `extract_units=for_rent`, costs 42. If fewer credits are available than
         *     there are units, the response contains the units that the credits cover, and `meta` has
         *     `truncated: true` and `truncated_by: "credits"`. Failed calls are free, and `fields` does not
         *     change the price.
         *
         *     **Limits.** A URL has at most 2,048 characters. The call ends after 5 minutes. For buildings
         *     with hundreds of units use GET /v1/buildings/by-url with `sync=false`, which runs as a job.
         *
         *     **Errors.** `invalid_url` means that the host, kind or form of the URL is not supported: correct
         *     the URL. `not_found` means that the URL is well-formed but there is no home at it. After
         *     `upstream_error` or `upstream_timeout`, retry the call; it was not charged.
         *
         *     **Instead.** For many URLs, use POST /v1/properties/batch, which does the same as a job. For the
         *     units of a building with only the essential fields, use GET /v1/buildings/by-url. If you have the
         *     zpid, which is also part of most URLs, use GET /v1/properties/{zpid}, which also returns the age
         *     of the record.
         */
        get: operations["getPropertyByUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/by-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a home by its street address
         * @description Finds the home at a street address and returns its full record, the same as GET
         *     /v1/properties/{zpid}. The address is one line with street, city, state and ZIP code. Both
         *     addresses are normalized before they are compared: case, punctuation, USPS suffixes and
         *     directionals ("Avenue North", "Ave N"), unit designators and ZIP+4 make no difference.
         *
         *     **Cost.** 3 credits for a successful call. With only 1 or 2 credits available, the call is refused
         *     with 402 and nothing is charged. Failed calls are free, including those that find nothing.
         *
         *     **Limits.** An address has 6 to 300 characters. It must have a street, and a city or a ZIP code.
         *
         *     **Errors.** `invalid_address` means that the text is too short, names no street, or names neither
         *     a city nor a ZIP code; the message says what is missing. `not_found` means that no home is known
         *     at the address, that its state contradicts its ZIP code, or that several homes match and neither
         *     ZIP code nor unit identifies one of them. In that last case `error.details.candidates` lists their
         *     addresses, one line each: call again with the right one. After `upstream_error` or
         *     `upstream_timeout`, retry the call.
         *
         *     **Instead.** Keep the `zpid` from the response: every later lookup with GET /v1/properties/{zpid}
         *     costs 1 credit instead of 3. Use `fields=zpid` if you need only the id. For lists of addresses,
         *     use POST /v1/properties/batch, where an address costs 1 credit for each record, the same as a URL.
         */
        get: operations["getPropertyByAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Look up a home by its zpid
         * @description Returns the full record of a home: address, price, size, valuation, price and tax history,
         *     schools, photos, open houses, agent and the attributes of the listing, more than 200 named fields.
         *     Fields that the data source adds later are passed through unchanged. Any field may be absent or
         *     null.
         *
         *     **Freshness.** A record is cached for 24 hours. Within that time it is served from the cache and
         *     `cached` is `true`; `fetched_at` says when it was read from the data source. An older record is
         *     fetched again before it is served, never afterwards. The nine sub-resources of this path share the
         *     same cache. The service's own data set is read directly: there, `cached` can be `true` at the first call, and
         *     `fetched_at` can be the time of this call.
         *
         *     **Cost.** 1 credit for a successful lookup, cached or fresh. The header `X-Credits-Charged`
         *     confirms it. Failed calls are free. `fields` makes the response smaller, not cheaper.
         *
         *     **Errors.** `invalid_zpid` means that the id has characters other than digits, or more than 20
         *     digits. `not_found` means that no home has this id. After `upstream_error` or `upstream_timeout`,
         *     retry the call. It is safe to retry and was not charged.
         *
         *     **Instead.** One lookup with `fields` is cheaper than several of the sub-resources: photos and
         *     schools together cost 2 credits there and 1 here. Use a sub-resource if you need one part with a
         *     fixed schema. For many homes, use POST /v1/properties/batch.
         */
        get: operations["getProperty"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read the photos of a home
         * @description Returns the photos of a listing in the order in which the listing shows them. Each has a default
         *     `url` (JPEG), a caption, its subject if known, and in `mixedSources` the same picture as JPEG and
         *     as WebP in several widths, including 192, 384, 768 and 1536 pixels. `meta` also says whether there
         *     is a 3D tour and a video.
         *
         *     **Cost.** 1 credit per call, even if the list is empty. Failed calls are free. The data comes from
         *     the record that GET /v1/properties/{zpid} returns and shares its 24-hour cache. `meta.cached` says
         *     whether the record was cached.
         *
         *     **Limits.** The links of photos may change with the listing, and they can expire (see "Homes" in the introduction):
         *     read them again instead of storing them. A home without photos returns 200 with an empty list,
         *     not an error. `meta.photo_count` is the number that the listing states. It can be larger than
         *     `meta.count`.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** If you need other parts as well, use GET /v1/properties/{zpid} with
         *     `fields=responsivePhotos,schools`, which costs 1 credit for all of them.
         */
        get: operations["getPropertyPhotos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/price-history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read the price history of a home
         * @description Returns the price history of a home, the latest event first: listings, price changes, sales and
         *     removals, each with its date, its price and the rate of change from the previous event.
         *     `priceChangeRate` is a fraction: -0.05 is a price cut of 5 percent.
         *
         *     **Cost.** 1 credit per call, even if the list is empty. Failed calls are free. The data comes from
         *     the record that GET /v1/properties/{zpid} returns and shares its 24-hour cache. `meta.cached` says
         *     whether the record was cached.
         *
         *     **Limits.** The history goes as far back as the data source's, often several decades. In states
         *     where sale prices are not public, sales are listed with a null `price`. A home without history
         *     returns 200 with an empty list, not an error.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** For the latest event only, use GET /v1/properties/{zpid} with
         *     `fields=priceHistory[0]`, at the same price. For assessed values and taxes, use GET
         *     /v1/properties/{zpid}/tax-history.
         */
        get: operations["getPropertyPriceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/tax-history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read the tax history of a home
         * @description Returns the assessed value of a home and the property tax paid on it, one row per year, the latest
         *     first. `time` is in epoch milliseconds, and `valueIncreaseRate` is a fraction: 0.034 is an
         *     increase of 3.4 percent over the previous year.
         *
         *     **Cost.** 1 credit per call, even if the list is empty. Failed calls are free. The data comes from
         *     the record that GET /v1/properties/{zpid} returns and shares its 24-hour cache. `meta.cached` says
         *     whether the record was cached.
         *
         *     **Limits.** Counties publish assessments late, so the current year may be missing. A value that a
         *     county does not publish is null. A home without tax records returns 200 with an empty list, not an
         *     error.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** For the latest assessed value only, use `tax_assessed_value` of GET
         *     /v1/properties/{zpid}/zestimate.
         */
        get: operations["getPropertyTaxHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/schools": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read the schools near a home
         * @description Returns the schools that serve a home or are near it, with the rating from 1 to 10, the distance
         *     in miles, the type (public, private, charter) and the level (elementary, middle, high).
         *
         *     **Cost.** 1 credit per call, even if the list is empty. Failed calls are free. The data comes from
         *     the record that GET /v1/properties/{zpid} returns and shares its 24-hour cache. `meta.cached` says
         *     whether the record was cached.
         *
         *     **Limits.** The rating is null for a school that is not rated. Attendance boundaries change:
         *     confirm an assignment with the district before you rely on it. A home without schools nearby
         *     returns 200 with an empty list, not an error.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** If you need other parts as well, use GET /v1/properties/{zpid} with
         *     `fields=schools,price`, which costs 1 credit for all of them.
         */
        get: operations["getPropertySchools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/nearby": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read comparable listings near a home
         * @description Returns about 12 comparable listings near a home, the nearest and most similar first, in the form
         *     of search rows: address, price, size, position and status. The home itself is not included. Use
         *     them to judge a price, or to show "similar homes".
         *
         *     **Cost.** 1 credit per call, for any number of rows, including none. Failed calls are free.
         *     `meta.cached` says whether the record of the home itself was cached. Records are cached for 24
         *     hours.
         *
         *     **Limits.** The number varies: it is smaller where few homes are listed. A home without comparable
         *     listings around it returns 200 with an empty list, not an error.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** To apply your own criteria, search a box around the home with GET /v1/listings, which
         *     costs 1 credit for each row.
         */
        get: operations["getPropertyNearby"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/agent": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read the agent and broker of a listing
         * @description Returns the agent and broker of a listing: name, email address, phone number and license of the
         *     agent, name and phone number of the broker, and in `attributionInfo` the attribution as the
         *     listing service states it.
         *
         *     **Cost.** 1 credit per call, even if all fields are null. Failed calls are free. The data comes
         *     from the record that GET /v1/properties/{zpid} returns and shares its 24-hour cache. `meta.cached`
         *     says whether the record was cached.
         *
         *     **Limits.** A field is null if the listing does not have it. Homes that are not listed often have
         *     only nulls; the response is still a 200. This is personal data of real people: show and use it
         *     only as privacy law and the terms of the listing service allow.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** If you need other parts as well, use GET /v1/properties/{zpid} with
         *     `fields=attributionInfo,price`, which costs 1 credit for all of them.
         */
        get: operations["getPropertyAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/zestimate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read the valuation of a home
         * @description Returns the valuation of a home: the estimated market value, the estimated monthly rent, the
         *     latest assessed value, the last sale price, and the currency of all four. It is the smallest
         *     response for keeping the valuations of many homes up to date.
         *
         *     **Cost.** 1 credit per call, even if all amounts are null. Failed calls are free. The data comes
         *     from the record that GET /v1/properties/{zpid} returns and shares its 24-hour cache. `meta.cached`
         *     says whether the record was cached.
         *
         *     **Limits.** An estimate is the output of a model, not an appraisal. An amount that is not known is
         *     null. A home without any amounts returns 200 with nulls.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** If you have an address and no zpid, call GET /v1/properties/by-address with
         *     `fields=zpid` once (3 credits), keep the id, and use this operation from then on.
         */
        get: operations["getPropertyZestimate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/open-houses": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read the open houses of a home
         * @description Returns the announced open houses of a listing, the earliest first, with start and end as ISO
         *     8601 in UTC. `meta.tour_eligibility` says whether and how private tours can be booked.
         *
         *     **Cost.** 1 credit per call, even if the list is empty. Failed calls are free. The data comes from
         *     the record that GET /v1/properties/{zpid} returns and shares its 24-hour cache. `meta.cached` says
         *     whether the record was cached.
         *
         *     **Limits.** Times are in UTC; show them in the time zone of the home. A time that the data source
         *     sent without an offset is read in that time zone. An open house that was announced less than 24
         *     hours ago may be missing. A home without open houses returns 200 with an empty list, not an error.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** To find homes that have an open house, search with GET /v1/listings and
         *     `open_house=true`.
         */
        get: operations["getPropertyOpenHouses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/{zpid}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        /**
         * Read the listing attributes of a home
         * @description Returns the attributes of a home as the listing service (MLS) states them, close to 200 of them:
         *     appliances, flooring, heating and cooling, parking, view, lot, fees, rooms and more. The names
         *     follow the RESO Data Dictionary in camelCase; attributes that the data source adds are passed
         *     through unchanged.
         *
         *     **Cost.** 1 credit per call, even if the object is empty. Failed calls are free. The data comes
         *     from the record that GET /v1/properties/{zpid} returns and shares its 24-hour cache. `meta.cached`
         *     says whether the record was cached.
         *
         *     **Limits.** Every attribute may be absent or null; a home that was never listed often has few or
         *     none. If it has none, `data` is an empty object.
         *
         *     **Errors.** `invalid_zpid` means that the id is malformed, `not_found` that it is unknown. After
         *     `upstream_error` or `upstream_timeout`, retry the call.
         *
         *     **Instead.** For a few attributes together with the price, use GET /v1/properties/{zpid} with
         *     `fields=price,resoFacts.heating,resoFacts.parkingFeatures`, at the same price.
         */
        get: operations["getPropertyFacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/properties/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up many homes as a job
         * @description Looks up as many as 500 homes by URL and by address in one job. The call immediately returns a 202
         *     with the job id. Check the status with GET /v1/jobs/{id} or a webhook, and read the records with
         *     GET /v1/jobs/{id}/results as JSON, CSV or NDJSON. Each record has its batch entry in `input`.
         *
         *     **Cost.** 1 credit for each record returned, charged once, when the job succeeds. If 280 of 300
         *     entries are found, the job costs 280. An address costs 1 credit here, not 3. With
         *     `extractBuildingUnits` every unit of a building is a record and costs 1. The building's own record
         *     is free if units are returned. A building without units of the requested kind returns only its own
         *     record, which costs 1. An entry that finds nothing is free, so a batch may cost 0. A repeated
         *     entry is looked up, charged and returned once.
         *
         *     **Credits.** When it is accepted, the job holds the price of one record for each entry
         *     (`credits_held`), but no more than the cost of `maxItems` records. With `extractBuildingUnits` the
         *     hold grows as units are found. The job never uses the last credit of the account, so you can
         *     always read its results. If the credits do not cover everything, the job ends early with the
         *     records that they cover, `truncated_by` of the job is `credits`, and `skipped` lists the entries
         *     that were left out. If there are too few credits to start, the response is 402.
         *
         *     **Limits.** `urls` and `addresses` together have at most 500 entries. `maxItems` caps the records
         *     returned. If it leaves out entries, `truncated_by` of the job is `max_items`, and `skipped` lists
         *     them. The job runs in the background and may wait behind other jobs of the account.
         *
         *     **Errors.** The whole body is checked before the job is accepted. If one URL or address is
         *     malformed, the call is refused with `invalid_url` or `invalid_address`, and the message names the
         *     entry. After that, an entry that is unknown or fails at the data source does not fail the job: it
         *     is listed in `failures` of the job with its code. The job fails only if every entry failed at the
         *     data source, and then it is free. A repeated call starts a second job, unless it has the same
         *     `Idempotency-Key`.
         *
         *     **Instead.** For one home, use GET /v1/properties/by-url, GET /v1/properties/by-address or GET
         *     /v1/properties/{zpid}, which are synchronous. To search an area and look up everything in it, use
         *     POST /v1/search/with-details.
         */
        post: operations["createPropertyBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/buildings/by-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the units of a building
         * @description Returns the units of a multi-unit building, one row per unit, with zpid, unit number, price,
         *     bedrooms and bathrooms. The first row is sometimes the building's own record: it has no
         *     `unitNumber`, and the units follow. URLs of the kinds `/b/`, `/apartments/` and `/community/` are
         *     accepted.
         *
         *     **Cost.** 1 credit for each unit returned, at least 1. A building with 24 units costs 24. The
         *     building's own record is not in `meta.count` and is free if units are returned. If it is the only
         *     row, it costs 1. A building without its own record and without units of the requested kind costs
         *     the minimum of 1. Failed calls are free. If fewer credits are available than there are units, the
         *     response contains the units that the credits cover, and `meta` has `truncated: true` and
         *     `truncated_by: "credits"`.
         *
         *     **Continuing.** A response that was cut has `meta.next_cursor`. Repeat the call with it as `cursor`
         *     to get the units behind the last one, without the building's own record. Each call costs 1 credit
         *     for each unit, at least 1.
         *
         *     **Large buildings.** A building can have hundreds of units. With `sync=false` the extraction runs
         *     as a job: the response is a 202 with the job id, and the job is charged once, when it succeeds.
         *     Read its rows with GET /v1/jobs/{id}/results as JSON, CSV or NDJSON. Each call with `sync=false`
         *     starts a new job, so retry it only if you got no response. The job holds credits while it runs and
         *     never uses the last one of the account. Its `truncated_by` says whether the result was cut.
         *
         *     **Limits.** A URL has at most 2,048 characters. A synchronous call ends after 5 minutes with
         *     `upstream_timeout`.
         *
         *     **Errors.** `invalid_url` means that the URL is not the URL of a building. Look up a
         *     `/homedetails/` URL, which is one home, with GET /v1/properties/by-url. `invalid_extract_units`
         *     means an invalid `include_units`, `invalid_cursor` a `cursor` of another building or of other units.
         *     `not_found` means that there is no building at the URL. With
         *     `sync=false` the job fails later with this code, free of charge.
         *
         *     **Instead.** For the full record of every unit, use GET /v1/properties/by-url with
         *     `extract_units`, at the same price. For many buildings, use POST /v1/properties/batch with
         *     `extractBuildingUnits`.
         */
        get: operations["getBuildingUnits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search listings in an area
         * @description Finds the listings in an area of the map that match your filters, as rows with address, price, size,
         *     position, status and `detailUrl`. Give the area either in `filters`, with `bbox`, `area` (polygons,
         *     circles and places), `zips` or `cities`, or by `searchUrls`: URLs of result pages of the listing site,
         *     copied from the address bar, that contain `searchQueryState`. A place name alone is not enough: `filters.location` has no effect, and
         *     URLs that name only a place are refused.
         *
         *     **Methods.** `PAGINATION` is the standard search with full rows, up to 820. `MAP_MARKERS` is the
         *     fastest, with fewer fields in each row, up to 500. `PAGINATION_WITH_ZOOM_IN` returns every listing
         *     of the area, up to 1,000,000, by splitting the map where it is too dense; a home found twice is
         *     returned once, and `coverage` of the job shows how much of the area was searched. `maxItems` is 50
         *     if left out; with `PAGINATION_WITH_ZOOM_IN` it has no default limit.
         *
         *     **Synchronous or as a job.** With `maxItems` of 50 or less the rows are in the response (200).
         *     With 51 or more, with `async: true`, and always with `PAGINATION_WITH_ZOOM_IN`, the search runs as
         *     a job: the response is a 202 with the job id. Read the rows with GET /v1/jobs/{id}/results. Choose
         *     JSON, CSV or NDJSON for a 200 with `format` or the header `Accept`. A 202 is always JSON.
         *
         *     **Cost.** 1 credit for each row returned, at least 1: 25 rows cost 25 credits, and a search that
         *     finds nothing costs 1. `maxItems` is the maximum cost of a search. Failed calls are free. A job is
         *     charged once, when it succeeds. A job that does not succeed is free.
         *
         *     **When credits run out.** The response contains the rows that the available credits cover. `meta`
         *     has `truncated: true` and `truncated_by: "credits"`; CSV and NDJSON have the header
         *     `X-Truncated-By`. While a job runs, it holds the credits that it may cost. It never uses the last
         *     credit of the account, and its own `truncated_by` has the same value. A result that only reached
         *     `maxItems` is not truncated: compare `meta.total`, the number of homes that match, with
         *     `meta.count`.
         *
         *     **Pages.** With `sort`, a search that runs synchronously has pages: repeat it with `cursor` set to
         *     `meta.next_cursor` until that is absent. Each page costs 1 credit for each row, at least 1.
         *
         *     **Errors.** Everything is checked before any listing is fetched, and a refused search is free.
         *     `missing_input` means that the body has neither `filters` nor `searchUrls`. `invalid_filters`
         *     means filters without an area, a malformed box or area, a malformed range, `min` above `max`, an
         *     unknown home type, or `filters` together with `searchUrls`. `invalid_search_url` means a URL without
         *     `searchQueryState` or without `mapBounds` in it. `unknown_place` and `ambiguous_place` mean a place
         *     in `filters.area` that the service does not know, or whose name several places have. `invalid_cursor` means a `cursor` of another
         *     search. `invalid_parameter` means, among others, a
         *     `maxItems` out of bounds. After `upstream_error` or `upstream_timeout`, retry the call. Every
         *     repeated call of a search that runs as a job starts a new job, unless it has the same
         *     `Idempotency-Key`.
         *
         *     **Instead.** GET /v1/listings returns up to 50 rows and needs only a URL. POST
         *     /v1/listings/for-sale, POST /v1/listings/for-rent and POST /v1/listings/sold take the same body
         *     and set the status themselves. POST /v1/search/with-details returns the full record of each home
         *     found.
         */
        post: operations["searchListings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search/with-details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search an area and look up every home found
         * @description Searches an area and then looks up the full record of each home found, as one job with two stages:
         *     `search`, then `detail`. The response is a 202 with the job id and `stage: "search"`. Check its
         *     status with GET /v1/jobs/{id}, where `chain_stage` shows the current stage, or use a webhook. The
         *     job succeeds when both stages have ended. Its results are the records; the rows of the search are
         *     not kept.
         *
         *     **Cost.** 1 credit for each row of the search plus 1 credit for each record, charged once, when
         *     the job succeeds, as two rows of GET /v1/usage, one for each stage. 300 homes found and looked up
         *     cost 600. If the record of a home is not available, the home costs only its row. There is no
         *     minimum: a search that finds nothing is free. With `extractBuildingUnits`, a building that the
         *     data source lists as one row is looked up as the selected units, and each of them is a record. The
         *     building's own record is free if units are returned, and costs 1 if it is the only one. If the
         *     data source lists the units themselves, there is nothing to extract, and the option has no effect.
         *
         *     **Credits.** While it runs, the job holds the credits that it may cost. It never uses the last
         *     credit of the account. The search finds no more homes than the held credits cover together with
         *     their records. If that cuts the result, `truncated_by` of the job is `credits`. If there are too
         *     few credits to start, the response is 402.
         *
         *     **Limits.** `maxItems` is at most 820, which is also the default; with `MAP_MARKERS` both are 500.
         *     Give the area in `filters`, with `bbox`, `area`, `zips` or `cities`; search URLs are not accepted
         *     here. The call always starts a background job.
         *
         *     **Errors.** The body is checked before the job is accepted; a refused call is free.
         *     `missing_input` means that `filters` is missing. `invalid_filters` means filters without an
         *     area, a malformed box, area or range, or an invalid `filters.status`. `unknown_place` and
         *     `ambiguous_place` mean a place in `filters.area` that the service does not know, or whose name several
         *     places have. `invalid_status` means an invalid `propertyStatus`. If the record of a home fails, the job does not fail: the home is listed in its
         *     `failures`. A repeated call starts a second job, unless it has the same `Idempotency-Key`.
         *
         *     **Instead.** The rows of POST /v1/search already have price, size and position. To pay only for
         *     the records that interest you, look those up with GET /v1/properties/{zpid}.
         */
        post: operations["searchWithDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/listings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search up to 50 listings with a GET
         * @description Finds up to 50 listings in a box, a polygon, a circle or a place on the map, or by ZIP code or city. All
         *     input is in the query of a GET: this is the simplest search, for a browser, a spreadsheet or a
         *     first try. It returns homes for sale unless
         *     `status` is `for_rent` or `sold`. Homes for sale include pending and coming-soon homes; exclude
         *     them with `pending=false` and `coming_soon=false`. The rows are the same as for POST /v1/search.
         *
         *     **Cost.** 1 credit for each row returned, at least 1: with `max_items=10` a call costs at most 10
         *     credits, and a call that finds nothing costs 1. Failed calls are free, and so is a 304: a call with
         *     the `ETag` of an earlier response in `If-None-Match`, as long as the rows are the same.
         *
         *     **When credits run out.** The response contains the rows that the available credits cover. `meta`
         *     has `truncated: true` and `truncated_by: "credits"`; CSV and NDJSON have the header
         *     `X-Truncated-By`. A result that only reached `max_items` is not truncated: compare `meta.total`,
         *     the number of homes that match, with `meta.count`.
         *
         *     **Limits.** `max_items` is at most 50. For more rows, send `sort`, and repeat the call with
         *     `cursor` set to `meta.next_cursor` until it is absent. Each page is charged by itself. The call is
         *     always synchronous and never becomes a job.
         *
         *     **Errors.** `missing_input` means that none of `bbox`, `polygon`, `near`, `place`, `zip`
         *     and `city` is present; `location` alone is not enough.
         *     `unknown_place` means a `place` that the service does not know.
         *     `invalid_filters` means a malformed box or area or another invalid filter, for example a minimum
         *     above its maximum or an unknown home type. `invalid_cursor` means a `cursor` of another query.
         *     `invalid_parameter` means `max_items` out of bounds, an unknown `sort` or `format`, or a parameter that is sent twice. After `upstream_error` or `upstream_timeout`,
         *     retry the call; it was not charged.
         *
         *     **Instead.** For more than 50 rows, use POST /v1/search, which runs as a job from 51 rows on. It
         *     also filters by pool, garage and waterfront, accepts search URLs, and has faster and more thorough
         *     methods.
         */
        get: operations["listListings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/listings/for-sale": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search homes for sale
         * @description Finds the homes for sale in an area, as rows with address, asking price, size, position and
         *     `detailUrl`.
         *
         *     The call is POST /v1/search with `filters.status` set to `for_sale`: the body, the methods, the limits, the pages, the
         *     responses, and the errors are the same. The path overrides the status in the body or in a search URL, and
         *     `meta.ignored` names that status.
         *
         *     **Cost.** 1 credit for each row returned, at least 1: 40 homes for sale cost 40 credits, and a search that
         *     finds none costs 1. All else about credits is
         *     as for POST /v1/search.
         *
         *     **Limits.** As for POST /v1/search. With `maxItems` of 50 or less the rows are in the response (200); otherwise the
         *     search runs as a job (202).
         *
         *     **Errors.** As for POST /v1/search.
         *
         *     **Instead.** For a quick look at up to 50 rows, use GET /v1/listings, which needs only a URL. For
         *     the full record of every home found, use POST /v1/search/with-details.
         */
        post: operations["searchForSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/listings/for-rent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search homes for rent
         * @description Finds the homes for rent in an area, as rows with address, monthly rent, size, position and
         *     `detailUrl`. If the data source lists a rental building as one listing, it is one row
         *     (`isBuilding`) with its rents from the cheapest unit up; read its units with GET
         *     /v1/buildings/by-url. Otherwise each unit for rent is a separate row. `filters.price` is the
         *     monthly rent.
         *
         *     The call is POST /v1/search with `filters.status` set to `for_rent`: the body, the methods, the limits, the pages, the
         *     responses, and the errors are the same. The path overrides the status in the body or in a search URL, and
         *     `meta.ignored` names that status.
         *
         *     **Cost.** 1 credit for each row returned, at least 1: 30 rentals cost 30 credits, and a search that finds
         *     none costs 1. All else about credits is
         *     as for POST /v1/search.
         *
         *     **Limits.** As for POST /v1/search. With `maxItems` of 50 or less the rows are in the response (200); otherwise the
         *     search runs as a job (202).
         *
         *     **Errors.** As for POST /v1/search.
         *
         *     **Instead.** For a quick look at up to 50 rows, use GET /v1/listings with `status=for_rent`, which
         *     needs only a URL. For the full record of every rental, use POST /v1/search/with-details.
         */
        post: operations["searchForRent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/listings/sold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search sold homes
         * @description Finds the homes sold in an area, as rows with address, sale price, size, position and `detailUrl`.
         *     `filters.price` is the sale price and `filters.daysOnSite` the time since the sale. Homes without
         *     a public sale price do not match any price filter.
         *
         *     The call is POST /v1/search with `filters.status` set to `sold`: the body, the methods, the limits, the pages, the
         *     responses, and the errors are the same. The path overrides the status in the body or in a search URL, and
         *     `meta.ignored` names that status.
         *
         *     **Cost.** 1 credit for each row returned, at least 1: 50 sales cost 50 credits, and a search that finds
         *     none costs 1. All else about credits is
         *     as for POST /v1/search.
         *
         *     **Limits.** As for POST /v1/search. With `maxItems` of 50 or less the rows are in the response (200); otherwise the
         *     search runs as a job (202).
         *
         *     **Errors.** As for POST /v1/search.
         *
         *     **Instead.** For a quick look at up to 50 rows, use GET /v1/listings with `status=sold`, which
         *     needs only a URL. For the full history of one home, use GET /v1/properties/{zpid}/price-history.
         */
        post: operations["searchSold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Returns the jobs of the account, the latest first. Filter by status, type or creation time. Read
         *     the next pages with `meta.next_cursor` as `cursor` while it is present, or by increasing `offset`
         *     while `meta.has_more` is true. With `offset`, jobs that are created in the meantime shift the others
         *     back, so a page may repeat a job of the previous page. Each job lists its first 20 `failures`;
         *     `failure_count` has their total number. A job that has ended is listed for 30 days.
         *
         *     **Cost.** Free, but like every call it requires a balance above 0.
         *
         *     **Errors.** A `status` that is not one of the six values is refused with `invalid_status`, and a
         *     `cursor` of another list with `invalid_cursor`. Any other invalid parameter is refused with
         *     `invalid_parameter`.
         *
         *     **Instead.** To read one job, use GET /v1/jobs/{id}. To be notified when a job ends, register a
         *     webhook instead of polling the list.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job, from `data.job_id` of the 202 that accepted it. An id that is not a UUID returns 404 `job_not_found`, as does the id of another account's job.
                 * @example 5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90
                 */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Read a job
         * @description Returns one job with its status, its progress, the credits that it holds and its charge. A job
         *     that has ended never changes again: stop polling once its status is `succeeded`, `failed`,
         *     `timed_out` or `aborted`.
         *
         *     `failures` lists all entries that returned no record. They are free. `truncated_by` says whether
         *     the credits cut the result.
         *
         *     **Cost.** Free, but it counts against the rate limit and requires a balance above 0. A job never
         *     uses the last credit of the account, so you can always read it.
         *
         *     **Limits.** A job can be read for 30 days after its end.
         *
         *     **Errors.** The response is 404 `job_not_found` for an unknown id, the id of another account's
         *     job, the id of a job that ended more than 30 days ago, and an id that is not a UUID.
         *
         *     **Instead.** Poll at growing intervals, from half a second to 10 seconds, or register a webhook
         *     instead of polling.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job, from `data.job_id` of the 202 that accepted it. An id that is not a UUID returns 404 `job_not_found`, as does the id of another account's job.
                 * @example 5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90
                 */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Abort a job
         * @description Aborts a queued or running job permanently and returns it. The job is free, and the credits that it
         *     holds are available as soon as this call has returned. Its results cannot be read, not even the rows
         *     that it had already found. Your webhooks get the event `job.aborted`.
         *
         *     **Cost.** Free. The homes that the job had found count as failed lookups of the account, because the
         *     data source was queried for them and they are not paid for: each record of a batch or of a search with
         *     details, and every 50 rows of other jobs.
         *
         *     **Errors.** A job that has ended as `succeeded`, `failed` or `timed_out` is refused with 409 `job_ended`.
         *     An unknown id, the id of another account's job, and an id that is not a UUID return 404
         *     `job_not_found`.
         *
         *     **Retries.** You can repeat the call: a job that is already aborted is returned as it is.
         */
        post: operations["abortJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job, from `data.job_id` of the 202 that accepted it. An id that is not a UUID returns 404 `job_not_found`, as does the id of another account's job.
                 * @example 5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90
                 */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /**
         * Read the results of a job
         * @description Returns the rows that a job found, page by page, as JSON, CSV or NDJSON. The fields of a row
         *     depend on the type of the job: search rows for `search`, property records for `batch_detail` and
         *     `chained_search_detail`, units for `building_units`. A record of a batch has its batch entry in
         *     `input`. The intermediate search rows of a chained job are not kept.
         *
         *     **Sources.** Each property record has its own `source`. In JSON, search rows and units have one only if it
         *     is not the source of the first row of the result, which is in `meta.source`, or to name the listing office
         *     of a unit. In CSV and NDJSON each row has it, if its source requires an attribution. The header
         *     `X-Data-Source` names the source of the first row.
         *
         *     **Withheld homes.** If the data source forbids to show a home, or its address, after the job found it, its row stays and says
         *     so in `withheld`. From that moment on it shows only what the data source allows. CSV then has the column `withheld`. The
         *     number of rows and the charge stay the same.
         *
         *     **Cost.** Free, as often as you like, because the job was charged when it succeeded. The call
         *     still requires a balance above 0.
         *
         *     **Limits.** A page has at most 1,000 rows in every format. Pass `meta.next_cursor` as `cursor` while it
         *     is present, increase `offset` by `limit` while `meta.has_more` is true, or follow the header `Link` with `rel="next"`, which CSV and NDJSON have
         *     too. Rows never move, so pages are consistent. For large results, NDJSON with a
         *     `limit` of 1000 is the fastest.
         *
         *     **Errors.** You can read results only if the status is `succeeded`. Before that, and permanently
         *     after any other final status, the response is 409 `job_not_ready`. Results are kept as long as the
         *     job, for 30 days after its end. After that the response is 404 `job_not_found`. If the stored rows
         *     cannot be read, the response is 502 `upstream_error`, or 504 `upstream_timeout` if reading takes
         *     too long: retry the call.
         */
        get: operations["getJobResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List watches
         * @description Returns the watches of the account, the latest first. A watch of homes has their number in
         *     `zpid_count`; GET /v1/watches/{id} has the homes.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** At most 1,000 watches are returned at a time. If the filters of a page are more than about 2 MB, it ends
         *     earlier. Pass `meta.next_cursor` as `cursor` while it is present.
         *
         *     **Errors.** A `cursor` of another list is refused with `invalid_cursor`, any other invalid parameter with
         *     `invalid_parameter`.
         */
        get: operations["listWatches"];
        put?: never;
        /**
         * Create a watch
         * @description Watches a search, or a list of homes, for changes. Send either `filters`, as POST /v1/search takes
         *     them, or `zpids`. The homes that match now are the baseline: they cause no events. Every later
         *     change of a matching home is an event, which you read with GET /v1/watches/{id}/events: a home
         *     that is new, was removed, is back on the market, or has another status or price. Changes of
         *     estimates, photos, descriptions or days on site are not events.
         *
         *     **Cost.** Creating a watch is free. Each event costs 1 credit when it is written, except that of a retraction, which
         *     is free and does not depend on `events`. GET /v1/usage has
         *     a row for each event, with the endpoint `watch`. Its `request_id` has the last 16 characters
         *     of the `id` of the event. A watch never uses the last available credit. If there are not enough credits, the watch is paused with
         *     `paused_reason` `out_of_credits`, or `key_limit_reached` if the credit limit of the key that created it is used up. After a top-up it continues by itself and reports what has
         *     changed since, as one event for each home.
         *
         *     **Subscribers.** A watch can have a subscriber: a person who gets a daily or weekly digest of its changes by mail, or one
         *     webhook. Digests cost nothing in addition to the events. The person is asked by mail to confirm the address, and gets nothing
         *     else before that. See [Watches](/docs/watches).
         *
         *     **Limits.** The plan limits the number of watches of an account, and the number of homes that a watch
         *     can match when it is created (see the schema `PlanId`). Above the number of watches, the call is
         *     refused with 409 `watch_limit`. A search that matches more homes is refused with 400
         *     `invalid_filters`. An account can ask 20 addresses a day to confirm; a mailbox gets at most 3 such mails a day. Above that, the
         *     call is refused with 429 `rate_limited`.
         *
         *     **Errors.** The filters `daysOnSite` and `openHouse` are refused with `invalid_filters`, because time
         *     alone changes their result. Unknown events are refused with `invalid_events`, and metadata that
         *     is too large with `invalid_metadata`. A `subscriber` with an address is refused with `invalid_parameter` if this service sends no
         *     mail, and if the person has refused all mail from this account. A refused call creates no watch.
         *
         *     **Remote data sources.** A service that gets its listings from a remote data source searches a
         *     watch at the interval `every`, and refuses `change` with `invalid_parameter`. A new watch is
         *     `pending` until its first search has made the baseline. If this search finds more homes than the
         *     plan allows, the watch is paused with `paused_reason` `too_many_matches`, and `count` is the number
         *     of homes. A search that fails changes nothing, and neither does one whose answer is not complete
         *     or has listings that cannot be used. A home is removed when two complete searches have not found
         *     it. If a search misses more than 10 homes and more than 20% of all, the watch is `quarantined`: it
         *     reports nothing until the next complete search agrees. After ten incomplete searches in a row the
         *     watch is paused with `paused_reason` `incomplete_results`. The plan limits the queries of these
         *     searches per hour; when they are used up, the watches of the account are searched later.
         *
         *     The watch belongs to the account: it goes on when the key that created it is revoked. The
         *     credit limit of that key applies as long as the key has one. While the account is suspended, its
         *     watches are not evaluated and cost nothing; afterwards they report the net change.
         *
         *     **Retries.** Send an `Idempotency-Key`: a retry with it creates no second watch and
         *     returns the first one.
         */
        post: operations["createWatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the watch, from its creation or from GET /v1/watches. An id that is not a UUID returns 404 `not_found`, as does the id of another account's watch.
                 * @example 6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34
                 */
                id: components["parameters"]["WatchId"];
            };
            cookie?: never;
        };
        /**
         * Get a watch
         * @description Returns a watch: what it watches, whether it is active, how many homes match now, and the number of
         *     its last event.
         *
         *     **Cost.** Free.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404
         *     `not_found`.
         */
        get: operations["getWatch"];
        put?: never;
        post?: never;
        /**
         * Delete a watch
         * @description Deletes a watch with all its events. Once this call has returned, it writes no more events and
         *     costs nothing more. Read the events that you need before you delete the watch.
         *
         *     **Cost.** Free. You can safely retry the call: deleting a deleted watch returns 204 again for 30 days.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404
         *     `not_found`.
         */
        delete: operations["deleteWatch"];
        options?: never;
        head?: never;
        /**
         * Change a watch
         * @description Changes the fields that you send and returns the watch. Null clears a field. Other `filters` give the watch a new baseline:
         *     the homes that match now, which cause no events. Homes that are added to `zpids` get a baseline of
         *     their own; the others keep their state. Nothing else changes the baseline. A new `name`, `events`,
         *     `metadata` or `min_change` applies to later events.
         *
         *     `paused: true` pauses the watch and keeps its state. `paused: false` resumes it: its next evaluation
         *     reports what has changed since, as one event for each home. Resuming a watch that is paused for
         *     another reason than `requested` works too; if the reason still holds, it is paused again.
         *
         *     **Cost.** Free. Events cost 1 credit each, as for POST /v1/watches.
         *
         *     **Limits.** A new address of a `subscriber` counts toward the 20 addresses that the account can ask a day. New `filters` and
         *     `zpids` can match as many homes as those of a new watch. Over a remote
         *     data source, where the next search counts the homes, the watch is paused with `paused_reason`
         *     `too_many_matches` if they are more. After many changes or resumptions in a short time, the next evaluation can
         *     be some seconds later.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404
         *     `not_found`. `zpids` for a watch of a search, and `filters` for a watch of homes, are refused with
         *     `invalid_filters`, as are the filters `daysOnSite` and `openHouse` and a search that matches too many
         *     homes. A refused call changes nothing.
         *
         *     **Retries.** You can repeat the call: the second one changes nothing more, because the `filters` and `zpids`
         *     that a watch has change nothing.
         */
        patch: operations["updateWatch"];
        trace?: never;
    };
    "/v1/watches/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the watch, from its creation or from GET /v1/watches. An id that is not a UUID returns 404 `not_found`, as does the id of another account's watch.
                 * @example 6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34
                 */
                id: components["parameters"]["WatchId"];
            };
            cookie?: never;
        };
        /**
         * List the events of a watch
         * @description Returns the events of a watch in the order of `seq`, as JSON, CSV or NDJSON. To follow a watch, pass
         *     `meta.next_after` as `after` of the next call, or the `seq` of the last event that you have read. To read
         *     all events once, pass `meta.next_cursor` as `cursor` while it is present. In CSV and NDJSON, follow the header `Link` with `rel="next"` while it is present. You can read events
         *     as often as you like. Webhooks that subscribe to `watch.changes` receive the same events.
         *
         *     Each home has one event for each import that changed it, of the most important type that the watch
         *     reports: `listing.removed`, `listing.back_on_market`, `listing.new`, `listing.status_changed`,
         *     `listing.price_changed`, in this order. A change is readable within seconds after it was imported.
         *
         *     **Cost.** Free. Each event was charged when it was written, unless it says that an earlier one was retracted.
         *
         *     **Limits.** Up to 1,000 events are returned at a time. Events are kept for 90 days.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404
         *     `not_found`. An `after` or `limit` out of bounds is refused with `invalid_parameter`, and a `cursor` of another
         *     list with `invalid_cursor`.
         */
        get: operations["listWatchEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns the webhooks of the account, the latest first, without their secrets. Revoked webhooks
         *     stay in the list for 30 days with `active` false and the time in `revoked_at`. After that they are
         *     removed.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** The list has all live webhooks and the 100 most recently revoked ones. At most 1,000 are
         *     returned at a time. Pass `meta.next_cursor` as `cursor` while it is present.
         *
         *     **Errors.** A `cursor` of another list is refused with `invalid_cursor`, any other invalid parameter with
         *     `invalid_parameter`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Registers a URL of yours that receives a POST for each event of the account that it subscribes to. Without
         *     `events`, it receives the events of jobs: `job.succeeded`, `job.failed`, `job.timed_out`, and `job.aborted`.
         *     Events of watches, credits, and keys are sent only if you name them. The webhook is live as soon as this call returns. Jobs that ended
         *     earlier do not send events.
         *
         *     The response contains the signing `secret`, which is shown only once. Every delivery is signed
         *     with it as specified by [Standard Webhooks](https://www.standardwebhooks.com). The section on
         *     webhooks in the introduction shows how to verify the signature.
         *
         *     **Cost.** Free.
         *
         *     **Errors.** The `url` must be `https` with a public host, and must not use the port of a
         *     well-known service that does not use HTTP. Any other URL is refused with `invalid_url`. An unknown
         *     event is refused with `invalid_events`. An account can have as many live webhooks as its plan
         *     allows (by default 100); several may have the same URL. One more is refused with 409 `webhook_limit`.
         *
         *     **Retries.** Send an `Idempotency-Key`: a retry with it creates no second webhook
         *     and returns the first response again, with its secret.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns a webhook, without its signing secret. A revoked webhook can be read for 30 days.
         *
         *     **Cost.** Free.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404 `not_found`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Revoke a webhook
         * @description Revokes a webhook permanently. Once this call has returned, no delivery to it starts: neither new
         *     events nor retries of old ones are sent. The webhook stays in the list for 30 days with `active`
         *     false. After that it is removed. You can read each of its deliveries until it is 30 days old.
         *
         *     **Cost.** Free. You can safely retry the call: revoking a revoked webhook returns 204 again until
         *     it is removed.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404
         *     `not_found`.
         *
         *     **Instead.** To change the URL or the events, or to pause the webhook, use PATCH /v1/webhooks/{id}.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes the fields that you send and returns the webhook. Its id and its signing secret stay the same.
         *
         *     Once this call has returned, no delivery to the earlier URL starts: attempts that follow, retries
         *     included, go to the new one. New `events` apply to events that happen from now on; deliveries that
         *     wait for their next attempt are still sent.
         *
         *     `active: false` pauses the webhook. Once this call has returned, no delivery to it starts. Events that
         *     happen while it is paused are not sent to it later, and deliveries that wait for their next attempt
         *     are dropped. `active: true` resumes it. Use POST
         *     /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver to send a dropped event again.
         *
         *     **Cost.** Free.
         *
         *     **Errors.** The fields have the same bounds as for POST /v1/webhooks. An id that the account does not
         *     have, and an id that is not a UUID, return 404 `not_found`. A revoked webhook cannot be changed: 409
         *     `webhook_inactive`. A refused call changes nothing.
         *
         *     **Retries.** You can repeat the call: the second one changes nothing more.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends a signed test delivery to the webhook now and returns the receiver's response. The delivery has
         *     the type `webhook.ping` and an empty `data`. It is sent once, with the same checks, signature and time
         *     limit as every other delivery, and is not listed among the deliveries. It works for a paused webhook
         *     too, so you can check a receiver before you resume it.
         *
         *     The call waits for the receiver, at most 15 seconds. A receiver that fails is not an error of this
         *     call: the response is 200 with `delivered` false.
         *
         *     **Cost.** Free.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404 `not_found`.
         *     A revoked webhook is refused with 409 `webhook_inactive`.
         *
         *     **Retries.** Each call sends another test delivery.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description Gives the webhook a new signing secret and returns it. It is shown only once. For `overlap_hours`,
         *     deliveries have two signatures, one with each secret, so your receiver can switch at any time without
         *     losing a delivery. With `overlap_hours=0`, the earlier secret stops signing immediately.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** At most 5 secrets sign at a time. If you rotate more often, the oldest stops signing first.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404 `not_found`.
         *     A revoked webhook is refused with 409 `webhook_inactive`. An `overlap_hours` out of bounds is refused
         *     with `invalid_parameter`.
         *
         *     **Retries.** Send an `Idempotency-Key`: a retry with it makes no further secret
         *     and returns the first response again, with the secret.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Returns the attempts to deliver events to a webhook, the latest first: the event and its
         *     subject, the body that was sent, the response of the receiver, and why an attempt failed. Attempts of the
         *     same event share `event_id` and are numbered by `attempt`.
         *
         *     By default, an event is dropped after its third failed attempt: read the job with GET /v1/jobs/{id} instead.
         *     You can send it again with POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver; the numbering of
         *     its attempts continues. This operation also works for a revoked webhook.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** At most 200 attempts are returned at a time. Pass `meta.next_cursor` as `cursor` while it is
         *     present. Events are kept for at most 30 days, with the attempts to deliver them. The plan can limit how many
         *     attempts the account keeps; the oldest are removed first.
         *
         *     **Errors.** An id that the account does not have returns 404 `not_found`. A `limit` out of bounds
         *     is refused with `invalid_parameter`, and a `cursor` of another list with `invalid_cursor`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The id of an attempt, from GET /v1/webhooks/{id}/deliveries. An id that is not a number returns 404 `not_found`, as does the id of an attempt to another webhook.
                 * @example 90398
                 */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        /**
         * Get a delivery of a webhook
         * @description Returns one attempt to deliver an event to a webhook, as the list of deliveries shows it. This operation
         *     also works for a revoked webhook. Attempts are kept for 30 days.
         *
         *     **Cost.** Free.
         *
         *     **Errors.** An id that the account or the webhook does not have returns 404 `not_found`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The id of an attempt, from GET /v1/webhooks/{id}/deliveries. An id that is not a number returns 404 `not_found`, as does the id of an attempt to another webhook.
                 * @example 90398
                 */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Sends the event of a listed attempt to the webhook once more, whether it was delivered or dropped. The
         *     call makes exactly one attempt: if it fails, the event is not retried, and you can send it again. The
         *     attempt has the same `webhook-id`, the next number in `webhook-attempt`, and goes to the present URL
         *     of the webhook. If the event still waits for a retry, that retry is made now instead.
         *
         *     The call returns immediately. Read the result with GET /v1/webhooks/{id}/deliveries.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** Events are kept for 30 days.
         *
         *     **Errors.** An id of a webhook or of an attempt that the account does not have returns 404 `not_found`.
         *     A revoked or paused webhook is refused with 409 `webhook_inactive`. If an attempt of the event is
         *     already due or under way, the response is 409 `delivery_in_progress`.
         *
         *     **Retries.** Send an `Idempotency-Key`: a retry with it makes no second attempt
         *     and returns the first response again. Without it, the response is 409 `delivery_in_progress` while the attempt is
         *     under way.
         */
        post: operations["redeliverWebhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns the API keys of the account, the latest first, without the keys themselves: all live keys, and the
         *     100 that were revoked or expired last. Keys that are created while you read pages do not shift them.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** At most 1,000 keys are returned at a time. Pass `meta.next_cursor` as `cursor` while it is present.
         *
         *     **Errors.** A `cursor` of another list is refused with `invalid_cursor`, any other invalid parameter with
         *     `invalid_parameter`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates another API key of the account. The response contains the key, which is shown only once. It works
         *     immediately. All keys of an account share its credits; each has its own rate limit and its own queue.
         *
         *     A key cannot give another key more than it has. The new key may use only operations that the key of this
         *     call may use, and cannot work longer than it. What you leave out, it has as the key of this call. A key
         *     with a credit limit cannot create keys, because the new key would spend beyond the limit. A key that was
         *     issued to an OAuth client creates keys for the same client.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** An account can have as many live keys as its plan allows (by default 20).
         *
         *     **Errors.** An unknown operationId and a time in the past are refused with `invalid_parameter`. A key that
         *     would have more than the key of this call is refused with 403 `key_not_allowed`; `details.exceeds` says
         *     what. The 21st live key is refused with 409 `key_count_limit`.
         *
         *     **Retries.** Send an `Idempotency-Key`: a retry with it creates no second key and
         *     returns the first response again, with the key.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key, from its creation or from GET /v1/keys. It is not the key itself. An id that is not a UUID returns 404 `not_found`, as does the id of another account's key.
                 * @example 8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80
                 */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Returns an API key of the account, without the key itself. Revoked and expired keys can be read, too.
         *
         *     **Cost.** Free.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404 `not_found`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Revokes a key permanently. Within a second, calls with it are refused with 401 `invalid_api_key` by every
         *     process of the service, including calls that wait in the queue of the key. A key can revoke itself. If you
         *     revoke the last key of the account, only the operator of the service can create another one.
         *
         *     **Cost.** Free. You can safely retry the call: revoking a revoked key returns 204 again.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404 `not_found`. A
         *     key that has more than the key of this call is refused with 403 `key_not_allowed`.
         */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Changes the fields that you send and returns the key. The key itself stays the same. Null removes a
         *     limit: the key may then use all operations, spend all credits of the account, or never expires. Fields
         *     that you leave out stay as they are. Every process of the service uses the changes within a second.
         *
         *     A key cannot change a key that has more than itself, and cannot give another key, or itself, more than it
         *     has. A key can give itself less. A key that was issued to an OAuth client cannot get more operations or
         *     more time than it has, because a person approved them.
         *
         *     A new `credit_limit` with the same `per` keeps what was used in the period. With another `per`, counting
         *     begins at 0. Keys that replaced each other by a rotation share one limit: it changes for all of them.
         *
         *     **Cost.** Free.
         *
         *     **Errors.** An unknown operationId and a time in the past are refused with `invalid_parameter`. A key that
         *     has, or would have, more than the key of this call is refused with 403 `key_not_allowed`;
         *     `details.exceeds` says what. An id that the account does not have, and an id that is not a UUID, return
         *     404 `not_found`. A key that is revoked or has expired cannot be changed: 409 `key_revoked`. A refused call
         *     changes nothing.
         *
         *     **Retries.** You can repeat the call: the second one changes nothing more.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key, from its creation or from GET /v1/keys. It is not the key itself. An id that is not a UUID returns 404 `not_found`, as does the id of another account's key.
                 * @example 8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80
                 */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Replaces a key with a new one that has the same name, operations, expiry and credit limit. The response
         *     contains the new key, which is shown only once. The old key works for `grace_minutes` more, and both share
         *     what is left of the credit limit. A key can rotate itself.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** During the grace period, both keys count as live keys of the account.
         *
         *     **Errors.** An id that the account does not have, and an id that is not a UUID, return 404 `not_found`. A
         *     key that is revoked, has expired, or has been rotated already is refused with 409 `key_revoked`. A key that
         *     has more than the key of this call is refused with 403 `key_not_allowed`. If the account would have more live keys
         *     than its plan allows, the response is 409 `key_count_limit`.
         *
         *     **Retries.** Send an `Idempotency-Key`: a retry with it makes no further key and
         *     returns the first response again, with the key.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the account
         * @description Returns the account that the key belongs to: its plan, its credits, its limits with what is
         *     used of each, and the credit limit of the key. The remaining quota is `credits.balance`; what you can
         *     spend now is `credits.available`, without what running jobs hold. The header `X-Credits-Remaining` of every
         *     response has `credits.available`, so you don't need to call this before each request. It is a good
         *     first call to check a key. `email` may be absent; do not rely on it.
         *
         *     **Cost.** Free, but it counts against the rate limit.
         *
         *     **Errors.** At balance 0 it returns 402 `out_of_credits`, as every operation does.
         *
         *     **Instead.** To see what each call cost, use GET /v1/usage. This API has no operations for plans,
         *     top-ups and payment: contact the operator of the service.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate the cost of a call
         * @description Returns what a call would cost now, without making it. The input is checked exactly like that of the
         *     call, and refused with the same errors. An estimate reserves nothing, changes nothing, and queries no
         *     remote data source.
         *
         *     If the service has its own data set, an estimate counts in it. For lookups and for searches that are
         *     not jobs, the estimate is `exact`: the same call, made now, is charged exactly that. For batches,
         *     searches with details, and services with a remote data source, it is a range from the prices and the
         *     input.
         *
         *     **Cost.** Free, but it counts against the rate limit.
         *
         *     **Limits.** An estimate takes about as long as the call itself, and waits for its turn like any other
         *     call of the key.
         *
         *     **Errors.** The errors for the input are those of the call, with the same `details`. An unknown
         *     `operation` is refused with `invalid_parameter`, and so is `estimateCall` itself. If the call would be
         *     refused for another reason, such as a home that does not exist, the estimate is a 200 with
         *     `would_be_refused: true`.
         *
         *     **Instead.** To limit the charge of a call, send the header `X-Max-Credits` with it. An estimate with that header
         *     is that of the call with the same header.
         */
        post: operations["estimateCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage
         * @description Returns one row for each call of the account, the latest first: the operation, the outcome and the
         *     charge. The `request_id` of a row is the same as in the response, so you can trace every charge to
         *     its call. A chained job has a row for each of its two stages. Each event of a
         *     watch has a row, with the endpoint `watch`. Its `request_id` has the last 16 characters of the id of the event.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** At most 1,000 rows are returned at a time. To read further back, pass
         *     `meta.next_cursor` as `cursor` while it is present, and use `since` to stop at a point in time. With
         *     `offset`, rows that arrive in the meantime shift the others back, so a page may repeat a row of the
         *     previous page: detect duplicates by `id`. Operators can archive old months: `meta.kept_since` says
         *     from when rows are returned.
         *
         *     The row of an accepted job starts with 0 units and 0 credits and is updated when the job succeeds.
         *     It stays at 0 if the job does not succeed. Failed calls have rows with 0 credits. Calls that were
         *     refused with 401, 402 at balance 0, 403 for a suspended account, or 429 `rate_limited` have no row.
         *
         *     **Errors.** A `cursor` of another list is refused with `invalid_cursor`, any other invalid parameter
         *     with `invalid_parameter`.
         *
         *     **Instead.** For sums by day, operation, key or status, use GET /v1/usage/summary.
         */
        get: operations["listUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up usage
         * @description Returns the usage of the account, summed by day, operation, key or status, as JSON, CSV or NDJSON. The
         *     sums are those of the rows that GET /v1/usage returns for the same period, to the credit. `meta.total`
         *     has the sums over all of it, on every page.
         *
         *     The row of a job counts at the time of the call that started it, with the charge of the job once it has
         *     succeeded. A chained job has two rows.
         *
         *     When events of watches are retracted, their credits are refunded. `credits_refunded` has these credits, at the time of the
         *     refund, so a day can have more of them than it has charges.
         *
         *     **Cost.** Free.
         *
         *     **Limits.** At most 1,000 sums are returned at a time. Pass `meta.next_cursor` as `cursor` while it is present;
         *     in CSV and NDJSON, follow the header `Link` with `rel="next"`. By day, the earliest day comes first;
         *     otherwise the highest charge comes first. A sum that grows while you read pages can move to an earlier page, except by day.
         *     If the account has many calls that were never summed, the first call takes longer.
         *
         *     **Errors.** A `cursor` of another list is refused with `invalid_cursor`, any other invalid parameter with
         *     `invalid_parameter`.
         */
        get: operations["summarizeUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "job.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A job succeeded
         * @description Sent when a job ends as `succeeded`. A chained job succeeds when both of its stages have finished.
         *     You can now read the results with GET /v1/jobs/{id}/results, and `data.job.credits_charged` is
         *     final. Check `data.job.failures` and `data.job.truncated_by` to see whether the result is
         *     complete.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/jobs/{id} for the final state of a job.
         */
        post: operations["onJobSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A job failed
         * @description Sent when a job ends as `failed`: it stopped because of the error in `data.job.error`. Nothing was
         *     charged, and the held credits are available again. Start the job again if the code says that it
         *     may succeed later.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/jobs/{id} for the final state of a job.
         */
        post: operations["onJobFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.timed_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A job timed out
         * @description Sent when a job ends as `timed_out`: it did not finish in time. Nothing was charged, and the held
         *     credits are available again. Split the work, for example into smaller areas, before you start it
         *     again.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/jobs/{id} for the final state of a job.
         */
        post: operations["onJobTimedOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.aborted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A job was aborted
         * @description Sent when a job ends as `aborted`: the account or the operator of the service stopped it. Nothing
         *     was charged, and the held credits are available again.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/jobs/{id} for the final state of a job.
         */
        post: operations["onJobAborted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "watch.changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Homes of a watch have changed
         * @description Sent when a watch has written events: `data.events` has up to 100 of them, in the order of `seq`. More
         *     events are sent in further deliveries. A delivery can arrive before an earlier one: sort by `seq`, or
         *     read GET /v1/watches/{id}/events from the last `seq` that you have. Deliveries are free; each event
         *     was charged once, when it was written, unless it says that an earlier one was retracted.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. GET /v1/watches/{id}/events has
         *     every event of the watch.
         */
        post: operations["onWatchChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "watch.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A watch has its baseline
         * @description Sent when a watch has its baseline: when it is created, after its `filters` were changed, and over a
         *     remote data source after the first complete search. `data.count` is the number of homes that match.
         *     From now on, changes of these homes are events. Free.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/watches/{id} for the state of a watch.
         */
        post: operations["onWatchReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "watch.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The service paused a watch
         * @description Sent when the service pauses a watch. `data.reason` is `out_of_credits`, if the account cannot pay for
         *     its events, `key_limit_reached`, if the credit limit of the key that created it does not allow them, `too_many_matches`, if its
         *     search matches more homes than allowed (`data.count` says how many), `incomplete_results`, if a remote data source did not
         *     return complete results in ten searches in a row, or `evaluation_failed`, if the service could not evaluate it ten times in a row. Nothing is lost: after a top-up, or when the limit allows it, the watch continues by itself and reports the net change.
         *     Pausing a watch with PATCH /v1/watches/{id} sends no event. Free.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/watches/{id} for the state of a watch.
         */
        post: operations["onWatchPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "watch.quarantined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A watch was quarantined
         * @description Sent when more than 20% of the homes of a watch, and more than 10, were missing in one search of a
         *     remote data source. `data.missing` says how many. Nothing is reported until the next complete search
         *     agrees. Free.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/watches/{id} for the state of a watch.
         */
        post: operations["onWatchQuarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credits.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Few credits are left
         * @description Sent when a charge brings the balance of the account down to 50%, 20% or 5% of the credits that the plan
         *     granted in this cycle, or to the `credits_threshold` of a webhook, which only webhooks with that threshold are sent. Each level is reported once in a cycle.
         *     If one charge passes several levels, each has its own event. Free.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/me for the credits now.
         */
        post: operations["onCreditsLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.limit_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The credit limit of a key is reached
         * @description Sent when the credit limit of a key is used up, or keeps a call, a job or a watch of the key from a charge.
         *     It is sent once in each period of the limit, and again if the limit is reached after it was raised, or after the end of
         *     a job returned credits to it: credits that are held for a job count. Free.
         *
         *     Answer with a status from 200 to 299 within 15 seconds, and do long work afterwards. Events are
         *     delivered at least once and in no fixed order: detect duplicates by the header `webhook-id`. If
         *     all attempts fail, the event is dropped. Use GET /v1/me with the key for its limit now.
         */
        post: operations["onKeyLimitReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test delivery
         * @description Sent when the operator of the service checks your receiver with `lotline webhooks test`. It has
         *     the same headers and signature as every other delivery, and every live webhook receives it,
         *     regardless of its events. Answer it with a status from 200 to 299 and do nothing else.
         *
         *     It is sent once and not retried, and GET /v1/webhooks/{id}/deliveries does not list it.
         */
        post: operations["onWebhookPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The receipt for work that was accepted as a job. Check its status with GET /v1/jobs/{id}, or register a webhook to be notified when it ends. */
        AcceptedJob: {
            /**
             * Format: uuid
             * @description The id of the job, for GET /v1/jobs/{id} and GET /v1/jobs/{id}/results.
             */
            job_id: string;
            /** @description The status at the moment of acceptance. */
            status: "queued" | "running" | (string & Record<never, never>);
            /** @description The stage at the moment of acceptance. It is `search` for POST /v1/search/with-details; other jobs have no stages and leave the field out. */
            stage?: "search" | "detail" | (string & Record<never, never>) | null;
        };
        /** @description The response to a call that started a job. */
        AcceptedJobAnswer: {
            data: components["schemas"]["AcceptedJob"];
            meta?: components["schemas"]["AnswerMeta"];
            request_id: components["schemas"]["RequestId"];
        };
        /** @description The account that the API key belongs to, with its plan and its credits. */
        Account: {
            /** @description The id of the account. */
            id: string;
            /**
             * Format: email
             * @description The email address of the account. It is left out for accounts without one and for keys that were issued to an AI connector through OAuth, and may be left out for a while when the origin of a key cannot be verified. Do not rely on it.
             */
            email?: string;
            plan_id: components["schemas"]["PlanId"];
            /**
             * Format: date-time
             * @description When the current cycle of the plan began.
             */
            current_period_start: string;
            /** @description The state of the account. Calls of a suspended account are refused with 403 `account_suspended`, so a successful answer says `active`. */
            status: "active" | "suspended" | (string & Record<never, never>);
            /** @description The plan, and its figures for this account. */
            plan: {
                id: components["schemas"]["PlanId"];
                /**
                 * Format: int64
                 * @description The credits granted at the start of each cycle. The free plan grants them once and has no further cycles.
                 */
                credits_per_cycle: number;
                /**
                 * Format: int64
                 * @description The requests that each key may make in any 60 seconds.
                 */
                rate_limit_per_minute: number;
                /**
                 * Format: int64
                 * @description The homes that a watch may match when it is created or its `filters` change.
                 */
                max_watch_matches: number;
            };
            /** @description The credits of the account. */
            credits: {
                /**
                 * Format: int64
                 * @description The remaining credits, including those that running jobs hold. At 0 every call returns 402 `out_of_credits`.
                 */
                balance: number;
                /**
                 * Format: int64
                 * @description The part of the balance that running jobs hold. It is charged or returned when they end.
                 */
                held: number;
                /**
                 * Format: int64
                 * @description The credits that you can spend now, which is `balance` minus `held`.
                 */
                available: number;
                /**
                 * Format: int64
                 * @description The credits that the plan granted in the present cycle. Top-ups are not among them; they carry over from cycle to cycle and are spent last.
                 */
                granted_this_cycle: number;
            };
            /** @description The credit limit of the key that made the call. All fields are null if the key has no limit. Such a key can spend all credits of the account. */
            key?: {
                /** @description The limit. */
                limit: components["schemas"]["CreditLimit"] | null;
                /**
                 * Format: int64
                 * @description The credits that count in the present period: those that were charged to the key, and those that are held for its jobs.
                 */
                used: number | null;
                /**
                 * Format: int64
                 * @description The credits that the limit leaves. The account may have fewer; the smaller number applies.
                 */
                remaining: number | null;
                /**
                 * Format: date-time
                 * @description When the next period begins. Null for a `total` limit.
                 */
                resets_at: string | null;
            };
            /** @description The limits of what the account is not charged for. Each has the number that counts now (`used`) and the number that is allowed (`limit`). The limits apply to the account, over all of its keys. Limits may be added. */
            limits: {
                /** @description The lookups that fail in a minute. A lookup fails when the data source is asked and has nothing. Calls and the entries of jobs share this budget. A minute begins with its first failed lookup. Lookups that are under way count until they find something. */
                failed_lookups_per_minute: components["schemas"]["AccountLimit"];
                /** @description The lookups that fail in 24 hours. A day begins with its first failed lookup. */
                failed_lookups_per_day: components["schemas"]["AccountLimit"];
                /** @description The jobs that are queued or running. */
                open_jobs: components["schemas"]["AccountLimit"];
                /** @description The result rows of all jobs. Rows are stored for 30 days after their job ended. At the limit, no further job is accepted. */
                stored_rows: components["schemas"]["AccountLimit"];
                /** @description The bytes of the result rows, the failed entries and the requests of open jobs. Each failed entry counts 100 bytes more, and each job 1,024. At the limit, no further job is accepted. */
                stored_bytes: components["schemas"]["AccountLimit"];
                /** @description The watches of the account, paused ones included. */
                watches: components["schemas"]["AccountLimit"];
                /** @description The queries in an hour that the watches of the account make to a remote data source. When they are used up, the watches are searched later. */
                watch_queries_per_hour: components["schemas"]["AccountLimit"];
            };
        };
        /** @description A limit of the account, and how much of it is used. */
        AccountLimit: {
            /**
             * Format: int64
             * @description The number that counts now. It can be above `limit`, for example after a change to a smaller plan.
             */
            used: number;
            /**
             * Format: int64
             * @description The number that is allowed. Null if there is no limit.
             */
            limit: number | null;
        };
        /** @description A postal address in parts, spelled as the data source spells it. Any part can be null: public records often lack the street, and an owner may keep it undisclosed. */
        Address: {
            /** @description House number, street and unit in one line, for example `2114 Bigelow Ave N APT 3`; null where the data source withholds it. */
            streetAddress?: string | null;
            /** @description The city or town of the postal address; it need not be the municipality that taxes the home. */
            city?: string | null;
            /** @description The two-letter postal abbreviation of the state, for example `WA`. */
            state?: string | null;
            /** @description The five-digit ZIP code, as a string so that leading zeros stay. */
            zipcode?: string | null;
            /** @description The neighborhood's name, where the data source assigns one. */
            neighborhood?: string | null;
            /** @description The planned or gated community that the home belongs to, by its marketed name. */
            community?: string | null;
            /** @description The subdivision under which the land was platted (RESO SubdivisionName). */
            subdivision?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Who to talk to about a home: its listing agent and the agent's brokerage. Every field is present; all of them are null for a home that is not listed, or listed by its owner. These are personal data of people at work: use them to ask about the listing, and store them no longer than you must. */
        Agent: {
            /** @description The full name of the listing agent. */
            agentName: string | null;
            /** @description The listing agent's e-mail address; null where the MLS does not release it, which is common. */
            agentEmail: string | null;
            /** @description The listing agent's phone number, formatted as the feed sends it. */
            agentPhoneNumber: string | null;
            /** @description The number of the listing agent's state license, which the state's register can verify. */
            agentLicenseNumber: string | null;
            /** @description The brokerage that holds the listing. */
            brokerName: string | null;
            /** @description The brokerage's office phone number, formatted as the feed sends it. */
            brokerPhoneNumber: string | null;
            attributionInfo: components["schemas"]["AttributionInfo"];
        };
        /** @description Information about the response. Absent if it would be empty. */
        AnswerMeta: {
            ignored?: components["schemas"]["Ignored"];
        };
        /** @description An API key of the account, without the key itself. */
        ApiKey: {
            /**
             * Format: uuid
             * @description The id of the key. GET /v1/usage/summary sums usage by it.
             */
            id: string;
            /** @description Your own name for it. An empty string if none was given. */
            name: string;
            /** @description The last four characters of the key. */
            last4: string;
            /** @description Whether the key works now. It is false once the key is revoked or has expired. */
            active: boolean;
            /** @description Whether this is the key that the call was made with. */
            current: boolean;
            /** @description The operations that the key may use. Null if it may use all. */
            allowed_operations: string[] | null;
            /** @description The OAuth client that the key was issued to: its id, or the address of its metadata. Left out for all other keys. */
            oauth_client?: string;
            /** @description How many credits the key can spend. Null: all credits of the account. */
            credit_limit: components["schemas"]["CreditLimit"] | null;
            /**
             * Format: date-time
             * @description When the key stops working. Null if it does not expire.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute. It is updated about once a minute. Null if it was never used.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked, or will be after a rotation. Null if it is not revoked.
             */
            revoked_at: string | null;
        };
        /** @description The key to create. What you leave out, the new key has as the key that creates it. */
        ApiKeyInput: {
            /** @description A name of your own, up to 100 characters. */
            name: string;
            /** @description The operations that the key may use, by their operationIds. Other calls with it are refused with 403 `key_not_allowed`. An empty list is refused. */
            allowed_operations?: string[] | null;
            credit_limit?: components["schemas"]["CreditLimitInput"] | null;
            /**
             * Format: date-time
             * @description When the key stops working, a time in the future.
             */
            expires_at?: string | null;
        };
        /** @description The fields of the key to change. Fields that you leave out stay as they are. Null removes a limit, and changes nothing in `name`. You can send what a GET returned: fields that cannot be changed are accepted. */
        ApiKeyPatch: {
            /** @description A name of your own, up to 100 characters. */
            name?: string | null;
            /** @description The operations that the key may use from now on, by their operationIds. Null: all operations. An empty list is refused. */
            allowed_operations?: string[] | null;
            /** @description How many credits the key can spend from now on. Null: all credits of the account. */
            credit_limit?: components["schemas"]["CreditLimitInput"] | null;
            /**
             * Format: date-time
             * @description When the key stops working, a time in the future. Null: it does not expire.
             */
            expires_at?: string | null;
        };
        /** @description The key that takes the place of another one, with the key itself. */
        ApiKeyRotation: components["schemas"]["ApiKey"] & {
            /** @description The key. It is shown only here, so store it now. */
            key: string;
            /**
             * Format: uuid
             * @description The id of the key that it replaces.
             */
            old_key_id: string;
            /**
             * Format: date-time
             * @description Until when the old key works.
             */
            old_key_revoked_at: string;
        };
        /** @description A new API key, with the key itself. */
        ApiKeyWithSecret: components["schemas"]["ApiKey"] & {
            /** @description The key. It is shown only here, so store it now. */
            key: string;
        };
        /**
         * @description A part of the map. `Polygon` and `MultiPolygon` are GeoJSON geometries (RFC 7946) with `coordinates`; a `Feature` has such a `geometry`, and a `FeatureCollection` has `features`, whose polygons are searched together; `circle` has `center` and `radius_m`; `bbox` has `west`, `south`, `east` and `north`; `place` has `kind`, and `id` or `name`, and is the area inside the boundary of that place. Positions are longitude first, then latitude, in degrees (WGS 84). Edges are straight lines in longitude and latitude. Homes on an edge are in the area, also on the edge of a hole; homes inside a hole are not. There is no tolerance. The direction of a ring makes no difference.
         *
         *     Other fields, such as `bbox`, `properties` or `crs` of GeoJSON, have no effect and are named in `meta.ignored`. In an area of type `bbox`, they are refused.
         *
         *     Areas are not repaired. A ring that is not closed, has fewer than four positions or crosses itself, a hole outside its outer ring, a longitude beyond 180 degrees, an edge that spans more than 180 degrees of longitude, a geometry of a feature that is no polygon, and latitudes that come first are refused with 400 `invalid_filters`; `details` has `path`, `position` and `hint`. To cross the antimeridian, cut a polygon at 180 degrees into a `MultiPolygon`, or send a `bbox` with `west` greater than `east`.
         */
        Area: {
            /**
             * @description The kind of area.
             * @enum {string}
             */
            type: "Polygon" | "MultiPolygon" | "Feature" | "FeatureCollection" | "circle" | "bbox" | "place";
            /** @description For a `Polygon`: its rings, the outer ring first, then its holes. For a `MultiPolygon`: the rings of each polygon. A ring is a list of positions, and the last position repeats the first. */
            coordinates?: (number | number[])[][][] | null;
            geometry?: components["schemas"]["AreaGeometry"] | null;
            /** @description For a `FeatureCollection`: its features. A home is in the area if it is in the polygons of at least one of them. */
            features?: {
                /**
                 * @description Always `Feature`.
                 * @enum {string}
                 */
                type: "Feature";
                geometry: components["schemas"]["AreaGeometry"];
            }[] | null;
            /** @description The center of a `circle`, longitude first. */
            center?: number[] | null;
            /**
             * Format: double
             * @description The radius of a `circle` in meters, from 1 to 100,000. Homes whose great-circle distance from the center (on the mean radius of the earth, 6,371,008.8 m) is at most this are in the area.
             */
            radius_m?: number | null;
            /**
             * Format: double
             * @description The western edge of a `bbox`. It is greater than `east` across the antimeridian.
             */
            west?: number | null;
            /**
             * Format: double
             * @description The southern edge of a `bbox`.
             */
            south?: number | null;
            /**
             * Format: double
             * @description The eastern edge of a `bbox`.
             */
            east?: number | null;
            /**
             * Format: double
             * @description The northern edge of a `bbox`.
             */
            north?: number | null;
            /** @description The kind of a `place`. States and counties are built in; their boundaries are simplified to a scale of 1:10,000,000. The other kinds, and more exact counties, exist if the operator of the service has imported them. */
            kind?: components["schemas"]["PlaceKind"] | null;
            /** @description The id of a `place` in its kind: the FIPS code of a state or a county, for example `53033`, or the id that the source of the boundary uses. An unknown id is refused with 400 `unknown_place`. */
            id?: string | null;
            /** @description The name of a `place` instead of its id, with or without its state: `King County, WA`. Capitals, accents and punctuation make no difference. An unknown name is refused with 400 `unknown_place`. A name that several places have is refused with 400 `ambiguous_place`; `details.places` lists up to 10 of them. */
            name?: string | null;
        };
        /** @description The polygons of a GeoJSON feature. */
        AreaGeometry: {
            /**
             * @description The kind of geometry. Points and lines have no homes in them and are refused.
             * @enum {string}
             */
            type: "Polygon" | "MultiPolygon";
            /** @description For a `Polygon`: its rings, the outer ring first, then its holes. For a `MultiPolygon`: the rings of each polygon. A ring is a list of positions, and the last position repeats the first. */
            coordinates: (number | number[])[][][];
        };
        /** @description Who listed the home, and what the multiple listing service (MLS) requires to be shown with it. If you display a listing to the public, the MLS's rules usually oblige you to show the agent, the broker and the disclaimer found here. Empty for homes that no agent lists. */
        AttributionInfo: {
            /** @description The full name of the listing agent. */
            agentName?: string | null;
            /** @description The listing agent's e-mail address; null where the MLS does not release it. */
            agentEmail?: string | null;
            /** @description The listing agent's phone number, formatted as the feed sends it. */
            agentPhoneNumber?: string | null;
            /** @description The number of the listing agent's state license. */
            agentLicenseNumber?: string | null;
            /** @description The brokerage that holds the listing. */
            brokerName?: string | null;
            /** @description The brokerage's office phone number, formatted as the feed sends it. */
            brokerPhoneNumber?: string | null;
            /** @description The full name of a second listing agent; null for most listings. */
            coAgentName?: string | null;
            /** @description The second listing agent's phone number. */
            coAgentNumber?: string | null;
            /** @description The number of the second listing agent's state license. */
            coAgentLicenseNumber?: string | null;
            /** @description The agent who represented the buyer; null until the home is sold. */
            buyerAgentName?: string | null;
            /** @description The number of the buyer's agent's state license; null until the home is sold. */
            buyerAgentMemberStateLicense?: string | null;
            /** @description The brokerage of the buyer's agent; null until the home is sold. */
            buyerBrokerageName?: string | null;
            /** @description Every agent on the selling side, the main one first. */
            listingAgents?: ({
                /** @description The agent's part in the listing, for example `listAgent` or `coListAgent`. */
                associatedAgentType?: string | null;
                /** @description The agent's full name as registered with the MLS. */
                memberFullName?: string | null;
                /** @description The number of the agent's state license. */
                memberStateLicense?: string | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Every brokerage office on the selling side, the main one first. */
            listingOffices?: ({
                /** @description The office's part in the listing, for example `listOffice` or `coListOffice`. */
                associatedOfficeType?: string | null;
                /** @description The office's name as registered with the MLS. */
                officeName?: string | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description The contract between seller and broker, for example `Exclusive Right To Sell`. */
            listingAgreement?: string | null;
            /** @description The heading that must stand above the attribution, for example `Listing provided by`; null where the MLS asks for none. */
            attributionTitle?: string | null;
            /** @description The phone number or e-mail address that the MLS wants shown with the listing (RESO AttributionContact). */
            attributionContact?: string | null;
            /** @description The listing's number within its MLS; unique only together with `mlsName`. */
            mlsId?: string | null;
            /** @description The MLS that the listing comes from. */
            mlsName?: string | null;
            /** @description The disclaimer and copyright notice that the MLS requires on every page showing the listing. */
            mlsDisclaimer?: string | null;
            /** @description The URL of the MLS's logo, to be shown where its rules ask for it. */
            providerLogo?: string | null;
            /** @description The status in the MLS's own words, for example `Active Under Contract`, where it says more than `homeStatus`; null otherwise. */
            trueStatus?: string | null;
            /** @description When the data source last compared the listing with the MLS, as date and time text. */
            lastChecked?: string | null;
            /** @description When the MLS last changed the listing, as date and time text. */
            lastUpdated?: string | null;
            /** @description A text slot that an MLS fills by its own rules, mostly with its legal notice; often empty. */
            infoString3?: string | null;
            /** @description A text slot that an MLS fills by its own rules, mostly with a line to print under the price. */
            infoString5?: string | null;
            /** @description A text slot that an MLS fills by its own rules, mostly with a line about the data's accuracy. */
            infoString10?: string | null;
            /** @description A text slot that an MLS fills by its own rules, mostly with the URL of an image. */
            infoString16?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The homes to look up: at least one entry in `urls` or `addresses`, and up to 500 in both together. A body without entries is refused with `missing_input`. Unknown fields are ignored and named in `meta.ignored`. */
        BatchRequest: {
            /** @description Listing-site URLs of homes and buildings, of the kinds and hosts that GET /v1/properties/by-url takes. `urls` and `addresses` hold up to 500 entries together; an entry that is repeated is looked up, charged and returned once. An empty list is the same as none. */
            urls?: string[] | null;
            /** @description Full addresses on one line each, as GET /v1/properties/by-address takes them: street with house number, city, state and ZIP code. The street and a city or ZIP code are required. An empty list is the same as none. */
            addresses?: string[] | null;
            /** @default FOR_SALE */
            propertyStatus?: components["schemas"]["ListingStatus"] | null;
            /** @default disabled */
            extractBuildingUnits?: components["schemas"]["ExtractUnits"] | null;
            /** @description The maximum number of records to return, including a building's own record. Records are returned in the order of the entries, `urls` before `addresses`. When the limit is reached before the last entry, the job has `truncated_by: "max_items"` and lists the entries that were left out in `skipped`. If you omit it, every record found is returned. */
            maxItems?: number | null;
            /**
             * Format: int64
             * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies.
             */
            maxCredits?: number | null;
        };
        /** @description The area of a search, in degrees (WGS 84). All four bounds are required and belong to the area. `south` must not lie above `north`. A `west` greater than `east` is a box that crosses the antimeridian, as in RFC 7946: from 179 to -179 it is two degrees wide, not 358. Any other field in it is refused with `invalid_filters`. */
        BoundingBox: {
            /**
             * Format: double
             * @description The western edge, in degrees of longitude; west of Greenwich is negative.
             */
            west: number;
            /**
             * Format: double
             * @description The southern edge, in degrees of latitude, at most equal to `north`.
             */
            south: number;
            /**
             * Format: double
             * @description The eastern edge, in degrees of longitude; smaller than `west` across the antimeridian.
             */
            east: number;
            /**
             * Format: double
             * @description The northern edge, in degrees of latitude.
             */
            north: number;
        };
        /** @description One unit of a multi-unit building. The first item of a building's list can be the building itself, its parent record: it has no `unitNumber`, may carry the building's own fields at the end of this list, and is neither counted nor charged. */
        BuildingUnit: {
            /** @description The id of the unit, for the lookups by id; on the parent record, that of the building. */
            zpid: string;
            /** @description The unit's number or letter on its door, without a designator, for example `407` or `B-1`. Present on every unit and absent from the parent record: this is how to tell them apart. */
            unitNumber?: string;
            /**
             * Format: double
             * @description The price of the unit in US dollars: a monthly rent, an asking price or a sale price, as `homeStatus` tells. Null for units off the market.
             */
            price?: number | null;
            /**
             * Format: double
             * @description The lowest price in US dollars, where it depends on the lease or, on the parent record, on the unit.
             */
            minPrice?: number | null;
            /**
             * Format: double
             * @description The highest price in US dollars; see `minPrice`.
             */
            maxPrice?: number | null;
            /**
             * Format: double
             * @description The monthly rent in US dollars without required fees.
             */
            baseRent?: number | null;
            /**
             * Format: double
             * @description The number of bedrooms; 0 for a studio.
             */
            beds?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms, half baths counted as 0.5.
             */
            baths?: number | null;
            /**
             * Format: double
             * @description The living area in square feet.
             */
            sqft?: number | null;
            /** @description The state of the unit: `FOR_RENT`, `FOR_SALE`, `RECENTLY_SOLD`, `OFF_MARKET`, or others still to come. `include_units` selects by it. */
            homeStatus?: string | null;
            /** @description The trade the unit is in, `FOR_RENT`, `FOR_SALE` or `OTHER`. */
            listingType?: string | null;
            /** @description The first day on which the unit can be moved into, as `YYYY-MM-DD`; null for units that are not offered for rent. */
            availableFrom?: string | null;
            /** @description The path of the unit's own page on the listing site. */
            hdpUrl?: string | null;
            /** @description The id or URL of a 3D model of the unit. */
            vrModel?: string | null;
            /** @description The id or URL of a 3D model of this very unit, where `vrModel` shows its floor plan only. */
            unitVRModel?: string | null;
            /** @description Whether the unit has a virtual tour by another company. */
            hasApprovedThirdPartyVirtualTour?: boolean | null;
            /** @description Whether the landlord takes part in a program for tenants who find it hard to rent. */
            housingConnector?: boolean | null;
            /** @description Whether the unit is offered through that program only. */
            housingConnectorExclusive?: boolean | null;
            source?: components["schemas"]["DataSource"];
            /** @description Only in the results of jobs. With either value the row has nothing but its zpid, because a unit of a known building is an address. */
            withheld?: components["schemas"]["Withheld"];
            /** @description The name of the building. */
            buildingName?: string | null;
            /** @description The name under which the building is advertised, where it differs. */
            marketingName?: string | null;
            /** @description The building's address in one line. */
            fullAddress?: string | null;
            address?: components["schemas"]["Address"];
            /**
             * Format: double
             * @description Degrees north of the equator (WGS 84).
             */
            latitude?: number | null;
            /**
             * Format: double
             * @description Degrees east of Greenwich (WGS 84).
             */
            longitude?: number | null;
            /**
             * Format: int64
             * @description The listing site's id of a rental building.
             */
            lotId?: number | null;
            /** @description The path of the building's page on the listing site. */
            bdpUrl?: string | null;
            /**
             * Format: int64
             * @description The year in which the building was finished.
             */
            yearBuilt?: number | null;
            /** @description The building's advertisement in free text. */
            description?: string | null;
            /** @description The phone number of the leasing office. */
            buildingPhoneNumber?: string | null;
            /** @description The kinds of home in the building, in the words of the record's `homeType`. */
            homeTypes?: string[] | null;
            /**
             * Format: int64
             * @description How many units the building has, listed or not.
             */
            unitCount?: number | null;
            /**
             * Format: int64
             * @description How many of its units are free to rent now.
             */
            availableUnitCount?: number | null;
            /** @description Facts about the building as a whole. */
            buildingAttributes?: ({
                /** @description The appliances found in its units. */
                appliances?: string[] | null;
                /** @description The rules for pets, one sentence each. */
                petPolicies?: string[] | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Offers to new tenants, such as rent-free weeks. */
            specialOffers?: ({
                /** @description The offer in the landlord's words. */
                description?: string | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description How well errands can be done on foot. */
            walkScore?: ({
                /**
                 * Format: int64
                 * @description From 0 (needs a car) to 100 (everything on foot).
                 */
                walkscore?: number | null;
                /** @description The score in words. */
                description?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description How well public transport serves the building. */
            transitScore?: ({
                /**
                 * Format: int64
                 * @description From 0 (none near) to 100 (excellent).
                 */
                transit_score?: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description How well the surroundings suit bicycles. */
            bikeScore?: ({
                /**
                 * Format: int64
                 * @description From 0 (hardly) to 100 (flat and full of lanes).
                 */
                bikescore?: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Whether the building takes older tenants only. */
            isSeniorHousing?: boolean | null;
            /** @description Whether the building takes students only. */
            isStudentHousing?: boolean | null;
            /** @description Whether income limits apply to tenants. */
            isLowIncome?: boolean | null;
            /** @description Whether units are let from a waiting list. */
            isWaitlisted?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same. */
        Cached: boolean;
        /** @description The most credits that a key can spend in each period. */
        CreditLimit: {
            /**
             * Format: int64
             * @description The credits that the key can spend in each period. Credits that are held for its jobs count, and come back when they are released.
             */
            credits: number;
            /** @description The period. A `day` begins at midnight UTC, a `week` on Monday, and a `month` on its first day. A `total` limit is never reset. */
            per: "total" | "day" | "week" | "month" | (string & Record<never, never>);
        };
        /** @description The most credits that a key can spend in each period. */
        CreditLimitInput: {
            /**
             * Format: int64
             * @description The credits that the key can spend in each period.
             */
            credits: number;
            /**
             * @description The period. A `day` begins at midnight UTC, a `week` on Monday, and a `month` on its first day. A `total` limit is never reset.
             * @enum {string}
             */
            per: "total" | "day" | "week" | "month";
        };
        /** @description An event about the credits of the account. */
        CreditsEvent: {
            id: components["schemas"]["EventId"];
            type: components["schemas"]["WebhookEventType"];
            /**
             * Format: date-time
             * @description When the event happened. It stays the same over all attempts.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description Which attempt this is, counted from 1.
             */
            attempt: number;
            /** @description What the event is about. */
            data: {
                /** @description The credits of the account after the charge. */
                credits: {
                    /**
                     * Format: int64
                     * @description The remaining credits, including those that running jobs hold.
                     */
                    balance: number;
                    /**
                     * Format: int64
                     * @description The part of the balance that running jobs hold.
                     */
                    held: number;
                    /**
                     * Format: int64
                     * @description The credits that you can spend now, which is `balance` minus `held`.
                     */
                    available: number;
                    /**
                     * Format: int64
                     * @description The credits that the plan granted in this cycle.
                     */
                    granted_this_cycle: number;
                };
                /** @description The level that the balance fell to. */
                threshold: {
                    /**
                     * Format: int64
                     * @description The level in credits.
                     */
                    credits: number;
                    /**
                     * Format: int64
                     * @description The level as a part of the credits that were granted: 50, 20 or 5. Null for the `credits_threshold` of a webhook.
                     */
                    percent: number | null;
                };
            };
        };
        /** @description The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution. */
        DataSource: {
            /** @description The data source that answered, by its public name. It is the one that really answered: if the usual one failed, this names its stand-in. */
            name: string;
            /** @description The multiple listing service (MLS) or office that the source received the data from; null where the source does not state one. */
            authority: string | null;
            /**
             * Format: date-time
             * @description When the data was read from the source, as ISO 8601 in UTC.
             */
            fetched_at: string;
            /**
             * Format: date-time
             * @description When the source says that it last changed the data, as ISO 8601 in UTC; of several rows, the latest. Null where the source does not state it.
             */
            source_updated_at: string | null;
            /** @description What the source requires to be shown with the data: the listing office and the notice of the MLS. Null where it requires nothing. */
            attribution: string | null;
        };
        /**
         * @description The maximum age of a listing: `1`, `7`, `14`, `30` and `90` are days, `6m`, `12m`, `24m` and `36m` months. It counts from the day of listing, and with status `sold` from the day of the sale. Note that `"7"` is a string, in JSON too.
         * @enum {string}
         */
        DaysOnSite: "1" | "7" | "14" | "30" | "90" | "6m" | "12m" | "24m" | "36m";
        /** @description The body of every answer with a status of 400 or above. Base your error handling on `error.code`, which is stable; `error.message` is for people and may change at any time. */
        Error: {
            /** @description What went wrong. */
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description What was wrong with the call and what to do about it, in a sentence or two for people. Never match on it. */
                message: string;
                /**
                 * Format: uri-reference
                 * @description The manual page of this service that explains the code: a path on its host, such as `/docs/errors#invalid_url`.
                 */
                doc_url?: string;
                /** @description Facts for programs, where there is something to act on. Which there are depends on the code; there may be more in the future. */
                details?: {
                    /** @description Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`. */
                    parameter?: string;
                    /** @description `invalid_filters` for an area: the path of what is wrong in it, for example `filters.area.coordinates.0.3`. */
                    path?: string;
                    /** @description `invalid_filters` for an area: the position at `path`, where it is one. */
                    position?: number[];
                    /** @description `invalid_filters` for an area: what to do, for example `The latitude seems to come first.` */
                    hint?: string;
                    /** @description `key_not_allowed`: the operation that the key may not use. */
                    operation?: string;
                    /** @description `key_not_allowed`: what the other key has more than the key of the call. */
                    exceeds?: "allowed_operations" | "expires_at" | "credit_limit" | "oauth_client" | (string & Record<never, never>);
                    /**
                     * Format: int64
                     * @description `key_not_allowed` for the access token of a new client: the live keys of the account.
                     */
                    live_keys?: number;
                    /**
                     * Format: double
                     * @description `invalid_parameter`: the minimum of `parameter`.
                     */
                    minimum?: number;
                    /**
                     * Format: double
                     * @description `invalid_parameter`: the maximum of `parameter`, or of its size.
                     */
                    maximum?: number;
                    /**
                     * Format: int64
                     * @description `invalid_search_url`: which of `searchUrls` was wrong, counted from 0.
                     */
                    index?: number;
                    /**
                     * Format: int64
                     * @description `out_of_credits`: the credits of the account, those held for running jobs included.
                     */
                    balance?: number;
                    /**
                     * Format: int64
                     * @description `out_of_credits`: the credits that running jobs hold.
                     */
                    held?: number;
                    /**
                     * Format: int64
                     * @description `out_of_credits`, `max_credits_exceeded` and `key_limit_reached`: the credits that the call requires.
                     */
                    required?: number;
                    /**
                     * Format: int64
                     * @description `max_credits_exceeded`: the limit that you set for the charge of the call.
                     */
                    max_credits?: number;
                    /**
                     * Format: int64
                     * @description `key_limit_reached`: the credits that the limit of the key leaves.
                     */
                    remaining?: number;
                    /** @description `key_limit_reached`: the period of the limit: `total`, `day`, `week` or `month`. */
                    per?: "total" | "day" | "week" | "month" | (string & Record<never, never>);
                    /**
                     * Format: date-time
                     * @description `key_limit_reached`: when the limit is reset. Absent for a `total` limit.
                     */
                    resets_at?: string;
                    /** @description What an ambiguous input may mean. `not_found` for an address that several homes fit: their addresses. `ambiguous_place`: the id of each of `places`, a colon, and its name. */
                    candidates?: string[];
                    /** @description `ambiguous_place`: the places that have the name, up to 10. */
                    places?: components["schemas"]["PlaceCandidate"][];
                    /** @description `job_not_ready`, `job_ended`: the status of the job. */
                    status?: components["schemas"]["JobStatus"];
                    /** @description `rate_limited`, `lookup_budget_exceeded` and `job_limit`: the plan of the account. */
                    plan?: components["schemas"]["PlanId"];
                    /**
                     * Format: int64
                     * @description `rate_limited`: the calls that the key may make in 60 seconds.
                     */
                    limit_per_minute?: number;
                    /** @description `lookup_budget_exceeded`: which budget is used up, that of the `minute` or that of the `day`. */
                    window?: "minute" | "day" | (string & Record<never, never>);
                    /** @description `job_limit`: which bound is reached: `open_jobs`, `stored_rows` or `stored_bytes`. */
                    bound?: "open_jobs" | "stored_rows" | "stored_bytes" | (string & Record<never, never>);
                    /**
                     * Format: int64
                     * @description `job_limit`: what the account uses of the bound.
                     */
                    value?: number;
                    /**
                     * Format: int64
                     * @description `lookup_budget_exceeded`, `job_limit` and the `invalid_filters` of a watch: what the plan allows. `key_limit_reached`: the limit of the key.
                     */
                    limit?: number;
                    /**
                     * Format: int64
                     * @description `invalid_filters` of a watch: the homes that its search matches.
                     */
                    count?: number;
                    /** @description `upstream_timeout`: whether the time was spent in the `queue` of the key or `upstream`, at the data source. */
                    phase?: "queue" | "upstream" | (string & Record<never, never>);
                    /** @description `service_unavailable`: `unknown` where the service cannot tell whether the call was charged. */
                    charge?: "unknown" | (string & Record<never, never>);
                } & {
                    [key: string]: unknown;
                };
                request_id: components["schemas"]["RequestId"];
            };
        };
        /**
         * @description What went wrong, as a stable name for programs. Each code comes with one status. New codes may be
         *     added: treat a code that you do not know by its status. The last column has the fields that `error.details` can have.
         *
         *     | Code | Status | Meaning | What to do | `details` |
         *     |---|---|---|---|---|
         *     | `missing_api_key` | 401 | The call has no `Authorization` header. | Send `Authorization: Bearer <key>`. | |
         *     | `invalid_api_key` | 401 | The key is malformed, unknown or revoked. | Check that the whole key is sent, or use another key. | |
         *     | `account_suspended` | 403 | The account of the key is suspended. | Contact the operator of the service. | |
         *     | `plan_not_allowed` | 403 | The plan does not include this operation. | Change the plan, or use another operation. | |
         *     | `key_not_allowed` | 403 | The key may not use this operation, or the call would give a key more than the key of the call has. Or an access token is the first of its client, and the account has as many live keys as its plan allows. | Use another key of the account, or revoke a key. | `operation`, `exceeds`, `live_keys` |
         *     | `out_of_credits` | 402 | The balance is 0, or fewer credits are available than the minimum cost of the call. | Top up, change the plan, wait for the next cycle, or wait for running jobs to release credits. | `balance`, `held`, `required` |
         *     | `max_credits_exceeded` | 402 | The call costs more than the limit that you set with `X-Max-Credits`, `maxCredits` or `max_credits`. | Raise the limit or leave it out, or ask for less. | `required`, `max_credits` |
         *     | `key_limit_reached` | 402 | The call costs more than the credit limit of its key leaves. Free calls still work. | Use another key, have the limit raised, or wait until it is reset. | `required`, `limit`, `per`, `remaining`, `resets_at` |
         *     | `rate_limited` | 429 | The key used up its requests of the last 60 seconds; or too many calls without a valid key came from one address. | Wait for the seconds in `Retry-After`; back off exponentially with jitter. Without a valid key, correct the key first. | `plan`, `limit_per_minute` |
         *     | `lookup_budget_exceeded` | 429 | Too many lookups of the account found nothing, or too many of its calls were disconnected before they were charged: the plan's budget of failed lookups for the minute or the day is used up. Homes that are cached are still found. | Wait for the seconds in `Retry-After`; check the ids, URLs and addresses that you send, and let calls end. | `plan`, `window`, `limit` |
         *     | `missing_input` | 400 | A required parameter or body field is absent. | Add what the message names. | `parameter` |
         *     | `invalid_json` | 400 | The body cannot be parsed as JSON, or is not valid UTF-8. | Correct the body. | |
         *     | `invalid_url` | 400 | The URL is of the wrong host, kind or shape: a listing or building URL, or the target of a webhook. | Correct the URL. | `parameter` |
         *     | `invalid_address` | 400 | The address is shorter than 6 characters, has no street, or has neither a city nor a ZIP code. | Send street, city, state and ZIP code. | `parameter` |
         *     | `invalid_zpid` | 400 | The zpid does not consist of digits. | Send the digits only. | `parameter` |
         *     | `invalid_status` | 400 | A `status` or `propertyStatus` is not one of its values. | Use one of the listed values. | `parameter` |
         *     | `invalid_extract_units` | 400 | An `extract_units`, `extractBuildingUnits` or `include_units` is not one of its values. | Use one of the listed values. | `parameter` |
         *     | `invalid_filters` | 400 | The search filters cannot be used: most often nothing says where to search, a box or an area is malformed, or the minimum of a range exceeds its maximum. | Correct what the message names. | `parameter`, `path`, `position`, `hint`, `count`, `limit` |
         *     | `invalid_search_url` | 400 | A search URL has no `searchQueryState` with map bounds. | Copy the URL again after moving the map, or search by `filters`. | `parameter`, `index` |
         *     | `unknown_place` | 400 | The service knows no place of this kind with this id or name. | Check the kind and the id or name, or send the area itself. | `parameter` |
         *     | `ambiguous_place` | 400 | Several places of this kind have the name. `details.places` has up to 10 of them. | Send the `id` of one of them. | `parameter`, `candidates`, `places` |
         *     | `invalid_cursor` | 400 | The cursor of a search or a list is not one of this service, or belongs to another search or list. | Repeat the call unchanged with `meta.next_cursor` of the page before, or start without a cursor. | `parameter` |
         *     | `invalid_events` | 400 | The events of a webhook or a watch are unknown or named twice. | Send known events, or leave the field out to get all. | `parameter` |
         *     | `invalid_metadata` | 400 | The `metadata` of a watch has more than 16 values, a value or a name that is too long, or a value that is no string. | Send at most 16 strings of up to 500 characters, with names of 1 to 100 characters. | `parameter` |
         *     | `invalid_parameter` | 400 | Any other parameter or field has the wrong type, is out of its bounds, was given twice, or has the character U+0000 or half of a surrogate pair (`\ud800`) in a string; or the request is not well-formed HTTP. | Correct what the message names. Values are never clamped. | `parameter`, `minimum`, `maximum` |
         *     | `not_found` | 404 | There is no such home, building, watch, webhook, delivery, key or path. | Check the id, URL or address. | `parameter`, `candidates` |
         *     | `job_not_found` | 404 | No job of this account has the id, or the job ended more than 30 days ago. | List the jobs with GET /v1/jobs. | `parameter` |
         *     | `method_not_allowed` | 405 | The path exists, but not with this method. | Use the method of this reference. | |
         *     | `not_acceptable` | 406 | The header `Accept` names no media type of the responses of this call. | Leave the header out, or include `application/json`. | |
         *     | `request_timeout` | 408 | The request did not arrive completely in time. | Send it without pauses. | |
         *     | `job_not_ready` | 409 | The job has not succeeded, so it has no results. | Wait until its status is `succeeded`. | `status` |
         *     | `job_ended` | 409 | The job has ended as `succeeded`, `failed` or `timed_out`, so it cannot be aborted. | Read the job. | `status` |
         *     | `idempotency_key_reused` | 409 | The `Idempotency-Key` was used within 24 hours, for a different request, or for one whose response cannot be returned any more. | Use a new key for a new request. | |
         *     | `job_limit` | 409 | The account has as many open jobs, stored rows or stored bytes as its plan allows. | Wait until jobs end or until older results are removed, 30 days after their job ended; or change the plan. | `plan`, `bound`, `value`, `limit` |
         *     | `key_count_limit` | 409 | The account has as many live keys as its plan allows. | Revoke one first, or change the plan. | |
         *     | `key_revoked` | 409 | The key is revoked, has expired, or has been rotated already, so it cannot be rotated. | Create another one. | |
         *     | `webhook_limit` | 409 | The account has as many live webhooks as its plan allows. | Revoke one first, or change the plan. | |
         *     | `webhook_inactive` | 409 | The webhook is revoked, or it is paused and the call needs an active one. | Resume it with PATCH /v1/webhooks/{id}, or create another one. | |
         *     | `delivery_in_progress` | 409 | An attempt of the event is due or under way, so it cannot be sent again now. | Wait for the result of the attempt. | |
         *     | `watch_limit` | 409 | The account has as many watches as its plan allows. | Delete one first, or change the plan. | |
         *     | `payload_too_large` | 413 | The body is larger than 1 MiB. | Split the work into several calls. | |
         *     | `uri_too_long` | 414 | The URL of the request is too long. | Shorten it. | |
         *     | `unsupported_media_type` | 415 | The body is not declared as JSON. | Send `Content-Type: application/json`. | |
         *     | `headers_too_large` | 431 | The header fields are too large. | Send fewer or shorter headers. | |
         *     | `internal_error` | 500 | Something failed inside the service. | Repeat the call; report the `request_id` if it fails again. | |
         *     | `upstream_error` | 502 | The data source failed. | Repeat the call later. | |
         *     | `service_unavailable` | 503 | The service is starting, stopping or overloaded. | Wait for the seconds in `Retry-After`. | `charge` |
         *     | `upstream_timeout` | 504 | The data source, or the queue of the key, took too long. | Repeat the call later. | `phase` |
         */
        ErrorCode: "missing_api_key" | "invalid_api_key" | "account_suspended" | "plan_not_allowed" | "key_not_allowed" | "out_of_credits" | "max_credits_exceeded" | "key_limit_reached" | "rate_limited" | "lookup_budget_exceeded" | "missing_input" | "invalid_json" | "invalid_url" | "invalid_address" | "invalid_zpid" | "invalid_status" | "invalid_extract_units" | "invalid_filters" | "invalid_search_url" | "unknown_place" | "ambiguous_place" | "invalid_cursor" | "invalid_events" | "invalid_metadata" | "invalid_parameter" | "not_found" | "job_not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "job_not_ready" | "job_ended" | "idempotency_key_reused" | "job_limit" | "key_count_limit" | "key_revoked" | "webhook_limit" | "webhook_inactive" | "delivery_in_progress" | "watch_limit" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "headers_too_large" | "internal_error" | "upstream_error" | "service_unavailable" | "upstream_timeout" | (string & Record<never, never>);
        /** @description What a call would cost now. */
        Estimate: {
            /** @description The operationId of the call. */
            operation: string;
            /**
             * Format: int64
             * @description The minimum charge, in credits. 0 if the call would be refused.
             */
            min: number;
            /**
             * Format: int64
             * @description The maximum charge, in credits. Null if it is not known before the work is done.
             */
            max: number | null;
            /** @description `true` if the charge is known: `min` and `max` are the charge of the same call, made now. An estimate is exact only if the service counts in its own data set. */
            exact: boolean;
            /** @description Where the numbers come from: `data_set` if the service counted in its data set, or `prices` if they follow from the input and the prices alone. */
            basis: "data_set" | "prices" | (string & Record<never, never>);
            /**
             * Format: int64
             * @description The credits that the account can spend now.
             */
            available: number;
            /**
             * Format: int64
             * @description The credits that the limit of the key leaves. Absent if the key has no limit.
             */
            key_remaining?: number;
            /** @description Whether the call would be refused now. Limits on jobs, watches and calls per minute are not considered. */
            would_be_refused: boolean;
            /** @description Whether the credits, the limit of the key, or the limit that you set would cut the result. If the estimate is not exact, it is `true` if they do not cover the maximum. */
            would_be_truncated: boolean;
            /** @description The error code of the refusal. Null if the call would not be refused. */
            error_code: "out_of_credits" | "max_credits_exceeded" | "key_limit_reached" | "job_limit" | "not_found" | "invalid_filters" | "unknown_place" | "ambiguous_place" | "invalid_cursor" | "invalid_parameter" | (string & Record<never, never>) | null;
        };
        /** @description The response to a call with `Prefer` `dry-run`. It is the same as that of POST /v1/estimate. */
        EstimateAnswer: {
            data: components["schemas"]["Estimate"];
            meta?: components["schemas"]["AnswerMeta"];
            request_id: components["schemas"]["RequestId"];
        };
        /** @description The call to estimate. Unknown fields are ignored and listed in `meta.ignored`. */
        EstimateRequest: {
            /** @description The operationId of the call, for example `getPropertyByAddress`. `estimateCall` itself cannot be estimated. */
            operation: string;
            /** @description What you would send with the call. It is checked exactly like the call itself. */
            input?: {
                /** @description The path parameters by name, for example `zpid`. */
                path?: {
                    [key: string]: unknown;
                } | null;
                /** @description The query parameters by name. `max_credits` limits the charge, as it would limit that of the call. */
                query?: {
                    [key: string]: unknown;
                } | null;
                /** @description The body of the call. `maxCredits` limits the charge, as it would limit that of the call. */
                body?: {
                    [key: string]: unknown;
                } | null;
            } | null;
        };
        /**
         * @description The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates.
         * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q0
         */
        EventId: string;
        /** @description What an event is about. */
        EventSubject: {
            /**
             * @description The kind of the subject. Kinds may be added.
             *
             *     - `job`: a job; read it with GET /v1/jobs/{id}.
             *     - `watch`: a watch; read it with GET /v1/watches/{id}.
             *     - `account`: the account; read it with GET /v1/me.
             *     - `key_limit`: the credit limit of a key; `key` of GET /v1/me has it.
             */
            type: "job" | "watch" | "account" | "key_limit" | (string & Record<never, never>);
            /** @description The id of the subject, for example the id of the job. */
            id: string;
        };
        /**
         * @description What to do with buildings: `disabled` returns the building's own record. `all` returns the records of all its units instead; the other values return only the units of that status. Each unit is a record and is charged as one.
         * @enum {string}
         */
        ExtractUnits: "disabled" | "all" | "for_sale" | "recently_sold" | "for_rent" | "off_market";
        /**
         * @description How the area is searched:
         *
         *     - `PAGINATION`: the standard search, page after page, with full rows. Up to 820 rows.
         *     - `MAP_MARKERS`: one look at the map. The fastest, with fewer fields in each row. Up to 500 rows.
         *     - `PAGINATION_WITH_ZOOM_IN`: every listing of the area. A part of the map with more listings than
         *       one search can show is split into four, again and again, and homes found twice are returned
         *       once. It always runs as a job.
         * @enum {string}
         */
        ExtractionMethod: "PAGINATION" | "MAP_MARKERS" | "PAGINATION_WITH_ZOOM_IN";
        /** @description The part of the property record that search rows carry along, with the names and units of the record. Any field can be absent or null. */
        HomeInfo: {
            /** @description The id of the home, the same as in the row around it. */
            zpid?: string | null;
            /** @description House number and street. */
            streetAddress?: string | null;
            /** @description The unit within the building, with its designator, for example `# 407`. */
            unit?: string | null;
            /** @description The city or town of the postal address. */
            city?: string | null;
            /** @description The two-letter postal abbreviation of the state. */
            state?: string | null;
            /** @description The five-digit ZIP code. */
            zipcode?: string | null;
            /** @description The country, `USA`. */
            country?: string | null;
            /** @description The ISO 4217 code of every amount in here, `USD`. */
            currency?: string | null;
            /**
             * Format: double
             * @description Degrees north of the equator (WGS 84).
             */
            latitude?: number | null;
            /**
             * Format: double
             * @description Degrees east of Greenwich (WGS 84).
             */
            longitude?: number | null;
            /** @description Whether the position is only that of the ZIP code or city, too coarse for a map. */
            isUnmappable?: boolean | null;
            /**
             * Format: double
             * @description The price in US dollars, a monthly rent for rentals.
             */
            price?: number | null;
            /**
             * Format: double
             * @description The price that the listing's own page shows, in US dollars; mostly equal to `price`.
             */
            priceForHDP?: number | null;
            /** @description What belongs behind the price, for example `+` where it is the lowest of several. */
            priceSuffix?: string | null;
            /**
             * Format: double
             * @description The last change of the asking price in US dollars, negative for a cut.
             */
            priceChange?: number | null;
            /** @description The last cut as text, for example `$25,000 (Nov 19)`; absent without one. */
            priceReduction?: string | null;
            /**
             * Format: int64
             * @description When the asking price last changed, as milliseconds since 1970-01-01 UTC.
             */
            datePriceChanged?: number | null;
            /**
             * Format: double
             * @description The automated estimate of the market value in US dollars.
             */
            zestimate?: number | null;
            /**
             * Format: double
             * @description The automated estimate of the monthly rent in US dollars.
             */
            rentZestimate?: number | null;
            /**
             * Format: double
             * @description The latest assessed value for tax in US dollars.
             */
            taxAssessedValue?: number | null;
            /**
             * Format: double
             * @description The number of bedrooms; 0 for a studio.
             */
            bedrooms?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms, half baths counted as 0.5.
             */
            bathrooms?: number | null;
            /**
             * Format: double
             * @description The living area in square feet.
             */
            livingArea?: number | null;
            /**
             * Format: double
             * @description The size of the lot, in the unit that `lotAreaUnit` names.
             */
            lotAreaValue?: number | null;
            /** @description The unit of `lotAreaValue`, `sqft` or `acres`. */
            lotAreaUnit?: string | null;
            /** @description The kind of home: `SINGLE_FAMILY`, `CONDO`, `TOWNHOUSE`, `MULTI_FAMILY`, `MANUFACTURED`, `LOT`, `APARTMENT`, or others still to come. */
            homeType?: string | null;
            /** @description The state of the home: `FOR_SALE`, `FOR_RENT`, `PENDING`, `COMING_SOON`, `RECENTLY_SOLD`, `SOLD`, `OFF_MARKET`, or others still to come. */
            homeStatus?: string | null;
            /** @description The state that the listing's own page shows; mostly equal to `homeStatus`. */
            homeStatusForHDP?: string | null;
            /**
             * Format: int64
             * @description Whole days since the listing became public; for a sold home, since the sale.
             */
            daysOnSite?: number | null;
            /**
             * Format: int64
             * @description The same span in milliseconds.
             */
            timeOnSite?: number | null;
            listing_sub_type?: components["schemas"]["RowListingSubType"];
            /** @description For new construction, `BUILDER_SPEC` (a house that is built or under construction) or `BUILDER_PLAN` (a plan that can be ordered). */
            newConstructionType?: string | null;
            /** @description The kind of group that the home is sold with, for example `BUILDER_COMMUNITY`. */
            group_type?: string | null;
            /** @description The listing's id with the provider of a rental or builder feed. */
            providerListingID?: string | null;
            /** @description The next open house as text in local time, for example `Sun. 1-3pm`. */
            openHouse?: string | null;
            /** @description The open houses to come, for programs. */
            open_house_info?: ({
                /** @description The windows in order of time. */
                open_house_showing?: ({
                    /**
                     * Format: int64
                     * @description When the doors open, as milliseconds since 1970-01-01 UTC.
                     */
                    open_house_start?: number | null;
                    /**
                     * Format: int64
                     * @description When the doors close, as milliseconds since 1970-01-01 UTC.
                     */
                    open_house_end?: number | null;
                } & {
                    [key: string]: unknown;
                })[] | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * Format: int64
             * @description The number of videos.
             */
            videoCount?: number | null;
            /** @description Whether the listing is a paid promotion. */
            isFeatured?: boolean | null;
            /** @description Whether the listing comes with the larger set of media that agents can buy. */
            isShowcaseListing?: boolean | null;
            /** @description Whether the builder is an advertising customer of the listing site. */
            isPremierBuilder?: boolean | null;
            /** @description Whether public records say that the owner lives elsewhere. */
            isNonOwnerOccupied?: boolean | null;
            /** @description Whether the home is in pre-foreclosure or scheduled for auction. */
            isPreforeclosureAuction?: boolean | null;
            /** @description Whether the rent shown leaves out required monthly fees. */
            isRentalWithBasePrice?: boolean | null;
            /** @description Whether the listing site itself owns the home. */
            isSiteOwned?: boolean | null;
            /** @description Whether the listing site shows the row with emphasis. */
            shouldHighlight?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A kind of home to search for. The records found spell it in their own way in `homeType`:
         *
         *     - `house`: a detached house (`SINGLE_FAMILY`).
         *     - `condo`: a unit in a condominium or cooperative (`CONDO`).
         *     - `townhouse`: a row house or town house (`TOWNHOUSE`).
         *     - `multi_family`: two to four homes sold as one (`MULTI_FAMILY`).
         *     - `manufactured`: a manufactured or mobile home (`MANUFACTURED`).
         *     - `lot`: land without a home (`LOT`).
         *     - `apartment`: a unit in a rental building (`APARTMENT`).
         * @enum {string}
         */
        HomeType: "house" | "condo" | "townhouse" | "multi_family" | "manufactured" | "lot" | "apartment";
        /**
         * @description The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores.
         * @example [
         *       "filters.pirce"
         *     ]
         */
        Ignored: components["schemas"]["IgnoredName"][];
        /** @description A dotted path into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`) or the name of a query parameter, cut to 80 characters. */
        IgnoredName: string;
        /** @description A range of whole numbers with both ends included. Leave an end out, or set it to null, to leave that side open; an empty object restricts nothing. A `min` above `max` is refused with `invalid_filters`, and so is any other field. */
        IntegerRange: {
            /**
             * Format: int64
             * @description The minimum value; null or absent for none.
             */
            min?: number | null;
            /**
             * Format: int64
             * @description The maximum value; null or absent for none.
             */
            max?: number | null;
        };
        /** @description Work that runs in the background. Its status moves from `queued` to `running` and ends in one of four states that never change. */
        Job: {
            /**
             * Format: uuid
             * @description The id of the job.
             */
            id: string;
            type: components["schemas"]["JobType"];
            status: components["schemas"]["JobStatus"];
            /** @description The stage of a `chained_search_detail` job: `search`, then `detail`, which it keeps once it has ended there. Null for every other job. */
            chain_stage: "search" | "detail" | (string & Record<never, never>) | null;
            progress: components["schemas"]["JobProgress"];
            /**
             * Format: int64
             * @description The number of result rows that can be read. Null until the job has succeeded.
             */
            result_count: number | null;
            /**
             * Format: int64
             * @description The total number of entries that returned no record so far. It is 0 for jobs without entries.
             */
            failure_count: number;
            /** @description The entries that returned no record, in the order they were sent. GET /v1/jobs/{id} lists all of them; GET /v1/jobs and webhook events list the first 20 of a job. Entries that fail do not fail the job, unless every one of them failed at the source. Empty for jobs without entries. */
            failures: components["schemas"]["JobFailure"][];
            /**
             * Format: int64
             * @description The number of entries that were left out because the result had reached `maxItems` or the credits ran out (`truncated_by`).
             */
            skipped_count: number;
            /** @description The first 20 of the entries that were left out. `more_skipped` has the others. Send them again in a new job. Empty for jobs without entries. */
            skipped: components["schemas"]["JobSkipped"][];
            /** @description The entries that were left out behind the first 20, in their order. Only GET /v1/jobs/{id} has it, and only if more than 20 were left out. In lists and events, `skipped_count` is above 20 then. */
            more_skipped?: components["schemas"]["JobSkipped"][];
            /** @description Why the job failed, timed out or was aborted. Null in every other status. */
            error: components["schemas"]["JobError"] | null;
            /** @description How much of the area an exhaustive search has covered. Null unless the job searches with `PAGINATION_WITH_ZOOM_IN`. */
            coverage: components["schemas"]["JobCoverage"] | null;
            /**
             * Format: int64
             * @description The credits held for the job now. It is 0 once the job has ended: credits that were not charged are returned to the account.
             */
            credits_held: number;
            /**
             * Format: int64
             * @description The charge of the job, with all its stages. It is 0 until the job has succeeded, and stays 0 if the job failed, timed out or was aborted.
             */
            credits_charged: number;
            /** @description What cut the result: `credits` when the account could not pay for more rows, `max_items` when a batch reached its `maxItems` before its last entry, `max_credits` when the job reached the limit that you set for its charge, `key_limit` when the credit limit of the key that started it was reached, else null. The rows that were charged are complete and can be read. A search that only reaches its `maxItems` is not cut. */
            truncated_by: "credits" | "max_items" | "max_credits" | "key_limit" | (string & Record<never, never>) | null;
            /**
             * Format: int64
             * @description The maximum charge of the job, as you set it with `X-Max-Credits`, `maxCredits` or `max_credits`. Absent if you set none.
             */
            max_credits?: number;
            /**
             * Format: date-time
             * @description When the job was accepted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When work on it began. Null while it is queued.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When it ended, in whatever state. Null while it is queued or running.
             */
            completed_at: string | null;
            /** @description The places in `filters.area`, with the source of each boundary. The job uses these boundaries, also when the operator of the service replaces or removes them. Absent if it names no place. */
            area?: components["schemas"]["PlaceInfo"][];
            /** @description The names in the call that the job does not use, as in `meta.ignored` of other responses. Absent when everything is used. */
            ignored?: components["schemas"]["Ignored"];
        };
        /** @description How much of the area a search with `PAGINATION_WITH_ZOOM_IN` has covered. The map is split into smaller and smaller tiles until each holds no more listings than one search can return. The result is complete when `capped_tiles` is 0 and neither `maxItems` nor the credits (`truncated_by`) ended the search, because the rest of the map is then not searched. */
        JobCoverage: {
            /**
             * Format: int64
             * @description The number of tiles searched, including tiles that were then split.
             */
            tiles: number;
            /**
             * Format: int64
             * @description The number of tiles that have more listings than one search returns and could not be split any further.
             */
            capped_tiles: number;
            /**
             * Format: int64
             * @description The number of listings in the whole area, as the data source reports it. With several `searchUrls`, the sum over the URLs that the job has begun.
             */
            total: number;
            /**
             * Format: int64
             * @description The number of listings found, each counted once.
             */
            rows: number;
        };
        /** @description Why a job ended without success. */
        JobError: {
            /**
             * @description The reason, as a stable name for programs:
             *
             *     - `not_found`: there is no building at the URL.
             *     - `upstream_error`: the data source failed; in a batch, for every entry.
             *     - `upstream_timeout`: the data source did not respond in time.
             *     - `internal_error`: something failed inside the service, repeatedly.
             *     - `timed_out`: the job did not finish in time. The status is `timed_out`.
             *     - `aborted`: the account or the operator of the service stopped the job. The status is `aborted`.
             */
            code: "not_found" | "upstream_error" | "upstream_timeout" | "internal_error" | "timed_out" | "aborted" | (string & Record<never, never>);
            /** @description The reason in a sentence or two for people. Never match on it. */
            message: string;
        };
        /** @description An event for the end of a job. It contains the job as GET /v1/jobs lists it, with the first 20 of its `failures`, and no result rows; read those with GET /v1/jobs/{id}/results. */
        JobEvent: {
            id: components["schemas"]["EventId"];
            type: components["schemas"]["WebhookEventType"];
            /**
             * Format: date-time
             * @description When the event happened. It stays the same over all attempts.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description Which attempt this is, counted from 1.
             */
            attempt: number;
            /** @description What the event is about. */
            data: {
                job: components["schemas"]["Job"];
            };
        };
        /** @description One entry of a job that returned no record. It does not fail the job, and it is free. */
        JobFailure: {
            /**
             * Format: int64
             * @description The place of the entry among the entries of the job, counted from 0: `urls` first, then `addresses`. Repeated entries count once.
             */
            position: number;
            /** @description The first 200 characters of the entry: the URL or address as it was sent, or the zpid of the search row whose detail was wanted. */
            input: string;
            /** @description Why it returned no record. Entries with `not_found` have no record; the others may succeed in a new job. */
            code: "not_found" | "upstream_error" | "upstream_timeout" | "internal_error" | (string & Record<never, never>);
            /** @description The reason in a sentence for people. Never match on it. */
            message: string;
        };
        /** @description How far the job has come, in entries of a batch or in rows of the other jobs; of a chained job, in its present stage. */
        JobProgress: {
            /**
             * Format: int64
             * @description The number dealt with so far, failures included.
             */
            done: number;
            /**
             * Format: int64
             * @description The number there will be, or null while it is not known.
             */
            total: number | null;
        };
        /** @description One row of a job's result. The type of the job says which of these it is: a search row for `search`, a property record for `batch_detail` and `chained_search_detail`, a building unit for `building_units`. Only a search row has `statusType`, and only a property record has `input`. A job type that is added later uses one of these three rows, or has no rows here: its result is then read with another operation. */
        JobResultRow: components["schemas"]["SearchRow"] | components["schemas"]["RecordRow"] | components["schemas"]["BuildingUnit"];
        /** @description One entry of a job that was left out because the result had reached `maxItems`, the credits ran out, or the job had reached `maxCredits`. It was not charged, except for the records that `returned` counts. */
        JobSkipped: {
            /**
             * Format: int64
             * @description The place of the entry in the job, from 0: `urls` come before `addresses`, and an entry that is sent twice counts once.
             */
            position: number;
            /** @description The entry as it was sent, its first 200 characters. */
            input: string;
            /** @description Why it was left out: the result had reached `maxItems`, the credits ran out, or the job had reached the limit that you set for its charge, or the credit limit of its key. */
            reason: "max_items" | "credits" | "max_credits" | "key_limit" | (string & Record<never, never>);
            /**
             * Format: int64
             * @description How many records of this entry the result has. It is above 0 only for a building if only some of its units are in the result.
             */
            returned: number;
        };
        /**
         * @description The state of a job. It moves from `queued` to `running` and ends in one of four states, which never
         *     change. States may be added: a job in a state that you do not know has ended if its `completed_at`
         *     is not null, and has a result only if the state is `succeeded`.
         *
         *     - `queued`: accepted and waiting for its turn.
         *     - `running`: in progress; see `progress`.
         *     - `succeeded`: finished. The results can be read and the charge is final.
         *     - `failed`: stopped because of the error in `error`. Free.
         *     - `timed_out`: did not finish in time. Free.
         *     - `aborted`: stopped by the account or by the operator of the service. Free.
         */
        JobStatus: "queued" | "running" | "succeeded" | "failed" | "timed_out" | "aborted" | (string & Record<never, never>);
        /**
         * @description What a job does, and with it what its result rows are. Types may be added.
         *
         *     - `search`: a large search (POST /v1/search or one of the POST /v1/listings presets). Rows are
         *       search rows.
         *     - `batch_detail`: POST /v1/properties/batch. Rows are property records.
         *     - `chained_search_detail`: POST /v1/search/with-details. Rows are property records.
         *     - `building_units`: GET /v1/buildings/by-url with `sync=false`. Rows are building units.
         */
        JobType: "search" | "batch_detail" | "chained_search_detail" | "building_units" | (string & Record<never, never>);
        /** @description An event about the credit limit of a key. */
        KeyLimitEvent: {
            id: components["schemas"]["EventId"];
            type: components["schemas"]["WebhookEventType"];
            /**
             * Format: date-time
             * @description When the event happened. It stays the same over all attempts.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description Which attempt this is, counted from 1.
             */
            attempt: number;
            /** @description What the event is about. */
            data: {
                /** @description The ids of the keys that share the limit. A rotated key shares its limit with the new key. */
                key_ids: string[];
                /** @description The limit. */
                limit: components["schemas"]["CreditLimit"];
                /**
                 * Format: int64
                 * @description The credits that count in the present period.
                 */
                used: number;
                /**
                 * Format: int64
                 * @description The credits that the limit leaves, too few for the charge that was refused or cut.
                 */
                remaining: number;
                /**
                 * Format: date-time
                 * @description When the next period begins. Null for a `total` limit.
                 */
                resets_at: string | null;
            };
        };
        /** @description Information about a page of a list. */
        ListMeta: {
            /**
             * Format: int64
             * @description The number of entries in `data`.
             */
            count: number;
            /**
             * Format: int64
             * @description The `limit` that was applied.
             */
            limit: number;
            /** @description Whether there are more entries after these. */
            has_more: boolean;
            /** @description `cursor` for the next page: the entries behind these. Absent if there are none. */
            next_cursor?: string;
            ignored?: components["schemas"]["Ignored"];
        };
        /** @description A watch as GET /v1/watches lists it. GET /v1/watches/{id} also has the homes, in `zpids`. */
        ListedWatch: {
            /**
             * Format: uuid
             * @description The id of the watch.
             */
            id: string;
            /** @description The name that you gave the watch. */
            name: string;
            /** @description The filters of the search, as they were sent. Null if the watch is one of homes. */
            filters: {
                [key: string]: unknown;
            } | null;
            /** @description The places in `filters.area`, with the source of each boundary. The watch keeps these boundaries, also when the operator of the service replaces or removes them; to use newer ones, create another watch. Absent if it names no place. */
            area?: components["schemas"]["PlaceInfo"][];
            /**
             * Format: int64
             * @description The number of homes that are watched. Null if the watch has `filters`.
             */
            zpid_count: number | null;
            /** @description The events that are reported and charged. That an event was retracted is always reported, for free. */
            events: components["schemas"]["WatchEventType"][];
            /** @description The values of your own that every event returns. */
            metadata: {
                [key: string]: string;
            };
            /** @description When changes are reported: `change` as soon as the data changes, otherwise at this interval. */
            every: "change" | "1h" | "6h" | "1d" | "7d" | (string & Record<never, never>);
            /** @description The smallest change of a price that is reported. Null if every change is. */
            min_change: components["schemas"]["WatchMinChange"] | null;
            /**
             * @description Whether changes are reported now.
             *
             *     - `pending`: the watch has no baseline yet; the first search has not finished.
             *     - `active`: changes are reported.
             *     - `paused`: nothing is reported; `paused_reason` says why.
             *     - `quarantined`: more than 20% of the homes, and more than 10, were missing in the last search.
             *       Nothing is reported until the next complete search agrees.
             */
            status: "pending" | "active" | "paused" | "quarantined" | (string & Record<never, never>);
            /** @description Why the watch is paused: `requested` (by PATCH /v1/watches/{id}, by the operator of the service, or because the OAuth connector that created it has ended), `out_of_credits` (it continues when the account has credits again), `key_limit_reached` (it continues when the credit limit of the key that created it allows an event again), `too_many_matches` (the search matches too many homes; `count` says how many), `incomplete_results` (the remote data source did not return complete results in ten searches in a row; resume the watch to search again), or `evaluation_failed` (the service could not evaluate the watch ten times in a row; resume it, or send other `filters`). Null while the watch is not paused. More reasons may be added. */
            paused_reason: "requested" | "out_of_credits" | "key_limit_reached" | "too_many_matches" | "incomplete_results" | "evaluation_failed" | (string & Record<never, never>) | null;
            /** @description Who gets the changes of the watch, a person by mail or one webhook. Null if the watch has no subscriber. Absent in events, so that no address is sent to webhooks. */
            subscriber?: components["schemas"]["WatchSubscriber"] | null;
            /**
             * Format: int64
             * @description The number of homes that match, as of the last evaluation. 0 while the watch is `pending`.
             */
            count: number;
            /**
             * Format: int64
             * @description The `seq` of the last event. 0 if there is none yet.
             */
            last_seq: number;
            /**
             * Format: date-time
             * @description When the watch was created.
             */
            created_at: string;
        };
        /** @description The display rules that come with the listing from its MLS. They apply to anyone who shows the listing to the public. A rule that is null or absent is not stated; treat a missing permission as not given. */
        ListingMetadata: {
            /** @description Whether the exact position may be shown. */
            canShowOnMap?: boolean | null;
            /** @description Whether earlier prices may be shown with the listing. */
            canShowPriceHistory?: boolean | null;
            /** @description Whether the tax history may be shown with the listing. */
            canShowTaxHistory?: boolean | null;
            /** @description Whether an automated estimate of the value may be shown with the asking price. */
            canShowAutomatedValuationDisplay?: boolean | null;
            /** @description Whether an estimate may be shown to signed-in visitors only. */
            passwordRequiredForZestimateMarketAnalysis?: boolean | null;
            /** @description Whether comparable homes may be shown on the listing's page. */
            canShowComparables?: boolean | null;
            /** @description Whether comparable homes from other sources may be mixed with those of the MLS. */
            canCommingleComparables?: boolean | null;
            /** @description Whether the listing belongs to a group that may not be mixed with other sources. */
            comminglingCategory?: boolean | null;
            /** @description Whether the MLS restricts showing its listings in one list with others. */
            comminglingCategoryIsRulesApplicable?: boolean | null;
            /** @description Whether comments by visitors may be shown with the listing. */
            canShowUserGeneratedContent?: boolean | null;
            /** @description Whether photos may be cut to another shape. */
            canShowCroppedPhotos?: boolean | null;
            /** @description Whether photos and tours from elsewhere than the MLS may be added. */
            canShowNonIDXMedia?: boolean | null;
            /** @description Whether a lender's offer may be shown in the listing's summary. */
            canShowPrequalifiedLinkInChip?: boolean | null;
            /** @description Whether the showing site may put its own logo above the listing. */
            canShowSiteLogoInHeader?: boolean | null;
            /** @description Whether remarks about price cuts must be left out. */
            hidePriceAdjustmentFlexField?: boolean | null;
            /** @description Whether advertising is kept off the listing's page. */
            isAdsRestricted?: boolean | null;
            /** @description Whether the page is laid out to bring the listing's agent more inquiries. */
            isSuperTrafficOptimized?: boolean | null;
            /** @description Whether the brokerage must be named before the agent. */
            mustAttributeOfficeNameBeforeAgentName?: boolean | null;
            /** @description Whether the credits must be shown above facts about the surroundings. */
            mustDisplayAttributionAboveLocalFacts?: boolean | null;
            /** @description Whether the listing agent's e-mail address must be shown. */
            mustDisplayAttributionListAgentEmail?: boolean | null;
            /** @description Whether the listing agent's phone number must be shown. */
            mustDisplayAttributionListAgentPhone?: boolean | null;
            /** @description Whether the brokerage's phone number must be shown. */
            mustDisplayAttributionListingOfficePhone?: boolean | null;
            /** @description Whether a home that went at auction must be called sold. */
            mustDisplayAuctionStatusAsSold?: boolean | null;
            /** @description Whether the disclaimer must follow the credits directly. */
            mustDisplayDisclaimerBelowAttribution?: boolean | null;
            /** @description Whether the MLS's logo must be shown next to the contact form. */
            mustDisplayFeedLogoInContactBox?: boolean | null;
            /** @description Whether the agent's name must be set off from the text around it. */
            mustHighlightAgentName?: boolean | null;
            /** @description Whether the brokerage's name must be set off from the text around it. */
            mustHighlightListOfficeName?: boolean | null;
            /** @description Whether the kind of marketing, for example an auction, must be set off. */
            mustHighlightMarketingType?: boolean | null;
            /** @description Whether the listing's MLS number must be set off. */
            mustHighlightMlsId?: boolean | null;
            /** @description Whether the MLS's own status must be set off. */
            mustHighlightMlsStatus?: boolean | null;
            /** @description Whether visitors must be able to reach the listing agent from the page. */
            mustMakeListingAgentContactable?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Which listing of a home is wanted, when it has several:
         *
         *     - `FOR_SALE`: it is on the market.
         *     - `RECENTLY_SOLD`: it has changed hands.
         *     - `FOR_RENT`: it is offered to tenants.
         *
         *     This is a preference, not a filter: a home with only one listing is returned whatever that listing
         *     is, and `homeStatus` in the record says what you got.
         * @enum {string}
         */
        ListingStatus: "FOR_SALE" | "RECENTLY_SOLD" | "FOR_RENT";
        /** @description What kind of listing this is. Several can be true at once; all are false for a home that is off the market. */
        ListingSubType: {
            /** @description For sale by agent, the usual way. */
            isFSBA?: boolean | null;
            /** @description For sale by owner, without a listing agent. */
            isFSBO?: boolean | null;
            /** @description New construction, never lived in, sold by its builder. */
            isNewHome?: boolean | null;
            /** @description Announced, but not yet open to visits or offers. */
            isComingSoon?: boolean | null;
            /** @description An offer was accepted and the sale is not yet closed. */
            isPending?: boolean | null;
            /** @description At least one open house is scheduled. */
            isOpenHouse?: boolean | null;
            /** @description To be sold at auction, so that the price shown is an opening bid or an estimate. */
            isForAuction?: boolean | null;
            /** @description In foreclosure, or sold because of one. */
            isForeclosure?: boolean | null;
            /** @description Owned by the lender after a foreclosure that drew no buyer (REO). */
            isBankOwned?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A short form of another home near the one in the record: enough to show a card and to follow `zpid` to its record. */
        NearbyHome: {
            /** @description The id of the other home. */
            zpid?: string;
            address?: components["schemas"]["Address"];
            /** @description The two-letter postal abbreviation of the state. */
            state?: string | null;
            /**
             * Format: double
             * @description Degrees north of the equator (WGS 84).
             */
            latitude?: number | null;
            /**
             * Format: double
             * @description Degrees east of Greenwich (WGS 84).
             */
            longitude?: number | null;
            /**
             * Format: double
             * @description Its price in US dollars: the asking price or rent if it is on the market, otherwise the last sale price or an estimate.
             */
            price?: number | null;
            /** @description The ISO 4217 code of the price, `USD`. */
            currency?: string | null;
            /**
             * Format: double
             * @description The number of bedrooms; 0 for a studio.
             */
            bedrooms?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms, half baths counted as 0.5.
             */
            bathrooms?: number | null;
            /**
             * Format: double
             * @description The living area in square feet.
             */
            livingArea?: number | null;
            /**
             * Format: double
             * @description The living area in the unit that `livingAreaUnits` names.
             */
            livingAreaValue?: number | null;
            /** @description The unit of `livingAreaValue`, for example `Square Feet`. */
            livingAreaUnits?: string | null;
            /** @description The same unit abbreviated, `sqft`. */
            livingAreaUnitsShort?: string | null;
            /**
             * Format: double
             * @description The size of the lot in square feet.
             */
            lotSize?: number | null;
            /**
             * Format: double
             * @description The size of the lot in the unit that `lotAreaUnits` names.
             */
            lotAreaValue?: number | null;
            /** @description The unit of `lotAreaValue`, for example `Square Feet` or `Acres`. */
            lotAreaUnits?: string | null;
            /** @description The kind of home, in the words of the record's `homeType`. */
            homeType?: string | null;
            /** @description The state of the home, in the words of the record's `homeStatus`. */
            homeStatus?: string | null;
            /** @description The path of its page on the listing site. */
            hdpUrl?: string | null;
            /** @description One small photo, or none. */
            miniCardPhotos?: ({
                /** @description The URL of the photo as JPEG. */
                url?: string | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Whom to credit when you show this home. */
            attributionInfo?: ({
                /** @description The full name of its listing agent. */
                agentName?: string | null;
                /** @description The listing agent's phone number. */
                agentPhoneNumber?: string | null;
                /** @description The brokerage that holds its listing. */
                brokerName?: string | null;
                /** @description The brokerage's phone number. */
                brokerPhoneNumber?: string | null;
                /** @description The listing's number within its MLS. */
                mlsId?: string | null;
                /** @description The MLS that the listing comes from. */
                mlsName?: string | null;
                /** @description The URL of the MLS's logo. */
                providerLogo?: string | null;
                /** @description The status in the MLS's own words, where it says more than `homeStatus`. */
                trueStatus?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            listing_sub_type?: components["schemas"]["RowListingSubType"];
            /** @description The MLS's rules for showing this home among others. */
            listingMetadata?: ({
                /** @description Whether the MLS restricts showing its listings in one list with others. */
                comminglingCategoryIsRulesApplicable?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Whether the builder is an advertising customer of the listing site. */
            isPremierBuilder?: boolean | null;
            /** @description For new construction, `BUILDER_SPEC` or `BUILDER_PLAN`; null for homes that were lived in. */
            newConstructionType?: string | null;
            /** @description The listing's id with the provider of a rental or builder feed. */
            providerListingID?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A region that borders the home's own. */
        NearbyRegion: {
            /** @description The region's name, or its ZIP code. */
            name?: string | null;
            /** @description Where the listing site shows the region. */
            regionUrl?: ({
                /** @description The path on the listing site, without scheme and host. */
                path?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A range with both ends included. Leave an end out, or set it to null, to leave that side open; an empty object restricts nothing. A `min` above `max` is refused with `invalid_filters`, and so is any other field. */
        NumberRange: {
            /**
             * Format: double
             * @description The minimum value, in the unit of the filter; null or absent for none.
             */
            min?: number | null;
            /**
             * Format: double
             * @description The maximum value, in the unit of the filter; null or absent for none.
             */
            max?: number | null;
        };
        /** @description One window of time in which anyone may walk in and see the home. */
        OpenHouse: {
            /**
             * Format: date-time
             * @description When the doors open, as ISO 8601 in UTC. To show local time, convert to `timeZone` of the record.
             */
            startTime?: string;
            /**
             * Format: date-time
             * @description When the doors close, as ISO 8601 in UTC; null where only a start was announced.
             */
            endTime?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description One photo of a home, in several widths and two formats to choose from. Its links can expire (see "Homes" in the introduction). */
        Photo: {
            /** @description The URL of the photo as JPEG in the default resolution. */
            url?: string;
            /** @description The photographer's or agent's words under the photo; mostly empty. */
            caption?: string | null;
            /** @description What the photo shows, for example `kitchen`; null unless the data source classifies its photos. */
            subjectType?: string | null;
            /** @description The same photo in every width on offer. */
            mixedSources?: {
                /** @description JPEG files, narrowest first; every client can show them. */
                jpeg?: {
                    /** @description The URL of this file. */
                    url?: string;
                    /**
                     * Format: int64
                     * @description The width in pixels, among others 192, 384, 768 and 1536.
                     */
                    width?: number;
                }[];
                /** @description WebP files, narrowest first, about a third smaller than JPEG; empty where not on offer. */
                webp?: {
                    /** @description The URL of this file. */
                    url?: string;
                    /**
                     * Format: int64
                     * @description The width in pixels, among others 192, 384, 768 and 1536.
                     */
                    width?: number;
                }[];
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A test delivery, signed like every other. POST /v1/webhooks/{id}/test and the operator of the service send it to check that a receiver works. Nothing has happened: answer it with a status from 200 to 299 and do nothing else. */
        PingEvent: {
            id: components["schemas"]["EventId"];
            /**
             * @description Always `webhook.ping`.
             * @enum {string}
             */
            type: "webhook.ping";
            /**
             * Format: date-time
             * @description When the test delivery was sent.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description Always 1. A test delivery is not repeated.
             */
            attempt: number;
            /** @description An empty object. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description A place that an ambiguous name may mean. */
        PlaceCandidate: {
            /** @description The id of the place in its kind. Send it instead of the name. */
            id: string;
            /** @description The name of the place. */
            name: string;
            /** @description The county of the place. Null if it is not known, and for states. */
            county: string | null;
            /** @description The two letters of the state of the place. Null if they are not known. */
            state: string | null;
        };
        /** @description A place that a search names, and where its boundary comes from. */
        PlaceInfo: {
            /** @description The kind of the place. */
            kind: "state" | "county" | "place" | "zip" | "neighborhood" | (string & Record<never, never>);
            /** @description The id of the place in its kind. */
            id: string;
            /** @description The name of the place. */
            name: string;
            /** @description Where the boundary comes from. */
            source: string;
            /** @description The year or version of the boundary. */
            vintage: string;
        };
        /**
         * @description A kind of places with boundaries.
         * @enum {string}
         */
        PlaceKind: "state" | "county" | "place" | "zip" | "neighborhood";
        /**
         * @description The plan of the account. These are the default plans and their figures. The operator of the service can change the
         *     figures and add plans: GET /v1/me returns those of your account.
         *
         *     - `free`: 100 credits once, 20 requests per minute, no top-ups.
         *     - `monthly`: 1,000 credits a month, 200 requests per minute.
         *     - `annual`: 12,000 credits at the start of each year, 300 requests per minute.
         *     - `custom`: figures agreed with the operator of the service.
         *
         *     Each plan also limits what is free: failed lookups, the jobs and results that the service stores, and
         *     watches.
         *
         *     | Plan | Failed lookups per minute | Failed lookups per day | Open jobs | Stored rows | Stored bytes | Watches | Homes per new watch | Watch queries per hour |
         *     |---|---|---|---|---|---|---|---|---|
         *     | `free` | 20 | 500 | 20 | 10,000 | 100,000,000 | 5 | 100 | 500 |
         *     | `monthly` | 200 | 10,000 | 100 | 500,000 | 5,000,000,000 | 50 | 1,000 | 5,000 |
         *     | `annual` | 300 | 20,000 | 200 | 1,000,000 | 10,000,000,000 | 200 | 5,000 | 20,000 |
         *     | `custom` | 600 | 50,000 | 1,000 | 10,000,000 | 100,000,000,000 | 1,000 | 20,000 | 50,000 |
         *
         *     A failed lookup is a query to the data source that the account does not pay:
         *
         *     - a lookup of a home or building that finds nothing, and an entry of a job that fails
         *     - a search of POST /v1/search/with-details that finds nothing, as long as its job has found no home
         *     - a query for a building in a batch that has no record of its own and no units of the wanted kind
         *     - each query of a call that ends without a charge because its client disconnected, or because other
         *       calls used up the credits meanwhile
         *
         *     Cached homes, and unknown homes that are asked for again within 10 minutes, need no query. A query
         *     that the data source fails to answer counts only for an entry of a job.
         *
         *     These limits apply to the account, over all of its keys. Above the failed lookups a call gets 429
         *     `lookup_budget_exceeded`, and a job waits. Above one of the others no further job is accepted (409
         *     `job_limit`), and no further watch (409 `watch_limit`). A new watch that matches more homes is refused with 400
         *     `invalid_filters`.
         *
         *     Over a remote data source, watches search it with at most this many queries per hour. When they are
         *     used up, the watches of the account are searched later. Nothing is lost or refused.
         */
        PlanId: "free" | "monthly" | "annual" | "custom" | (string & Record<never, never>);
        /** @description The contact for a listing. */
        PostingContact: {
            /** @description The contact's name, a person or a leasing office. */
            name?: string | null;
            /** @description The contact's picture. */
            photo?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description One event in the price history of a home: a listing, a change of price, a sale, a withdrawal. Sale and rent events are in one list; `postingIsRental` tells them apart. */
        PriceEvent: {
            /**
             * Format: date
             * @description The day of the event, as `YYYY-MM-DD` in the home's own time zone.
             */
            date?: string;
            /**
             * Format: int64
             * @description The same day as milliseconds since 1970-01-01 UTC.
             */
            time?: number | null;
            /**
             * @description What happened, in the source's words. Known values are `Listed for sale`, `Price change`,
             *     `Contingent`, `Pending sale`, `Sold`, `Relisted`, `Listing removed` and `Listed for rent`;
             *     expect others.
             */
            event?: string;
            /**
             * Format: double
             * @description The price after the event in US dollars, a monthly rent if `postingIsRental`; null where it was not disclosed, as sale prices are not in some states.
             */
            price?: number | null;
            /**
             * Format: double
             * @description The change against the previous event as a fraction, so that -0.05 is a cut of 5 %; 0 for the first event, null where either price is unknown.
             */
            priceChangeRate?: number | null;
            /**
             * Format: double
             * @description The event's price divided by the living area, in US dollars per square foot.
             */
            pricePerSquareFoot?: number | null;
            /** @description Whether the event belongs to a rental listing, so that prices are monthly rents. */
            postingIsRental?: boolean | null;
            /** @description Who reported the event, an MLS by name or `Public Record`. */
            source?: string | null;
            /** @description The report behind the event, in the form in which its MLS wants to be credited. */
            attributeSource?: ({
                /** @description The MLS and the listing's number in it, as one line. */
                infoString1?: string | null;
                /** @description The name of the reporting MLS or county. */
                infoString2?: string | null;
                /** @description The URL of the reporting party's logo. */
                infoString3?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The agent who represented the buyer, on a sale whose MLS discloses it. */
            buyerAgent?: {
                [key: string]: unknown;
            } | null;
            /** @description The agent who represented the seller, on a listing or sale whose MLS discloses it. */
            sellerAgent?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the event comes from county records that can be looked up by the public. */
            showCountyLink?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Everything the data source knows about one home and its listing. Fields are grouped by subject: the home, its place, price, value and tax, the listing, history, people, photos, rentals, foreclosure, surroundings. A whole record always has its `zpid`; `fields` can leave even that out. Every other field can be absent or null, which both mean that the data source does not state it or that it does not apply; they never mean zero or no. Amounts are US dollars and areas square feet unless a field says otherwise. Sources may send further fields, and these are passed on unchanged. */
        Property: {
            /** @description The id of the home, digits only. It stays the same over sales and relistings, so use it as the key in your own store. A home can have further ids, which find it, too (see "Homes" in the introduction). */
            zpid?: string;
            /** @description The kind of home: `SINGLE_FAMILY`, `CONDO`, `TOWNHOUSE`, `MULTI_FAMILY`, `MANUFACTURED`, `LOT`, `APARTMENT`, `OTHER`, or others still to come. */
            homeType?: string | null;
            /** @description The state of the home on the market: `FOR_SALE`, `FOR_RENT`, `PENDING`, `COMING_SOON`, `RECENTLY_SOLD`, `SOLD`, `OFF_MARKET`, `OTHER`, or others still to come. */
            homeStatus?: string | null;
            /** @description The state in the source's internal code, for example `ForSale` or `RecentlySold`; finer than `homeStatus` in rare cases. */
            keystoneHomeStatus?: string | null;
            /** @description The county assessor's number of the parcel (APN), formatted as the county writes it; unique only within the county. */
            parcelId?: string | null;
            /** @description The listing's number in its multiple listing service (MLS); null for homes that no MLS lists. */
            mlsid?: string | null;
            /** @description The listing's id with the provider of a rental or builder feed. */
            providerListingID?: string | null;
            /** @description The id of the feed through which the data source received the listing. */
            listingFeedID?: string | null;
            /** @description The id of the organization that publishes the listing, as registered with RESO, for example `M00000353`. */
            ouid?: string | null;
            /** @description The home's page: a path on the listing site, which can be given to GET /v1/properties/by-url with the host before it, or a whole URL. */
            hdpUrl?: string | null;
            /** @description The URL of the listing on the website of the party that posted it. */
            postingUrl?: string | null;
            /** @description The postal address in parts. */
            address?: components["schemas"]["Address"] | null;
            /** @description House number, street and unit, the same as in `address`; null where the data source withholds it. */
            streetAddress?: string | null;
            /** @description The street address in its shortest form, without city, state and ZIP code. */
            abbreviatedAddress?: string | null;
            /** @description The number or letter of the unit in its building, without a designator. */
            unitNumber?: string | null;
            /** @description The city or town of the postal address. */
            city?: string | null;
            /** @description The two-letter postal abbreviation of the state. */
            state?: string | null;
            /** @description The five-digit ZIP code, as a string so that leading zeros stay. */
            zipcode?: string | null;
            /** @description The four digits behind the ZIP code that narrow it to a block or building. */
            zipPlusFour?: string | null;
            /** @description The county's name, for example `King County`. */
            county?: string | null;
            /** @description The five-digit FIPS code of the county, state first; joins to census data. */
            countyFIPS?: string | null;
            /** @description The neighborhood's name, where the data source assigns one. */
            neighborhood?: string | null;
            /** @description The country, `USA`. */
            country?: string | null;
            /** @description The region in words, for example `Queen Anne, Seattle, WA`. */
            regionString?: string | null;
            /**
             * Format: double
             * @description Degrees north of the equator (WGS 84), mostly of the parcel's center.
             */
            latitude?: number | null;
            /**
             * Format: double
             * @description Degrees east of Greenwich (WGS 84), mostly of the parcel's center.
             */
            longitude?: number | null;
            /** @description Whether the position is known to be wrong or too coarse; keep such homes off a map. */
            hasBadGeocode?: boolean | null;
            /** @description The IANA time zone of the home, for example `America/Los_Angeles`. */
            timeZone?: string | null;
            /** @description Whether the seller keeps the exact address private. */
            isUndisclosedAddress?: boolean | null;
            /**
             * Format: int64
             * @description The listing site's id of the city.
             */
            cityId?: number | null;
            /** @description The listing site's id of the county, a string unlike the other ids of regions. */
            countyID?: string | null;
            /**
             * Format: int64
             * @description The listing site's id of the state.
             */
            stateId?: number | null;
            /**
             * Format: int64
             * @description The listing site's id of the borough; in New York City only.
             */
            boroughId?: number | null;
            /** @description The neighborhood as a region of the listing site. */
            neighborhoodRegion?: ({
                /** @description The neighborhood's name. */
                name?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The next larger region that the listing site shows the home in. */
            parentRegion?: ({
                /** @description The region's name, a neighborhood, city or ZIP code. */
                name?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * Format: double
             * @description The number of bedrooms; 0 for a studio.
             */
            bedrooms?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms, where a half bath counts as 0.5 and a three-quarter bath as 0.75.
             */
            bathrooms?: number | null;
            /**
             * Format: double
             * @description The finished living area in square feet, as far as the data source can tell without unfinished basement and garage.
             */
            livingArea?: number | null;
            /**
             * Format: double
             * @description The living area in the unit that `livingAreaUnits` names.
             */
            livingAreaValue?: number | null;
            /** @description The unit of `livingAreaValue` in words, for example `Square Feet`. */
            livingAreaUnits?: string | null;
            /** @description The unit of `livingAreaValue` abbreviated, for example `sqft`. */
            livingAreaUnitsShort?: string | null;
            /**
             * Format: double
             * @description The size of the lot in square feet; an acre is 43,560. Null for most condos.
             */
            lotSize?: number | null;
            /**
             * Format: double
             * @description The size of the lot in the unit that `lotAreaUnits` names; read the two together, for large lots are given in acres.
             */
            lotAreaValue?: number | null;
            /** @description The unit of `lotAreaValue`, `Square Feet` or `Acres`. */
            lotAreaUnits?: string | null;
            /**
             * Format: int64
             * @description The year in which the home was finished, by the assessor's records where there are any.
             */
            yearBuilt?: number | null;
            /**
             * Format: int64
             * @description The year of the last major renovation on record; null if there was none.
             */
            yearRenovated?: number | null;
            /**
             * Format: double
             * @description The number of floors above ground, where half a floor counts as 0.5.
             */
            stories?: number | null;
            /**
             * Format: int64
             * @description The number of homes in the building or on the parcel; 1 for a detached house.
             */
            numberOfUnitsTotal?: number | null;
            /** @description The kinds of parking, in the listing's words, for example `Garage - Attached`. */
            parking?: string[] | null;
            /** @description The kinds of heating, by method and fuel, for example `Forced Air` and `Natural Gas`. */
            heating?: string[] | null;
            /** @description The kinds of cooling, for example `Central Air`; `None` where there is none. */
            cooling?: string[] | null;
            /** @description Whether the home has a garage, attached or detached; a carport does not count. */
            hasGarage?: boolean | null;
            /** @description Whether the home has a private pool; a pool shared with neighbors does not count. */
            hasPool?: boolean | null;
            /** @description Whether the lot touches a body of water; a mere view of it does not count. */
            isWaterfront?: boolean | null;
            /** @description Facts about the home as the listing site groups them for display; `resoFacts` has the same ones for programs. */
            homeFacts?: {
                [key: string]: unknown;
            } | null;
            /** @description The home's features in the vocabulary of the MLS, from appliances to zoning; also at GET /v1/properties/{zpid}/facts. */
            resoFacts?: components["schemas"]["ResoFacts"] | null;
            /** @description The listing's text as its agent or owner wrote it; after a sale often the last one known. */
            description?: string | null;
            /** @description What the owner likes about the home, in the owner's own words. */
            whatILove?: string | null;
            /** @description Phrases that the data source extracted from text and photos. */
            homeInsights?: ({
                /** @description The groups of phrases, each with its `phrases`. */
                insights?: {
                    [key: string]: unknown;
                }[] | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description The listing's selling points, a few words each. */
            highlights?: string[] | null;
            /** @description Building permits on record for the parcel, in the county's terms. */
            buildingPermits?: {
                [key: string]: unknown;
            }[] | null;
            /** @description How well the roof suits solar panels, as rated by the source's partner. */
            solarPotential?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: double
             * @description The price that `homeStatus` implies: the asking price, the rent per month, or for a sold home the sale price.
             */
            price?: number | null;
            /** @description The ISO 4217 code of every amount in the record, `USD`. */
            currency?: string | null;
            /**
             * Format: double
             * @description The lower end of an asking price that is published as a range.
             */
            listPriceLow?: number | null;
            /**
             * Format: double
             * @description The last change of the asking price, negative for a cut; null if it never changed.
             */
            priceChange?: number | null;
            /**
             * Format: int64
             * @description When the asking price last changed, as milliseconds since 1970-01-01 UTC.
             */
            priceChangeDate?: number | null;
            /** @description The day on which the asking price last changed, as `YYYY-MM-DD`. */
            priceChangeDateString?: string | null;
            /**
             * Format: int64
             * @description When the price last changed, as milliseconds since 1970-01-01 UTC; some sources send it in place of `priceChangeDate`.
             */
            datePriceChanged?: number | null;
            /**
             * Format: double
             * @description The fee of the homeowners' association per month, as the listing states it.
             */
            hoaFee?: number | null;
            /**
             * Format: double
             * @description The fees of all homeowners' associations, converted to one month; 0 where an association charges nothing.
             */
            monthlyHoaFee?: number | null;
            /**
             * Format: double
             * @description An estimate of a year's homeowner's insurance.
             */
            annualHomeownersInsurance?: number | null;
            /** @description Average mortgage rates in the home's state on the day the record was read, in percent a year. */
            mortgageRates?: ({
                /**
                 * Format: double
                 * @description The rate of a loan fixed for 30 years.
                 */
                thirtyYearFixedRate?: number | null;
                /**
                 * Format: double
                 * @description The rate of a loan fixed for 15 years.
                 */
                fifteenYearFixedRate?: number | null;
                /**
                 * Format: double
                 * @description The rate of a loan that is fixed for 5 years and adjusts afterwards.
                 */
                arm5Rate?: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The rates quoted by the listing site's own lender. */
            mortgageZHLRates?: ({
                /** @description The quote for a loan fixed for 30 years. */
                thirtyYearFixedBucket?: ({
                    /**
                     * Format: double
                     * @description Percent a year.
                     */
                    rate?: number | null;
                    /** @description The lender or survey behind the rate. */
                    rateSource?: string | null;
                    /**
                     * Format: int64
                     * @description When it was quoted, as milliseconds since 1970-01-01 UTC.
                     */
                    lastUpdated?: number | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description The quote for a loan fixed for 15 years. */
                fifteenYearFixedBucket?: ({
                    /**
                     * Format: double
                     * @description Percent a year.
                     */
                    rate?: number | null;
                    /** @description The lender or survey behind the rate. */
                    rateSource?: string | null;
                    /**
                     * Format: int64
                     * @description When it was quoted, as milliseconds since 1970-01-01 UTC.
                     */
                    lastUpdated?: number | null;
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description The quote for a loan that is fixed for 5 years and adjusts afterwards. */
                arm5Bucket?: ({
                    /**
                     * Format: double
                     * @description Percent a year.
                     */
                    rate?: number | null;
                    /** @description The lender or survey behind the rate. */
                    rateSource?: string | null;
                    /**
                     * Format: int64
                     * @description When it was quoted, as milliseconds since 1970-01-01 UTC.
                     */
                    lastUpdated?: number | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Programs that help buyers of this home with the down payment. */
            downPaymentAssistance?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: double
             * @description The source's automated estimate of the market value as of today; null where it makes none.
             */
            zestimate?: number | null;
            /** @description How far below `zestimate` the low end of its range lies, in percent and as a string: `5` means 5 % below. */
            zestimateLowPercent?: string | null;
            /** @description How far above `zestimate` the high end of its range lies, in percent and as a string. */
            zestimateHighPercent?: string | null;
            /** @description Whether the owner or the MLS asked not to show the estimate to the public. */
            hideZestimate?: boolean | null;
            /**
             * Format: double
             * @description The source's automated estimate of the monthly rent.
             */
            rentZestimate?: number | null;
            /** @description How far below `rentZestimate` the low end of its range lies, in percent and as a string. */
            restimateLowPercent?: string | null;
            /** @description How far above `rentZestimate` the high end of its range lies, in percent and as a string. */
            restimateHighPercent?: string | null;
            /** @description Estimates of the value by other models or for other dates. */
            homeValues?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: double
             * @description The property tax of the latest year on record.
             */
            tax?: number | null;
            /**
             * Format: double
             * @description The value for tax in the latest year on record; in some states a fixed share of the market value, or capped.
             */
            taxAssessedValue?: number | null;
            /**
             * Format: int64
             * @description The year that `taxAssessedValue` belongs to.
             */
            taxAssessedYear?: number | null;
            /**
             * Format: double
             * @description The usual property tax in the home's area, in percent of the market value a year.
             */
            propertyTaxRate?: number | null;
            /**
             * Format: double
             * @description The price of the last recorded sale; null in states where sale prices are not public.
             */
            lastSoldPrice?: number | null;
            /**
             * Format: int64
             * @description Whole days since the listing became public; for a sold home, since the sale.
             */
            daysOnSite?: number | null;
            /** @description The same span in words, for example `15 days`. */
            timeOnSite?: string | null;
            /** @description The day on which the listing became public, as `YYYY-MM-DD`. */
            datePosted?: string | null;
            /** @description The day of posting once more, as `YYYY-MM-DD`; sources send one or the other. */
            datePostedString?: string | null;
            /** @description When the home was last sold, as milliseconds since 1970-01-01 UTC from some sources and as an ISO 8601 text from others; `dateSoldString` is always text. */
            dateSold?: number | string | null;
            /** @description The day of the last sale, as `YYYY-MM-DD`. */
            dateSoldString?: string | null;
            /** @description The day on which a coming-soon listing opens to visits and offers, as `YYYY-MM-DD`. */
            comingSoonOnMarketDate?: string | null;
            /** @description What an accepted offer still depends on, for example `UNDER_CONTRACT` or `ACCEPTING_BACK_UP_OFFERS`; null without one. */
            contingentListingType?: string | null;
            /** @description What kind of listing this is, as flags. Some sources send the same flags a second time in an unlisted field, spelled as in search rows; it is passed on unchanged. */
            listingSubType?: components["schemas"]["ListingSubType"] | null;
            /** @description The MLS's rules for showing the listing to the public. */
            listingMetadata?: components["schemas"]["ListingMetadata"] | null;
            /** @description The pipeline through which the listing site received the listing, by its internal name. */
            listingDataSource?: string | null;
            /** @description The company whose feed delivered the listing, with what it wants shown as credit. */
            listingProvider?: {
                [key: string]: unknown;
            } | null;
            /** @description The listing site's id of the account that posted the listing. */
            listingAccountUserId?: string | null;
            /** @description For new construction, `BUILDER_SPEC` (a house that is built or under construction) or `BUILDER_PLAN` (a plan that can be ordered). */
            newConstructionType?: string | null;
            /** @description Whether a new home is finished and ready to move into. */
            moveInReady?: boolean | null;
            /** @description The day on which a new home will be finished, as date text. */
            moveInCompletionDate?: string | null;
            /** @description Whether the owner sells without a listing agent. */
            isListedByOwner?: boolean | null;
            /** @description Whether the home is neither for sale nor for rent. */
            isOffMarket?: boolean | null;
            /** @description Whether `homeStatus` changed within the last days. */
            isRecentStatusChange?: boolean | null;
            /** @description Whether public records say that the owner lives elsewhere. */
            isNonOwnerOccupied?: boolean | null;
            /** @description Whether the listing site itself owns the home. */
            isSiteOwned?: boolean | null;
            /** @description Whether the listing is a paid promotion on the listing site. */
            isFeatured?: boolean | null;
            /** @description Whether the listing comes with the larger set of media that agents can buy. */
            isShowcaseListing?: boolean | null;
            /** @description Whether the builder is an advertising customer of the listing site. */
            isPremierBuilder?: boolean | null;
            /** @description Whether the owner can ask the listing site for an immediate offer. */
            isInstantOfferEnabled?: boolean | null;
            /**
             * Format: int64
             * @description How often the listing's page was viewed since it was posted.
             */
            pageViewCount?: number | null;
            /**
             * Format: int64
             * @description How many visitors of the listing site saved the home.
             */
            favoriteCount?: number | null;
            /**
             * Format: int64
             * @description How often the listing's 3D or video tour was viewed.
             */
            tourViewCount?: number | null;
            /** @description Listings, price changes and sales, latest first; also at GET /v1/properties/{zpid}/price-history. */
            priceHistory?: components["schemas"]["PriceEvent"][] | null;
            /** @description Tax and assessed value by year, latest first; also at GET /v1/properties/{zpid}/tax-history. */
            taxHistory?: components["schemas"]["TaxEvent"][] | null;
            /** @description Who listed the home, and the credits and disclaimer that its MLS requires. */
            attributionInfo?: components["schemas"]["AttributionInfo"] | null;
            /** @description The listing agent in short; null for homes that no agent lists. */
            agent?: ({
                /** @description The agent's full name. */
                agentName?: string | null;
                /** @description The agent's e-mail address; null where the MLS does not release it. */
                agentEmail?: string | null;
                /** @description The agent's phone number, formatted as the feed sends it. */
                agentPhoneNumber?: string | null;
                /** @description The number of the agent's state license. */
                agentLicenseNumber?: string | null;
                /** @description The brokerage that the agent works for. */
                brokerName?: string | null;
                /** @description The brokerage's phone number, formatted as the feed sends it. */
                brokerPhoneNumber?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The brokerage that holds the listing, in short. */
            broker?: ({
                /** @description The brokerage's name. */
                brokerName?: string | null;
                /** @description The brokerage's phone number, formatted as the feed sends it. */
                brokerPhoneNumber?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The name of the brokerage once more, as the MLS wants it credited. */
            brokerageName?: string | null;
            /** @description The listing site's id of the brokerage. */
            brokerId?: string | null;
            /** @description The listing agent as some data sources send it in addition to `agent`, in their own form. */
            listing_agent?: {
                [key: string]: unknown;
            } | null;
            /** @description The lines that the listing site prints under "Listed by", ready for display. */
            listedBy?: ({
                /** @description The kind of line, for example `LISTED_BY` or `BROKER`. */
                id?: string | null;
                /** @description The parts of the line, each with `id` (for example `NAME` or `PHONE`) and `text`. */
                elements?: {
                    [key: string]: unknown;
                }[] | null;
                /** @description How the line is set; null for ordinary text. */
                textStyle?: string | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description The URL of the brokerage's logo. */
            enhancedBrokerImageUrl?: string | null;
            /** @description The contacts for the listing; an empty array from some data sources if there is no contact. */
            postingContact?: components["schemas"]["PostingContact"] | components["schemas"]["PostingContact"][] | null;
            /** @description The account of an owner who has claimed the home on the listing site. */
            ownerAccount?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int64
             * @description The number of photos in the listing; `responsivePhotos` can hold fewer where the data source limits it.
             */
            photoCount?: number | null;
            /** @description The listing's photos in the order of the listing; also at GET /v1/properties/{zpid}/photos. */
            responsivePhotos?: components["schemas"]["Photo"][] | null;
            /** @description The same photos uncropped, in the ratio in which they were taken. */
            responsivePhotosOriginalRatio?: components["schemas"]["Photo"][] | null;
            /** @description The same photos as some sources send them, with `mixedSources` and sometimes without `url`. */
            photos?: {
                [key: string]: unknown;
            }[] | null;
            /** @description The photos in the size in which they were uploaded, with `caption` and `mixedSources`. */
            originalPhotos?: {
                [key: string]: unknown;
            }[] | null;
            /** @description Still pictures taken from the 3D tour. */
            tourPhotos?: {
                [key: string]: unknown;
            }[] | null;
            /** @description Floor plans, each with its picture and the tour that it belongs to. */
            floorMaps?: {
                [key: string]: unknown;
            }[] | null;
            /** @description The URL of a floor plan to walk through. */
            interactiveFloorPlanUrl?: string | null;
            /** @description The URL of the first photo in medium size, about 400 pixels wide. */
            mediumImageLink?: string | null;
            /** @description The URL of the first photo in the largest size, about 1500 pixels wide. */
            hiResImageLink?: string | null;
            /** @description The street-level picture of the home and whether one exists. */
            streetView?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the listing has a video that anyone may see. */
            hasPublicVideo?: boolean | null;
            /** @description The main video, with its URLs by resolution. */
            primaryPublicVideo?: {
                [key: string]: unknown;
            } | null;
            /** @description Videos, tours and floor plans together, in the source's shape. */
            richMedia?: {
                [key: string]: unknown;
            } | null;
            /** @description The videos among the rich media. */
            richMediaVideos?: {
                [key: string]: unknown;
            }[] | null;
            /** @description The URL of a virtual tour, the one without advertising where there are two. */
            virtualTourUrl?: string | null;
            /** @description A virtual tour by another company. */
            thirdPartyVirtualTour?: ({
                /** @description Whether the listing site has checked the tour and embeds it. */
                approved?: boolean | null;
                /** @description The URL of the tour on the company's own site. */
                externalUrl?: string | null;
                /** @description The URL of the tour for embedding. */
                lightboxUrl?: string | null;
                /** @description The URL of a still picture of the tour. */
                staticUrl?: string | null;
                /** @description The company, as a code. */
                providerKey?: string | null;
                /** @description The company's name. */
                providerName?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Whether `thirdPartyVirtualTour` is approved. */
            hasApprovedThirdPartyVirtualTourUrl?: boolean | null;
            /** @description Whether the home can be walked through as a 3D model. */
            hasVRModel?: boolean | null;
            /** @description The home's 3D model. */
            vrModel?: ({
                /** @description The id of the model. */
                vrModelGuid?: string | null;
                /** @description The id of the model's latest revision. */
                revisionId?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The open houses to come, in order of time; also at GET /v1/properties/{zpid}/open-houses. */
            openHouseSchedule?: components["schemas"]["OpenHouse"][] | null;
            /** @description Whether and how a private visit can be booked. */
            tourEligibility?: components["schemas"]["TourEligibility"] | null;
            /** @description Visits without an agent. */
            selfTour?: ({
                /** @description Whether the home can be seen alone, with a code for the lock. */
                hasSelfTour?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Whether visitors may see the home without the listing agent. */
            unassistedShowing?: boolean | null;
            /** @description The multi-unit building that the home is part of, in the source's shape. */
            building?: {
                [key: string]: unknown;
            } | null;
            /** @description The source's key of the building. */
            buildingId?: string | null;
            /** @description The key of the building in its listing URL, the part behind the last hyphen of a `/b/` URL. */
            buildingKey?: string | null;
            /** @description The name of the building. */
            buildingName?: string | null;
            /** @description True on the record of a multi-unit building itself. Such a record is no home: searches do not return it, and it is free where it comes with its units. */
            isBuilding?: boolean | null;
            /**
             * Format: int64
             * @description The source's number of the lot that the building stands on, the same for all its units.
             */
            lotId?: number | null;
            /** @description The name under which a rental building is advertised, where it differs. */
            marketingName?: string | null;
            /** @description The path of the building's page on the listing site; with the host before it, it can be given to GET /v1/buildings/by-url. */
            bdpUrl?: string | null;
            /** @description The first day on which a rental can be moved into, as date text. */
            availabilityDate?: string | null;
            /**
             * Format: double
             * @description The rent per month without required fees.
             */
            baseRent?: number | null;
            /** @description Whether `price` of a rental already contains the fees that every tenant pays. */
            listPriceIncludesRequiredMonthlyFees?: boolean | null;
            /**
             * Format: double
             * @description The least that the fees required of every tenant add up to per month.
             */
            totalRequiredMonthlyMinFee?: number | null;
            /**
             * Format: double
             * @description The most that the fees required of every tenant add up to per month.
             */
            totalRequiredMonthlyMaxFee?: number | null;
            /** @description Every cost of renting in addition to the rent, grouped by due date. */
            rentalCostsAndFees?: {
                [key: string]: unknown;
            } | null;
            /** @description What an application costs, and what it includes. */
            rentalApplicationPriceDetail?: {
                [key: string]: unknown;
            } | null;
            /** @description How applications are taken, for example `REQUIRE_INVITE`; null for homes that are not for rent. */
            rentalApplicationsAcceptedType?: string | null;
            /** @description The free times for visits to a rental. */
            rentalAvailableTourTimes?: {
                [key: string]: unknown;
            }[] | null;
            /** @description The landlord or manager to contact about a rental. */
            rentalListingOwnerContact?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether a rental listing has been taken down. */
            isRentalListingOffMarket?: boolean | null;
            /** @description Whether the landlord takes no more inquiries through the listing site for now. */
            isRentalsLeadCapMet?: boolean | null;
            /** @description Whether the landlord pays for the rental building to be listed. */
            isPaidMultiFamilyBrokerId?: boolean | null;
            /** @description Whether the landlord has agreed to open screening rules that make renting easier. */
            isCommunityPillar?: boolean | null;
            /** @description Whether the landlord takes part in a program for tenants who find it hard to rent. */
            isHousingConnector?: boolean | null;
            /** @description Whether tenants or buyers must stay below an income limit. */
            isIncomeRestricted?: boolean | null;
            /** @description The advertising product that a rental was posted with, as a code. */
            postingProductType?: string | null;
            /** @description The foreclosure state of the home, as flags; all false for most homes. */
            foreclosureTypes?: ({
                /** @description Whether any of the other flags is set. */
                isAnyForeclosure?: boolean | null;
                /** @description The owner is in default, and no sale has taken place. */
                isPreforeclosure?: boolean | null;
                /** @description Foreclosed, and not offered for sale. */
                isForeclosedNFS?: boolean | null;
                /** @description Owned by the lender after an auction without a buyer (REO). */
                isBankOwned?: boolean | null;
                /** @description There was a default that has been settled. */
                wasDefault?: boolean | null;
                /** @description There was a foreclosure under an earlier owner. */
                wasForeclosed?: boolean | null;
                /** @description The home was sold at an auction closed to the public market. */
                wasNonRetailAuction?: boolean | null;
                /** @description A lender owned the home at some earlier time. */
                wasREO?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Whether an auction is scheduled for a home in default. */
            isPreforeclosureAuction?: boolean | null;
            /** @description How the state forecloses, `Judicial` through a court or `Non-Judicial` through a trustee; stated for homes that are not in foreclosure too. */
            foreclosureJudicialType?: string | null;
            /** @description The day on which the notice of default was filed, as date text. */
            foreclosureDefaultFilingDate?: string | null;
            /** @description The day on which the lender took the home over, as date text. */
            foreclosureDate?: string | null;
            /**
             * Format: double
             * @description The amount for which the lender took the home over.
             */
            foreclosureAmount?: number | null;
            /** @description The lender that forecloses. */
            foreclosingBank?: string | null;
            /**
             * Format: double
             * @description The original amount of the loan in default.
             */
            foreclosureLoanAmount?: number | null;
            /** @description The day on which the loan in default was made, as date text. */
            foreclosureLoanDate?: string | null;
            /** @description The lender that made the loan in default. */
            foreclosureLoanOriginator?: string | null;
            /**
             * Format: double
             * @description The installments that were overdue at `foreclosureBalanceReportingDate`.
             */
            foreclosurePastDueBalance?: number | null;
            /**
             * Format: double
             * @description What was left of the loan at `foreclosureBalanceReportingDate`.
             */
            foreclosureUnpaidBalance?: number | null;
            /** @description The day for which the two balances hold, as date text. */
            foreclosureBalanceReportingDate?: string | null;
            /**
             * Format: double
             * @description The price that the owner in default once paid.
             */
            foreclosurePriorSaleAmount?: number | null;
            /** @description The day on which the owner in default bought the home, as date text. */
            foreclosurePriorSaleDate?: string | null;
            /** @description The day on which the notice of auction was filed, as date text. */
            foreclosureAuctionFilingDate?: string | null;
            /** @description When the auction begins, as text in local time. */
            foreclosureAuctionTime?: string | null;
            /** @description Where the auction is held, for example the steps of a courthouse. */
            foreclosureAuctionLocation?: string | null;
            /** @description The city in which the auction is held. */
            foreclosureAuctionCity?: string | null;
            /** @description The notice of auction in words. */
            foreclosureAuctionDescription?: string | null;
            /** @description What the notice says about the parcel. */
            foreclosureMoreInfo?: ({
                /** @description The assessor's number of the parcel as the notice writes it. */
                apn?: string | null;
                /** @description The legal description of the parcel. */
                legalDescription?: string | null;
                /** @description The recorded documents that the notice refers to. */
                recordedDocs?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Schools near the home; also at GET /v1/properties/{zpid}/schools. */
            schools?: components["schemas"]["School"][] | null;
            /** @description The schools whose attendance areas include the home, from sources of rentals. */
            assignedSchools?: components["schemas"]["School"][] | null;
            /** @description Comparable homes that the data source chose to judge the value by. */
            comps?: components["schemas"]["NearbyHome"][] | null;
            /** @description Homes around this one, listed or not. For comparable listings that are computed here, use GET /v1/properties/{zpid}/nearby. */
            nearbyHomes?: components["schemas"]["NearbyHome"][] | null;
            /** @description Rental buildings around the home, with name and path. */
            nearbyBuildings?: {
                [key: string]: unknown;
            }[] | null;
            /** @description Cities around the home's own. */
            nearbyCities?: components["schemas"]["NearbyRegion"][] | null;
            /** @description Neighborhoods around the home's own. */
            nearbyNeighborhoods?: components["schemas"]["NearbyRegion"][] | null;
            /** @description ZIP codes around the home's own. */
            nearbyZipcodes?: components["schemas"]["NearbyRegion"][] | null;
            /** @description The listing site's search for the home's city. */
            citySearchUrl?: components["schemas"]["SiteLink"] | null;
            /** @description The listing site's search for the home's county. */
            countySearchUrl?: components["schemas"]["SiteLink"] | null;
            /** @description The listing site's search for the home's state. */
            stateSearchUrl?: components["schemas"]["SiteLink"] | null;
            /** @description The listing site's search for the home's ZIP code. */
            zipcodeSearchUrl?: components["schemas"]["SiteLink"] | null;
            /** @description The listing site's search for the home's neighborhood. */
            neighborhoodSearchUrl?: components["schemas"]["SiteLink"] | null;
            /** @description The listing site's search for the home's borough; in New York City only. */
            boroughSearchUrl?: components["schemas"]["SiteLink"] | null;
            /** @description The listing site's search for apartments to rent in the ZIP code. */
            apartmentsForRentInZipcodeSearchUrl?: components["schemas"]["SiteLink"] | null;
            /** @description The listing site's search for houses to rent in the ZIP code. */
            housesForRentInZipcodeSearchUrl?: components["schemas"]["SiteLink"] | null;
            /** @description The path of the builder's community that a new home belongs to. */
            communityUrl?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Information about the response. Absent if it would be empty. */
        RecordMeta: {
            source?: components["schemas"]["DataSource"];
            ignored?: components["schemas"]["Ignored"];
        };
        /** @description A property record in the result of a job, with the entry of the job that it belongs to. */
        RecordRow: components["schemas"]["Property"] & {
            /** @description The batch entry that returned this record, as it was sent, or the zpid of the search row. A row with `withheld` has its zpid here. */
            input: string;
            source?: components["schemas"]["DataSource"];
            withheld?: components["schemas"]["Withheld"];
        };
        /** @description The attempt that a redelivery makes. */
        Redelivery: {
            /**
             * Format: uuid
             * @description The id of the webhook.
             */
            webhook_id: string;
            event_id: components["schemas"]["EventId"];
            /**
             * Format: int64
             * @description The number of the attempt, as GET /v1/webhooks/{id}/deliveries will list it.
             */
            attempt: number;
        };
        /**
         * @description The id of one request. It is in the body and in the header `X-Request-Id` of every response, and in the request's row of GET /v1/usage.
         * @example req_01M7WQTJ8S9TQM83XSSSS6YS3C
         */
        RequestId: string;
        /** @description Homes in RESO Common Format. */
        ResoAnswer: {
            /** @description The dictionary and resource of the values, `urn:reso:metadata:2.0:resource:property`. */
            "@reso.context": string;
            /** @description The homes. A lookup of one home has one. */
            value: components["schemas"]["ResoProperty"][];
            meta: components["schemas"]["SearchMeta"];
            request_id: components["schemas"]["RequestId"];
        };
        /** @description The home's features as the multiple listing service (MLS) or the county records them, in the vocabulary of the RESO Data Dictionary 2.0; where a field corresponds to an entry of the dictionary, its description ends with the entry's name. Texts and lists hold the source's own wording, which differs from MLS to MLS, so match on them with care. Every field can be absent or null, which both mean that the data source does not state it. Many amounts are texts with a unit, ready for display; the record around this object has the main ones as numbers. Further fields are passed on unchanged. */
        ResoFacts: {
            /** @description The kind of home in the MLS's words, for example `SingleFamily` or `Residential`. RESO PropertySubType. */
            homeType?: string | null;
            /** @description The kind of home in more detail, for example `Single Family Residence`. RESO PropertySubType. */
            propertySubType?: string[] | null;
            /** @description What kind of structure it is, for example `House` or `Mid-Rise`. RESO StructureType. */
            structureType?: string | null;
            /** @description The style in which the home is built, for example `Craftsman`. RESO ArchitecturalStyle. */
            architecturalStyle?: string | null;
            /** @description How wide a manufactured home is, for example `Double Wide`. RESO BodyType. */
            bodyType?: string | null;
            /** @description The facts that the listing site prints first, as pairs of label and value. */
            atAGlanceFacts?: ({
                /** @description The name of the fact, for example `Year Built`. */
                factLabel?: string | null;
                /** @description The fact as text. */
                factValue?: string | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Facts that fit nowhere else, one sentence each. */
            otherFacts?: string[] | null;
            /**
             * Format: int64
             * @description The year in which the home was finished. RESO YearBuilt.
             */
            yearBuilt?: number | null;
            /**
             * Format: int64
             * @description The year that appraisers count from after a thorough renovation; never before `yearBuilt`. RESO YearBuiltEffective.
             */
            yearBuiltEffective?: number | null;
            /** @description The state of repair, for example `Updated/Remodeled` or `Fixer`. RESO PropertyCondition. */
            propertyCondition?: string | null;
            /** @description How far land is developed, for example `Finished Lots` or `Raw Land`. RESO DevelopmentStatus. */
            developmentStatus?: string | null;
            /** @description Whether the home has never been lived in. RESO NewConstructionYN. */
            isNewConstruction?: boolean | null;
            /** @description The company that built the home. RESO BuilderName. */
            builderName?: string | null;
            /** @description The builder's name for the floor plan. RESO BuilderModel. */
            builderModel?: string | null;
            /** @description Whether the seller pays for a warranty on systems and appliances. RESO HomeWarrantyYN. */
            hasHomeWarranty?: boolean | null;
            /** @description Whether the home shares a wall, floor or ceiling with another one. RESO PropertyAttachedYN. */
            hasAttachedProperty?: boolean | null;
            /** @description Which walls are shared with neighbors, for example `End Unit` or `2+ Common Walls`. RESO CommonWalls. */
            commonWalls?: string | null;
            /** @description The name of the building that the unit is in. RESO BuildingName. */
            buildingName?: string | null;
            /** @description What the building offers to all units, for example an elevator or a lobby. RESO BuildingFeatures. */
            buildingFeatures?: string | null;
            /**
             * Format: int64
             * @description The number of homes in the development or complex. RESO NumberOfUnitsInCommunity.
             */
            numberOfUnitsInCommunity?: number | null;
            /**
             * Format: int64
             * @description The number of units without a tenant, in a building sold as a whole. RESO NumberOfUnitsVacant.
             */
            numberOfUnitsVacant?: number | null;
            /** @description Whether the furniture stays. RESO Furnished. */
            furnished?: boolean | null;
            /**
             * Format: int64
             * @description The number of bedrooms. RESO BedroomsTotal.
             */
            bedrooms?: number | null;
            /**
             * Format: int64
             * @description The number of bedrooms on the main floor. RESO MainLevelBedrooms.
             */
            mainLevelBedrooms?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms as the MLS counts them: rooms, so that a half bath counts as one. RESO BathroomsTotalInteger.
             */
            bathrooms?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms with parts counted as parts: 2.5 is two full baths and a half bath.
             */
            bathroomsFloat?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms with toilet, basin, tub and shower. RESO BathroomsFull.
             */
            bathroomsFull?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms with three of the four fixtures, mostly without a tub. RESO BathroomsThreeQuarter.
             */
            bathroomsThreeQuarter?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms with toilet and basin only. RESO BathroomsHalf.
             */
            bathroomsHalf?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms with a single fixture. RESO BathroomsOneQuarter.
             */
            bathroomsOneQuarter?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms that are not full, for MLSs that do not tell the kinds apart. RESO BathroomsPartial.
             */
            bathroomsPartial?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms on the main floor. RESO MainLevelBathrooms.
             */
            mainLevelBathrooms?: number | null;
            /** @description The rooms one by one; some county records give only their number, as an integer. RESO Rooms. */
            rooms?: components["schemas"]["Room"][] | number | null;
            /** @description The number of floors inside the home, where half a floor counts as 0.5; some county records give it in words, for example `one+half`. RESO Stories. */
            stories?: number | string | null;
            /**
             * Format: int64
             * @description The number of floors of the whole building. RESO StoriesTotal.
             */
            storiesTotal?: number | null;
            /** @description The number of floors in words, for example `Two` or `Multi/Split`. RESO Levels. */
            levels?: string | null;
            /** @description The floor on which the home is entered, `1` being the ground floor. RESO EntryLevel. */
            entryLevel?: string | null;
            /** @description Where the entrance is, for example `Main` or `Ground Level`. RESO EntryLocation. */
            entryLocation?: string | null;
            /** @description The kind of basement, for example `Finished` or `Daylight, Unfinished`. RESO Basement. */
            basement?: string | null;
            /** @description Whether there is a basement. RESO BasementYN. */
            basementYN?: boolean | null;
            /** @description The kind of attic, for example `Pull Down Stairs`. */
            attic?: string | null;
            /** @description Separate quarters on the lot, for example a guest house. */
            livingQuarters?: string[] | null;
            /** @description Where and how laundry is done, for example `In Unit` or `Electric Dryer Hookup`. RESO LaundryFeatures. */
            laundryFeatures?: string[] | null;
            /** @description The living area as text with its unit, for example `2,740 sqft`. RESO LivingArea. */
            livingArea?: string | null;
            /** @description The living area as a range, for MLSs that give no exact figure. */
            livingAreaRange?: string | null;
            /** @description The unit of `livingAreaRange`, mostly `Square Feet`. */
            livingAreaRangeUnits?: string | null;
            /** @description The finished area above ground as text, in square feet. RESO AboveGradeFinishedArea. */
            aboveGradeFinishedArea?: string | null;
            /** @description The finished area of the basement as text, in square feet. RESO BelowGradeFinishedArea. */
            belowGradeFinishedArea?: string | null;
            /** @description The area within the outer walls as text, unfinished parts included. */
            buildingArea?: string | null;
            /** @description Who measured `buildingArea`, for example `Assessor` or `Appraiser`. RESO BuildingAreaSource. */
            buildingAreaSource?: string | null;
            /** @description The area that the foundation covers as text, in square feet. RESO FoundationArea. */
            foundationArea?: string | null;
            /**
             * Format: double
             * @description The price divided by the living area, in US dollars per square foot.
             */
            pricePerSquareFoot?: number | null;
            /** @description The appliances that stay with the home. RESO Appliances. */
            appliances?: string[] | null;
            /** @description The kinds of floor covering, for example `Hardwood` or `Ceramic Tile`. RESO Flooring. */
            flooring?: string[] | null;
            /** @description Built-in features, for example `Walk-In Closet(s)` or `Wet Bar`. RESO InteriorFeatures. */
            interiorFeatures?: string[] | null;
            /**
             * Format: int64
             * @description The number of fireplaces.
             */
            fireplaces?: number | null;
            /** @description Whether there is a fireplace. RESO FireplaceYN. */
            hasFireplace?: boolean | null;
            /** @description What the fireplaces burn and where they stand, for example `Gas` or `Living Room`. RESO FireplaceFeatures. */
            fireplaceFeatures?: string[] | null;
            /** @description Doors worth a mention, for example `French Doors`. RESO DoorFeatures. */
            doorFeatures?: string[] | null;
            /** @description Windows and their treatments, for example `Double Pane Windows` or `Skylight(s)`. RESO WindowFeatures. */
            windowFeatures?: string[] | null;
            /** @description Alarms, detectors, gates and guards. RESO SecurityFeatures. */
            securityFeatures?: string[] | null;
            /** @description What helps people with disabilities, for example `Accessible Entrance`. RESO AccessibilityFeatures. */
            accessibilityFeatures?: string[] | null;
            /** @description Equipment that stays, for example an intercom or a generator. RESO OtherEquipment. */
            otherEquipment?: string[] | null;
            /** @description Whether there is a hot tub or spa. RESO SpaYN. */
            hasSpa?: boolean | null;
            /** @description The kind of hot tub or spa, for example `In Ground` or `Heated`. RESO SpaFeatures. */
            spaFeatures?: string[] | null;
            /** @description Movable things that are sold with the home. RESO Inclusions. */
            inclusions?: string[] | null;
            /** @description Things in the home that the seller takes along. RESO Exclusions. */
            exclusions?: string | null;
            /** @description The kinds of heating, by method and fuel, for example `Forced Air` and `Natural Gas`. RESO Heating. */
            heating?: string[] | null;
            /** @description Whether there is a fixed heating system. RESO HeatingYN. */
            hasHeating?: boolean | null;
            /** @description The kinds of cooling, for example `Central Air` or `Wall Unit(s)`. RESO Cooling. */
            cooling?: string[] | null;
            /** @description Whether there is a fixed cooling system. RESO CoolingYN. */
            hasCooling?: boolean | null;
            /** @description The supply of electricity, for example `200 Amp Service` or `Photovoltaics Seller Owned`. RESO Electric. */
            electric?: string[] | null;
            /** @description Whether the lot is connected to electricity. RESO ElectricOnPropertyYN. */
            hasElectricOnProperty?: boolean | null;
            /** @description The supply of gas, for example `Natural Gas Available`: a list from some sources, one text from others. */
            gas?: string[] | string | null;
            /** @description Where the water comes from, for example `Public` or `Well`. RESO WaterSource. */
            waterSource?: string[] | null;
            /** @description Where the waste water goes, for example `Public Sewer` or `Septic Tank`. RESO Sewer. */
            sewer?: string[] | null;
            /** @description The utilities that are connected or available at the lot. RESO Utilities. */
            utilities?: string[] | null;
            /** @description The green building certificates of the home, for example `LEED For Homes`. RESO GreenBuildingVerificationType. */
            greenBuildingVerificationType?: string | null;
            /** @description What saves energy, for example `Insulation` or `Thermostat`. RESO GreenEnergyEfficient. */
            greenEnergyEfficient?: string[] | null;
            /** @description How the home makes energy, for example `Solar`. RESO GreenEnergyGeneration. */
            greenEnergyGeneration?: string | null;
            /** @description What keeps the air inside clean, for example `Ventilation`. RESO GreenIndoorAirQuality. */
            greenIndoorAirQuality?: string | null;
            /** @description Renewable or recycled materials used, for example `Bamboo`. RESO GreenSustainability. */
            greenSustainability?: string | null;
            /** @description What saves water, for example `Low-Flow Fixtures`. RESO GreenWaterConservation. */
            greenWaterConservation?: string[] | null;
            /**
             * Format: double
             * @description The number of parking spaces, from sources that do not use `parkingCapacity`.
             */
            parking?: number | null;
            /**
             * Format: double
             * @description The number of parking spaces of every kind. RESO ParkingTotal.
             */
            parkingCapacity?: number | null;
            /** @description The kinds of parking, for example `Attached Garage` or `Off Street`. RESO ParkingFeatures. */
            parkingFeatures?: string[] | null;
            /** @description What the other fields on parking leave out, in words. RESO OtherParking. */
            otherParking?: string | null;
            /** @description Whether there is a garage. RESO GarageYN. */
            hasGarage?: boolean | null;
            /** @description Whether the garage shares a wall with the home. RESO AttachedGarageYN. */
            hasAttachedGarage?: boolean | null;
            /**
             * Format: double
             * @description The number of cars that fit in the garage. RESO GarageSpaces.
             */
            garageParkingCapacity?: number | null;
            /**
             * Format: double
             * @description The number of cars that fit in the garage, from sources that do not use `garageParkingCapacity`. RESO GarageSpaces.
             */
            garageSpaces?: number | null;
            /** @description Whether there is a carport. RESO CarportYN. */
            hasCarport?: boolean | null;
            /**
             * Format: double
             * @description The number of cars that fit under the carport. RESO CarportSpaces.
             */
            carportParkingCapacity?: number | null;
            /**
             * Format: double
             * @description The number of cars that fit under the carport, from sources that do not use `carportParkingCapacity`. RESO CarportSpaces.
             */
            carportSpaces?: number | null;
            /**
             * Format: double
             * @description The number of spaces with a roof, in garages and carports together. RESO CoveredSpaces.
             */
            coveredParkingCapacity?: number | null;
            /**
             * Format: double
             * @description The number of spaces with a roof, from sources that do not use `coveredParkingCapacity`. RESO CoveredSpaces.
             */
            coveredSpaces?: number | null;
            /** @description Whether there are spaces without a roof. RESO OpenParkingYN. */
            hasOpenParking?: boolean | null;
            /**
             * Format: double
             * @description The number of spaces without a roof. RESO OpenParkingSpaces.
             */
            openParkingCapacity?: number | null;
            /**
             * Format: double
             * @description The number of spaces without a roof, from sources that do not use `openParkingCapacity`. RESO OpenParkingSpaces.
             */
            openParkingSpaces?: number | null;
            /** @description What the outer walls are made of, for example `Wood Siding` or `Brick`. RESO ConstructionMaterials. */
            constructionMaterials?: string[] | null;
            /** @description The kind of foundation, for example `Poured Concrete` or `Slab`. RESO FoundationDetails. */
            foundationDetails?: string[] | null;
            /** @description What the roof is made of, for example `Composition`. RESO Roof. */
            roofType?: string | null;
            /** @description Features outside the walls, for example `Balcony` or `Garden`. RESO ExteriorFeatures. */
            exteriorFeatures?: string[] | null;
            /** @description Patios, porches and decks, for example `Covered` or `Wrap Around`. RESO PatioAndPorchFeatures. */
            patioAndPorchFeatures?: string[] | null;
            /** @description The kind of fence, for example `Fenced Full` or `Partial`. RESO Fencing. */
            fencing?: string | null;
            /** @description Other buildings on the lot, for example `Shed(s)` or `Barn(s)`. RESO OtherStructures. */
            otherStructures?: string[] | null;
            /** @description Whether there is a pool that only this home uses. RESO PoolPrivateYN. */
            hasPrivatePool?: boolean | null;
            /** @description The kind of pool, for example `In Ground` or `Heated`; shared pools are included. RESO PoolFeatures. */
            poolFeatures?: string[] | null;
            /** @description Whether there is a view worth a mention. RESO ViewYN. */
            hasView?: boolean | null;
            /** @description What can be seen, for example `City`, `Mountain(s)` or `Lake`. RESO View. */
            view?: string[] | null;
            /** @description Which water can be seen, in words. */
            waterView?: string | null;
            /** @description Whether water can be seen from the home. */
            waterViewYN?: boolean | null;
            /** @description Whether the lot touches a body of water. RESO WaterfrontYN. */
            hasWaterfrontView?: boolean | null;
            /** @description How the lot meets the water, for example `Lake` or `No Bank`. RESO WaterfrontFeatures. */
            waterfrontFeatures?: string[] | null;
            /** @description The name of the lake, river or bay. RESO WaterBodyName. */
            waterBodyName?: string | null;
            /** @description The size of the lot as text with its unit, for example `4,800 sqft` or `2.3 Acres`. RESO LotSizeSquareFeet. */
            lotSize?: string | null;
            /** @description The lengths of the lot's sides as text, in feet. RESO LotSizeDimensions. */
            lotSizeDimensions?: string | null;
            /** @description Features of the lot, for example `Corner Lot` or `Sidewalk`. RESO LotFeatures. */
            lotFeatures?: string[] | null;
            /** @description The county assessor's number of the parcel (APN). RESO ParcelNumber. */
            parcelNumber?: string | null;
            /** @description Whether further parcels are sold with the home. RESO AdditionalParcelsYN. */
            hasAdditionalParcels?: boolean | null;
            /** @description The numbers of the further parcels, or a description of them. RESO AdditionalParcelsDescription. */
            additionalParcelsDescription?: string | null;
            /** @description The zoning code of the municipality, for example `NR3`. RESO Zoning. */
            zoning?: string | null;
            /** @description The zoning in words, for example `Residential`. RESO ZoningDescription. */
            zoningDescription?: string | null;
            /** @description The shape of the land, for example `Level` or `Partial Slope`. RESO Topography. */
            topography?: string | null;
            /** @description What grows on the lot, for example `Fruit Trees` or `Wooded`. RESO Vegetation. */
            vegetation?: string[] | null;
            /** @description The wooded part of the lot as text, in acres. RESO WoodedArea. */
            woodedArea?: string | null;
            /** @description The height above sea level as text, in the unit that `elevationUnits` names. RESO Elevation. */
            elevation?: string | null;
            /** @description The unit of `elevation`, `Feet` or `Meters`. RESO ElevationUnits. */
            elevationUnits?: string | null;
            /** @description What the lot borders on, for example `Golf Course` or `Lakefront`. RESO FrontageType. */
            frontageType?: string | null;
            /** @description The length of the lot's side along water or road, as text in feet. RESO FrontageLength. */
            frontageLength?: string | null;
            /** @description What the road to the home is made of, for example `Paved` or `Gravel`. RESO RoadSurfaceType. */
            roadSurfaceType?: string[] | null;
            /** @description Whether standing crops are part of the sale. RESO CropsIncludedYN. */
            cropsIncludedYN?: boolean | null;
            /** @description Whether rights to irrigation water come with the land. RESO IrrigationWaterRightsYN. */
            irrigationWaterRightsYN?: boolean | null;
            /**
             * Format: double
             * @description How much land the water rights cover, in acres. RESO IrrigationWaterRightsAcres.
             */
            irrigationWaterRightsAcres?: number | null;
            /** @description Whether horses may be kept. RESO HorseYN. */
            canRaiseHorses?: boolean | null;
            /** @description Whether horses may be kept, from sources that do not use `canRaiseHorses`. RESO HorseYN. */
            horseYN?: boolean | null;
            /** @description What there is for horses, for example `Barn` or `Riding Trail`. RESO HorseAmenities. */
            horseAmenities?: string | null;
            /** @description The part of the city or county, as the MLS divides it. RESO CityRegion. */
            cityRegion?: string | null;
            /** @description The municipality that governs the lot, where it differs from the postal city. RESO CityRegion. */
            municipality?: string | null;
            /** @description The subdivision under which the land was platted. RESO SubdivisionName. */
            subdivisionName?: string | null;
            /** @description What there is for everybody in the neighborhood, for example `Park` or `Trail(s)`. RESO CommunityFeatures. */
            communityFeatures?: string[] | null;
            /** @description Whether residents must have reached a certain age, mostly 55. RESO SeniorCommunityYN. */
            isSeniorCommunity?: boolean | null;
            /** @description The elementary school that the home is assigned to, by the listing agent's word. RESO ElementarySchool. */
            elementarySchool?: string | null;
            /** @description The district of the elementary school. RESO ElementarySchoolDistrict. */
            elementarySchoolDistrict?: string | null;
            /** @description The middle or junior high school that the home is assigned to, by the listing agent's word. RESO MiddleOrJuniorSchool. */
            middleOrJuniorSchool?: string | null;
            /** @description The district of the middle school. RESO MiddleOrJuniorSchoolDistrict. */
            middleOrJuniorSchoolDistrict?: string | null;
            /** @description The high school that the home is assigned to, by the listing agent's word. RESO HighSchool. */
            highSchool?: string | null;
            /** @description The district of the high school. RESO HighSchoolDistrict. */
            highSchoolDistrict?: string | null;
            /** @description Whether the owner must join a homeowners' association. RESO AssociationYN. */
            hasAssociation?: boolean | null;
            /** @description The name of the association. RESO AssociationName. */
            associationName?: string | null;
            /** @description The phone number of the association or its manager. RESO AssociationPhone. */
            associationPhone?: string | null;
            /** @description The association's fee as text with its frequency, for example `$450 monthly`. RESO AssociationFee. */
            associationFee?: string | null;
            /** @description What the fee pays for, for example `Water` or `Trash`. RESO AssociationFeeIncludes. */
            associationFeeIncludes?: string[] | null;
            /** @description What the association offers its members, for example `Fitness Center`. RESO AssociationAmenities. */
            associationAmenities?: string[] | null;
            /** @description The name of a second association. RESO AssociationName2. */
            associationName2?: string | null;
            /** @description The phone number of the second association. RESO AssociationPhone2. */
            associationPhone2?: string | null;
            /** @description The second association's fee as text with its frequency. RESO AssociationFee2. */
            associationFee2?: string | null;
            /** @description The associations one by one. */
            associations?: ({
                /** @description The name of the association. */
                name?: string | null;
                /** @description The phone number of the association or its manager. */
                phone?: string | null;
                /** @description Fee and frequency as text, for example `$450 monthly`. */
                feeFrequency?: string | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description The association's fee as text, from sources that do not use `associationFee`. RESO AssociationFee. */
            hoaFee?: string | null;
            /** @description The fees of all associations together, as text with their frequency. */
            hoaFeeTotal?: string | null;
            /** @description Every regular fee that comes with the home. */
            feesAndDues?: ({
                /** @description The kind of fee, for example `Association fee`. */
                type?: string | null;
                /** @description Amount and frequency as text, for example `$450 monthly`. */
                fee?: string | null;
                /** @description Who receives the fee. */
                name?: string | null;
                /** @description The receiver's phone number. */
                phone?: string | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Further fees, in words. */
            additionalFeeInfo?: string | null;
            /**
             * Format: double
             * @description The property tax of the latest year on record, in US dollars. RESO TaxAnnualAmount.
             */
            taxAnnualAmount?: number | null;
            /**
             * Format: double
             * @description The value for tax in the latest year on record, in US dollars. RESO TaxAssessedValue.
             */
            taxAssessedValue?: number | null;
            /** @description The listing's number in its MLS. RESO ListingId. */
            listingId?: string | null;
            /** @description The association of Realtors that the listing agent belongs to. RESO ListAOR. */
            listAOR?: string | null;
            /**
             * Format: int64
             * @description When the listing became active, as milliseconds since 1970-01-01 UTC. RESO OnMarketDate.
             */
            onMarketDate?: number | null;
            /**
             * Format: int64
             * @description Whole days since the listing became public on the listing site.
             */
            daysOnSite?: number | null;
            /** @description The days on the market over all listings in a row, as text, by the MLS's own rules of counting. RESO CumulativeDaysOnMarket. */
            cumulativeDaysOnMarket?: string | null;
            /** @description The day on which the seller will look at offers, as date text. */
            offerReviewDate?: string | null;
            /** @description What an accepted offer still depends on, in words. RESO Contingency. */
            contingency?: string | null;
            /** @description Conditions out of the ordinary, for example `Short Sale`; `Standard` without any. RESO SpecialListingConditions. */
            specialListingConditions?: string | null;
            /** @description How the listing may be advertised, as a term of its MLS. */
            marketingType?: string | null;
            /** @description How the seller accepts payment, for example `Cash, Conventional, VA Loan`. RESO ListingTerms. */
            listingTerms?: string | null;
            /** @description Who owns the home, in words. RESO Ownership. */
            ownership?: string | null;
            /** @description The form of ownership, for example `Fee Simple` or `Leasehold`. RESO OwnershipType. */
            ownershipType?: string | null;
            /** @description Whether the land is leased and not sold with the home. RESO LandLeaseYN. */
            hasLandLease?: boolean | null;
            /**
             * Format: double
             * @description The rent for the land, in US dollars per period of the lease. RESO LandLeaseAmount.
             */
            landLeaseAmount?: number | null;
            /** @description The day on which the lease of the land ends, as date text. RESO LandLeaseExpirationDate. */
            landLeaseExpirationDate?: string | null;
            /** @description The URL of a virtual tour without an agent's advertising. RESO VirtualTourURLUnbranded. */
            virtualTour?: string | null;
            /** @description The URL of such a tour, from sources that do not use `virtualTour`. RESO VirtualTourURLUnbranded. */
            virtualTourURLUnbranded?: string | null;
            /** @description What the seller offered to pay the buyer's broker, as text. U.S. MLSs stopped publishing it in August 2024, so it is found on older listings only. */
            buyerAgencyCompensation?: string | null;
            /** @description The unit of `buyerAgencyCompensation`, `%` or `$`. */
            buyerAgencyCompensationType?: string | null;
            /** @description What the seller offered to pay a broker who works under the listing broker, as text. RESO SubAgencyCompensation. */
            subAgencyCompensation?: string | null;
            /** @description The unit of `subAgencyCompensation`, `%` or `$`. RESO SubAgencyCompensationType. */
            subAgencyCompensationType?: string | null;
            /** @description What the seller offered to pay a broker who represents neither side, as text. RESO TransactionBrokerCompensation. */
            transactionBrokerCompensation?: string | null;
            /** @description The unit of `transactionBrokerCompensation`, `%` or `$`. RESO TransactionBrokerCompensationType. */
            transactionBrokerCompensationType?: string | null;
            /** @description The amount that the compensations are a share of, for example `Sale Price`. */
            compensationBasedOn?: string | null;
            /** @description The first day on which a rental can be moved into, as date text. RESO AvailabilityDate. */
            availabilityDate?: string | null;
            /** @description How long a lease runs, for example `12 Months`. RESO LeaseTerm. */
            leaseTerm?: string | null;
            /** @description Deposits and one-time fees, in words. */
            depositsAndFees?: string | null;
            /** @description Whether pets are allowed, if only some. RESO PetsAllowed. */
            hasPetsAllowed?: boolean | null;
            /**
             * Format: double
             * @description The greatest weight of a pet, in pounds.
             */
            petsMaxWeight?: number | null;
            /** @description Whether a local law limits the rent. RESO RentControlYN. */
            hasRentControl?: boolean | null;
            /**
             * Format: double
             * @description The rent that all units bring in now, in US dollars per month. RESO TotalActualRent.
             */
            totalActualRent?: number | null;
            /** @description What the owner earns besides rent, for example `Laundry` or `Parking`. RESO IncomeIncludes. */
            incomeIncludes?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A home under the names of the RESO Data Dictionary 2.0, resource Property. Check names and lookups at https://dd.reso.org/DD2.0/Property/. Every field can be absent. A field with standard lookups has only these; a value that is none of them is under the local name, for example `X_Heating`. All local names begin with `X_`, and what follows is the record's own name, for example `X_Zestimate`. */
        ResoProperty: {
            /** @description The zpid of the home. */
            ListingKey?: string;
            /** @description The number of the listing in its MLS. */
            ListingId?: string;
            /** @description The status of the listing, for example `Active`, `Pending`, or `Closed`. */
            StandardStatus?: string;
            /** @description The kind of offer and property, for example `Residential` or `Residential Lease`. */
            PropertyType?: string;
            /** @description The kind of home, for example `Single Family Residence`. */
            PropertySubType?: string;
            /**
             * Format: double
             * @description The asking price in US dollars, or the rent per month. Absent for a closed sale.
             */
            ListPrice?: number;
            /**
             * Format: double
             * @description The price of a closed sale in US dollars.
             */
            ClosePrice?: number;
            /** @description The whole address on one line. Absent if it may not be displayed. */
            UnparsedAddress?: string;
            /** @description The city of the postal address. */
            City?: string;
            /** @description The two-letter abbreviation of the state. */
            StateOrProvince?: string;
            /** @description The five-digit ZIP code. */
            PostalCode?: string;
            /**
             * Format: double
             * @description Degrees north of the equator.
             */
            Latitude?: number;
            /**
             * Format: double
             * @description Degrees east of Greenwich.
             */
            Longitude?: number;
            /**
             * Format: double
             * @description The number of bedrooms.
             */
            BedroomsTotal?: number;
            /**
             * Format: double
             * @description The number of bathrooms, where a half bath counts as one.
             */
            BathroomsTotalInteger?: number;
            /**
             * Format: double
             * @description The living area in the unit of `LivingAreaUnits`.
             */
            LivingArea?: number;
            /** @description The unit of `LivingArea`, `Square Feet`. */
            LivingAreaUnits?: string;
            /**
             * Format: double
             * @description The year in which the home was finished.
             */
            YearBuilt?: number;
            /** @description The brokerage that holds the listing. */
            ListOfficeName?: string;
            /** @description The MLS that the listing comes from. */
            OriginatingSystemName?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description One room of a home, as its MLS lists it. */
        Room: {
            /** @description The kind of room, for example `Bedroom` or `Kitchen`. */
            roomType?: string | null;
            /** @description The floor that the room is on, for example `Main` or `Second`. */
            roomLevel?: string | null;
            /** @description The room in the agent's words. */
            roomDescription?: string | null;
            /** @description Features of the room, for example `Walk-In Closet(s)`. */
            roomFeatures?: string[] | null;
            /** @description Length and width as text, for example `12 x 14`. */
            roomDimensions?: string | null;
            /**
             * Format: double
             * @description The length of the room, in the unit that `roomLengthWidthUnits` names.
             */
            roomLength?: number | null;
            /**
             * Format: double
             * @description The width of the room, in the unit that `roomLengthWidthUnits` names.
             */
            roomWidth?: number | null;
            /** @description The unit of length and width, mostly `Feet`. */
            roomLengthWidthUnits?: string | null;
            /** @description Who measured length and width, for example `Builder`. */
            roomLengthWidthSource?: string | null;
            /**
             * Format: double
             * @description The area of the room, in the unit that `roomAreaUnits` names.
             */
            roomArea?: number | null;
            /** @description The unit of `roomArea`, mostly `Square Feet`. */
            roomAreaUnits?: string | null;
            /** @description Who measured the area, for example `Assessor`. */
            roomAreaSource?: string | null;
            /** @description The floor once more, from sources with shorter names. */
            level?: string | null;
            /** @description The description once more, from sources with shorter names. */
            description?: string | null;
            /** @description The features once more, from sources with shorter names. */
            features?: string[] | null;
            /** @description The dimensions once more, from sources with shorter names. */
            dimensions?: string | null;
            /** @description The area once more as text, from sources with shorter names. */
            area?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description What kind of listing this is, in the spelling of search rows. Several can be true at once. Sources leave out what is false, so read an absent flag as false. */
        RowListingSubType: {
            /** @description For sale by agent, the usual way. */
            is_FSBA?: boolean | null;
            /** @description For sale by owner, without a listing agent. */
            is_FSBO?: boolean | null;
            /** @description New construction, never lived in, sold by its builder. */
            is_newHome?: boolean | null;
            /** @description Announced, but not yet open to visits or offers. */
            is_comingSoon?: boolean | null;
            /** @description An offer was accepted and the sale is not yet closed. */
            is_pending?: boolean | null;
            /** @description At least one open house is scheduled. */
            is_openHouse?: boolean | null;
            /** @description To be sold at auction, so that the price shown is an opening bid or an estimate. */
            is_forAuction?: boolean | null;
            /** @description In foreclosure, or sold because of one. */
            is_foreclosure?: boolean | null;
            /** @description Owned by the lender after a foreclosure that drew no buyer (REO). */
            is_bankOwned?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description How a home is sold. A listing has one of these, the first that applies in this order:
         *
         *     - `coming_soon`: announced, not yet open to visits or offers.
         *     - `auction`: to be sold at auction.
         *     - `foreclosure`: in foreclosure, or owned by the lender after one.
         *     - `new_construction`: sold by its builder.
         *     - `by_owner`: for sale by owner, without a listing agent.
         *     - `by_agent`: all other listings, and listings without information about their sale.
         * @enum {string}
         */
        SaleType: "by_agent" | "by_owner" | "new_construction" | "foreclosure" | "auction" | "coming_soon";
        /** @description A school near the home, or one whose attendance area includes it. */
        School: {
            /** @description The school's name. */
            name?: string;
            /**
             * Format: int64
             * @description The source's rating from 1 (lowest) to 10 (best); null for schools that are not rated.
             */
            rating?: number | null;
            /**
             * Format: double
             * @description The distance from the home in miles, in a straight line.
             */
            distance?: number | null;
            /** @description Who runs the school, `Public`, `Charter` or `Private`. */
            type?: string | null;
            /** @description The level of teaching: `Primary`, `Elementary`, `Middle` or `High`. A school with several levels is listed under the first. */
            level?: string | null;
            /** @description The grades taught, for example `K-5` or `9-12`. */
            grades?: string | null;
            /**
             * Format: int64
             * @description The number of pupils enrolled.
             */
            size?: number | null;
            /**
             * Format: double
             * @description Pupils per full-time teacher.
             */
            studentsPerTeacher?: number | null;
            /** @description Whether the home is in the school's attendance area; null if the district publishes none. Confirm with the district before you rely on it. */
            isAssigned?: boolean | null;
            /** @description The older spelling of `isAssigned`, kept by some sources. */
            assigned?: boolean | null;
            /**
             * Format: int64
             * @description How many schools of this level the data source knows around the home.
             */
            totalCount?: number | null;
            /** @description The URL of a page about the school. */
            link?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The filters of a search. At least one of `bbox`, `area`, `zips` and `cities` is required. A listing must pass all filters: with `bbox` and `area`, a search returns the listings that are in both. A listing with an unknown value does not pass a filter on that value: with `{"yearBuilt": {"min": 1990}}`, a home of unknown age is left out. Filters that take true or false treat unknown as false, and a listing without a known sale type counts as `by_agent`. Filters with unknown names are ignored and listed in `meta.ignored`. An empty list and null mean the same as an absent filter. A malformed filter is refused with 400 `invalid_filters` before any listing is fetched, and costs nothing. */
        SearchFilters: {
            /** @default for_sale */
            status?: components["schemas"]["SearchStatus"] | null;
            bbox?: components["schemas"]["BoundingBox"] | null;
            /** @description Polygons, circles, boxes and places on the map: one area, or a list of up to 20. With a list, a listing must be in at least one of the areas. A home in several of them is one row. All polygons together have at most 5,000 positions. An empty list is the same as none. */
            area?: components["schemas"]["Area"] | components["schemas"]["Area"][] | null;
            /** @description ZIP codes of the address, up to 100. A listing passes if the ZIP code of its address is one of them. Boundaries on the map play no part. Without `bbox` and `area`, this also finds homes without a position, such as those whose address may not be shown. An empty list is the same as none. */
            zips?: string[] | null;
            /** @description Cities of the address with their states, up to 20, for example `Seattle, WA`. A listing passes if its address is in one of them. Capitals, periods and spaces make no difference, and `Saint`, `Fort` and `Mount` are the same as `St`, `Ft` and `Mt`. Without `bbox` and `area`, this also finds homes without a position, such as those whose address may not be shown. An empty list is the same as none. */
            cities?: string[] | null;
            /** @description The name of the area, for example `Queen Anne, Seattle, WA`. It is accepted and has no effect, and `meta.ignored` names it. A search needs `bbox`, `area`, `zips` or `cities`. */
            location?: string | null;
            /** @description The price in US dollars: asking price for `for_sale`, monthly rent for `for_rent`, sale price for `sold`. */
            price?: components["schemas"]["NumberRange"] | null;
            /** @description The number of bedrooms; a studio has 0. */
            beds?: components["schemas"]["NumberRange"] | null;
            /** @description The number of bathrooms, where a half bath counts as 0.5. */
            baths?: components["schemas"]["NumberRange"] | null;
            /** @description The living area in square feet. */
            sqft?: components["schemas"]["NumberRange"] | null;
            /** @description The year in which the home was built. */
            yearBuilt?: components["schemas"]["IntegerRange"] | null;
            /** @description The home types to return; leave it out, or send an empty list, for all of them. */
            homeTypes?: components["schemas"]["HomeType"][] | null;
            daysOnSite?: components["schemas"]["DaysOnSite"] | null;
            /** @description True for homes with a private pool only, false for homes without one; omit it for both. */
            hasPool?: boolean | null;
            /** @description True for homes with a garage only, false for homes without one; omit it for both. */
            hasGarage?: boolean | null;
            /** @description The size of the lot in square feet; an acre is 43,560. */
            lotSize?: components["schemas"]["NumberRange"] | null;
            /** @description The fees of all homeowners' associations (HOA), in US dollars a month. It is 0 if the data source says that the home has no association. */
            hoa?: components["schemas"]["NumberRange"] | null;
            /** @description The sale types to return; leave it out, or send an empty list, for all of them. */
            saleTypes?: components["schemas"]["SaleType"][] | null;
            /** @description False excludes homes whose sale is pending (an offer was accepted), true returns only those; omit it for both. */
            pending?: boolean | null;
            /** @description False excludes homes that are announced and not yet on the market, true returns only those; omit it for both. */
            comingSoon?: boolean | null;
            /** @description True for homes with an open house that has not ended yet, false for homes without one; omit it for both. */
            openHouse?: boolean | null;
            /** @description True for homes in communities with a minimum age for residents, mostly 55; false excludes them; omit it for both. */
            seniorCommunity?: boolean | null;
            /** @description True for homes on the waterfront only, false for homes away from it; omit it for both. */
            isWaterfront?: boolean | null;
        };
        /** @description Information about the result of a search. */
        SearchMeta: {
            /**
             * Format: int64
             * @description The number of rows in `data`.
             */
            count: number;
            /**
             * Format: int64
             * @description The number of homes that match, whether or not they are returned. With several search URLs it is the number of different homes that they find together, and absent where `maxItems` ended the search before all of them were seen.
             */
            total?: number;
            /** @description `true` if the credits, the limit of the key, or the limit that you set for the call did not cover every row, so `data` has fewer rows than were found and requested. Absent otherwise; a result that only reached `maxItems` is not truncated. */
            truncated?: boolean;
            /** @description What cut the result: the credits of the account, the limit that you set for the call (`max_credits`), or the credit limit of the key (`key_limit`). Present together with `truncated`. */
            truncated_by?: "credits" | "max_credits" | "key_limit" | (string & Record<never, never>);
            /** @description The places of `filters.area` or `place`, in their order, with the source of each boundary. Absent if the search names no place. */
            area?: components["schemas"]["PlaceInfo"][];
            /** @description Send it as `cursor` with the same search to get the rows behind the last one of this response. Present if the search was sent with `sort` or `cursor` and has more rows. After a truncated response, it continues with the first row that was not returned. */
            next_cursor?: string;
            source?: components["schemas"]["DataSource"];
            ignored?: components["schemas"]["Ignored"];
        };
        /** @description What to search for: either `filters` or `searchUrls`. A body with neither is refused with `missing_input`, a body with both with `invalid_filters`. Unknown fields are ignored and listed in `meta.ignored`. */
        SearchRequest: {
            filters?: components["schemas"]["SearchFilters"] | null;
            /** @description Up to 100 search URLs of the listing site. They run one after the other until `maxItems` is reached; the remaining ones do not run. A home that several of them find is returned and charged once. An empty list is the same as none. */
            searchUrls?: components["schemas"]["SearchUrl"][] | null;
            /** @default PAGINATION */
            extractionMethod?: components["schemas"]["ExtractionMethod"] | null;
            /** @description The maximum number of rows to return, and so the maximum cost of the search. Up to 820 with `PAGINATION`, 500 with `MAP_MARKERS` and 1,000,000 with `PAGINATION_WITH_ZOOM_IN`; a value out of bounds is refused, never corrected. The default is 50 with `PAGINATION` and `MAP_MARKERS`; with `PAGINATION_WITH_ZOOM_IN` there is no limit by default. With 51 or more the search runs as a job. */
            maxItems?: number | null;
            /**
             * Format: int64
             * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies.
             */
            maxCredits?: number | null;
            /** @description The order of the rows: `newest` (listed last, for sold homes sold last), `price`, `sqft` and `beds` ascending, or with a minus descending, and `distance` from the center of the circle, if the search has one circle as its only area. Equal rows are in the order of their zpids, and rows without the value come last in both directions. With `sort`, `meta.next_cursor` leads to the next page. Without it, the newest come first. Only for searches that run synchronously. If the service uses a remote data source, it sorts only areas from which that source returns all listings, and refuses others with `invalid_parameter`. */
            sort?: components["schemas"]["SearchSort"] | null;
            /** @description `meta.next_cursor` of the page before, to get the rows behind it. Repeat the search unchanged; only `maxItems`, `extractionMethod` and the format may differ. A cursor of another search is refused with 400 `invalid_cursor`. Each page is charged by itself, by the rows that it returns. If listings change between two pages, a home whose sort value did not change is returned neither twice nor left out; a home whose value changed may be. A cursor does not expire. */
            cursor?: string | null;
            /**
             * @description `true` runs a small search as a job. `false` has no effect: a search that must run as a job still does.
             * @default false
             */
            async?: boolean | null;
        };
        /** @description The listings that a search found. */
        SearchResult: {
            /** @description The listings, one row each. */
            data: components["schemas"]["SearchRow"][];
            meta: components["schemas"]["SearchMeta"];
            request_id: components["schemas"]["RequestId"];
        };
        /** @description One home as a search finds it: enough for a list or a map. Follow `zpid` or `detailUrl` to the full record. Five fields are in every row (`latLong` and `unformattedPrice` can be null); rows of MAP_MARKERS carry little more than those, and any other field can be absent or null. Read numbers from `unformattedPrice`, `beds`, `baths` and `area`; the related text fields are for display. */
        SearchRow: {
            /** @description The id of the home, digits only, for the lookups by id. Building rows (`isBuilding`) of some sources carry a `latitude--longitude` key instead: look those up by `detailUrl`. */
            zpid: string;
            /** @description The id of the row in its source; for homes it equals `zpid`. */
            id?: string | null;
            /** @description The listing's id in the feed that delivered it, as feed number and listing number. */
            palsId?: string | null;
            /** @description The id of a builder's floor plan, on rows that offer a home still to be built. */
            plid?: string | null;
            /**
             * Format: int64
             * @description The id of a rental building, on building rows.
             */
            lotId?: number | null;
            /** @description The key of a multi-unit building, made of its coordinates, on building rows. */
            buildingId?: string | null;
            /** @description The page of the listing: the link that the data source has for it, or else the home's page on the site of this service. Empty if there is neither; use `zpid` then. A link on a site that the service accepts is ready for GET /v1/properties/by-url, or for GET /v1/buildings/by-url if the row is a building. */
            detailUrl: string;
            /** @description The full address in one line, with the name of the building or community before it where there is one. */
            address?: string | null;
            /** @description House number, street and unit; null where the address is undisclosed or the data source has none. */
            addressStreet?: string | null;
            /** @description The city or town of the postal address. */
            addressCity?: string | null;
            /** @description The two-letter postal abbreviation of the state. */
            addressState?: string | null;
            /** @description The five-digit ZIP code, as a string so that leading zeros stay. */
            addressZipcode?: string | null;
            /** @description Whether the address may not be shown. The position is then null or approximate. */
            isUndisclosedAddress?: boolean | null;
            /** @description The position of the home, in degrees (WGS 84). Null if it is unknown or may not be shown. Only a search by ZIP code or city, without a box or an area, returns such a home. */
            latLong: ({
                /**
                 * Format: double
                 * @description Degrees north of the equator.
                 */
                latitude: number;
                /**
                 * Format: double
                 * @description Degrees east of Greenwich, so negative in almost all of the United States.
                 */
                longitude: number;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The price as text for display, for example `$1,675,000`, `$2,950/mo` or `From $1,850`. */
            price?: string | null;
            /**
             * Format: double
             * @description The price in US dollars: asking price, monthly rent, or sale price, as `statusType` tells. Null where it was not disclosed.
             */
            unformattedPrice: number | null;
            /** @description The price shortened for a map marker, for example `$1.68M` or `$640K`. */
            priceLabel?: string | null;
            /** @description The currency sign that belongs before the price, `$`. */
            countryCurrency?: string | null;
            /** @description Whether the price in this row is an estimate, because the home has no asking price. */
            shouldShowZestimateAsPrice?: boolean | null;
            /** @description Whether the seller wants to be asked for the price instead of publishing it. */
            shouldShowRequestOnPrice?: boolean | null;
            /**
             * Format: double
             * @description The number of bedrooms; 0 for a studio, null where unknown and on lots.
             */
            beds?: number | null;
            /**
             * Format: double
             * @description The number of bathrooms, half baths counted as 0.5.
             */
            baths?: number | null;
            /**
             * Format: double
             * @description The living area in square feet.
             */
            area?: number | null;
            /**
             * Format: double
             * @description The living area in square feet once more, under the name it has in the record.
             */
            livingArea?: number | null;
            /** @description The kind of home, in the words of the record: `SINGLE_FAMILY`, `CONDO`, `TOWNHOUSE`, `MULTI_FAMILY`, `MANUFACTURED`, `LOT`, `APARTMENT`, or others still to come. */
            homeType?: string | null;
            /** @description The size of the lot as text with its unit, for example `4,800 sqft` or `2.3 acres`. */
            lotAreaString?: string | null;
            /** @description The state of the listing: `FOR_SALE`, `FOR_RENT`, `SOLD`, `PENDING`, `OTHER`, or others still to come. Null where the data source does not say. */
            statusType: string | null;
            /** @description The state in words for display, for example `House for sale` or `Sold 11/06/2026`. */
            statusText?: string | null;
            /** @description The state in the source's own code, for example `ForSale` or `RecentlySold`. */
            rawHomeStatusCd?: string | null;
            /** @description Who offers the home, in short, for example `For Sale by Agent` or `New Construction`. */
            marketingStatusSimplifiedCd?: string | null;
            /** @description The trade the row belongs to, for example `FOR_SALE_BY_AGENT`; empty for most sources. */
            listingType?: string | null;
            /** @description What kind of entry the row is in its source's list, for example `listing` or `building`. */
            contentType?: string | null;
            /**
             * Format: int64
             * @description How long the listing has been public, in milliseconds.
             */
            timeOnSite?: number | null;
            /** @description The brokerage that holds the listing, as the MLS wants it credited. */
            brokerName?: string | null;
            /** @description Whether the MLS asks for more credits than `brokerName`; the record's `attributionInfo` has them. */
            hasAdditionalAttributions?: boolean | null;
            /** @description Whether the listing site itself owns the home. */
            isSiteOwned?: boolean | null;
            /** @description Whether the listing is a paid promotion. It does not change our order of rows. */
            isFeaturedListing?: boolean | null;
            /** @description Whether the listing comes with the larger set of media that agents can buy. */
            isShowcaseListing?: boolean | null;
            /** @description A short remark for display, for example `Open house Sun 1-3pm` or `12 days on the market`. */
            flexFieldText?: string | null;
            /** @description Another line of credit that the MLS wants shown, often the agent's name. */
            info6String?: string | null;
            /** @description The remark of `flexFieldText` with its kind, for clients that style kinds differently. */
            variableData?: ({
                /** @description The kind of remark, for example `OPEN_HOUSE`, `PRICE_REDUCTION` or `TIME_ON_INFO`. */
                type?: string | null;
                /** @description The remark itself. */
                text?: string | null;
                /** @description Facts about the remark. */
                data?: ({
                    /** @description Whether the remark is newer than a day. */
                    isFresh?: boolean | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The URL of the listing's first photo, about 400 pixels wide. It can expire (see "Homes" in the introduction). */
            imgSrc?: string | null;
            /** @description Whether the listing has a photo of its own, so that `imgSrc` is not a map or a street view. */
            hasImage?: boolean | null;
            /** @description Whether the listing has a video. */
            hasVideo?: boolean | null;
            /** @description Whether the home can be walked through as a 3D model. */
            has3DModel?: boolean | null;
            /** @description The URL of a street-level picture, on rows without a photo. */
            streetViewURL?: string | null;
            /** @description Whether the row is a multi-unit building instead of one home. */
            isBuilding?: boolean | null;
            /** @description The marketed name of the building. */
            buildingName?: string | null;
            /**
             * Format: int64
             * @description How many units of the building match the search.
             */
            unitCount?: number | null;
            /** @description On building rows, the lowest price for each number of bedrooms. */
            units?: ({
                /** @description The lowest price as text; a plus sign at its end means that there are more expensive units. */
                price?: string | null;
                /** @description The number of bedrooms as text; `0` is a studio. */
                beds?: string | null;
                /** @description Whether the offer is one room of a shared home. */
                roomForRent?: boolean | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /**
             * Format: int64
             * @description The minimum number of bedrooms among the building's units.
             */
            minBeds?: number | null;
            /**
             * Format: double
             * @description The minimum number of bathrooms among the building's units.
             */
            minBaths?: number | null;
            /**
             * Format: int64
             * @description The living area of the building's smallest unit, in square feet.
             */
            minArea?: number | null;
            /**
             * Format: int64
             * @description How many units of the building are free to rent.
             */
            availabilityCount?: number | null;
            /** @description The first day on which a unit can be moved into, as date text. */
            availabilityDate?: string | null;
            /** @description The name of a builder's community, on rows for its plans. */
            communityName?: string | null;
            /** @description The company that builds the community. */
            builderName?: string | null;
            /** @description Whether the row is a builder's community instead of one home. */
            isCdpResult?: boolean | null;
            /** @description Whether the row is a home that belongs to a builder's community. */
            isPropertyResultCDP?: boolean | null;
            /** @description A wrapper around `homeInfo`; absent from building rows and from rows of MAP_MARKERS. */
            hdpData?: ({
                homeInfo?: components["schemas"]["HomeInfo"];
            } & {
                [key: string]: unknown;
            }) | null;
            source?: components["schemas"]["DataSource"];
            /** @description Only in the results of jobs. */
            withheld?: components["schemas"]["Withheld"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An order of search rows.
         * @enum {string}
         */
        SearchSort: "newest" | "price" | "-price" | "sqft" | "-sqft" | "beds" | "-beds" | "distance";
        /**
         * @description Which listings a search looks for:
         *
         *     - `for_sale`: on the market now. It includes homes whose sale is pending and homes that are coming
         *       soon, since either can still be bought or fall through; leave them out with `pending: false` and
         *       `comingSoon: false` (in a query `pending=false` and `coming_soon=false`). `homeStatus` of a row
         *       says which they are.
         *     - `for_rent`: offered to tenants now.
         *     - `sold`: sold; narrow it to a period with `daysOnSite`.
         *
         *     Unlike `status` of a lookup this is a filter: nothing else is returned.
         * @enum {string}
         */
        SearchStatus: "for_sale" | "for_rent" | "sold";
        /** @description A search as the listing site writes it: the address of a result page, copied from a browser. */
        SearchUrl: {
            /**
             * @description A listing-site search URL with the query parameter `searchQueryState`, whose JSON must hold
             *     `mapBounds`. These keys of its `filterState` are read, in their short and in their long
             *     spelling:
             *
             *     `price`, `mp` (`monthlyPayment`, for rentals), `beds`, `baths`, `sqft`, `built`, `lot`
             *     (`lotSize`), `hoa`, `doz`; `pool`, `gar`, `wat`; `open` (`isOpenHousesOnly`), `55plus`
             *     (`ageRestricted55Plus`: `e` excludes, `i` includes, `o` only); `rs`, `fr`; `fsba`, `fsbo`, `nc`,
             *     `fore`, `auc`, `cmsn` (false leaves that way of selling out); `pnd` (false leaves pending homes
             *     out; true and absent include them); `ah`, `sf`, `con`, `tow`, `mf`, `manu`, `land`, `apa`, `apco`.
             *
             *     Every other key with a value has no effect and is named in `meta.ignored`, for example as
             *     `searchUrls.0.url.filterState.cityv`. This includes keys beside `filterState` (a region, a drawn
             *     line, another page, the zoom of the map), further keys in `mapBounds`, and other parameters of the
             *     URL. A URL that shows only a place name, such as
             *     `/seattle-wa/`, is refused.
             * @example https://www.zillow.com/seattle-wa/?searchQueryState=%7B%22mapBounds%22%3A%7B%22west%22%3A-122.375%2C%22east%22%3A-122.34%2C%22south%22%3A47.622%2C%22north%22%3A47.65%7D%7D
             */
            url: string;
        };
        /** @description A link to a page of the listing site. */
        SiteLink: {
            /** @description The words of the link, for example `Seattle homes for sale`. */
            text?: string | null;
            /** @description The path on the listing site, without scheme and host. */
            path?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An event that a webhook can be sent.
         * @enum {string}
         */
        SubscribableEvent: "job.succeeded" | "job.failed" | "job.timed_out" | "job.aborted" | "watch.changes" | "watch.ready" | "watch.paused" | "watch.quarantined" | "credits.low" | "key.limit_reached";
        /** @description One year of a home's property tax, from the records of its county. */
        TaxEvent: {
            /**
             * Format: int64
             * @description When the assessment was recorded, as milliseconds since 1970-01-01 UTC. Take the tax year from it; day and month depend on the county.
             */
            time?: number;
            /**
             * Format: double
             * @description The tax for the year in US dollars; null where the county publishes assessments only.
             */
            taxPaid?: number | null;
            /**
             * Format: double
             * @description The change of the tax against the year before as a fraction, 0.03 for 3 % more.
             */
            taxIncreaseRate?: number | null;
            /**
             * Format: double
             * @description The assessed value in US dollars. Some states assess at a fraction of the market value or cap its growth, so compare homes within one county only.
             */
            value?: number | null;
            /**
             * Format: double
             * @description The change of the assessed value against the year before as a fraction; null for the first year on record.
             */
            valueIncreaseRate?: number | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Whether and how a visit to the home can be booked. Empty where the data source does not support bookings. */
        TourEligibility: {
            /** @description Whether visits to this home can be booked at all. */
            isPropertyTourEligible?: boolean | null;
            /** @description How and when visits can be booked. */
            propertyTourOptions?: ({
                /** @description Whether these options are settled; false while the listing side may still change them. */
                isFinal?: boolean | null;
                /** @description How a booking is made, for example `REQUEST_TOUR` (the agent confirms it) or `BOOK_TOUR` (a free slot is taken at once). */
                tourType?: string | null;
                /** @description The slots that can be booked; empty unless `tourType` offers slots. */
                tourAvailability?: {
                    [key: string]: unknown;
                }[] | null;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Information about the usage rows. */
        UsageMeta: {
            /**
             * Format: int64
             * @description The number of entries in `data`.
             */
            count: number;
            /**
             * Format: int64
             * @description The `limit` that was applied.
             */
            limit: number;
            /**
             * Format: int64
             * @description The `offset` that was applied.
             */
            offset: number;
            /** @description Whether there are more entries after these. */
            has_more: boolean;
            /**
             * Format: date-time
             * @description Rows from this moment on are complete. Older rows were archived by the operator and are no longer returned. `null` if no row was ever archived.
             */
            kept_since: string | null;
            /** @description `cursor` for the next page: the rows behind these. Absent if there are none. */
            next_cursor?: string;
            ignored?: components["schemas"]["Ignored"];
        };
        /** @description One admitted call, or one stage of a chained job. Calls that were refused before they were admitted (401, 402 for a balance of 0, 403 for a suspended account, 429 `rate_limited`) leave no row. */
        UsageRow: {
            /**
             * Format: int64
             * @description The id of the row. Later rows have greater ids.
             */
            id: number;
            request_id: components["schemas"]["RequestId"];
            /** @description The path of the request, without its query, cut to 200 characters. It is `watch` for the events of a watch. */
            endpoint: string;
            /** @description The operationId of the call, such as `getProperty`. It is `createWatch` for the events of a watch, and `estimateCall` for a dry run. Null if no operation has the path and method of the call. */
            operation: string | null;
            /**
             * Format: uuid
             * @description The id of the key that the call was made with, as GET /v1/keys lists it.
             */
            key_id?: string;
            /** @description The OAuth client that the key was issued to: its id, or the address of its metadata. Left out for all other keys. */
            oauth_client?: string;
            /** @description The kind of work: `detail` for property records, their parts and building units, `search` for search rows and the events of watches, `account` for jobs, webhooks and the account itself. */
            actor: "detail" | "search" | "account" | (string & Record<never, never>);
            /** @description The stage that the row is about. POST /v1/search/with-details has a row for each of its two stages; every other call has one row, with null. */
            stage: "search" | "detail" | (string & Record<never, never>) | null;
            /**
             * Format: int64
             * @description The quantity that the charge is based on: the rows or records returned, the events of a watch, or 1 for a successful call at a fixed price.
             */
            units: number;
            /** @description The status of the response. 499 means that the client disconnected before the response. */
            status_code: number;
            /**
             * Format: int64
             * @description The credits charged. The row of a 202 starts with 0 and is updated once, when its job succeeds.
             */
            credits_charged: number;
            /**
             * Format: date-time
             * @description When the call was admitted.
             */
            created_at: string;
        };
        /** @description Information about a usage summary. */
        UsageSummaryMeta: {
            /** @description What the usage was summed by. */
            by: "day" | "operation" | "key" | "status" | (string & Record<never, never>);
            /**
             * Format: int64
             * @description The number of entries in `data`.
             */
            count: number;
            /**
             * Format: int64
             * @description The `limit` that was applied.
             */
            limit: number;
            /** @description Whether there are more entries after these. */
            has_more: boolean;
            /** @description `cursor` for the next page: the sums behind these. Absent if there are none. */
            next_cursor?: string;
            total: components["schemas"]["UsageSums"];
            /**
             * Format: date-time
             * @description Rows from this moment on are summed. Older rows were archived by the operator. `null` if no row was ever archived.
             */
            kept_since: string | null;
            ignored?: components["schemas"]["Ignored"];
        };
        /** @description The usage of a day, of an operation, of a key, or with a status. */
        UsageSummaryRow: {
            /** @description The day as `YYYY-MM-DD` in UTC, the `operationId`, the id of the key, or the status, as `by` asks for. Null for calls that match no operation. */
            value: string | null;
            /** @description With `by=key`, the name of the key. An empty string if none was given. */
            key_name?: string;
            /** @description With `by=key`, the OAuth client that the key was issued to. Left out for all other keys. */
            oauth_client?: string;
        } & components["schemas"]["UsageSums"];
        /** @description Sums over usage rows. */
        UsageSums: {
            /**
             * Format: int64
             * @description How many rows GET /v1/usage has.
             */
            usage_rows: number;
            /**
             * Format: int64
             * @description The sum of their `units`.
             */
            units: number;
            /**
             * Format: int64
             * @description The sum of their `credits_charged`.
             */
            credits_charged: number;
            /**
             * Format: int64
             * @description Credits that were refunded for events of watches that were retracted. They count at the time of the refund, and `credits_charged` is not reduced by them.
             */
            credits_refunded?: number;
        };
        /** @description A search, or a list of homes, whose changes are reported as events. */
        Watch: components["schemas"]["ListedWatch"] & {
            /** @description The homes that are watched. Null if the watch has `filters`. */
            zpids: string[] | null;
        };
        /** @description Events of one watch, up to 100, in the order of their `seq`. They are the same that GET /v1/watches/{id}/events returns. */
        WatchChangesEvent: {
            id: components["schemas"]["EventId"];
            type: components["schemas"]["WebhookEventType"];
            /**
             * Format: date-time
             * @description When the events were written. It stays the same over all attempts.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description Which attempt this is, counted from 1.
             */
            attempt: number;
            /** @description What the event is about. */
            data: {
                /** @description The watch, as it was when the events were written. */
                watch: components["schemas"]["Watch"];
                /** @description The events, in the order of `seq`. */
                events: components["schemas"]["WatchEvent"][];
            };
        };
        /**
         * @description How often a digest is sent: each day, or each Monday, both at 13:00 UTC.
         * @enum {string}
         */
        WatchDigestFrequency: "daily" | "weekly";
        /** @description One change of one home that a watch reports, or that an earlier event was retracted. If you do not know the `type`, read the home again. */
        WatchEvent: {
            /** @description The id of the event. */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its watch. It rises by 1 with each event and is never reused.
             */
            seq: number;
            /**
             * Format: uuid
             * @description The id of the watch.
             */
            watch_id: string;
            type: components["schemas"]["WatchEventType"];
            /** @description The id of the event that did not happen. Only for `listing.retracted`: `previous` has the facts that the retracted event reported, and `current` those before it, which are true again unless a later event says otherwise. `reason`, `change`, and `listing` are null. */
            retracts?: components["schemas"]["EventId"];
            /** @description The zpid of the home. */
            zpid: string;
            /** @description The reason of the event. For `listing.new`: `listed` or `entered_filters`. For `listing.removed`: `sold`, `pending`, `left_filters`, `withdrawn` (the data source no longer lists it), or `taken_down` (the operator removed it). Null for other events. More reasons may be added. */
            reason: "listed" | "entered_filters" | "sold" | "pending" | "left_filters" | "withdrawn" | "taken_down" | (string & Record<never, never>) | null;
            /** @description The facts that have changed. `presence` means that the home matches now, or no longer matches. */
            changed: ("presence" | "status" | "price" | (string & Record<never, never>))[];
            /** @description The changed facts before the change. */
            previous: components["schemas"]["WatchFacts"];
            /** @description The changed facts after the change. */
            current: components["schemas"]["WatchFacts"];
            /** @description The change of the price. Null if the price has not changed. */
            change: {
                /**
                 * Format: double
                 * @description The difference in US dollars. Negative if the price fell.
                 */
                amount: number;
                /**
                 * Format: double
                 * @description The difference in percent of the earlier price. Null if the earlier price was 0.
                 */
                percent: number | null;
            } | null;
            /**
             * Format: date-time
             * @description When the service received the change.
             */
            observed_at: string;
            /**
             * Format: date-time
             * @description When the listing was last changed, according to the data source. Null if the data source does not say.
             */
            source_updated_at: string | null;
            /** @description The search row of the home, as it is when the event is written. If the home has changed again by then, its price and status are those of this event, and other facts can be newer. Null with `withheld`, and if the data source no longer has the row. */
            listing: components["schemas"]["SearchRow"] | null;
            /** @description Where the home comes from, with the attribution to show with `listing`. `fetched_at` is `observed_at`. Null if no source has the home any more. */
            source?: components["schemas"]["DataSource"] | null;
            withheld?: components["schemas"]["Withheld"];
            /** @description The metadata of the watch. */
            metadata: {
                [key: string]: string;
            };
        };
        /**
         * @description What happened to a home. Types may be added. Of the events that are charged, a watch reports only those in its
         *     `events`. It also reports, free of charge and whatever its `events` are, that an event was retracted: the service
         *     had reported a change that never happened, for example because of a wrong import.
         *
         *     - `listing.removed`: it no longer matches; `reason` says why.
         *     - `listing.back_on_market`: it matches again, within 90 days after it was removed.
         *     - `listing.new`: it matches now and did not before.
         *     - `listing.status_changed`: it matches as before, with another status.
         *     - `listing.price_changed`: it matches as before, with another price or rent.
         *     - `listing.retracted`: the event that `retracts` names did not happen. Its charge was refunded.
         */
        WatchEventType: "listing.removed" | "listing.back_on_market" | "listing.new" | "listing.status_changed" | "listing.price_changed" | "listing.retracted" | (string & Record<never, never>);
        /** @description The facts of a home that have changed. It contains no other facts. */
        WatchFacts: {
            /** @description The status of the listing. */
            status?: "for_sale" | "coming_soon" | "pending" | "for_rent" | "sold" | "off_market" | (string & Record<never, never>);
            /**
             * Format: double
             * @description The price in US dollars; for a rental, the monthly rent.
             */
            price?: number;
        };
        /** @description The watch to create, with either `filters` or `zpids`. A body with neither is refused with `missing_input`, a body with both with `invalid_filters`. */
        WatchInput: {
            /** @description A name of your own, up to 100 characters. */
            name: string;
            filters?: components["schemas"]["SearchFilters"] | null;
            /** @description The zpids of the homes to watch, up to 1,000. A home that does not exist yet is reported when it appears. An empty list is the same as none. */
            zpids?: string[] | null;
            /** @description The events to report and to pay for, each named once. Leave it out, or send an empty list, to get all five. The watch also reports when one of its events was retracted, for free. */
            events?: components["schemas"]["WatchListingEvent"][] | null;
            /** @description Up to 16 values of your own, which every event of the watch returns. Their names have up to 100 characters. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description When changes are reported: `change` as soon as the data changes, `1h`, `6h`, `1d` and `7d` at this interval, as the net change since the last report. The default is `change`. A service over a remote data source searches at the interval: it refuses `change`, and its default is `1d`. */
            every?: components["schemas"]["WatchInterval"] | null;
            min_change?: components["schemas"]["WatchMinChangeInput"] | null;
            /** @description Whether the watch starts paused. It takes its baseline all the same. The default is false. */
            paused?: boolean | null;
            /** @description Who gets the changes of the watch, a person by mail or one webhook. By default, the watch has no subscriber. */
            subscriber?: components["schemas"]["WatchSubscriberInput"] | null;
        };
        /**
         * @description When changes are reported, `change` as soon as the data changes, the others at this interval.
         * @enum {string}
         */
        WatchInterval: "change" | "1h" | "6h" | "1d" | "7d";
        /**
         * @description An event that a watch can report.
         * @enum {string}
         */
        WatchListingEvent: "listing.removed" | "listing.back_on_market" | "listing.new" | "listing.status_changed" | "listing.price_changed";
        /** @description The smallest change of a price that is reported as `listing.price_changed`, compared with the price that the watch reported last, so that small changes add up. With both fields, a change must reach both. An object without fields reports every change. */
        WatchMinChange: {
            /**
             * Format: double
             * @description In US dollars, for a rise as for a fall.
             */
            amount?: number;
            /**
             * Format: double
             * @description In percent of the price that was reported last, for a rise as for a fall.
             */
            percent?: number;
        };
        /** @description The smallest change of a price that is reported as `listing.price_changed`, compared with the price that the watch reported last, so that small changes add up. With both fields, a change must reach both. An object without fields reports every change. */
        WatchMinChangeInput: {
            /**
             * Format: double
             * @description In US dollars, for a rise as for a fall.
             */
            amount?: number | null;
            /**
             * Format: double
             * @description In percent of the price that was reported last, for a rise as for a fall.
             */
            percent?: number | null;
        };
        /** @description The fields of the watch to change. Fields that you leave out stay as they are. Null clears `events`, `metadata`, `min_change`, and `subscriber`, and changes nothing in other fields. You can send what a GET returned: fields that cannot be changed are accepted. A watch of a search takes `filters`, a watch of homes takes `zpids`. Other `filters` give the watch a new baseline; the same as before change nothing. */
        WatchPatch: {
            /** @description A name of your own, up to 100 characters. */
            name?: string | null;
            filters?: components["schemas"]["SearchFilters"] | null;
            /** @description All homes to watch from now on, up to 1,000. Homes that are added get a baseline of their own; homes that stay keep their state. An empty list changes nothing. */
            zpids?: string[] | null;
            /** @description The events to report and to pay for from now on, each named once. An empty list changes nothing. Null: all five. */
            events?: components["schemas"]["WatchListingEvent"][] | null;
            /** @description All values of your own, which every later event of the watch returns. They replace the earlier ones. Null: none. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description When changes are reported, as for POST /v1/watches. */
            every?: components["schemas"]["WatchInterval"] | null;
            /** @description The smallest change of a price that is reported. Null: every change. */
            min_change?: components["schemas"]["WatchMinChangeInput"] | null;
            /** @description True pauses the watch and keeps its state. False resumes it: its next evaluation reports what has changed since, as one event for each home. */
            paused?: boolean | null;
            /** @description Who gets the changes of the watch from now on. Another address must be confirmed first. The same address stays confirmed, and stays unsubscribed. Null removes the subscriber. */
            subscriber?: components["schemas"]["WatchSubscriberInput"] | null;
        };
        /** @description An event about a watch itself. It is free and has no `seq`. */
        WatchStatusEvent: {
            id: components["schemas"]["EventId"];
            type: components["schemas"]["WebhookEventType"];
            /**
             * Format: date-time
             * @description When the event happened. It stays the same over all attempts.
             */
            timestamp: string;
            /**
             * Format: int64
             * @description Which attempt this is, counted from 1.
             */
            attempt: number;
            /** @description What the event is about. */
            data: {
                /** @description The watch, as it was when the event happened. */
                watch: components["schemas"]["Watch"];
                /**
                 * Format: int64
                 * @description `watch.ready` and `watch.paused`: the number of homes that match.
                 */
                count?: number;
                /** @description `watch.paused`: why the watch was paused. */
                reason?: "out_of_credits" | "key_limit_reached" | "too_many_matches" | "incomplete_results" | "evaluation_failed" | (string & Record<never, never>);
                /**
                 * Format: int64
                 * @description `watch.quarantined`: the homes that were missing in the last search.
                 */
                missing?: number;
            };
        };
        /** @description Who gets the changes of a watch, a person by mail or one webhook. */
        WatchSubscriber: {
            /** @description The address of the person. Null for a webhook. */
            email: string | null;
            /** @description How often the person gets a digest: each day, or each Monday, both at 13:00 UTC. Null for a webhook. */
            frequency: "daily" | "weekly" | (string & Record<never, never>) | null;
            /** @description The id of the webhook. Null for a person. */
            webhook_id: string | null;
            /**
             * @description Whether something is sent now.
             *
             *     - `unconfirmed`: the person has not confirmed the address yet. The link in the mail works for 7 days. After 30 days, the
             *       subscriber is removed.
             *     - `active`: digests or events are sent.
             *     - `unsubscribed`: the person has unsubscribed, or has refused the subscription.
             *     - `revoked`: the webhook is revoked, so events about the watch are sent to no webhook.
             */
            status: "unconfirmed" | "active" | "unsubscribed" | "revoked" | (string & Record<never, never>);
        };
        /**
         * @description Who gets the changes of the watch: a person, by mail, or one webhook. Send `email` or `webhook_id`. A body with neither is refused with `missing_input`, a body with both with `invalid_parameter`.
         *     A person gets a digest of the changes, daily or weekly. First, the service sends one mail that asks the person to confirm the address. Nothing else is sent before that. Each digest has a link that unsubscribes with one click.
         *     With `webhook_id`, the events about this watch are sent only to that webhook, if it is subscribed to them. Without a subscriber of this kind, they are sent to each webhook of the account that is subscribed to them.
         */
        WatchSubscriberInput: {
            /** @description The address of the person. It is personal data, and is deleted with the watch. */
            email?: string | null;
            /** @description How often a digest is sent: `daily`, the default, or `weekly`. Has no effect for a webhook. */
            frequency?: components["schemas"]["WatchDigestFrequency"] | null;
            /** @description The id of a webhook of the account that is not revoked. */
            webhook_id?: string | null;
        };
        /** @description A URL of yours that receives events of jobs, watches, credits, and keys. */
        Webhook: {
            /**
             * Format: uuid
             * @description The id of the webhook.
             */
            id: string;
            /**
             * Format: uri
             * @description The URL that events are sent to.
             */
            url: string;
            /** @description The events that are sent. */
            events: components["schemas"]["WebhookEventType"][];
            /** @description Whether events are sent. It is false while the webhook is paused, and once it is revoked. */
            active: boolean;
            /** @description Your own note. An empty string if none was given. */
            description: string;
            /**
             * Format: int64
             * @description The balance at which `credits.low` is also sent, as you set it. Null if you set none.
             */
            credits_threshold?: number | null;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the webhook was revoked. Null while it is live.
             */
            revoked_at: string | null;
        };
        /** @description One attempt to deliver an event to a webhook. */
        WebhookDelivery: {
            /**
             * Format: int64
             * @description The id of the attempt. Later attempts have greater ids.
             */
            id: number;
            event_id: components["schemas"]["EventId"];
            /**
             * Format: uuid
             * @description The job that the event is about. Null if it is about something else: `subject` says what.
             */
            job_id: string | null;
            subject: components["schemas"]["EventSubject"];
            event: components["schemas"]["WebhookEventType"];
            /**
             * Format: int64
             * @description Which attempt of the event this was, counted from 1.
             */
            attempt: number;
            /** @description The status of the receiver's response, or null if there was no response. */
            status_code: number | null;
            /** @description Whether the receiver answered with a status of 200 to 299 in time. */
            delivered: boolean;
            /** @description Why there was no response, in a sentence for people: for example, the name did not resolve, the connection was refused, or the receiver did not respond within 15 seconds. Null if the receiver answered. */
            error: string | null;
            /**
             * Format: date-time
             * @description When the attempt began.
             */
            attempted_at: string;
            /** @description The beginning of the receiver's response, at most 1 KiB, as text. Empty if there was none. */
            response_preview: string;
            /** @description The beginning of the body that this attempt sends to the receiver, at most 4 KiB, as text. A home that the data source has forbidden to show since then is shown as `withheld` says. */
            request_preview: string;
            /**
             * Format: int64
             * @description The length of the whole body in bytes. If `request_preview` is shorter, it is only the beginning.
             */
            request_bytes: number;
        };
        /**
         * @description What happened. Event types may be added, but a webhook receives only the types in its `events`.
         *
         *     - `job.succeeded`: the job has finished; a chained job has finished both stages. Its results can be
         *       read.
         *     - `job.failed`: the job stopped because of an error.
         *     - `job.timed_out`: the job did not finish in time.
         *     - `job.aborted`: the account or the operator of the service stopped the job.
         *     - `watch.changes`: homes of a watch have changed.
         *     - `watch.ready`: the watch has its baseline.
         *     - `watch.paused`: the service paused the watch.
         *     - `watch.quarantined`: too many homes of the watch were missing in one search.
         *     - `credits.low`: few credits of the account are left.
         *     - `key.limit_reached`: the credit limit of a key is reached.
         */
        WebhookEventType: "job.succeeded" | "job.failed" | "job.timed_out" | "job.aborted" | "watch.changes" | "watch.ready" | "watch.paused" | "watch.quarantined" | "credits.low" | "key.limit_reached" | (string & Record<never, never>);
        /** @description The webhook to create. */
        WebhookInput: {
            /**
             * Format: uri
             * @description The URL that receives events by POST. It must be an `https` URL with a public host; private, loopback, link-local and cloud metadata addresses are refused, at creation where they can be seen and at each delivery for the address that the name resolves to. Names that can never be resolved (such as those under `.invalid`, `.test` or `.example`) and ports of well-known services that do not use HTTP (such as 22, 25 or 5432) are refused too. `http` and private networks work only where the operator of the service has allowed them.
             */
            url: string;
            /** @description The events to send, each named once. Leave it out, or send an empty list, to get the events of jobs (`job.succeeded`, `job.failed`, `job.timed_out`, and `job.aborted`). Events of watches, credits, and keys are sent only if you name them. */
            events?: components["schemas"]["SubscribableEvent"][] | null;
            /** @description A note of your own, up to 500 characters, none of them U+0000. */
            description?: string | null;
            /**
             * Format: int64
             * @description `credits.low` is also sent when the balance falls to this number of credits, once in a cycle. The spelling `creditsThreshold` is accepted too.
             */
            credits_threshold?: number | null;
        };
        /** @description The fields of the webhook to change. Fields that you leave out stay as they are. Null clears `events`, `description`, and `credits_threshold`, and changes nothing in other fields. You can send what a GET returned: fields that cannot be changed are accepted. */
        WebhookPatch: {
            /**
             * Format: uri
             * @description The URL that receives events from now on. The same URLs are accepted as for POST /v1/webhooks.
             */
            url?: string | null;
            /** @description The events to send from now on, each named once. An empty list changes nothing. Null: those of a new webhook, the four events of jobs. */
            events?: components["schemas"]["SubscribableEvent"][] | null;
            /** @description A note of your own, up to 500 characters, none of them U+0000. Null: none. */
            description?: string | null;
            /** @description False pauses the webhook: nothing is sent to it. True resumes it. */
            active?: boolean | null;
            /**
             * Format: int64
             * @description `credits.low` is also sent when the balance falls to this number of credits, once in a cycle. Null: only at the usual levels. The spelling `creditsThreshold` is accepted too.
             */
            credits_threshold?: number | null;
        };
        /** @description A webhook's new signing secret, returned only once. */
        WebhookRotation: {
            /**
             * Format: uuid
             * @description The id of the webhook.
             */
            webhook_id: string;
            /** @description The secret that signs every delivery from now on: `whsec_` and the Base64 form of 32 bytes. It is shown only here, so store it where your receiver can read it. */
            secret: string;
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the earlier secret too. Null if it has stopped signing.
             */
            old_secret_until: string | null;
        };
        /** @description The result of a test delivery. */
        WebhookTest: {
            event_id: components["schemas"]["EventId"];
            /**
             * Format: uri
             * @description The URL that the test delivery was sent to.
             */
            url: string;
            /** @description Whether the receiver answered with a status of 200 to 299 in time. */
            delivered: boolean;
            /** @description The status of the receiver's response, or null if there was no response. */
            status_code: number | null;
            /** @description Why there was no response, in a sentence for people. Null if the receiver answered. */
            error: string | null;
            /** @description The beginning of the receiver's response, at most 1 KiB, as text. Empty if there was none. */
            response_preview: string;
        };
        /** @description A webhook with its signing secret, returned only once, when it is created. */
        WebhookWithSecret: components["schemas"]["Webhook"] & {
            /** @description The secret that signs every delivery to this webhook: `whsec_` and the Base64 form of 32 bytes. It is shown only here, so store it where your receiver can read it. */
            secret: string;
        };
        /** @description What to search for, and how to look up the homes found. Unknown fields are ignored and listed in `meta.ignored`. */
        WithDetailsRequest: {
            filters: components["schemas"]["SearchFilters"];
            /** @default PAGINATION */
            extractionMethod?: components["schemas"]["ExtractionMethod"] | null;
            /** @description The maximum number of homes to find and look up, up to 820, with `MAP_MARKERS` up to 500; a value out of bounds is refused, never corrected. The default is 820, with `MAP_MARKERS` 500. The job costs at most twice this many credits, more only when it extracts the units of buildings. */
            maxItems?: number | null;
            /**
             * Format: int64
             * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies.
             */
            maxCredits?: number | null;
            /** @default FOR_SALE */
            propertyStatus?: components["schemas"]["ListingStatus"] | null;
            /** @default disabled */
            extractBuildingUnits?: components["schemas"]["ExtractUnits"] | null;
        };
        /**
         * @description What the data source has forbidden to show since the row or the event was stored. Absent if nothing is missing.
         *
         *     - `address`: the street line, the exact position, the parcel, links and pictures that lead to them, and every text that names
         *       them. A position that a row must have is rounded to 0.1 degrees. The listing of an event is null.
         *     - `listing`: everything but the zpid. Other required fields are null or empty, and a position is rounded to whole degrees.
         *       An event keeps its type, its times, and the statuses.
         */
        Withheld: "address" | "listing" | (string & Record<never, never>);
        /** @description The value of a home, by the data source's automated valuation and by public records. Every field is present; an amount is null if it was not estimated or recorded. */
        Zestimate: {
            /**
             * Format: double
             * @description The estimated market value as of today. It is the output of a model, not an appraisal; the record's `zestimateLowPercent` and `zestimateHighPercent` give its range.
             */
            zestimate: number | null;
            /**
             * Format: double
             * @description The estimated market rent per month.
             */
            rent_zestimate: number | null;
            /**
             * Format: double
             * @description The value for tax in the latest year on record, which may differ a lot from the market value.
             */
            tax_assessed_value: number | null;
            /**
             * Format: double
             * @description The price of the last recorded sale; null in states where sale prices are not public.
             */
            last_sold_price: number | null;
            /** @description The ISO 4217 code of the currency of all four amounts, `USD` for U.S. homes. */
            currency: string;
        };
    };
    responses: {
        /** @description The search and its details were accepted as one job with two stages. Nothing is charged yet. The job holds the credits it may need and is charged once, when both stages have finished. Check its status with GET /v1/jobs/{id}, or register a webhook. */
        ChainedJobAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                Location: components["headers"]["Location"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AcceptedJobAnswer"];
            };
        };
        /** @description The call was sent with `Prefer: dry-run` and was not made. The body says what it would cost, as that of `POST /v1/estimate` does. */
        DryRun: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
            };
        };
        /** @description The account is suspended (`account_suspended`), its plan does not include this operation (`plan_not_allowed`), or the key may not do this (`key_not_allowed`). An access token of an external authorization server gets `key_not_allowed`, too, if its client is new and the account has as many live keys as its plan allows. Repeating the call does not help. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request headers are too large. The call was refused before it was processed, and does not count against the rate limit. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error occurred inside the service. Nothing was charged. You can safely retry a GET. Retry a POST that starts a job with the same `Idempotency-Key`. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A query parameter has the wrong type, is out of its bounds, or was sent twice, or the `cursor` is one of another list or was changed. The message names it. Values out of bounds are refused, never silently corrected. */
        InvalidPage: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A query parameter has the wrong type, is out of its bounds, or was sent twice. The message names it. Values out of bounds are refused, never silently corrected. */
        InvalidParameter: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON, does not name an area, or has an invalid filter, URL or option. No listing was fetched, no job was started and nothing was charged. */
        InvalidSearch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The zpid has characters other than digits, or more than 20 digits (`invalid_zpid`), or `X-Max-Credits` is not a whole number of at least 0 (`invalid_parameter`). Nothing was looked up and nothing was charged. */
        InvalidZpid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The work was accepted as a job and runs in the background. Nothing is charged yet. The job holds the credits it may need and is charged once, when it succeeds. Check its status with GET /v1/jobs/{id}, or register a webhook. */
        JobAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                Location: components["headers"]["Location"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AcceptedJobAnswer"];
            };
        };
        /** @description The job ended as `succeeded`, `failed` or `timed_out` before this call, so it cannot be aborted. `details` has its status. */
        JobEnded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No job was started: the account has as many open jobs, stored rows or stored bytes as its plan allows. `details` says which. */
        JobLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The account has no job with this id, the job ended more than 30 days ago, or the id is not a valid job id. */
        JobNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The job has not succeeded, so there are no results to read. While it is queued or running, poll GET /v1/jobs/{id} until it has ended, or register a webhook. A job that failed, timed out or was aborted never has results. */
        JobNotReady: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No job was started. Either the `Idempotency-Key` was sent within the last 24 hours with a different request (`idempotency_key_reused`): use a new key for a new request. Or the account has as many open jobs, stored rows or stored bytes as its plan allows (`job_limit`): `details` says which. */
        JobRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Either the key used up its requests of the last 60 seconds (`rate_limited`), or the account used up the failed lookups of its plan (`lookup_budget_exceeded`): lookups that found nothing, and data source queries of calls that ended without a charge. Wait for the number of seconds in `Retry-After`, and back off exponentially with jitter if it happens again. The call is free. Calls without a valid key get `rate_limited` when too many of them come from one address. */
        LookupLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                /**
                 * @description The same as for every call with a known key. Absent if the key is not known.
                 * @example 99
                 */
                "X-Credits-Remaining"?: number;
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                /**
                 * @description The same as for every call with a known key. Absent if the key is not known.
                 * @example "default";q=20;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The same as for every call with a known key. Absent if the key is not known.
                 * @example "default";r=0;t=12
                 */
                RateLimit?: string;
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The header `Accept` names no media type of this call's responses. Nothing was charged. Leave the header out, or send one that includes `application/json`. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing was found for this id, URL or address. The call is free. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The response would be the same as the earlier one whose tag you sent in `If-None-Match`. There is no body. The call is free, has a usage row, and counts against the rate limit. If it queried the data source, it counts as a failed lookup. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The account cannot pay for this call. Either its balance is 0, and every operation returns this error, including the free ones. Or fewer credits are available than the minimum cost of this call, and `error.details` holds `balance`, `held` and `required`. Nothing was charged. */
        OutOfCredits: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB. Nothing was done and nothing was charged. Split the work into several calls. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description This call cannot be paid for, and nothing was charged. With `out_of_credits`, either the balance is 0, and every operation returns this error, including the free ones; or fewer credits are available than the minimum cost of this call, and `error.details` holds `balance`, `held` and `required`. With `max_credits_exceeded`, the call costs more than the limit that you set for it: `error.details` holds `required` and `max_credits`. With `key_limit_reached`, it costs more than the credit limit of its key leaves: `error.details` holds `required`, `limit`, `per`, `remaining` and `resets_at`. The smallest of the three applies. */
        PaymentRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The call waited five minutes for earlier calls of the same key (`error.details.phase` is `queue`). Nothing was done and nothing was charged. Retry the call when the earlier calls have ended, or use another key for parallel work. */
        QueueTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key used up its requests of the last 60 seconds. The message names the plan and its limit. Wait for the number of seconds in `Retry-After`, and back off exponentially with jitter if it happens again. A refused call does not count against the limit. Calls without a valid key get the same code when too many of them come from one address: 60 at once, then one per second. A valid key is never refused because of them. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                /**
                 * @description The same as for every call with a known key. Absent if the key is not known.
                 * @example 99
                 */
                "X-Credits-Remaining"?: number;
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                /**
                 * @description The same as for every call with a known key. Absent if the key is not known.
                 * @example "default";q=20;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description The same as for every call with a known key. Absent if the key is not known.
                 * @example "default";r=0;t=12
                 */
                RateLimit?: string;
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The headers did not arrive within 15 seconds, or the whole request within 30. Nothing was done and nothing was charged. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The webhook is revoked, so it cannot be used or changed any more; or it is paused, and the call needs an active one (`webhook_inactive`). Or the `Idempotency-Key` was used for another request (`idempotency_key_reused`). */
        RotationRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is starting, stopping or overloaded and did not accept the call. Nothing was charged. Retry the call after the number of seconds in `Retry-After`. One exception: if `details.charge` is `unknown`, the service was interrupted while it charged the call. Check GET /v1/usage to see whether the call was charged. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The call has no API key (`missing_api_key`), or the key is malformed, unknown or revoked (`invalid_api_key`). Nothing else was checked, and the call does not count against the rate limit. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not declared as JSON. Send the header `Content-Type: application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The data source failed or returned an unusable response. Nothing was charged. Retry the call later. */
        UpstreamError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The call timed out. Either the data source did not respond in time (`error.details.phase` is `upstream`), or the call waited for an earlier call of the same key until its five minutes were over (`queue`). Nothing was charged. Retry the call later. */
        UpstreamTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request line is too long. The call was refused before it was processed, and does not count against the rate limit. */
        UriTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The account has as many watches as its plan allows. Delete one before you create another (`watch_limit`). Or the `Idempotency-Key` was used for another request (`idempotency_key_reused`). */
        WatchLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The webhook is revoked, so it cannot be used or changed any more; or it is paused, and the call needs an active one. */
        WebhookInactive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The account has as many live webhooks as its plan allows (by default 100). Revoke one before you create another (`webhook_limit`). Or the `Idempotency-Key` was used for another request (`idempotency_key_reused`). */
        WebhookLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The full address on one line: street with house number, city, state and ZIP code, and the unit if there is one. The street and a city or ZIP code are required. Case, punctuation, USPS abbreviations ("Avenue" or "Ave", "North" or "N"), unit designators ("Apt 4", "#4") and ZIP+4 are understood. */
        AddressQuery: string;
        /** @description Return the events after this `seq`. With 0, the oldest event comes first. */
        AfterSeq: number;
        /**
         * @description The maximum number of bathrooms (a half bath counts as 0.5), inclusive. Homes without a known value are left out. It must not be below `baths_min`.
         * @example 4
         */
        BathsMax: number;
        /**
         * @description The minimum number of bathrooms (a half bath counts as 0.5), inclusive. Homes without a known value are left out. It must not be above `baths_max`.
         * @example 2
         */
        BathsMin: number;
        /** @description The box to search, as `west,south,east,north` in decimal degrees (WGS 84). Longitudes lie within ±180, latitudes within ±90, and south is not above north. The edges are part of the area. If west is greater than east, the box crosses the antimeridian, as in RFC 7946. */
        BboxQuery: string;
        /**
         * @description The maximum number of bedrooms (a studio has 0), inclusive. Homes without a known value are left out. It must not be below `beds_min`.
         * @example 5
         */
        BedsMax: number;
        /**
         * @description The minimum number of bedrooms (a studio has 0), inclusive. Homes without a known value are left out. It must not be above `beds_max`.
         * @example 3
         */
        BedsMin: number;
        /** @description The listing-site URL of a multi-unit building, percent-encoded as a query value. The path kinds `/b/`, `/apartments/` and `/community/` are accepted. A `/homedetails/` URL identifies one home and is refused with `invalid_url`. The host must be one that this server accepts, by default `zillow.com` and its subdomains. */
        BuildingUrl: string;
        /** @description Cities of the address with their states, separated by semicolons, up to 20. A listing passes if its address is in one of them. */
        CityQuery: string;
        /**
         * @description `false` excludes homes that are announced and not yet on the market. `true` returns only those. If you omit it, both are returned.
         * @example false
         */
        ComingSoonQuery: boolean;
        /**
         * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same `Idempotency-Key` and the same request changes nothing more and returns the first response again, with its secret if it has one; a watch is returned as it is now. A response with a secret is stored encrypted, and only the API key that got it gets it again. The same `Idempotency-Key` with a different request, or with another API key where the response has a secret, is refused with 409 `idempotency_key_reused`. So is a retry whose response cannot be returned any more, because the watch was deleted or because the operator has removed the key that the response was encrypted with; it changes nothing.
         * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
         */
        CreationIdempotencyKey: string;
        /** @description `meta.next_cursor` of the page before, to get the rows behind it. Repeat the same query; only `max_items` and `format` may differ. A cursor of another query is refused with 400 `invalid_cursor`. */
        CursorQuery: string;
        /**
         * @description The maximum age of a listing: a number of days, or with `m` a number of months. For `sold` it is the time since the sale.
         * @example 30
         */
        DaysOnSiteQuery: components["schemas"]["DaysOnSite"];
        /** @description The maximum number of delivery attempts to return, from 1 to 200. */
        DeliveriesLimit: number;
        /**
         * @description The id of an attempt, from GET /v1/webhooks/{id}/deliveries. An id that is not a number returns 404 `not_found`, as does the id of an attempt to another webhook.
         * @example 90398
         */
        DeliveryId: string;
        /**
         * @description The `X-Max-Credits` of the estimated call, in credits. The estimate is that of the call with this header: `would_be_refused` and `would_be_truncated` say what the limit would do. If the `input` also has `maxCredits` or `max_credits`, the smaller value applies. The estimate itself is free.
         * @example 25
         */
        EstimatedMaxCredits: number;
        /** @description `meta.next_cursor` of the page before, to get the events behind it. Only `limit` and `format` may differ. A cursor of another list is refused with 400 `invalid_cursor`. It cannot be used together with `after`. */
        EventsCursor: string;
        /**
         * @description For building URLs: `disabled` returns the building's own record. `all` returns the records of all its units as an array; the other values return only the units of that status. It has no effect on the URL of a single home.
         * @example disabled
         */
        ExtractUnitsQuery: components["schemas"]["ExtractUnits"];
        /**
         * @description Which fields of the record to return, as a comma-separated list of dotted paths, for example `price,address.city,priceHistory[0].price`. A path into an array applies to each of its elements unless it names an index. A path that neither the contract nor the record has is ignored and named in `meta.ignored`, for example as `fields.pirce`. Without this parameter, or with an empty one, the whole record is returned. It does not change the price of the call.
         * @example zpid,price,address.city
         */
        Fields: string;
        /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
        Format: "json" | "csv" | "ndjson";
        /** @description For how many minutes the old key still works, from 0 to 43,200 (30 days). With 0, it is revoked immediately: use it when the key has leaked. */
        GraceMinutes: number;
        /**
         * @description The maximum homeowners' association fees in dollars per month (0 if there is no association), inclusive. Homes without a known value are left out. It must not be below `hoa_min`.
         * @example 250
         */
        HoaMax: number;
        /**
         * @description The minimum homeowners' association fees in dollars per month (0 if there is no association), inclusive. Homes without a known value are left out. It must not be above `hoa_max`.
         * @example 0
         */
        HoaMin: number;
        /**
         * @description The kinds of home to return, separated by commas: `house`, `condo`, `townhouse`, `multi_family`, `manufactured`, `lot` and `apartment`. If you omit it, every kind is returned.
         * @example house,townhouse
         */
        HomeTypesQuery: string;
        /**
         * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same key and the same body returns the first 202 again and does not start a second job. The same key with a different request is refused with 409 `idempotency_key_reused`. The key has no effect on a call that returns 200, because that call does not start a job: `meta.ignored` then names `Idempotency-Key`, and a retry is charged again.
         * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
         */
        IdempotencyKey: string;
        /**
         * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
         * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
         */
        IfNoneMatch: string;
        /**
         * @description Which units to return: `all` of them, or only those of one status. Units that are left out are not charged.
         * @example all
         */
        IncludeUnits: "all" | "for_sale" | "for_rent" | "recently_sold" | "off_market";
        /**
         * @description The id of the job, from `data.job_id` of the 202 that accepted it. An id that is not a UUID returns 404 `job_not_found`, as does the id of another account's job.
         * @example 5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90
         */
        JobId: string;
        /** @description The maximum number of jobs to return, from 1 to 500. */
        JobsLimit: number;
        /**
         * @description The id of the key, from its creation or from GET /v1/keys. It is not the key itself. An id that is not a UUID returns 404 `not_found`, as does the id of another account's key.
         * @example 8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80
         */
        KeyId: string;
        /** @description `meta.next_cursor` of the page before, to get the entries behind it. Unlike with `offset`, new entries do not shift the pages. Repeat the same filters; only `limit` may differ. A cursor of another list is refused with 400 `invalid_cursor`. It cannot be used together with `offset`. */
        ListCursor: string;
        /** @description The listing-site URL of a home or a building, percent-encoded as a query value. The path kinds `/homedetails/`, `/b/`, `/apartments/` and `/community/` are accepted. The host must be one that this server accepts, by default `zillow.com` and its subdomains. If this service has its own pages of homes, as `detailUrl` of search rows shows, their URLs are accepted too. */
        ListingUrl: string;
        /**
         * @description The name of the area, as a hint for the data source. It does not narrow the result. A call also needs `bbox`, `polygon`, `near`, `zip` or `city`, or it is refused.
         * @example Queen Anne, Seattle, WA
         */
        LocationQuery: string;
        /**
         * @description The maximum lot size in square feet (an acre is 43,560), inclusive. Homes without a known value are left out. It must not be below `lot_size_min`.
         * @example 20000
         */
        LotSizeMax: number;
        /**
         * @description The minimum lot size in square feet (an acre is 43,560), inclusive. Homes without a known value are left out. It must not be above `lot_size_max`.
         * @example 5000
         */
        LotSizeMin: number;
        /**
         * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
         * @example 25
         */
        MaxCreditsHeader: number;
        /**
         * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
         * @example 25
         */
        MaxCreditsQuery: number;
        /**
         * @description The maximum number of listings to return, and so the maximum cost of the call. A value out of bounds is refused, never corrected. For more than 50 listings, use POST /v1/search.
         * @example 25
         */
        MaxItemsQuery: number;
        /** @description The center of a circle as `longitude,latitude`. It needs `radius_m` and cannot be used together with `polygon`. */
        NearQuery: string;
        /** @description How many entries to skip before the first one returned. Increase it by `limit` to read the next page. A page past the end is empty. */
        Offset: number;
        /**
         * @description `true` returns homes with an open house that has not ended yet. `false` returns homes without one. If you omit it, both are returned.
         * @example true
         */
        OpenHouseQuery: boolean;
        /** @description For how many hours deliveries are signed with the earlier secret too, from 0 to 24. With 0, the earlier secret stops signing immediately: use it when the secret has leaked. */
        OverlapHours: number;
        /** @description `meta.next_cursor` of the page before, to get the entries behind it. New entries do not shift the pages. Repeat the same parameters; only `limit` and `format` may differ. A cursor of another list is refused with 400 `invalid_cursor`. */
        PageCursor: string;
        /** @description The maximum number of entries to return, from 1 to 1,000. */
        PageLimit: number;
        /**
         * @description `false` excludes homes with a pending sale (an offer was accepted). `true` returns only those. If you omit it, both are returned.
         * @example false
         */
        PendingQuery: boolean;
        /** @description A place as `kind:id`, for example `county:53033`. It cannot be used together with `polygon` or `near`. The ids of states and counties are FIPS codes. They are built in, with boundaries that are simplified to a scale of 1:10,000,000. The kinds `place`, `zip` and `neighborhood`, and more exact counties, exist if the operator of the service has imported them. To search by the name of a place, use POST /v1/search. */
        PlaceQuery: string;
        /** @description A polygon on the map as `longitude,latitude;longitude,latitude;…`: at least three corners, in order. The last corner is connected with the first; it makes no difference whether you repeat the first. For holes, several areas and long polygons use POST /v1/search, where `filters.area` also says what is in an area. */
        PolygonQuery: string;
        /**
         * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
         * @example dry-run
         */
        PreferDryRun: string;
        /**
         * @description The maximum asking price (for rent: the monthly rent; sold: the sale price) in dollars, inclusive. Homes without a known value are left out. It must not be below `price_min`.
         * @example 900000
         */
        PriceMax: number;
        /**
         * @description The minimum asking price (for rent: the monthly rent; sold: the sale price) in dollars, inclusive. Homes without a known value are left out. It must not be above `price_max`.
         * @example 500000
         */
        PriceMin: number;
        /** @description The radius of the circle around `near`, in meters along a great circle. Homes at exactly this distance are in. */
        RadiusQuery: number;
        /** @description The maximum number of rows to return, from 1 to 1,000, in every format. */
        ResultsLimit: number;
        /**
         * @description The sale types to return, separated by commas: `by_agent`, `by_owner`, `new_construction`, `foreclosure`, `auction` and `coming_soon`. If you omit it, every sale type is returned.
         * @example by_owner,new_construction
         */
        SaleTypesQuery: string;
        /**
         * @description Which listings to search: homes for sale, homes for rent, or homes recently sold. Unlike the `status` of the lookups, this is a filter.
         * @example for_sale
         */
        SearchStatusQuery: components["schemas"]["SearchStatus"];
        /**
         * @description `true` returns homes in communities with a minimum age for residents, mostly 55. `false` excludes them. If you omit it, both are returned.
         * @example false
         */
        SeniorCommunityQuery: boolean;
        /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
        Shape: "reso";
        /**
         * @description Return only entries created at or after this time, as an RFC 3339 date-time with an offset, for example `2026-11-20T00:00:00Z`. Remember to percent-encode a `+`.
         * @example 2026-11-20T00:00:00Z
         */
        Since: string;
        /**
         * @description The order of the rows: `newest` (listed last, for sold homes sold last), `price`, `sqft` and `beds` ascending, or with a minus descending, and `distance` from the center of `near`. Equal rows are in the order of their zpids, and rows without the value come last. With `sort`, `meta.next_cursor` leads to the next page. Without it, the newest come first.
         * @example -price
         */
        SortQuery: "newest" | "price" | "-price" | "sqft" | "-sqft" | "beds" | "-beds" | "distance";
        /**
         * @description The maximum living area in square feet, inclusive. Homes without a known value are left out. It must not be below `sqft_min`.
         * @example 3000
         */
        SqftMax: number;
        /**
         * @description The minimum living area in square feet, inclusive. Homes without a known value are left out. It must not be above `sqft_max`.
         * @example 1200
         */
        SqftMin: number;
        /**
         * @description Which listing to prefer when the home has several: the one for sale, the one last sold, or the one for rent. It is a preference, not a filter: a home with only one listing is returned regardless of its status. `homeStatus` in the record shows which listing it was.
         * @example FOR_SALE
         */
        StatusPreference: components["schemas"]["ListingStatus"];
        /**
         * @description With `true` the response contains the units. With `false` the extraction runs as a job and the response is a 202 with its id. Use `false` for buildings with hundreds of units.
         * @example true
         */
        Sync: boolean;
        /** @description `meta.next_cursor` of the response before, to get the units behind its last one. Repeat the same `url` and `include_units`. A cursor of another building or of other units is refused with 400 `invalid_cursor`. It has no effect with `sync=false`. */
        UnitsCursor: string;
        /**
         * @description Return only entries created before this time, as an RFC 3339 date-time with an offset, for example `2026-11-21T00:00:00Z`. Remember to percent-encode a `+`.
         * @example 2026-11-21T00:00:00Z
         */
        Until: string;
        /** @description What the usage is summed by: `day` (in UTC), `operation` (the `operationId`), `key` (the id of the API key), or `status` (the HTTP status of the response). */
        UsageBy: "day" | "operation" | "key" | "status";
        /** @description The maximum number of rows to return, from 1 to 1,000. */
        UsageLimit: number;
        /** @description The maximum number of events to return, from 1 to 1,000. */
        WatchEventsLimit: number;
        /**
         * @description The id of the watch, from its creation or from GET /v1/watches. An id that is not a UUID returns 404 `not_found`, as does the id of another account's watch.
         * @example 6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34
         */
        WatchId: string;
        /**
         * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
         * @example 1
         */
        WebhookAttemptHeader: number;
        /**
         * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
         * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
         */
        WebhookId: string;
        /**
         * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
         * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
         */
        WebhookIdHeader: components["schemas"]["EventId"];
        /**
         * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        WebhookSignatureHeader: string;
        /**
         * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
         * @example 1795194133
         */
        WebhookTimestampHeader: number;
        /**
         * @description The latest year of construction, inclusive. Homes without a known value are left out. It must not be below `year_built_min`.
         * @example 2020
         */
        YearBuiltMax: number;
        /**
         * @description The earliest year of construction, inclusive. Homes without a known value are left out. It must not be above `year_built_max`.
         * @example 1990
         */
        YearBuiltMin: number;
        /** @description ZIP codes of the address, separated by commas, up to 100. A listing passes if its ZIP code is one of them. */
        ZipQuery: string;
        /**
         * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
         * @example 48749425
         */
        Zpid: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The version of this response, as a weak tag. Send it in `If-None-Match` with the same request later: as long as the response would be the same, it is a free 304. The tag covers everything in the body except `request_id`, and when the data was read or changed: `cached`, `fetched_at`, and the `fetched_at` and `source_updated_at` of a source. A part of a record keeps its tag when another part of the record changes. The tag is valid for your account and this request only. Rows that were cut (`truncated`) have no tag.
         * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
         */
        ETag: string;
        /**
         * @description Present, as `true`, only if an earlier call with the same `Idempotency-Key` did the work. This call created nothing and started no job.
         * @example true
         */
        "Idempotent-Replayed": "true" | (string & Record<never, never>);
        /**
         * @description The URL of the next page, as in RFC 8288, with the relation `next`. It is absent on the last page and from operations that have only one page.
         * @example </v1/jobs/0b0f6c0e-5c0a-4a52-9f5e-2f6f3b8f2d11/results?limit=1000&offset=1000&format=csv>; rel="next"
         */
        Link: string;
        /**
         * @description The path of what the call created, below the URL of the service. Read it with GET.
         * @example /v1/jobs/5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90
         */
        Location: string;
        /**
         * @description `dry-run` if the call was not made because it was sent with `Prefer: dry-run`. Absent otherwise.
         * @example dry-run
         */
        "Preference-Applied": string;
        /**
         * @description What is left of the rate limit, as a structured field of the IETF draft `draft-ietf-httpapi-ratelimit-headers`: `r` more requests are admitted now. After `t` seconds the oldest call of the last minute no longer counts, and one more is admitted. The first member is the policy `default`. Members of further policies and further parameters may follow, separated by commas and semicolons.
         * @example "default";r=19;t=60
         */
        RateLimit: string;
        /**
         * @description The rate limit of this key, as a structured field of the IETF draft `draft-ietf-httpapi-ratelimit-headers`: `q` requests in a sliding window of `w` seconds. The first member is the policy `default`. Members of further policies and further parameters may follow, separated by commas and semicolons.
         * @example "default";q=20;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The number of seconds to wait before you retry the call. It is at least 2. An earlier retry would be refused again.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description The authentication scheme that the service expects.
         * @example Bearer realm="lotline"
         */
        "WWW-Authenticate": string;
        /**
         * @description The credits charged for this request. It is 0 for every failed call, for every free operation, and for a 202, whose job is charged when it succeeds.
         * @example 1
         */
        "X-Credits-Charged": number;
        /**
         * @description The credits that are still available to the account after this request: its balance minus the credits held by running jobs.
         * @example 4218
         */
        "X-Credits-Remaining": number;
        /**
         * @description The public name of the source of the rows, as `meta.source.name` in JSON. It is absent if the rows of a search have several sources. Each row has its `source` too, if the source requires an attribution.
         * @example emerald-coast
         */
        "X-Data-Source": string;
        /**
         * @description The names in the call that the service did not use, separated by commas, in at most 1,000 characters. It has the content of `meta.ignored` in JSON. Non-ASCII characters, commas and spaces are percent-encoded. Present only in responses that are not JSON, and only if something was ignored.
         * @example filters.pirce, searchUrls.0.note
         */
        "X-Ignored-Input": string;
        /**
         * @description What the credit limit of the key leaves after this request. Present only if the key has a limit; see `key` of GET /v1/me.
         * @example 743
         */
        "X-Key-Credits-Remaining": number;
        /**
         * @description The cursor of the next page, as `meta.next_cursor` in JSON. It is absent on the last page and from searches without `sort` and `cursor`.
         * @example WzE2NzUwMDAsIjQ4NzQ5NDI1Il0.8mB1cVbL1mYt0hZ2c0o2bA
         */
        "X-Next-Cursor": string;
        /** @description The id of this request, the same as `request_id` in the body. Keep it to find the call in GET /v1/usage and to report a problem to support. */
        "X-Request-Id": components["schemas"]["RequestId"];
        /**
         * @description The number of rows in this response. CSV and NDJSON have no `meta`, so this header has the value of `meta.count`. It is sent with every format.
         * @example 2
         */
        "X-Row-Count": number;
        /**
         * @description The number of rows of the whole result, over all pages. It is absent if the total is not known.
         * @example 1240
         */
        "X-Total-Count": number;
        /**
         * @description Present only if the result was cut. `credits` means that the account could not pay for more rows. `max_items` means that a batch reached its `maxItems`. `max_credits` means that the limit that you set for the charge did not cover more rows. `key_limit` means that the credit limit of the key did not. It has the value of `meta.truncated_by` in JSON.
         * @example credits
         */
        "X-Truncated-By": "credits" | "max_items" | "max_credits" | "key_limit" | (string & Record<never, never>);
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getPropertyByUrl: {
        parameters: {
            query: {
                /** @description The listing-site URL of a home or a building, percent-encoded as a query value. The path kinds `/homedetails/`, `/b/`, `/apartments/` and `/community/` are accepted. The host must be one that this server accepts, by default `zillow.com` and its subdomains. If this service has its own pages of homes, as `detailUrl` of search rows shows, their URLs are accepted too. */
                url: components["parameters"]["ListingUrl"];
                /**
                 * @description Which listing to prefer when the home has several: the one for sale, the one last sold, or the one for rent. It is a preference, not a filter: a home with only one listing is returned regardless of its status. `homeStatus` in the record shows which listing it was.
                 * @example FOR_SALE
                 */
                status?: components["parameters"]["StatusPreference"];
                /**
                 * @description For building URLs: `disabled` returns the building's own record. `all` returns the records of all its units as an array; the other values return only the units of that status. It has no effect on the URL of a single home.
                 * @example disabled
                 */
                extract_units?: components["parameters"]["ExtractUnitsQuery"];
                /**
                 * @description Which fields of the record to return, as a comma-separated list of dotted paths, for example `price,address.city,priceHistory[0].price`. A path into an array applies to each of its elements unless it names an index. A path that neither the contract nor the record has is ignored and named in `meta.ignored`, for example as `fields.pirce`. Without this parameter, or with an empty one, the whole record is returned. It does not change the price of the call.
                 * @example zpid,price,address.city
                 */
                fields?: components["parameters"]["Fields"];
                /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
                shape?: components["parameters"]["Shape"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record of the home, or with `extract_units` the records of the building's units. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record. It is an array of records if `extract_units` is not `disabled` and the URL is the URL of a building. */
                        data: components["schemas"]["Property"] | components["schemas"]["Property"][];
                        /** @description Information about the response. `count` is present if `data` is an array. Absent if it would be empty. */
                        meta?: {
                            /**
                             * Format: int64
                             * @description The number of units in `data`, without the building's own record.
                             */
                            count?: number;
                            /** @description `true` if the credits, or the limit that you set for the call, did not cover every unit; absent otherwise. */
                            truncated?: boolean;
                            /** @description What cut the result: the credits of the account, or the limit that you set for the call. Present together with `truncated`. */
                            truncated_by?: "credits" | "max_credits" | "key_limit" | (string & Record<never, never>);
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.reso+json": components["schemas"]["ResoAnswer"];
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The URL is missing or not supported, or another parameter is invalid. Nothing was looked up and nothing was charged. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyByAddress: {
        parameters: {
            query: {
                /** @description The full address on one line: street with house number, city, state and ZIP code, and the unit if there is one. The street and a city or ZIP code are required. Case, punctuation, USPS abbreviations ("Avenue" or "Ave", "North" or "N"), unit designators ("Apt 4", "#4") and ZIP+4 are understood. */
                address: components["parameters"]["AddressQuery"];
                /**
                 * @description Which listing to prefer when the home has several: the one for sale, the one last sold, or the one for rent. It is a preference, not a filter: a home with only one listing is returned regardless of its status. `homeStatus` in the record shows which listing it was.
                 * @example FOR_SALE
                 */
                status?: components["parameters"]["StatusPreference"];
                /**
                 * @description Which fields of the record to return, as a comma-separated list of dotted paths, for example `price,address.city,priceHistory[0].price`. A path into an array applies to each of its elements unless it names an index. A path that neither the contract nor the record has is ignored and named in `meta.ignored`, for example as `fields.pirce`. Without this parameter, or with an empty one, the whole record is returned. It does not change the price of the call.
                 * @example zpid,price,address.city
                 */
                fields?: components["parameters"]["Fields"];
                /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
                shape?: components["parameters"]["Shape"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record of the home at the address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        meta?: components["schemas"]["RecordMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.reso+json": components["schemas"]["ResoAnswer"];
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The address is missing or cannot be parsed, or another parameter is invalid. Nothing was looked up and nothing was charged. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            /** @description No home is known at the address, or several homes match it. The call is free. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getProperty: {
        parameters: {
            query?: {
                /**
                 * @description Which fields of the record to return, as a comma-separated list of dotted paths, for example `price,address.city,priceHistory[0].price`. A path into an array applies to each of its elements unless it names an index. A path that neither the contract nor the record has is ignored and named in `meta.ignored`, for example as `fields.pirce`. Without this parameter, or with an empty one, the whole record is returned. It does not change the price of the call.
                 * @example zpid,price,address.city
                 */
                fields?: components["parameters"]["Fields"];
                /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
                shape?: components["parameters"]["Shape"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record of the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        cached: components["schemas"]["Cached"];
                        /**
                         * Format: date-time
                         * @description When the record was read from the data source, at most 24 hours before the call. For a record of the service's own data set, it can be the time of this call.
                         */
                        fetched_at: string;
                        meta?: components["schemas"]["RecordMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.reso+json": components["schemas"]["ResoAnswer"];
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The zpid or another parameter is invalid. Nothing was looked up and nothing was charged. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyPhotos: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The photos of the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The photos, in the order of the listing. */
                        data: components["schemas"]["Photo"][];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            /**
                             * Format: int64
                             * @description The number of photos that the listing says it has.
                             */
                            photo_count: number;
                            /** @description Whether the listing has a 3D tour. */
                            has_3d: boolean;
                            /** @description Whether the listing has a video. */
                            has_video: boolean;
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyPriceHistory: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price history of the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The events, the latest first. */
                        data: components["schemas"]["PriceEvent"][];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyTaxHistory: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tax history of the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One row per year, the latest first. */
                        data: components["schemas"]["TaxEvent"][];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertySchools: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schools near the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The schools, in the order of the data source. */
                        data: components["schemas"]["School"][];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyNearby: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Comparable listings near the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The listings, the nearest and most similar first. */
                        data: components["schemas"]["SearchRow"][];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyAgent: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent and the broker of the listing. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyZestimate: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The valuation of the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Zestimate"];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyOpenHouses: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open houses of the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The open houses, the earliest first. */
                        data: components["schemas"]["OpenHouse"][];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            tour_eligibility: components["schemas"]["TourEligibility"];
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    getPropertyFacts: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The numeric id of the home, as found in every record, search row and listing URL. It is a string of 1 to 20 digits; anything else is refused with 400 `invalid_zpid`. A home can have several ids, and the response can have another one of them (see "Homes" in the introduction).
                 * @example 48749425
                 */
                zpid: components["parameters"]["Zpid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attributes of the home. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ResoFacts"];
                        /** @description Information about the response. */
                        meta: {
                            cached: components["schemas"]["Cached"];
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidZpid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    createPropertyBatch: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same key and the same body returns the first 202 again and does not start a second job. The same key with a different request is refused with 409 `idempotency_key_reused`. The key has no effect on a call that returns 200, because that call does not start a job: `meta.ignored` then names `Idempotency-Key`, and a retry is charged again.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The homes to look up and how to do it. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            200: components["responses"]["DryRun"];
            202: components["responses"]["JobAccepted"];
            /** @description The body is not JSON, has no entries, or has an invalid entry or option. No job was started and nothing was charged. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["JobRefused"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    getBuildingUnits: {
        parameters: {
            query: {
                /** @description The listing-site URL of a multi-unit building, percent-encoded as a query value. The path kinds `/b/`, `/apartments/` and `/community/` are accepted. A `/homedetails/` URL identifies one home and is refused with `invalid_url`. The host must be one that this server accepts, by default `zillow.com` and its subdomains. */
                url: components["parameters"]["BuildingUrl"];
                /**
                 * @description Which units to return: `all` of them, or only those of one status. Units that are left out are not charged.
                 * @example all
                 */
                include_units?: components["parameters"]["IncludeUnits"];
                /**
                 * @description With `true` the response contains the units. With `false` the extraction runs as a job and the response is a 202 with its id. Use `false` for buildings with hundreds of units.
                 * @example true
                 */
                sync?: components["parameters"]["Sync"];
                /** @description `meta.next_cursor` of the response before, to get the units behind its last one. Repeat the same `url` and `include_units`. A cursor of another building or of other units is refused with 400 `invalid_cursor`. It has no effect with `sync=false`. */
                cursor?: components["parameters"]["UnitsCursor"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The units of the building. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The units, one row each. A first row without `unitNumber` is the building's own record. */
                            units: components["schemas"]["BuildingUnit"][];
                        };
                        /** @description Information about the result. */
                        meta: {
                            /**
                             * Format: int64
                             * @description The number of units in `data.units`, without the building's own record.
                             */
                            count: number;
                            /** @description The choice of units that was applied. */
                            include_units: "all" | "for_sale" | "for_rent" | "recently_sold" | "off_market" | (string & Record<never, never>);
                            /** @description `true` if the credits, or the limit that you set for the call, did not cover every unit; absent otherwise. */
                            truncated?: boolean;
                            /** @description What cut the result: the credits of the account, or the limit that you set for the call. Present together with `truncated`. */
                            truncated_by?: "credits" | "max_credits" | "key_limit" | (string & Record<never, never>);
                            /** @description Send it as `cursor` with the same `url` and `include_units` to get the units behind the last one of this response. Present if there are more. */
                            next_cursor?: string;
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            202: components["responses"]["JobAccepted"];
            304: components["responses"]["NotModified"];
            /** @description The URL is missing or is not the URL of a building, or another parameter is invalid. Nothing was looked up and nothing was charged. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["JobLimit"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    searchListings: {
        parameters: {
            query?: {
                /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
                format?: components["parameters"]["Format"];
                /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
                shape?: components["parameters"]["Shape"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same key and the same body returns the first 202 again and does not start a second job. The same key with a different request is refused with 409 `idempotency_key_reused`. The key has no effect on a call that returns 200, because that call does not start a job: `meta.ignored` then names `Idempotency-Key`, and a retry is charged again.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The area and the filters, or search URLs. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description The listings found, if the search is small enough to run synchronously. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Row-Count": components["headers"]["X-Row-Count"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Truncated-By": components["headers"]["X-Truncated-By"];
                    "X-Data-Source": components["headers"]["X-Data-Source"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.reso+json": components["schemas"]["ResoAnswer"];
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            202: components["responses"]["JobAccepted"];
            400: components["responses"]["InvalidSearch"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["JobRefused"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    searchWithDetails: {
        parameters: {
            query?: {
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same key and the same body returns the first 202 again and does not start a second job. The same key with a different request is refused with 409 `idempotency_key_reused`. The key has no effect on a call that returns 200, because that call does not start a job: `meta.ignored` then names `Idempotency-Key`, and a retry is charged again.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The search, and how to look up the homes that it finds. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithDetailsRequest"];
            };
        };
        responses: {
            200: components["responses"]["DryRun"];
            202: components["responses"]["ChainedJobAccepted"];
            /** @description The body is not JSON, has no usable filters, or has an invalid option. No job was started and nothing was charged. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["JobRefused"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    listListings: {
        parameters: {
            query?: {
                /**
                 * @description Which listings to search: homes for sale, homes for rent, or homes recently sold. Unlike the `status` of the lookups, this is a filter.
                 * @example for_sale
                 */
                status?: components["parameters"]["SearchStatusQuery"];
                /** @description The box to search, as `west,south,east,north` in decimal degrees (WGS 84). Longitudes lie within ±180, latitudes within ±90, and south is not above north. The edges are part of the area. If west is greater than east, the box crosses the antimeridian, as in RFC 7946. */
                bbox?: components["parameters"]["BboxQuery"];
                /** @description A polygon on the map as `longitude,latitude;longitude,latitude;…`: at least three corners, in order. The last corner is connected with the first; it makes no difference whether you repeat the first. For holes, several areas and long polygons use POST /v1/search, where `filters.area` also says what is in an area. */
                polygon?: components["parameters"]["PolygonQuery"];
                /** @description The center of a circle as `longitude,latitude`. It needs `radius_m` and cannot be used together with `polygon`. */
                near?: components["parameters"]["NearQuery"];
                /** @description The radius of the circle around `near`, in meters along a great circle. Homes at exactly this distance are in. */
                radius_m?: components["parameters"]["RadiusQuery"];
                /** @description A place as `kind:id`, for example `county:53033`. It cannot be used together with `polygon` or `near`. The ids of states and counties are FIPS codes. They are built in, with boundaries that are simplified to a scale of 1:10,000,000. The kinds `place`, `zip` and `neighborhood`, and more exact counties, exist if the operator of the service has imported them. To search by the name of a place, use POST /v1/search. */
                place?: components["parameters"]["PlaceQuery"];
                /** @description ZIP codes of the address, separated by commas, up to 100. A listing passes if its ZIP code is one of them. */
                zip?: components["parameters"]["ZipQuery"];
                /** @description Cities of the address with their states, separated by semicolons, up to 20. A listing passes if its address is in one of them. */
                city?: components["parameters"]["CityQuery"];
                /**
                 * @description The name of the area, as a hint for the data source. It does not narrow the result. A call also needs `bbox`, `polygon`, `near`, `zip` or `city`, or it is refused.
                 * @example Queen Anne, Seattle, WA
                 */
                location?: components["parameters"]["LocationQuery"];
                /**
                 * @description The minimum asking price (for rent: the monthly rent; sold: the sale price) in dollars, inclusive. Homes without a known value are left out. It must not be above `price_max`.
                 * @example 500000
                 */
                price_min?: components["parameters"]["PriceMin"];
                /**
                 * @description The maximum asking price (for rent: the monthly rent; sold: the sale price) in dollars, inclusive. Homes without a known value are left out. It must not be below `price_min`.
                 * @example 900000
                 */
                price_max?: components["parameters"]["PriceMax"];
                /**
                 * @description The minimum number of bedrooms (a studio has 0), inclusive. Homes without a known value are left out. It must not be above `beds_max`.
                 * @example 3
                 */
                beds_min?: components["parameters"]["BedsMin"];
                /**
                 * @description The maximum number of bedrooms (a studio has 0), inclusive. Homes without a known value are left out. It must not be below `beds_min`.
                 * @example 5
                 */
                beds_max?: components["parameters"]["BedsMax"];
                /**
                 * @description The minimum number of bathrooms (a half bath counts as 0.5), inclusive. Homes without a known value are left out. It must not be above `baths_max`.
                 * @example 2
                 */
                baths_min?: components["parameters"]["BathsMin"];
                /**
                 * @description The maximum number of bathrooms (a half bath counts as 0.5), inclusive. Homes without a known value are left out. It must not be below `baths_min`.
                 * @example 4
                 */
                baths_max?: components["parameters"]["BathsMax"];
                /**
                 * @description The minimum living area in square feet, inclusive. Homes without a known value are left out. It must not be above `sqft_max`.
                 * @example 1200
                 */
                sqft_min?: components["parameters"]["SqftMin"];
                /**
                 * @description The maximum living area in square feet, inclusive. Homes without a known value are left out. It must not be below `sqft_min`.
                 * @example 3000
                 */
                sqft_max?: components["parameters"]["SqftMax"];
                /**
                 * @description The earliest year of construction, inclusive. Homes without a known value are left out. It must not be above `year_built_max`.
                 * @example 1990
                 */
                year_built_min?: components["parameters"]["YearBuiltMin"];
                /**
                 * @description The latest year of construction, inclusive. Homes without a known value are left out. It must not be below `year_built_min`.
                 * @example 2020
                 */
                year_built_max?: components["parameters"]["YearBuiltMax"];
                /**
                 * @description The kinds of home to return, separated by commas: `house`, `condo`, `townhouse`, `multi_family`, `manufactured`, `lot` and `apartment`. If you omit it, every kind is returned.
                 * @example house,townhouse
                 */
                home_types?: components["parameters"]["HomeTypesQuery"];
                /**
                 * @description The maximum age of a listing: a number of days, or with `m` a number of months. For `sold` it is the time since the sale.
                 * @example 30
                 */
                days_on_site?: components["parameters"]["DaysOnSiteQuery"];
                /**
                 * @description The minimum lot size in square feet (an acre is 43,560), inclusive. Homes without a known value are left out. It must not be above `lot_size_max`.
                 * @example 5000
                 */
                lot_size_min?: components["parameters"]["LotSizeMin"];
                /**
                 * @description The maximum lot size in square feet (an acre is 43,560), inclusive. Homes without a known value are left out. It must not be below `lot_size_min`.
                 * @example 20000
                 */
                lot_size_max?: components["parameters"]["LotSizeMax"];
                /**
                 * @description The minimum homeowners' association fees in dollars per month (0 if there is no association), inclusive. Homes without a known value are left out. It must not be above `hoa_max`.
                 * @example 0
                 */
                hoa_min?: components["parameters"]["HoaMin"];
                /**
                 * @description The maximum homeowners' association fees in dollars per month (0 if there is no association), inclusive. Homes without a known value are left out. It must not be below `hoa_min`.
                 * @example 250
                 */
                hoa_max?: components["parameters"]["HoaMax"];
                /**
                 * @description The sale types to return, separated by commas: `by_agent`, `by_owner`, `new_construction`, `foreclosure`, `auction` and `coming_soon`. If you omit it, every sale type is returned.
                 * @example by_owner,new_construction
                 */
                sale_types?: components["parameters"]["SaleTypesQuery"];
                /**
                 * @description `false` excludes homes with a pending sale (an offer was accepted). `true` returns only those. If you omit it, both are returned.
                 * @example false
                 */
                pending?: components["parameters"]["PendingQuery"];
                /**
                 * @description `false` excludes homes that are announced and not yet on the market. `true` returns only those. If you omit it, both are returned.
                 * @example false
                 */
                coming_soon?: components["parameters"]["ComingSoonQuery"];
                /**
                 * @description `true` returns homes with an open house that has not ended yet. `false` returns homes without one. If you omit it, both are returned.
                 * @example true
                 */
                open_house?: components["parameters"]["OpenHouseQuery"];
                /**
                 * @description `true` returns homes in communities with a minimum age for residents, mostly 55. `false` excludes them. If you omit it, both are returned.
                 * @example false
                 */
                senior_community?: components["parameters"]["SeniorCommunityQuery"];
                /**
                 * @description The order of the rows: `newest` (listed last, for sold homes sold last), `price`, `sqft` and `beds` ascending, or with a minus descending, and `distance` from the center of `near`. Equal rows are in the order of their zpids, and rows without the value come last. With `sort`, `meta.next_cursor` leads to the next page. Without it, the newest come first.
                 * @example -price
                 */
                sort?: components["parameters"]["SortQuery"];
                /** @description `meta.next_cursor` of the page before, to get the rows behind it. Repeat the same query; only `max_items` and `format` may differ. A cursor of another query is refused with 400 `invalid_cursor`. */
                cursor?: components["parameters"]["CursorQuery"];
                /**
                 * @description The maximum number of listings to return, and so the maximum cost of the call. A value out of bounds is refused, never corrected. For more than 50 listings, use POST /v1/search.
                 * @example 25
                 */
                max_items?: components["parameters"]["MaxItemsQuery"];
                /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
                format?: components["parameters"]["Format"];
                /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
                shape?: components["parameters"]["Shape"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The listings found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    "X-Row-Count": components["headers"]["X-Row-Count"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Truncated-By": components["headers"]["X-Truncated-By"];
                    "X-Data-Source": components["headers"]["X-Data-Source"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.reso+json": components["schemas"]["ResoAnswer"];
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The area is missing, or a filter or option is invalid. No listing was fetched and nothing was charged. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    searchForSale: {
        parameters: {
            query?: {
                /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
                format?: components["parameters"]["Format"];
                /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
                shape?: components["parameters"]["Shape"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same key and the same body returns the first 202 again and does not start a second job. The same key with a different request is refused with 409 `idempotency_key_reused`. The key has no effect on a call that returns 200, because that call does not start a job: `meta.ignored` then names `Idempotency-Key`, and a retry is charged again.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The area and the filters, or search URLs. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description The homes for sale, if the search is small enough to run synchronously. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Row-Count": components["headers"]["X-Row-Count"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Truncated-By": components["headers"]["X-Truncated-By"];
                    "X-Data-Source": components["headers"]["X-Data-Source"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.reso+json": components["schemas"]["ResoAnswer"];
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            202: components["responses"]["JobAccepted"];
            400: components["responses"]["InvalidSearch"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["JobRefused"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    searchForRent: {
        parameters: {
            query?: {
                /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
                format?: components["parameters"]["Format"];
                /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
                shape?: components["parameters"]["Shape"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same key and the same body returns the first 202 again and does not start a second job. The same key with a different request is refused with 409 `idempotency_key_reused`. The key has no effect on a call that returns 200, because that call does not start a job: `meta.ignored` then names `Idempotency-Key`, and a retry is charged again.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The area and the filters, or search URLs. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description The homes for rent, if the search is small enough to run synchronously. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Row-Count": components["headers"]["X-Row-Count"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Truncated-By": components["headers"]["X-Truncated-By"];
                    "X-Data-Source": components["headers"]["X-Data-Source"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.reso+json": components["schemas"]["ResoAnswer"];
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            202: components["responses"]["JobAccepted"];
            400: components["responses"]["InvalidSearch"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["JobRefused"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    searchSold: {
        parameters: {
            query?: {
                /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
                format?: components["parameters"]["Format"];
                /** @description `reso` returns records under the names and lookups of the RESO Data Dictionary 2.0, in RESO Common Format and the media type `application/vnd.reso+json`. A field without a standard name, such as an estimate, has a local name that begins with `X_`. With `format`, CSV and NDJSON have the same names. Without this parameter, records have the names of this API. The price is the same. A search that runs as a job ignores it and names it in `meta.ignored`. */
                shape?: components["parameters"]["Shape"];
                /**
                 * @description The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies. Unlike other parameters, it is refused if it has no value: a call whose limit was lost on the way is not charged.
                 * @example 25
                 */
                max_credits?: components["parameters"]["MaxCreditsQuery"];
            };
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same key and the same body returns the first 202 again and does not start a second job. The same key with a different request is refused with 409 `idempotency_key_reused`. The key has no effect on a call that returns 200, because that call does not start a job: `meta.ignored` then names `Idempotency-Key`, and a retry is charged again.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The maximum charge for this call, in credits. The charge never exceeds it. If the call costs more, it is refused with 402 `max_credits_exceeded`. A result with a price per row is cut to the rows that the limit covers, and has `truncated_by: "max_credits"`. If you also send `maxCredits` or `max_credits`, the smaller value applies. For a job, the limit covers all its stages together. A limit under another name, such as `maxCredits` in the query, is refused with 400 and never ignored.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["MaxCreditsHeader"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The area and the filters, or search URLs. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description The homes sold, if the search is small enough to run synchronously. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-Row-Count": components["headers"]["X-Row-Count"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Truncated-By": components["headers"]["X-Truncated-By"];
                    "X-Data-Source": components["headers"]["X-Data-Source"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.reso+json": components["schemas"]["ResoAnswer"];
                    "application/vnd.lotline.estimate+json": components["schemas"]["EstimateAnswer"];
                };
            };
            202: components["responses"]["JobAccepted"];
            400: components["responses"]["InvalidSearch"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["JobRefused"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["LookupLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /**
                 * @description Return only jobs in this status.
                 * @example succeeded
                 */
                status?: "queued" | "running" | "succeeded" | "failed" | "timed_out" | "aborted";
                /** @description Return only jobs of this type. */
                type?: "search" | "batch_detail" | "chained_search_detail" | "building_units";
                /**
                 * @description Return only entries created at or after this time, as an RFC 3339 date-time with an offset, for example `2026-11-20T00:00:00Z`. Remember to percent-encode a `+`.
                 * @example 2026-11-20T00:00:00Z
                 */
                since?: components["parameters"]["Since"];
                /** @description The maximum number of jobs to return, from 1 to 500. */
                limit?: components["parameters"]["JobsLimit"];
                /** @description How many entries to skip before the first one returned. Increase it by `limit` to read the next page. A page past the end is empty. */
                offset?: components["parameters"]["Offset"];
                /** @description `meta.next_cursor` of the page before, to get the entries behind it. Unlike with `offset`, new entries do not shift the pages. Repeat the same filters; only `limit` may differ. A cursor of another list is refused with 400 `invalid_cursor`. It cannot be used together with `offset`. */
                cursor?: components["parameters"]["ListCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matching jobs, the latest first. An empty array if there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"][];
                        meta: {
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            /**
                             * Format: int64
                             * @description The `limit` that was applied.
                             */
                            limit: number;
                            /**
                             * Format: int64
                             * @description The `offset` that was applied.
                             */
                            offset: number;
                            /** @description Whether there are more entries after these. */
                            has_more: boolean;
                            /** @description `cursor` for the next page: the jobs behind these. Absent if there are none. */
                            next_cursor?: string;
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            /** @description A query parameter is invalid. The message names it. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job, from `data.job_id` of the 202 that accepted it. An id that is not a UUID returns 404 `job_not_found`, as does the id of another account's job.
                 * @example 5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90
                 */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    abortJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the job, from `data.job_id` of the 202 that accepted it. An id that is not a UUID returns 404 `job_not_found`, as does the id of another account's job.
                 * @example 5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90
                 */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job, which is aborted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["JobEnded"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    getJobResults: {
        parameters: {
            query?: {
                /** @description The maximum number of rows to return, from 1 to 1,000, in every format. */
                limit?: components["parameters"]["ResultsLimit"];
                /** @description How many entries to skip before the first one returned. Increase it by `limit` to read the next page. A page past the end is empty. */
                offset?: components["parameters"]["Offset"];
                /** @description `meta.next_cursor` of the page before, to get the entries behind it. Unlike with `offset`, new entries do not shift the pages. Repeat the same filters; only `limit` may differ. A cursor of another list is refused with 400 `invalid_cursor`. It cannot be used together with `offset`. */
                cursor?: components["parameters"]["ListCursor"];
                /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
                format?: components["parameters"]["Format"];
            };
            header?: {
                /**
                 * @description One or more tags from the header `ETag` of earlier responses to the same request. If the response would be the same (see `ETag`), it is 304 without a body, and the call is free. `*` has no effect. The call must still be one that could be paid: if the credits, the limit of the key or `X-Max-Credits` do not cover the least that it can cost, the response is 402, also if the data is the same.
                 * @example W/"4WbIYcXk1q3yqLwZbE0m7Q2uJ9tPzR5s"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the job, from `data.job_id` of the 202 that accepted it. An id that is not a UUID returns 404 `job_not_found`, as does the id of another account's job.
                 * @example 5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90
                 */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the result, in the order in which the job found the rows. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Row-Count": components["headers"]["X-Row-Count"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Truncated-By": components["headers"]["X-Truncated-By"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    "X-Data-Source": components["headers"]["X-Data-Source"];
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["JobResultRow"][];
                        meta: {
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            /**
                             * Format: int64
                             * @description The number of rows of the whole result, or null if it is not known.
                             */
                            total: number | null;
                            /**
                             * Format: int64
                             * @description The `limit` that was applied.
                             */
                            limit: number;
                            /**
                             * Format: int64
                             * @description The `offset` that was applied.
                             */
                            offset: number;
                            /** @description Whether there are more entries after these. */
                            has_more: boolean;
                            /** @description `cursor` for the next page: the rows behind these. Absent if there are none. */
                            next_cursor?: string;
                            /** @description Present, and true, only if the credits, the `maxItems` of a batch, or `maxCredits` cut the result. */
                            truncated?: boolean;
                            /** @description Present only with `truncated`: what cut the job. */
                            truncated_by?: "credits" | "max_items" | "max_credits" | "key_limit" | (string & Record<never, never>);
                            source?: components["schemas"]["DataSource"];
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["JobNotReady"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
    listWatches: {
        parameters: {
            query?: {
                /** @description The maximum number of entries to return, from 1 to 1,000. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `meta.next_cursor` of the page before, to get the entries behind it. New entries do not shift the pages. Repeat the same parameters; only `limit` and `format` may differ. A cursor of another list is refused with 400 `invalid_cursor`. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The watches, the latest first. An empty array if there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ListedWatch"][];
                        meta: components["schemas"]["ListMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    createWatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same `Idempotency-Key` and the same request changes nothing more and returns the first response again, with its secret if it has one; a watch is returned as it is now. A response with a secret is stored encrypted, and only the API key that got it gets it again. The same `Idempotency-Key` with a different request, or with another API key where the response has a secret, is refused with 409 `idempotency_key_reused`. So is a retry whose response cannot be returned any more, because the watch was deleted or because the operator has removed the key that the response was encrypted with; it changes nothing.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["CreationIdempotencyKey"];
                /**
                 * @description With `dry-run`, the call is not made: the response is 200 with what it would cost now, as POST /v1/estimate returns it, in the media type `application/vnd.lotline.estimate+json` and with the header `Preference-Applied: dry-run`. It is free, and the input is checked exactly like that of the call. Other preferences are ignored.
                 * @example dry-run
                 */
                Prefer?: components["parameters"]["PreferDryRun"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The watch to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchInput"];
            };
        };
        responses: {
            200: components["responses"]["DryRun"];
            /** @description The watch, with the number of homes that match now. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Watch"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            /** @description The body is invalid. The message says what is wrong. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["WatchLimit"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    getWatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the watch, from its creation or from GET /v1/watches. An id that is not a UUID returns 404 `not_found`, as does the id of another account's watch.
                 * @example 6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34
                 */
                id: components["parameters"]["WatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The watch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Watch"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No watch of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    deleteWatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the watch, from its creation or from GET /v1/watches. An id that is not a UUID returns 404 `not_found`, as does the id of another account's watch.
                 * @example 6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34
                 */
                id: components["parameters"]["WatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The watch is deleted. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No watch of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    updateWatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the watch, from its creation or from GET /v1/watches. An id that is not a UUID returns 404 `not_found`, as does the id of another account's watch.
                 * @example 6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34
                 */
                id: components["parameters"]["WatchId"];
            };
            cookie?: never;
        };
        /** @description What to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchPatch"];
            };
        };
        responses: {
            /** @description The watch as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Watch"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            /** @description The body is invalid. The message says what is wrong. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No watch of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    listWatchEvents: {
        parameters: {
            query?: {
                /** @description Return the events after this `seq`. With 0, the oldest event comes first. */
                after?: components["parameters"]["AfterSeq"];
                /** @description The maximum number of events to return, from 1 to 1,000. */
                limit?: components["parameters"]["WatchEventsLimit"];
                /** @description `meta.next_cursor` of the page before, to get the events behind it. Only `limit` and `format` may differ. A cursor of another list is refused with 400 `invalid_cursor`. It cannot be used together with `after`. */
                cursor?: components["parameters"]["EventsCursor"];
                /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the watch, from its creation or from GET /v1/watches. An id that is not a UUID returns 404 `not_found`, as does the id of another account's watch.
                 * @example 6d1f0b52-93c7-4e0a-8b6e-2f5a7c9d1e34
                 */
                id: components["parameters"]["WatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events after `after`, in the order of `seq`. An empty array if there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Row-Count": components["headers"]["X-Row-Count"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WatchEvent"][];
                        meta: {
                            /**
                             * Format: int64
                             * @description The number of entries in `data`.
                             */
                            count: number;
                            /**
                             * Format: int64
                             * @description The `limit` that was applied.
                             */
                            limit: number;
                            /** @description Whether there are more events after these. */
                            has_more: boolean;
                            /** @description `cursor` for the next page: the events behind these. Absent if there are none yet. */
                            next_cursor?: string;
                            /**
                             * Format: int64
                             * @description `after` for the next call: the `seq` of the last event here, or the `after` of this call.
                             */
                            next_after: number;
                            ignored?: components["schemas"]["Ignored"];
                        };
                        request_id: components["schemas"]["RequestId"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No watch of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The maximum number of entries to return, from 1 to 1,000. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `meta.next_cursor` of the page before, to get the entries behind it. New entries do not shift the pages. Repeat the same parameters; only `limit` and `format` may differ. A cursor of another list is refused with 400 `invalid_cursor`. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks, live and recently revoked, the latest first. An empty array if there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        meta: components["schemas"]["ListMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same `Idempotency-Key` and the same request changes nothing more and returns the first response again, with its secret if it has one; a watch is returned as it is now. A response with a secret is stored encrypted, and only the API key that got it gets it again. The same `Idempotency-Key` with a different request, or with another API key where the response has a secret, is refused with 409 `idempotency_key_reused`. So is a retry whose response cannot be returned any more, because the watch was deleted or because the operator has removed the key that the response was encrypted with; it changes nothing.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["CreationIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The webhook to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            /** @description The webhook with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            /** @description The body is invalid. The message says what is wrong. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["WebhookLimit"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No webhook of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is revoked. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No webhook of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /** @description What to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            /** @description The body is invalid. The message says what is wrong. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No webhook of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["WebhookInactive"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the receiver answered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookTest"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No webhook of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["WebhookInactive"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: {
                /** @description For how many hours deliveries are signed with the earlier secret too, from 0 to 24. With 0, the earlier secret stops signing immediately: use it when the secret has leaked. */
                overlap_hours?: components["parameters"]["OverlapHours"];
            };
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same `Idempotency-Key` and the same request changes nothing more and returns the first response again, with its secret if it has one; a watch is returned as it is now. A response with a secret is stored encrypted, and only the API key that got it gets it again. The same `Idempotency-Key` with a different request, or with another API key where the response has a secret, is refused with 409 `idempotency_key_reused`. So is a retry whose response cannot be returned any more, because the watch was deleted or because the operator has removed the key that the response was encrypted with; it changes nothing.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["CreationIdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookRotation"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No webhook of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RotationRefused"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The maximum number of delivery attempts to return, from 1 to 200. */
                limit?: components["parameters"]["DeliveriesLimit"];
                /** @description `meta.next_cursor` of the page before, to get the entries behind it. New entries do not shift the pages. Repeat the same parameters; only `limit` and `format` may differ. A cursor of another list is refused with 400 `invalid_cursor`. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempts, the latest first. An empty array if there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        meta: components["schemas"]["ListMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No webhook of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The id of an attempt, from GET /v1/webhooks/{id}/deliveries. An id that is not a number returns 404 `not_found`, as does the id of an attempt to another webhook.
                 * @example 90398
                 */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description The account has no webhook with this id, or the webhook has no attempt with this `delivery_id`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    redeliverWebhookEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same `Idempotency-Key` and the same request changes nothing more and returns the first response again, with its secret if it has one; a watch is returned as it is now. A response with a secret is stored encrypted, and only the API key that got it gets it again. The same `Idempotency-Key` with a different request, or with another API key where the response has a secret, is refused with 409 `idempotency_key_reused`. So is a retry whose response cannot be returned any more, because the watch was deleted or because the operator has removed the key that the response was encrypted with; it changes nothing.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["CreationIdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the webhook, from its creation or from GET /v1/webhooks. An id that is not a UUID returns 404 `not_found`, as does the id of another account's webhook.
                 * @example 2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The id of an attempt, from GET /v1/webhooks/{id}/deliveries. An id that is not a number returns 404 `not_found`, as does the id of an attempt to another webhook.
                 * @example 90398
                 */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event will be sent now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Redelivery"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No webhook of this account has this id, or the webhook has no attempt with this id. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /** @description The webhook is revoked or paused (`webhook_inactive`), or an attempt of the event is already due or under way (`delivery_in_progress`), or the `Idempotency-Key` was used for another request (`idempotency_key_reused`). */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The maximum number of entries to return, from 1 to 1,000. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `meta.next_cursor` of the page before, to get the entries behind it. New entries do not shift the pages. Repeat the same parameters; only `limit` and `format` may differ. A cursor of another list is refused with 400 `invalid_cursor`. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, the latest first. The key of this call is always in the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        meta: components["schemas"]["ListMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same `Idempotency-Key` and the same request changes nothing more and returns the first response again, with its secret if it has one; a watch is returned as it is now. A response with a secret is stored encrypted, and only the API key that got it gets it again. The same `Idempotency-Key` with a different request, or with another API key where the response has a secret, is refused with 409 `idempotency_key_reused`. So is a retry whose response cannot be returned any more, because the watch was deleted or because the operator has removed the key that the response was encrypted with; it changes nothing.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["CreationIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The key to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            /** @description The key. Store it now: it is not shown again. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyWithSecret"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            /** @description The body is invalid. The message says what is wrong. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The account has as many live keys as its plan allows (`key_count_limit`), or the `Idempotency-Key` was used for another request (`idempotency_key_reused`). */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key, from its creation or from GET /v1/keys. It is not the key itself. An id that is not a UUID returns 404 `not_found`, as does the id of another account's key.
                 * @example 8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80
                 */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No key of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    deleteKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key, from its creation or from GET /v1/keys. It is not the key itself. An id that is not a UUID returns 404 `not_found`, as does the id of another account's key.
                 * @example 8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80
                 */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No key of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key, from its creation or from GET /v1/keys. It is not the key itself. An id that is not a UUID returns 404 `not_found`, as does the id of another account's key.
                 * @example 8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80
                 */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /** @description What to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyPatch"];
            };
        };
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            /** @description The body is invalid. The message says what is wrong. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No key of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The key is revoked or has expired (`key_revoked`). */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    rotateKey: {
        parameters: {
            query?: {
                /** @description For how many minutes the old key still works, from 0 to 43,200 (30 days). With 0, it is revoked immediately: use it when the key has leaked. */
                grace_minutes?: components["parameters"]["GraceMinutes"];
            };
            header?: {
                /**
                 * @description A unique name for this request, ideally a new UUID. It makes the request safe to retry. Within 24 hours, a retry with the same `Idempotency-Key` and the same request changes nothing more and returns the first response again, with its secret if it has one; a watch is returned as it is now. A response with a secret is stored encrypted, and only the API key that got it gets it again. The same `Idempotency-Key` with a different request, or with another API key where the response has a secret, is refused with 409 `idempotency_key_reused`. So is a retry whose response cannot be returned any more, because the watch was deleted or because the operator has removed the key that the response was encrypted with; it changes nothing.
                 * @example 7d9c2f4e-8a31-4c6b-b5d0-1e9f3a6c8b27
                 */
                "Idempotency-Key"?: components["parameters"]["CreationIdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the key, from its creation or from GET /v1/keys. It is not the key itself. An id that is not a UUID returns 404 `not_found`, as does the id of another account's key.
                 * @example 8c0e6d5f-3a71-4b2e-9f64-1d7a5c2b9e80
                 */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new key. Store it now: it is not shown again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyRotation"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            /** @description No key of this account has this id, or the id is not a UUID. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /** @description The key is revoked (`key_revoked`), or the account would have more live keys than its plan allows (`key_count_limit`), or the `Idempotency-Key` was used for another request (`idempotency_key_reused`). */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    estimateCall: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `X-Max-Credits` of the estimated call, in credits. The estimate is that of the call with this header: `would_be_refused` and `would_be_truncated` say what the limit would do. If the `input` also has `maxCredits` or `max_credits`, the smaller value applies. The estimate itself is free.
                 * @example 25
                 */
                "X-Max-Credits"?: components["parameters"]["EstimatedMaxCredits"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The operation and its input. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateRequest"];
            };
        };
        responses: {
            /** @description The estimate. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Estimate"];
                        meta?: components["schemas"]["AnswerMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            /** @description The input is invalid, as it would be for the call itself; or the body is. Nothing was charged. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    listUsage: {
        parameters: {
            query?: {
                /**
                 * @description Return only entries created at or after this time, as an RFC 3339 date-time with an offset, for example `2026-11-20T00:00:00Z`. Remember to percent-encode a `+`.
                 * @example 2026-11-20T00:00:00Z
                 */
                since?: components["parameters"]["Since"];
                /** @description The maximum number of rows to return, from 1 to 1,000. */
                limit?: components["parameters"]["UsageLimit"];
                /** @description How many entries to skip before the first one returned. Increase it by `limit` to read the next page. A page past the end is empty. */
                offset?: components["parameters"]["Offset"];
                /** @description `meta.next_cursor` of the page before, to get the entries behind it. Unlike with `offset`, new entries do not shift the pages. Repeat the same filters; only `limit` may differ. A cursor of another list is refused with 400 `invalid_cursor`. It cannot be used together with `offset`. */
                cursor?: components["parameters"]["ListCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows, the latest first. An empty array if there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageRow"][];
                        meta: components["schemas"]["UsageMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                };
            };
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    summarizeUsage: {
        parameters: {
            query?: {
                /** @description What the usage is summed by: `day` (in UTC), `operation` (the `operationId`), `key` (the id of the API key), or `status` (the HTTP status of the response). */
                by?: components["parameters"]["UsageBy"];
                /**
                 * @description Return only entries created at or after this time, as an RFC 3339 date-time with an offset, for example `2026-11-20T00:00:00Z`. Remember to percent-encode a `+`.
                 * @example 2026-11-20T00:00:00Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description Return only entries created before this time, as an RFC 3339 date-time with an offset, for example `2026-11-21T00:00:00Z`. Remember to percent-encode a `+`.
                 * @example 2026-11-21T00:00:00Z
                 */
                until?: components["parameters"]["Until"];
                /** @description The format of the rows: `json` in the usual envelope, `csv` as RFC 4180 with a header line and dotted column names, or `ndjson` with one JSON object per line. If nothing was found, both CSV and NDJSON are empty; CSV has no header line then. CSV and NDJSON have the values of `meta` in headers. Without this parameter the header `Accept` decides, and without either the response is JSON. Errors and 202 responses are always JSON. */
                format?: components["parameters"]["Format"];
                /** @description The maximum number of entries to return, from 1 to 1,000. */
                limit?: components["parameters"]["PageLimit"];
                /** @description `meta.next_cursor` of the page before, to get the entries behind it. New entries do not shift the pages. Repeat the same parameters; only `limit` and `format` may differ. A cursor of another list is refused with 400 `invalid_cursor`. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. By day, the earliest day comes first; otherwise the highest charge comes first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Remaining": components["headers"]["X-Credits-Remaining"];
                    "X-Key-Credits-Remaining": components["headers"]["X-Key-Credits-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Row-Count": components["headers"]["X-Row-Count"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Ignored-Input": components["headers"]["X-Ignored-Input"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageSummaryRow"][];
                        meta: components["schemas"]["UsageSummaryMeta"];
                        request_id: components["schemas"]["RequestId"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidPage"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OutOfCredits"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueueTimeout"];
        };
    };
    onJobSucceeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onJobFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onJobTimedOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onJobAborted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWatchChanges: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchChangesEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWatchReady: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchStatusEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWatchPaused: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchStatusEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWatchQuarantined: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchStatusEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCreditsLow: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditsEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKeyLimitReached: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyLimitEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failed attempt. By default, retries follow after 60 and 240 seconds. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookPing: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event, the same as `id` in the body. It is the same in every attempt to deliver the event: store it to detect duplicates.
                 * @example evt_01M7WSV2C4E6G8J0K2M4N6P8Q1
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01T00:00:00Z. It is part of the signed content. Refuse deliveries that are more than five minutes old.
                 * @example 1795194133
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures, separated by spaces. Each is `v1,` followed by the Base64 form of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook. The delivery is genuine if one of them matches. There is more than one only while a secret is being replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description Which attempt this is, counted from 1, the same as `attempt` in the body.
                 * @example 1
                 */
                "webhook-attempt": components["parameters"]["WebhookAttemptHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PingEvent"];
            };
        };
        responses: {
            /** @description The event was received. Every status from 200 to 299 counts as delivered. The body is optional. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received, without a body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not received. Every status outside 200 to 299, including redirects, counts as a failure. There is no retry. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
