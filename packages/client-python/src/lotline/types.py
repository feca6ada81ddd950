# Generated from spec/ by `pnpm generate`. Edits are lost: change the contract instead.
"""The types of the contract: what calls return and accept, as dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias, TypedDict
else:
    from typing import TypedDict

    # At run time the annotations are text, and these names only have to exist.
    NotRequired = TypeAlias = Any

__all__ = [
    "AcceptedJob",
    "AcceptedJobAnswer",
    "Account",
    "AccountCredits",
    "AccountKey",
    "AccountLimit",
    "AccountLimits",
    "AccountPlan",
    "Address",
    "Agent",
    "AmbiguousPlaceDetails",
    "AnswerMeta",
    "ApiKey",
    "ApiKeyInput",
    "ApiKeyPatch",
    "ApiKeyRotation",
    "ApiKeyWithSecret",
    "Area",
    "AreaFeatures",
    "AreaGeometry",
    "AttributionInfo",
    "AttributionInfoListingAgents",
    "AttributionInfoListingOffices",
    "BatchRequest",
    "BoundingBox",
    "BuildingUnit",
    "BuildingUnitBikeScore",
    "BuildingUnitBuildingAttributes",
    "BuildingUnitSpecialOffers",
    "BuildingUnitTransitScore",
    "BuildingUnitWalkScore",
    "Cached",
    "CreditLimit",
    "CreditLimitInput",
    "CreditsEvent",
    "CreditsEventData",
    "CreditsEventDataCredits",
    "CreditsEventDataThreshold",
    "DataSource",
    "DaysOnSite",
    "Error",
    "ErrorCode",
    "ErrorError",
    "ErrorErrorDetails",
    "Estimate",
    "EstimateAnswer",
    "EstimateRequest",
    "EstimateRequestInput",
    "EventId",
    "EventSubject",
    "ExtractUnits",
    "ExtractionMethod",
    "GetBuildingUnitsData",
    "GetBuildingUnitsMeta",
    "GetJobResultsMeta",
    "GetPropertyAgentMeta",
    "GetPropertyByUrlMeta",
    "GetPropertyFactsMeta",
    "GetPropertyNearbyMeta",
    "GetPropertyOpenHousesMeta",
    "GetPropertyPhotosMeta",
    "GetPropertyPriceHistoryMeta",
    "GetPropertySchoolsMeta",
    "GetPropertyTaxHistoryMeta",
    "GetPropertyZestimateMeta",
    "HomeInfo",
    "HomeInfoOpenHouseInfo",
    "HomeInfoOpenHouseInfoOpenHouseShowing",
    "HomeType",
    "Ignored",
    "IgnoredName",
    "IntegerRange",
    "InvalidAddressDetails",
    "InvalidCursorDetails",
    "InvalidEventsDetails",
    "InvalidExtractUnitsDetails",
    "InvalidFiltersDetails",
    "InvalidMetadataDetails",
    "InvalidParameterDetails",
    "InvalidSearchUrlDetails",
    "InvalidStatusDetails",
    "InvalidUrlDetails",
    "InvalidZpidDetails",
    "Job",
    "JobCoverage",
    "JobEndedDetails",
    "JobError",
    "JobEvent",
    "JobEventData",
    "JobFailure",
    "JobLimitDetails",
    "JobNotFoundDetails",
    "JobNotReadyDetails",
    "JobProgress",
    "JobResultRow",
    "JobSkipped",
    "JobStatus",
    "JobType",
    "KeyLimitEvent",
    "KeyLimitEventData",
    "KeyLimitReachedDetails",
    "KeyNotAllowedDetails",
    "ListJobsMeta",
    "ListMeta",
    "ListWatchEventsMeta",
    "ListedWatch",
    "ListingMetadata",
    "ListingStatus",
    "ListingSubType",
    "LookupBudgetExceededDetails",
    "MaxCreditsExceededDetails",
    "MissingInputDetails",
    "NearbyHome",
    "NearbyHomeAttributionInfo",
    "NearbyHomeListingMetadata",
    "NearbyHomeMiniCardPhotos",
    "NearbyRegion",
    "NearbyRegionRegionUrl",
    "NotFoundDetails",
    "NumberRange",
    "OpenHouse",
    "OutOfCreditsDetails",
    "Photo",
    "PhotoMixedSources",
    "PhotoMixedSourcesJpeg",
    "PhotoMixedSourcesWebp",
    "PingEvent",
    "PlaceCandidate",
    "PlaceInfo",
    "PlaceKind",
    "PlanId",
    "PostingContact",
    "PriceEvent",
    "PriceEventAttributeSource",
    "Property",
    "PropertyAgent",
    "PropertyBroker",
    "PropertyForeclosureMoreInfo",
    "PropertyForeclosureTypes",
    "PropertyHomeInsights",
    "PropertyListedBy",
    "PropertyMortgageRates",
    "PropertyMortgageZHLRates",
    "PropertyMortgageZHLRatesArm5Bucket",
    "PropertyMortgageZHLRatesFifteenYearFixedBucket",
    "PropertyMortgageZHLRatesThirtyYearFixedBucket",
    "PropertyNeighborhoodRegion",
    "PropertyParentRegion",
    "PropertySelfTour",
    "PropertyThirdPartyVirtualTour",
    "PropertyVrModel",
    "RateLimitedDetails",
    "RecordMeta",
    "RecordRow",
    "Redelivery",
    "RequestId",
    "ResoAnswer",
    "ResoFacts",
    "ResoFactsAssociations",
    "ResoFactsAtAGlanceFacts",
    "ResoFactsFeesAndDues",
    "ResoProperty",
    "Room",
    "RowListingSubType",
    "SaleType",
    "School",
    "SearchFilters",
    "SearchMeta",
    "SearchRequest",
    "SearchResult",
    "SearchRow",
    "SearchRowHdpData",
    "SearchRowLatLong",
    "SearchRowUnits",
    "SearchRowVariableData",
    "SearchRowVariableDataData",
    "SearchSort",
    "SearchStatus",
    "SearchUrl",
    "ServiceUnavailableDetails",
    "SiteLink",
    "SubscribableEvent",
    "TaxEvent",
    "TourEligibility",
    "TourEligibilityPropertyTourOptions",
    "UnknownPlaceDetails",
    "UpstreamTimeoutDetails",
    "UsageMeta",
    "UsageRow",
    "UsageSummaryMeta",
    "UsageSummaryRow",
    "UsageSums",
    "Watch",
    "WatchChangesEvent",
    "WatchChangesEventData",
    "WatchDigestFrequency",
    "WatchEvent",
    "WatchEventChange",
    "WatchEventType",
    "WatchFacts",
    "WatchInput",
    "WatchInterval",
    "WatchListingEvent",
    "WatchMinChange",
    "WatchMinChangeInput",
    "WatchPatch",
    "WatchStatusEvent",
    "WatchStatusEventData",
    "WatchSubscriber",
    "WatchSubscriberInput",
    "Webhook",
    "WebhookDelivery",
    "WebhookEventType",
    "WebhookInput",
    "WebhookPatch",
    "WebhookRotation",
    "WebhookTest",
    "WebhookWithSecret",
    "WithDetailsRequest",
    "Withheld",
    "Zestimate",
]

class AcceptedJob(TypedDict):
    """The receipt for work that was accepted as a job. Check its status with GET /v1/jobs/{id}, or register a webhook to be notified when it ends."""

    job_id: str
    """The id of the job, for GET /v1/jobs/{id} and GET /v1/jobs/{id}/results."""

    status: Literal["queued", "running"] | str
    """The status at the moment of acceptance."""

    stage: NotRequired[Literal["search", "detail"] | str | None]
    """The stage at the moment of acceptance. It is `search` for POST /v1/search/with-details; other jobs have no stages and leave the field out."""



class AcceptedJobAnswer(TypedDict):
    """The response to a call that started a job."""

    data: AcceptedJob
    """The receipt for work that was accepted as a job. Check its status with GET /v1/jobs/{id}, or register a webhook to be notified when it ends."""

    meta: NotRequired[AnswerMeta]
    """Information about the response. Absent if it would be empty."""

    request_id: RequestId
    """The id of one request. It is in the body and in the header `X-Request-Id` of every response, and in the request's row of GET /v1/usage."""



class AccountPlan(TypedDict):
    """The plan, and its figures for this account."""

    id: PlanId
    """The plan of the account. These are the default plans and their figures. The operator of the service can change the
    figures and add plans: GET /v1/me returns those of your account.
    """

    credits_per_cycle: int
    """The credits granted at the start of each cycle. The free plan grants them once and has no further cycles."""

    rate_limit_per_minute: int
    """The requests that each key may make in any 60 seconds."""

    max_watch_matches: int
    """The homes that a watch may match when it is created or its `filters` change."""



class AccountCredits(TypedDict):
    """The credits of the account."""

    balance: int
    """The remaining credits, including those that running jobs hold. At 0 every call returns 402 `out_of_credits`."""

    held: int
    """The part of the balance that running jobs hold. It is charged or returned when they end."""

    available: int
    """The credits that you can spend now, which is `balance` minus `held`."""

    granted_this_cycle: int
    """The credits that the plan granted in the present cycle. Top-ups are not among them; they carry over from cycle to cycle and are spent last."""



class AccountKey(TypedDict):
    """The credit limit of the key that made the call. All fields are null if the key has no limit. Such a key can spend all credits of the account."""

    limit: CreditLimit | None
    """The limit."""

    used: int | None
    """The credits that count in the present period: those that were charged to the key, and those that are held for its jobs."""

    remaining: int | None
    """The credits that the limit leaves. The account may have fewer; the smaller number applies."""

    resets_at: str | None
    """When the next period begins. Null for a `total` limit."""



class AccountLimits(TypedDict):
    """The limits of what the account is not charged for. Each has the number that counts now (`used`) and the number that is allowed (`limit`). The limits apply to the account, over all of its keys. Limits may be added."""

    failed_lookups_per_minute: AccountLimit
    """The lookups that fail in a minute. A lookup fails when the data source is asked and has nothing. Calls and the entries of jobs share this budget. A minute begins with its first failed lookup. Lookups that are under way count until they find something."""

    failed_lookups_per_day: AccountLimit
    """The lookups that fail in 24 hours. A day begins with its first failed lookup."""

    open_jobs: AccountLimit
    """The jobs that are queued or running."""

    stored_rows: AccountLimit
    """The result rows of all jobs. Rows are stored for 30 days after their job ended. At the limit, no further job is accepted."""

    stored_bytes: AccountLimit
    """The bytes of the result rows, the failed entries and the requests of open jobs. Each failed entry counts 100 bytes more, and each job 1,024. At the limit, no further job is accepted."""

    watches: AccountLimit
    """The watches of the account, paused ones included."""

    watch_queries_per_hour: AccountLimit
    """The queries in an hour that the watches of the account make to a remote data source. When they are used up, the watches are searched later."""



class Account(TypedDict):
    """The account that the API key belongs to, with its plan and its credits."""

    id: str
    """The id of the account."""

    email: NotRequired[str]
    """The email address of the account. It is left out for accounts without one and for keys that were issued to an AI connector through OAuth, and may be left out for a while when the origin of a key cannot be verified. Do not rely on it."""

    plan_id: PlanId
    """The plan of the account. These are the default plans and their figures. The operator of the service can change the
    figures and add plans: GET /v1/me returns those of your account.
    """

    current_period_start: str
    """When the current cycle of the plan began."""

    status: Literal["active", "suspended"] | str
    """The state of the account. Calls of a suspended account are refused with 403 `account_suspended`, so a successful answer says `active`."""

    plan: AccountPlan
    """The plan, and its figures for this account."""

    credits: AccountCredits
    """The credits of the account."""

    key: NotRequired[AccountKey]
    """The credit limit of the key that made the call. All fields are null if the key has no limit. Such a key can spend all credits of the account."""

    limits: AccountLimits
    """The limits of what the account is not charged for. Each has the number that counts now (`used`) and the number that is allowed (`limit`). The limits apply to the account, over all of its keys. Limits may be added."""



class AccountLimit(TypedDict):
    """A limit of the account, and how much of it is used."""

    used: int
    """The number that counts now. It can be above `limit`, for example after a change to a smaller plan."""

    limit: int | None
    """The number that is allowed. Null if there is no limit."""



class Address(TypedDict):
    """A postal address in parts, spelled as the data source spells it. Any part can be null: public records often lack the street, and an owner may keep it undisclosed."""

    streetAddress: NotRequired[str | None]
    """House number, street and unit in one line, for example `2114 Bigelow Ave N APT 3`; null where the data source withholds it."""

    city: NotRequired[str | None]
    """The city or town of the postal address; it need not be the municipality that taxes the home."""

    state: NotRequired[str | None]
    """The two-letter postal abbreviation of the state, for example `WA`."""

    zipcode: NotRequired[str | None]
    """The five-digit ZIP code, as a string so that leading zeros stay."""

    neighborhood: NotRequired[str | None]
    """The neighborhood's name, where the data source assigns one."""

    community: NotRequired[str | None]
    """The planned or gated community that the home belongs to, by its marketed name."""

    subdivision: NotRequired[str | None]
    """The subdivision under which the land was platted (RESO SubdivisionName)."""



class Agent(TypedDict):
    """Who to talk to about a home: its listing agent and the agent's brokerage. Every field is present; all of them are null for a home that is not listed, or listed by its owner. These are personal data of people at work: use them to ask about the listing, and store them no longer than you must."""

    agentName: str | None
    """The full name of the listing agent."""

    agentEmail: str | None
    """The listing agent's e-mail address; null where the MLS does not release it, which is common."""

    agentPhoneNumber: str | None
    """The listing agent's phone number, formatted as the feed sends it."""

    agentLicenseNumber: str | None
    """The number of the listing agent's state license, which the state's register can verify."""

    brokerName: str | None
    """The brokerage that holds the listing."""

    brokerPhoneNumber: str | None
    """The brokerage's office phone number, formatted as the feed sends it."""

    attributionInfo: AttributionInfo
    """Who listed the home, and what the multiple listing service (MLS) requires to be shown with it. If you display a listing to the public, the MLS's rules usually oblige you to show the agent, the broker and the disclaimer found here. Empty for homes that no agent lists."""



class AnswerMeta(TypedDict):
    """Information about the response. Absent if it would be empty."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class ApiKey(TypedDict):
    """An API key of the account, without the key itself."""

    id: str
    """The id of the key. GET /v1/usage/summary sums usage by it."""

    name: str
    """Your own name for it. An empty string if none was given."""

    last4: str
    """The last four characters of the key."""

    active: bool
    """Whether the key works now. It is false once the key is revoked or has expired."""

    current: bool
    """Whether this is the key that the call was made with."""

    allowed_operations: list[str] | None
    """The operations that the key may use. Null if it may use all."""

    oauth_client: NotRequired[str]
    """The OAuth client that the key was issued to: its id, or the address of its metadata. Left out for all other keys."""

    credit_limit: CreditLimit | None
    """How many credits the key can spend. Null: all credits of the account."""

    expires_at: str | None
    """When the key stops working. Null if it does not expire."""

    created_at: str
    """When the key was created."""

    last_used_at: str | None
    """When the key was last used, to the minute. It is updated about once a minute. Null if it was never used."""

    revoked_at: str | None
    """When the key was revoked, or will be after a rotation. Null if it is not revoked."""



class ApiKeyInput(TypedDict):
    """The key to create. What you leave out, the new key has as the key that creates it."""

    name: str
    """A name of your own, up to 100 characters."""

    allowed_operations: NotRequired[list[str] | None]
    """The operations that the key may use, by their operationIds. Other calls with it are refused with 403 `key_not_allowed`. An empty list is refused."""

    credit_limit: NotRequired[CreditLimitInput | None]
    """The most credits that a key can spend in each period."""

    expires_at: NotRequired[str | None]
    """When the key stops working, a time in the future."""



class ApiKeyPatch(TypedDict):
    """The fields of the key to change. Fields that you leave out stay as they are. Null removes a limit, and changes nothing in `name`. You can send what a GET returned: fields that cannot be changed are accepted."""

    name: NotRequired[str | None]
    """A name of your own, up to 100 characters."""

    allowed_operations: NotRequired[list[str] | None]
    """The operations that the key may use from now on, by their operationIds. Null: all operations. An empty list is refused."""

    credit_limit: NotRequired[CreditLimitInput | None]
    """How many credits the key can spend from now on. Null: all credits of the account."""

    expires_at: NotRequired[str | None]
    """When the key stops working, a time in the future. Null: it does not expire."""



class ApiKeyRotation(ApiKey):
    """The key that takes the place of another one, with the key itself."""

    key: str
    """The key. It is shown only here, so store it now."""

    old_key_id: str
    """The id of the key that it replaces."""

    old_key_revoked_at: str
    """Until when the old key works."""



class ApiKeyWithSecret(ApiKey):
    """A new API key, with the key itself."""

    key: str
    """The key. It is shown only here, so store it now."""



class AreaFeatures(TypedDict):
    """A GeoJSON feature. Its `properties`, `id` and `bbox` have no effect."""

    type: Literal["Feature"]
    """Always `Feature`."""

    geometry: AreaGeometry
    """The polygons of a GeoJSON feature."""



class Area(TypedDict):
    """A part of the map. `Polygon` and `MultiPolygon` are GeoJSON geometries (RFC 7946) with `coordinates`; a `Feature` has such a `geometry`, and a `FeatureCollection` has `features`, whose polygons are searched together; `circle` has `center` and `radius_m`; `bbox` has `west`, `south`, `east` and `north`; `place` has `kind`, and `id` or `name`, and is the area inside the boundary of that place. Positions are longitude first, then latitude, in degrees (WGS 84). Edges are straight lines in longitude and latitude. Homes on an edge are in the area, also on the edge of a hole; homes inside a hole are not. There is no tolerance. The direction of a ring makes no difference.

    Other fields, such as `bbox`, `properties` or `crs` of GeoJSON, have no effect and are named in `meta.ignored`. In an area of type `bbox`, they are refused.

    Areas are not repaired. A ring that is not closed, has fewer than four positions or crosses itself, a hole outside its outer ring, a longitude beyond 180 degrees, an edge that spans more than 180 degrees of longitude, a geometry of a feature that is no polygon, and latitudes that come first are refused with 400 `invalid_filters`; `details` has `path`, `position` and `hint`. To cross the antimeridian, cut a polygon at 180 degrees into a `MultiPolygon`, or send a `bbox` with `west` greater than `east`.
    """

    type: Literal["Polygon", "MultiPolygon", "Feature", "FeatureCollection", "circle", "bbox", "place"]
    """The kind of area."""

    coordinates: NotRequired[list[list[list[float | list[float]]]] | None]
    """For a `Polygon`: its rings, the outer ring first, then its holes. For a `MultiPolygon`: the rings of each polygon. A ring is a list of positions, and the last position repeats the first."""

    geometry: NotRequired[AreaGeometry | None]
    """The polygons of a GeoJSON feature."""

    features: NotRequired[list[AreaFeatures] | None]
    """For a `FeatureCollection`: its features. A home is in the area if it is in the polygons of at least one of them."""

    center: NotRequired[list[float] | None]
    """The center of a `circle`, longitude first."""

    radius_m: NotRequired[float | None]
    """The radius of a `circle` in meters, from 1 to 100,000. Homes whose great-circle distance from the center (on the mean radius of the earth, 6,371,008.8 m) is at most this are in the area."""

    west: NotRequired[float | None]
    """The western edge of a `bbox`. It is greater than `east` across the antimeridian."""

    south: NotRequired[float | None]
    """The southern edge of a `bbox`."""

    east: NotRequired[float | None]
    """The eastern edge of a `bbox`."""

    north: NotRequired[float | None]
    """The northern edge of a `bbox`."""

    kind: NotRequired[PlaceKind | None]
    """The kind of a `place`. States and counties are built in; their boundaries are simplified to a scale of 1:10,000,000. The other kinds, and more exact counties, exist if the operator of the service has imported them."""

    id: NotRequired[str | None]
    """The id of a `place` in its kind: the FIPS code of a state or a county, for example `53033`, or the id that the source of the boundary uses. An unknown id is refused with 400 `unknown_place`."""

    name: NotRequired[str | None]
    """The name of a `place` instead of its id, with or without its state: `King County, WA`. Capitals, accents and punctuation make no difference. An unknown name is refused with 400 `unknown_place`. A name that several places have is refused with 400 `ambiguous_place`; `details.places` lists up to 10 of them."""



class AreaGeometry(TypedDict):
    """The polygons of a GeoJSON feature."""

    type: Literal["Polygon", "MultiPolygon"]
    """The kind of geometry. Points and lines have no homes in them and are refused."""

    coordinates: list[list[list[float | list[float]]]]
    """For a `Polygon`: its rings, the outer ring first, then its holes. For a `MultiPolygon`: the rings of each polygon. A ring is a list of positions, and the last position repeats the first."""



class AttributionInfoListingAgents(TypedDict):
    associatedAgentType: NotRequired[str | None]
    """The agent's part in the listing, for example `listAgent` or `coListAgent`."""

    memberFullName: NotRequired[str | None]
    """The agent's full name as registered with the MLS."""

    memberStateLicense: NotRequired[str | None]
    """The number of the agent's state license."""



class AttributionInfoListingOffices(TypedDict):
    associatedOfficeType: NotRequired[str | None]
    """The office's part in the listing, for example `listOffice` or `coListOffice`."""

    officeName: NotRequired[str | None]
    """The office's name as registered with the MLS."""



class AttributionInfo(TypedDict):
    """Who listed the home, and what the multiple listing service (MLS) requires to be shown with it. If you display a listing to the public, the MLS's rules usually oblige you to show the agent, the broker and the disclaimer found here. Empty for homes that no agent lists."""

    agentName: NotRequired[str | None]
    """The full name of the listing agent."""

    agentEmail: NotRequired[str | None]
    """The listing agent's e-mail address; null where the MLS does not release it."""

    agentPhoneNumber: NotRequired[str | None]
    """The listing agent's phone number, formatted as the feed sends it."""

    agentLicenseNumber: NotRequired[str | None]
    """The number of the listing agent's state license."""

    brokerName: NotRequired[str | None]
    """The brokerage that holds the listing."""

    brokerPhoneNumber: NotRequired[str | None]
    """The brokerage's office phone number, formatted as the feed sends it."""

    coAgentName: NotRequired[str | None]
    """The full name of a second listing agent; null for most listings."""

    coAgentNumber: NotRequired[str | None]
    """The second listing agent's phone number."""

    coAgentLicenseNumber: NotRequired[str | None]
    """The number of the second listing agent's state license."""

    buyerAgentName: NotRequired[str | None]
    """The agent who represented the buyer; null until the home is sold."""

    buyerAgentMemberStateLicense: NotRequired[str | None]
    """The number of the buyer's agent's state license; null until the home is sold."""

    buyerBrokerageName: NotRequired[str | None]
    """The brokerage of the buyer's agent; null until the home is sold."""

    listingAgents: NotRequired[list[AttributionInfoListingAgents] | None]
    """Every agent on the selling side, the main one first."""

    listingOffices: NotRequired[list[AttributionInfoListingOffices] | None]
    """Every brokerage office on the selling side, the main one first."""

    listingAgreement: NotRequired[str | None]
    """The contract between seller and broker, for example `Exclusive Right To Sell`."""

    attributionTitle: NotRequired[str | None]
    """The heading that must stand above the attribution, for example `Listing provided by`; null where the MLS asks for none."""

    attributionContact: NotRequired[str | None]
    """The phone number or e-mail address that the MLS wants shown with the listing (RESO AttributionContact)."""

    mlsId: NotRequired[str | None]
    """The listing's number within its MLS; unique only together with `mlsName`."""

    mlsName: NotRequired[str | None]
    """The MLS that the listing comes from."""

    mlsDisclaimer: NotRequired[str | None]
    """The disclaimer and copyright notice that the MLS requires on every page showing the listing."""

    providerLogo: NotRequired[str | None]
    """The URL of the MLS's logo, to be shown where its rules ask for it."""

    trueStatus: NotRequired[str | None]
    """The status in the MLS's own words, for example `Active Under Contract`, where it says more than `homeStatus`; null otherwise."""

    lastChecked: NotRequired[str | None]
    """When the data source last compared the listing with the MLS, as date and time text."""

    lastUpdated: NotRequired[str | None]
    """When the MLS last changed the listing, as date and time text."""

    infoString3: NotRequired[str | None]
    """A text slot that an MLS fills by its own rules, mostly with its legal notice; often empty."""

    infoString5: NotRequired[str | None]
    """A text slot that an MLS fills by its own rules, mostly with a line to print under the price."""

    infoString10: NotRequired[str | None]
    """A text slot that an MLS fills by its own rules, mostly with a line about the data's accuracy."""

    infoString16: NotRequired[str | None]
    """A text slot that an MLS fills by its own rules, mostly with the URL of an image."""



class BatchRequest(TypedDict):
    """The homes to look up: at least one entry in `urls` or `addresses`, and up to 500 in both together. A body without entries is refused with `missing_input`. Unknown fields are ignored and named in `meta.ignored`."""

    urls: NotRequired[list[str] | None]
    """Listing-site URLs of homes and buildings, of the kinds and hosts that GET /v1/properties/by-url takes. `urls` and `addresses` hold up to 500 entries together; an entry that is repeated is looked up, charged and returned once. An empty list is the same as none."""

    addresses: NotRequired[list[str] | None]
    """Full addresses on one line each, as GET /v1/properties/by-address takes them: street with house number, city, state and ZIP code. The street and a city or ZIP code are required. An empty list is the same as none."""

    propertyStatus: NotRequired[ListingStatus | None]
    """Which listing of a home is wanted, when it has several:"""

    extractBuildingUnits: NotRequired[ExtractUnits | None]
    """What to do with buildings: `disabled` returns the building's own record. `all` returns the records of all its units instead; the other values return only the units of that status. Each unit is a record and is charged as one."""

    maxItems: NotRequired[int | None]
    """The maximum number of records to return, including a building's own record. Records are returned in the order of the entries, `urls` before `addresses`. When the limit is reached before the last entry, the job has `truncated_by: "max_items"` and lists the entries that were left out in `skipped`. If you omit it, every record found is returned."""

    maxCredits: NotRequired[int | None]
    """The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies."""



class BoundingBox(TypedDict):
    """The area of a search, in degrees (WGS 84). All four bounds are required and belong to the area. `south` must not lie above `north`. A `west` greater than `east` is a box that crosses the antimeridian, as in RFC 7946: from 179 to -179 it is two degrees wide, not 358. Any other field in it is refused with `invalid_filters`."""

    west: float
    """The western edge, in degrees of longitude; west of Greenwich is negative."""

    south: float
    """The southern edge, in degrees of latitude, at most equal to `north`."""

    east: float
    """The eastern edge, in degrees of longitude; smaller than `west` across the antimeridian."""

    north: float
    """The northern edge, in degrees of latitude."""



class BuildingUnitBuildingAttributes(TypedDict):
    """Facts about the building as a whole."""

    appliances: NotRequired[list[str] | None]
    """The appliances found in its units."""

    petPolicies: NotRequired[list[str] | None]
    """The rules for pets, one sentence each."""



class BuildingUnitSpecialOffers(TypedDict):
    description: NotRequired[str | None]
    """The offer in the landlord's words."""



class BuildingUnitWalkScore(TypedDict):
    """How well errands can be done on foot."""

    walkscore: NotRequired[int | None]
    """From 0 (needs a car) to 100 (everything on foot)."""

    description: NotRequired[str | None]
    """The score in words."""



class BuildingUnitTransitScore(TypedDict):
    """How well public transport serves the building."""

    transit_score: NotRequired[int | None]
    """From 0 (none near) to 100 (excellent)."""



class BuildingUnitBikeScore(TypedDict):
    """How well the surroundings suit bicycles."""

    bikescore: NotRequired[int | None]
    """From 0 (hardly) to 100 (flat and full of lanes)."""



class BuildingUnit(TypedDict):
    """One unit of a multi-unit building. The first item of a building's list can be the building itself, its parent record: it has no `unitNumber`, may carry the building's own fields at the end of this list, and is neither counted nor charged."""

    zpid: str
    """The id of the unit, for the lookups by id; on the parent record, that of the building."""

    unitNumber: NotRequired[str]
    """The unit's number or letter on its door, without a designator, for example `407` or `B-1`. Present on every unit and absent from the parent record: this is how to tell them apart."""

    price: NotRequired[float | None]
    """The price of the unit in US dollars: a monthly rent, an asking price or a sale price, as `homeStatus` tells. Null for units off the market."""

    minPrice: NotRequired[float | None]
    """The lowest price in US dollars, where it depends on the lease or, on the parent record, on the unit."""

    maxPrice: NotRequired[float | None]
    """The highest price in US dollars; see `minPrice`."""

    baseRent: NotRequired[float | None]
    """The monthly rent in US dollars without required fees."""

    beds: NotRequired[float | None]
    """The number of bedrooms; 0 for a studio."""

    baths: NotRequired[float | None]
    """The number of bathrooms, half baths counted as 0.5."""

    sqft: NotRequired[float | None]
    """The living area in square feet."""

    homeStatus: NotRequired[str | None]
    """The state of the unit: `FOR_RENT`, `FOR_SALE`, `RECENTLY_SOLD`, `OFF_MARKET`, or others still to come. `include_units` selects by it."""

    listingType: NotRequired[str | None]
    """The trade the unit is in, `FOR_RENT`, `FOR_SALE` or `OTHER`."""

    availableFrom: NotRequired[str | None]
    """The first day on which the unit can be moved into, as `YYYY-MM-DD`; null for units that are not offered for rent."""

    hdpUrl: NotRequired[str | None]
    """The path of the unit's own page on the listing site."""

    vrModel: NotRequired[str | None]
    """The id or URL of a 3D model of the unit."""

    unitVRModel: NotRequired[str | None]
    """The id or URL of a 3D model of this very unit, where `vrModel` shows its floor plan only."""

    hasApprovedThirdPartyVirtualTour: NotRequired[bool | None]
    """Whether the unit has a virtual tour by another company."""

    housingConnector: NotRequired[bool | None]
    """Whether the landlord takes part in a program for tenants who find it hard to rent."""

    housingConnectorExclusive: NotRequired[bool | None]
    """Whether the unit is offered through that program only."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    withheld: NotRequired[Withheld]
    """Only in the results of jobs. With either value the row has nothing but its zpid, because a unit of a known building is an address."""

    buildingName: NotRequired[str | None]
    """The name of the building."""

    marketingName: NotRequired[str | None]
    """The name under which the building is advertised, where it differs."""

    fullAddress: NotRequired[str | None]
    """The building's address in one line."""

    address: NotRequired[Address]
    """A postal address in parts, spelled as the data source spells it. Any part can be null: public records often lack the street, and an owner may keep it undisclosed."""

    latitude: NotRequired[float | None]
    """Degrees north of the equator (WGS 84)."""

    longitude: NotRequired[float | None]
    """Degrees east of Greenwich (WGS 84)."""

    lotId: NotRequired[int | None]
    """The listing site's id of a rental building."""

    bdpUrl: NotRequired[str | None]
    """The path of the building's page on the listing site."""

    yearBuilt: NotRequired[int | None]
    """The year in which the building was finished."""

    description: NotRequired[str | None]
    """The building's advertisement in free text."""

    buildingPhoneNumber: NotRequired[str | None]
    """The phone number of the leasing office."""

    homeTypes: NotRequired[list[str] | None]
    """The kinds of home in the building, in the words of the record's `homeType`."""

    unitCount: NotRequired[int | None]
    """How many units the building has, listed or not."""

    availableUnitCount: NotRequired[int | None]
    """How many of its units are free to rent now."""

    buildingAttributes: NotRequired[BuildingUnitBuildingAttributes | None]
    """Facts about the building as a whole."""

    specialOffers: NotRequired[list[BuildingUnitSpecialOffers] | None]
    """Offers to new tenants, such as rent-free weeks."""

    walkScore: NotRequired[BuildingUnitWalkScore | None]
    """How well errands can be done on foot."""

    transitScore: NotRequired[BuildingUnitTransitScore | None]
    """How well public transport serves the building."""

    bikeScore: NotRequired[BuildingUnitBikeScore | None]
    """How well the surroundings suit bicycles."""

    isSeniorHousing: NotRequired[bool | None]
    """Whether the building takes older tenants only."""

    isStudentHousing: NotRequired[bool | None]
    """Whether the building takes students only."""

    isLowIncome: NotRequired[bool | None]
    """Whether income limits apply to tenants."""

    isWaitlisted: NotRequired[bool | None]
    """Whether units are let from a waiting list."""



Cached: TypeAlias = "bool"
"""Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""



class CreditLimit(TypedDict):
    """The most credits that a key can spend in each period."""

    credits: int
    """The credits that the key can spend in each period. Credits that are held for its jobs count, and come back when they are released."""

    per: Literal["total", "day", "week", "month"] | str
    """The period. A `day` begins at midnight UTC, a `week` on Monday, and a `month` on its first day. A `total` limit is never reset."""



class CreditLimitInput(TypedDict):
    """The most credits that a key can spend in each period."""

    credits: int
    """The credits that the key can spend in each period."""

    per: Literal["total", "day", "week", "month"]
    """The period. A `day` begins at midnight UTC, a `week` on Monday, and a `month` on its first day. A `total` limit is never reset."""



class CreditsEventDataCredits(TypedDict):
    """The credits of the account after the charge."""

    balance: int
    """The remaining credits, including those that running jobs hold."""

    held: int
    """The part of the balance that running jobs hold."""

    available: int
    """The credits that you can spend now, which is `balance` minus `held`."""

    granted_this_cycle: int
    """The credits that the plan granted in this cycle."""



class CreditsEventDataThreshold(TypedDict):
    """The level that the balance fell to."""

    credits: int
    """The level in credits."""

    percent: int | None
    """The level as a part of the credits that were granted: 50, 20 or 5. Null for the `credits_threshold` of a webhook."""



class CreditsEventData(TypedDict):
    """What the event is about."""

    credits: CreditsEventDataCredits
    """The credits of the account after the charge."""

    threshold: CreditsEventDataThreshold
    """The level that the balance fell to."""



class CreditsEvent(TypedDict):
    """An event about the credits of the account."""

    id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    type: WebhookEventType
    """What happened. Event types may be added, but a webhook receives only the types in its `events`."""

    timestamp: str
    """When the event happened. It stays the same over all attempts."""

    attempt: int
    """Which attempt this is, counted from 1."""

    data: CreditsEventData
    """What the event is about."""



class DataSource(TypedDict):
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    name: str
    """The data source that answered, by its public name. It is the one that really answered: if the usual one failed, this names its stand-in."""

    authority: str | None
    """The multiple listing service (MLS) or office that the source received the data from; null where the source does not state one."""

    fetched_at: str
    """When the data was read from the source, as ISO 8601 in UTC."""

    source_updated_at: str | None
    """When the source says that it last changed the data, as ISO 8601 in UTC; of several rows, the latest. Null where the source does not state it."""

    attribution: str | None
    """What the source requires to be shown with the data: the listing office and the notice of the MLS. Null where it requires nothing."""



DaysOnSite: TypeAlias = "Literal['1', '7', '14', '30', '90', '6m', '12m', '24m', '36m']"
"""The maximum age of a listing: `1`, `7`, `14`, `30` and `90` are days, `6m`, `12m`, `24m` and `36m` months. It counts from the day of listing, and with status `sold` from the day of the sale. Note that `"7"` is a string, in JSON too."""



class ErrorErrorDetails(TypedDict):
    """Facts for programs, where there is something to act on. Which there are depends on the code; there may be more in the future."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""

    path: NotRequired[str]
    """`invalid_filters` for an area: the path of what is wrong in it, for example `filters.area.coordinates.0.3`."""

    position: NotRequired[list[float]]
    """`invalid_filters` for an area: the position at `path`, where it is one."""

    hint: NotRequired[str]
    """`invalid_filters` for an area: what to do, for example `The latitude seems to come first.`"""

    operation: NotRequired[str]
    """`key_not_allowed`: the operation that the key may not use."""

    exceeds: NotRequired[Literal["allowed_operations", "expires_at", "credit_limit", "oauth_client"] | str]
    """`key_not_allowed`: what the other key has more than the key of the call."""

    live_keys: NotRequired[int]
    """`key_not_allowed` for the access token of a new client: the live keys of the account."""

    minimum: NotRequired[float]
    """`invalid_parameter`: the minimum of `parameter`."""

    maximum: NotRequired[float]
    """`invalid_parameter`: the maximum of `parameter`, or of its size."""

    index: NotRequired[int]
    """`invalid_search_url`: which of `searchUrls` was wrong, counted from 0."""

    balance: NotRequired[int]
    """`out_of_credits`: the credits of the account, those held for running jobs included."""

    held: NotRequired[int]
    """`out_of_credits`: the credits that running jobs hold."""

    required: NotRequired[int]
    """`out_of_credits`, `max_credits_exceeded` and `key_limit_reached`: the credits that the call requires."""

    max_credits: NotRequired[int]
    """`max_credits_exceeded`: the limit that you set for the charge of the call."""

    remaining: NotRequired[int]
    """`key_limit_reached`: the credits that the limit of the key leaves."""

    per: NotRequired[Literal["total", "day", "week", "month"] | str]
    """`key_limit_reached`: the period of the limit: `total`, `day`, `week` or `month`."""

    resets_at: NotRequired[str]
    """`key_limit_reached`: when the limit is reset. Absent for a `total` limit."""

    candidates: NotRequired[list[str]]
    """What an ambiguous input may mean. `not_found` for an address that several homes fit: their addresses. `ambiguous_place`: the id of each of `places`, a colon, and its name."""

    places: NotRequired[list[PlaceCandidate]]
    """`ambiguous_place`: the places that have the name, up to 10."""

    status: NotRequired[JobStatus]
    """`job_not_ready`, `job_ended`: the status of the job."""

    plan: NotRequired[PlanId]
    """`rate_limited`, `lookup_budget_exceeded` and `job_limit`: the plan of the account."""

    limit_per_minute: NotRequired[int]
    """`rate_limited`: the calls that the key may make in 60 seconds."""

    window: NotRequired[Literal["minute", "day"] | str]
    """`lookup_budget_exceeded`: which budget is used up, that of the `minute` or that of the `day`."""

    bound: NotRequired[Literal["open_jobs", "stored_rows", "stored_bytes"] | str]
    """`job_limit`: which bound is reached: `open_jobs`, `stored_rows` or `stored_bytes`."""

    value: NotRequired[int]
    """`job_limit`: what the account uses of the bound."""

    limit: NotRequired[int]
    """`lookup_budget_exceeded`, `job_limit` and the `invalid_filters` of a watch: what the plan allows. `key_limit_reached`: the limit of the key."""

    count: NotRequired[int]
    """`invalid_filters` of a watch: the homes that its search matches."""

    phase: NotRequired[Literal["queue", "upstream"] | str]
    """`upstream_timeout`: whether the time was spent in the `queue` of the key or `upstream`, at the data source."""

    charge: NotRequired[Literal["unknown"] | str]
    """`service_unavailable`: `unknown` where the service cannot tell whether the call was charged."""



class ErrorError(TypedDict):
    """What went wrong."""

    code: ErrorCode
    """What went wrong, as a stable name for programs. Each code comes with one status. New codes may be
    added: treat a code that you do not know by its status. The last column has the fields that `error.details` can have.
    """

    message: str
    """What was wrong with the call and what to do about it, in a sentence or two for people. Never match on it."""

    doc_url: NotRequired[str]
    """The manual page of this service that explains the code: a path on its host, such as `/docs/errors#invalid_url`."""

    details: NotRequired[ErrorErrorDetails]
    """Facts for programs, where there is something to act on. Which there are depends on the code; there may be more in the future."""

    request_id: RequestId
    """The id of one request. It is in the body and in the header `X-Request-Id` of every response, and in the request's row of GET /v1/usage."""



class Error(TypedDict):
    """The body of every answer with a status of 400 or above. Base your error handling on `error.code`, which is stable; `error.message` is for people and may change at any time."""

    error: ErrorError
    """What went wrong."""



ErrorCode: TypeAlias = "Literal['missing_api_key', 'invalid_api_key', 'account_suspended', 'plan_not_allowed', 'key_not_allowed', 'out_of_credits', 'max_credits_exceeded', 'key_limit_reached', 'rate_limited', 'lookup_budget_exceeded', 'missing_input', 'invalid_json', 'invalid_url', 'invalid_address', 'invalid_zpid', 'invalid_status', 'invalid_extract_units', 'invalid_filters', 'invalid_search_url', 'unknown_place', 'ambiguous_place', 'invalid_cursor', 'invalid_events', 'invalid_metadata', 'invalid_parameter', 'not_found', 'job_not_found', 'method_not_allowed', 'not_acceptable', 'request_timeout', 'job_not_ready', 'job_ended', 'idempotency_key_reused', 'job_limit', 'key_count_limit', 'key_revoked', 'webhook_limit', 'webhook_inactive', 'delivery_in_progress', 'watch_limit', 'payload_too_large', 'uri_too_long', 'unsupported_media_type', 'headers_too_large', 'internal_error', 'upstream_error', 'service_unavailable', 'upstream_timeout'] | str"
"""What went wrong, as a stable name for programs. Each code comes with one status. New codes may be
added: treat a code that you do not know by its status. The last column has the fields that `error.details` can have.

| Code | Status | Meaning | What to do | `details` |
|---|---|---|---|---|
| `missing_api_key` | 401 | The call has no `Authorization` header. | Send `Authorization: Bearer <key>`. | |
| `invalid_api_key` | 401 | The key is malformed, unknown or revoked. | Check that the whole key is sent, or use another key. | |
| `account_suspended` | 403 | The account of the key is suspended. | Contact the operator of the service. | |
| `plan_not_allowed` | 403 | The plan does not include this operation. | Change the plan, or use another operation. | |
| `key_not_allowed` | 403 | The key may not use this operation, or the call would give a key more than the key of the call has. Or an access token is the first of its client, and the account has as many live keys as its plan allows. | Use another key of the account, or revoke a key. | `operation`, `exceeds`, `live_keys` |
| `out_of_credits` | 402 | The balance is 0, or fewer credits are available than the minimum cost of the call. | Top up, change the plan, wait for the next cycle, or wait for running jobs to release credits. | `balance`, `held`, `required` |
| `max_credits_exceeded` | 402 | The call costs more than the limit that you set with `X-Max-Credits`, `maxCredits` or `max_credits`. | Raise the limit or leave it out, or ask for less. | `required`, `max_credits` |
| `key_limit_reached` | 402 | The call costs more than the credit limit of its key leaves. Free calls still work. | Use another key, have the limit raised, or wait until it is reset. | `required`, `limit`, `per`, `remaining`, `resets_at` |
| `rate_limited` | 429 | The key used up its requests of the last 60 seconds; or too many calls without a valid key came from one address. | Wait for the seconds in `Retry-After`; back off exponentially with jitter. Without a valid key, correct the key first. | `plan`, `limit_per_minute` |
| `lookup_budget_exceeded` | 429 | Too many lookups of the account found nothing, or too many of its calls were disconnected before they were charged: the plan's budget of failed lookups for the minute or the day is used up. Homes that are cached are still found. | Wait for the seconds in `Retry-After`; check the ids, URLs and addresses that you send, and let calls end. | `plan`, `window`, `limit` |
| `missing_input` | 400 | A required parameter or body field is absent. | Add what the message names. | `parameter` |
| `invalid_json` | 400 | The body cannot be parsed as JSON, or is not valid UTF-8. | Correct the body. | |
| `invalid_url` | 400 | The URL is of the wrong host, kind or shape: a listing or building URL, or the target of a webhook. | Correct the URL. | `parameter` |
| `invalid_address` | 400 | The address is shorter than 6 characters, has no street, or has neither a city nor a ZIP code. | Send street, city, state and ZIP code. | `parameter` |
| `invalid_zpid` | 400 | The zpid does not consist of digits. | Send the digits only. | `parameter` |
| `invalid_status` | 400 | A `status` or `propertyStatus` is not one of its values. | Use one of the listed values. | `parameter` |
| `invalid_extract_units` | 400 | An `extract_units`, `extractBuildingUnits` or `include_units` is not one of its values. | Use one of the listed values. | `parameter` |
| `invalid_filters` | 400 | The search filters cannot be used: most often nothing says where to search, a box or an area is malformed, or the minimum of a range exceeds its maximum. | Correct what the message names. | `parameter`, `path`, `position`, `hint`, `count`, `limit` |
| `invalid_search_url` | 400 | A search URL has no `searchQueryState` with map bounds. | Copy the URL again after moving the map, or search by `filters`. | `parameter`, `index` |
| `unknown_place` | 400 | The service knows no place of this kind with this id or name. | Check the kind and the id or name, or send the area itself. | `parameter` |
| `ambiguous_place` | 400 | Several places of this kind have the name. `details.places` has up to 10 of them. | Send the `id` of one of them. | `parameter`, `candidates`, `places` |
| `invalid_cursor` | 400 | The cursor of a search or a list is not one of this service, or belongs to another search or list. | Repeat the call unchanged with `meta.next_cursor` of the page before, or start without a cursor. | `parameter` |
| `invalid_events` | 400 | The events of a webhook or a watch are unknown or named twice. | Send known events, or leave the field out to get all. | `parameter` |
| `invalid_metadata` | 400 | The `metadata` of a watch has more than 16 values, a value or a name that is too long, or a value that is no string. | Send at most 16 strings of up to 500 characters, with names of 1 to 100 characters. | `parameter` |
| `invalid_parameter` | 400 | Any other parameter or field has the wrong type, is out of its bounds, was given twice, or has the character U+0000 or half of a surrogate pair (`\\ud800`) in a string; or the request is not well-formed HTTP. | Correct what the message names. Values are never clamped. | `parameter`, `minimum`, `maximum` |
| `not_found` | 404 | There is no such home, building, watch, webhook, delivery, key or path. | Check the id, URL or address. | `parameter`, `candidates` |
| `job_not_found` | 404 | No job of this account has the id, or the job ended more than 30 days ago. | List the jobs with GET /v1/jobs. | `parameter` |
| `method_not_allowed` | 405 | The path exists, but not with this method. | Use the method of this reference. | |
| `not_acceptable` | 406 | The header `Accept` names no media type of the responses of this call. | Leave the header out, or include `application/json`. | |
| `request_timeout` | 408 | The request did not arrive completely in time. | Send it without pauses. | |
| `job_not_ready` | 409 | The job has not succeeded, so it has no results. | Wait until its status is `succeeded`. | `status` |
| `job_ended` | 409 | The job has ended as `succeeded`, `failed` or `timed_out`, so it cannot be aborted. | Read the job. | `status` |
| `idempotency_key_reused` | 409 | The `Idempotency-Key` was used within 24 hours, for a different request, or for one whose response cannot be returned any more. | Use a new key for a new request. | |
| `job_limit` | 409 | The account has as many open jobs, stored rows or stored bytes as its plan allows. | Wait until jobs end or until older results are removed, 30 days after their job ended; or change the plan. | `plan`, `bound`, `value`, `limit` |
| `key_count_limit` | 409 | The account has as many live keys as its plan allows. | Revoke one first, or change the plan. | |
| `key_revoked` | 409 | The key is revoked, has expired, or has been rotated already, so it cannot be rotated. | Create another one. | |
| `webhook_limit` | 409 | The account has as many live webhooks as its plan allows. | Revoke one first, or change the plan. | |
| `webhook_inactive` | 409 | The webhook is revoked, or it is paused and the call needs an active one. | Resume it with PATCH /v1/webhooks/{id}, or create another one. | |
| `delivery_in_progress` | 409 | An attempt of the event is due or under way, so it cannot be sent again now. | Wait for the result of the attempt. | |
| `watch_limit` | 409 | The account has as many watches as its plan allows. | Delete one first, or change the plan. | |
| `payload_too_large` | 413 | The body is larger than 1 MiB. | Split the work into several calls. | |
| `uri_too_long` | 414 | The URL of the request is too long. | Shorten it. | |
| `unsupported_media_type` | 415 | The body is not declared as JSON. | Send `Content-Type: application/json`. | |
| `headers_too_large` | 431 | The header fields are too large. | Send fewer or shorter headers. | |
| `internal_error` | 500 | Something failed inside the service. | Repeat the call; report the `request_id` if it fails again. | |
| `upstream_error` | 502 | The data source failed. | Repeat the call later. | |
| `service_unavailable` | 503 | The service is starting, stopping or overloaded. | Wait for the seconds in `Retry-After`. | `charge` |
| `upstream_timeout` | 504 | The data source, or the queue of the key, took too long. | Repeat the call later. | `phase` |
"""



class Estimate(TypedDict):
    """What a call would cost now."""

    operation: str
    """The operationId of the call."""

    min: int
    """The minimum charge, in credits. 0 if the call would be refused."""

    max: int | None
    """The maximum charge, in credits. Null if it is not known before the work is done."""

    exact: bool
    """`true` if the charge is known: `min` and `max` are the charge of the same call, made now. An estimate is exact only if the service counts in its own data set."""

    basis: Literal["data_set", "prices"] | str
    """Where the numbers come from: `data_set` if the service counted in its data set, or `prices` if they follow from the input and the prices alone."""

    available: int
    """The credits that the account can spend now."""

    key_remaining: NotRequired[int]
    """The credits that the limit of the key leaves. Absent if the key has no limit."""

    would_be_refused: bool
    """Whether the call would be refused now. Limits on jobs, watches and calls per minute are not considered."""

    would_be_truncated: bool
    """Whether the credits, the limit of the key, or the limit that you set would cut the result. If the estimate is not exact, it is `true` if they do not cover the maximum."""

    error_code: Literal["out_of_credits", "max_credits_exceeded", "key_limit_reached", "job_limit", "not_found", "invalid_filters", "unknown_place", "ambiguous_place", "invalid_cursor", "invalid_parameter"] | str | None
    """The error code of the refusal. Null if the call would not be refused."""



class EstimateAnswer(TypedDict):
    """The response to a call with `Prefer` `dry-run`. It is the same as that of POST /v1/estimate."""

    data: Estimate
    """What a call would cost now."""

    meta: NotRequired[AnswerMeta]
    """Information about the response. Absent if it would be empty."""

    request_id: RequestId
    """The id of one request. It is in the body and in the header `X-Request-Id` of every response, and in the request's row of GET /v1/usage."""



class EstimateRequestInput(TypedDict):
    """What you would send with the call. It is checked exactly like the call itself."""

    path: NotRequired[dict[str, Any] | None]
    """The path parameters by name, for example `zpid`."""

    query: NotRequired[dict[str, Any] | None]
    """The query parameters by name. `max_credits` limits the charge, as it would limit that of the call."""

    body: NotRequired[dict[str, Any] | None]
    """The body of the call. `maxCredits` limits the charge, as it would limit that of the call."""



class EstimateRequest(TypedDict):
    """The call to estimate. Unknown fields are ignored and listed in `meta.ignored`."""

    operation: str
    """The operationId of the call, for example `getPropertyByAddress`. `estimateCall` itself cannot be estimated."""

    input: NotRequired[EstimateRequestInput | None]
    """What you would send with the call. It is checked exactly like the call itself."""



EventId: TypeAlias = "str"
"""The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""



class EventSubject(TypedDict):
    """What an event is about."""

    type: Literal["job", "watch", "account", "key_limit"] | str
    """The kind of the subject. Kinds may be added.

    - `job`: a job; read it with GET /v1/jobs/{id}.
    - `watch`: a watch; read it with GET /v1/watches/{id}.
    - `account`: the account; read it with GET /v1/me.
    - `key_limit`: the credit limit of a key; `key` of GET /v1/me has it.
    """

    id: str
    """The id of the subject, for example the id of the job."""



ExtractUnits: TypeAlias = "Literal['disabled', 'all', 'for_sale', 'recently_sold', 'for_rent', 'off_market']"
"""What to do with buildings: `disabled` returns the building's own record. `all` returns the records of all its units instead; the other values return only the units of that status. Each unit is a record and is charged as one."""



ExtractionMethod: TypeAlias = "Literal['PAGINATION', 'MAP_MARKERS', 'PAGINATION_WITH_ZOOM_IN']"
"""How the area is searched:

- `PAGINATION`: the standard search, page after page, with full rows. Up to 820 rows.
- `MAP_MARKERS`: one look at the map. The fastest, with fewer fields in each row. Up to 500 rows.
- `PAGINATION_WITH_ZOOM_IN`: every listing of the area. A part of the map with more listings than
  one search can show is split into four, again and again, and homes found twice are returned
  once. It always runs as a job.
"""



class HomeInfoOpenHouseInfoOpenHouseShowing(TypedDict):
    open_house_start: NotRequired[int | None]
    """When the doors open, as milliseconds since 1970-01-01 UTC."""

    open_house_end: NotRequired[int | None]
    """When the doors close, as milliseconds since 1970-01-01 UTC."""



class HomeInfoOpenHouseInfo(TypedDict):
    """The open houses to come, for programs."""

    open_house_showing: NotRequired[list[HomeInfoOpenHouseInfoOpenHouseShowing] | None]
    """The windows in order of time."""



class HomeInfo(TypedDict):
    """The part of the property record that search rows carry along, with the names and units of the record. Any field can be absent or null."""

    zpid: NotRequired[str | None]
    """The id of the home, the same as in the row around it."""

    streetAddress: NotRequired[str | None]
    """House number and street."""

    unit: NotRequired[str | None]
    """The unit within the building, with its designator, for example `# 407`."""

    city: NotRequired[str | None]
    """The city or town of the postal address."""

    state: NotRequired[str | None]
    """The two-letter postal abbreviation of the state."""

    zipcode: NotRequired[str | None]
    """The five-digit ZIP code."""

    country: NotRequired[str | None]
    """The country, `USA`."""

    currency: NotRequired[str | None]
    """The ISO 4217 code of every amount in here, `USD`."""

    latitude: NotRequired[float | None]
    """Degrees north of the equator (WGS 84)."""

    longitude: NotRequired[float | None]
    """Degrees east of Greenwich (WGS 84)."""

    isUnmappable: NotRequired[bool | None]
    """Whether the position is only that of the ZIP code or city, too coarse for a map."""

    price: NotRequired[float | None]
    """The price in US dollars, a monthly rent for rentals."""

    priceForHDP: NotRequired[float | None]
    """The price that the listing's own page shows, in US dollars; mostly equal to `price`."""

    priceSuffix: NotRequired[str | None]
    """What belongs behind the price, for example `+` where it is the lowest of several."""

    priceChange: NotRequired[float | None]
    """The last change of the asking price in US dollars, negative for a cut."""

    priceReduction: NotRequired[str | None]
    """The last cut as text, for example `$25,000 (Nov 19)`; absent without one."""

    datePriceChanged: NotRequired[int | None]
    """When the asking price last changed, as milliseconds since 1970-01-01 UTC."""

    zestimate: NotRequired[float | None]
    """The automated estimate of the market value in US dollars."""

    rentZestimate: NotRequired[float | None]
    """The automated estimate of the monthly rent in US dollars."""

    taxAssessedValue: NotRequired[float | None]
    """The latest assessed value for tax in US dollars."""

    bedrooms: NotRequired[float | None]
    """The number of bedrooms; 0 for a studio."""

    bathrooms: NotRequired[float | None]
    """The number of bathrooms, half baths counted as 0.5."""

    livingArea: NotRequired[float | None]
    """The living area in square feet."""

    lotAreaValue: NotRequired[float | None]
    """The size of the lot, in the unit that `lotAreaUnit` names."""

    lotAreaUnit: NotRequired[str | None]
    """The unit of `lotAreaValue`, `sqft` or `acres`."""

    homeType: NotRequired[str | None]
    """The kind of home: `SINGLE_FAMILY`, `CONDO`, `TOWNHOUSE`, `MULTI_FAMILY`, `MANUFACTURED`, `LOT`, `APARTMENT`, or others still to come."""

    homeStatus: NotRequired[str | None]
    """The state of the home: `FOR_SALE`, `FOR_RENT`, `PENDING`, `COMING_SOON`, `RECENTLY_SOLD`, `SOLD`, `OFF_MARKET`, or others still to come."""

    homeStatusForHDP: NotRequired[str | None]
    """The state that the listing's own page shows; mostly equal to `homeStatus`."""

    daysOnSite: NotRequired[int | None]
    """Whole days since the listing became public; for a sold home, since the sale."""

    timeOnSite: NotRequired[int | None]
    """The same span in milliseconds."""

    listing_sub_type: NotRequired[RowListingSubType]
    """What kind of listing this is, in the spelling of search rows. Several can be true at once. Sources leave out what is false, so read an absent flag as false."""

    newConstructionType: NotRequired[str | None]
    """For new construction, `BUILDER_SPEC` (a house that is built or under construction) or `BUILDER_PLAN` (a plan that can be ordered)."""

    group_type: NotRequired[str | None]
    """The kind of group that the home is sold with, for example `BUILDER_COMMUNITY`."""

    providerListingID: NotRequired[str | None]
    """The listing's id with the provider of a rental or builder feed."""

    openHouse: NotRequired[str | None]
    """The next open house as text in local time, for example `Sun. 1-3pm`."""

    open_house_info: NotRequired[HomeInfoOpenHouseInfo | None]
    """The open houses to come, for programs."""

    videoCount: NotRequired[int | None]
    """The number of videos."""

    isFeatured: NotRequired[bool | None]
    """Whether the listing is a paid promotion."""

    isShowcaseListing: NotRequired[bool | None]
    """Whether the listing comes with the larger set of media that agents can buy."""

    isPremierBuilder: NotRequired[bool | None]
    """Whether the builder is an advertising customer of the listing site."""

    isNonOwnerOccupied: NotRequired[bool | None]
    """Whether public records say that the owner lives elsewhere."""

    isPreforeclosureAuction: NotRequired[bool | None]
    """Whether the home is in pre-foreclosure or scheduled for auction."""

    isRentalWithBasePrice: NotRequired[bool | None]
    """Whether the rent shown leaves out required monthly fees."""

    isSiteOwned: NotRequired[bool | None]
    """Whether the listing site itself owns the home."""

    shouldHighlight: NotRequired[bool | None]
    """Whether the listing site shows the row with emphasis."""



HomeType: TypeAlias = "Literal['house', 'condo', 'townhouse', 'multi_family', 'manufactured', 'lot', 'apartment']"
"""A kind of home to search for. The records found spell it in their own way in `homeType`:

- `house`: a detached house (`SINGLE_FAMILY`).
- `condo`: a unit in a condominium or cooperative (`CONDO`).
- `townhouse`: a row house or town house (`TOWNHOUSE`).
- `multi_family`: two to four homes sold as one (`MULTI_FAMILY`).
- `manufactured`: a manufactured or mobile home (`MANUFACTURED`).
- `lot`: land without a home (`LOT`).
- `apartment`: a unit in a rental building (`APARTMENT`).
"""



Ignored: TypeAlias = "list[IgnoredName]"
"""The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



IgnoredName: TypeAlias = "str"
"""A dotted path into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`) or the name of a query parameter, cut to 80 characters."""



class IntegerRange(TypedDict):
    """A range of whole numbers with both ends included. Leave an end out, or set it to null, to leave that side open; an empty object restricts nothing. A `min` above `max` is refused with `invalid_filters`, and so is any other field."""

    min: NotRequired[int | None]
    """The minimum value; null or absent for none."""

    max: NotRequired[int | None]
    """The maximum value; null or absent for none."""



class Job(TypedDict):
    """Work that runs in the background. Its status moves from `queued` to `running` and ends in one of four states that never change."""

    id: str
    """The id of the job."""

    type: JobType
    """What a job does, and with it what its result rows are. Types may be added."""

    status: JobStatus
    """The state of a job. It moves from `queued` to `running` and ends in one of four states, which never
    change. States may be added: a job in a state that you do not know has ended if its `completed_at`
    is not null, and has a result only if the state is `succeeded`.
    """

    chain_stage: Literal["search", "detail"] | str | None
    """The stage of a `chained_search_detail` job: `search`, then `detail`, which it keeps once it has ended there. Null for every other job."""

    progress: JobProgress
    """How far the job has come, in entries of a batch or in rows of the other jobs; of a chained job, in its present stage."""

    result_count: int | None
    """The number of result rows that can be read. Null until the job has succeeded."""

    failure_count: int
    """The total number of entries that returned no record so far. It is 0 for jobs without entries."""

    failures: list[JobFailure]
    """The entries that returned no record, in the order they were sent. GET /v1/jobs/{id} lists all of them; GET /v1/jobs and webhook events list the first 20 of a job. Entries that fail do not fail the job, unless every one of them failed at the source. Empty for jobs without entries."""

    skipped_count: int
    """The number of entries that were left out because the result had reached `maxItems` or the credits ran out (`truncated_by`)."""

    skipped: list[JobSkipped]
    """The first 20 of the entries that were left out. `more_skipped` has the others. Send them again in a new job. Empty for jobs without entries."""

    more_skipped: NotRequired[list[JobSkipped]]
    """The entries that were left out behind the first 20, in their order. Only GET /v1/jobs/{id} has it, and only if more than 20 were left out. In lists and events, `skipped_count` is above 20 then."""

    error: JobError | None
    """Why the job failed, timed out or was aborted. Null in every other status."""

    coverage: JobCoverage | None
    """How much of the area an exhaustive search has covered. Null unless the job searches with `PAGINATION_WITH_ZOOM_IN`."""

    credits_held: int
    """The credits held for the job now. It is 0 once the job has ended: credits that were not charged are returned to the account."""

    credits_charged: int
    """The charge of the job, with all its stages. It is 0 until the job has succeeded, and stays 0 if the job failed, timed out or was aborted."""

    truncated_by: Literal["credits", "max_items", "max_credits", "key_limit"] | str | None
    """What cut the result: `credits` when the account could not pay for more rows, `max_items` when a batch reached its `maxItems` before its last entry, `max_credits` when the job reached the limit that you set for its charge, `key_limit` when the credit limit of the key that started it was reached, else null. The rows that were charged are complete and can be read. A search that only reaches its `maxItems` is not cut."""

    max_credits: NotRequired[int]
    """The maximum charge of the job, as you set it with `X-Max-Credits`, `maxCredits` or `max_credits`. Absent if you set none."""

    created_at: str
    """When the job was accepted."""

    started_at: str | None
    """When work on it began. Null while it is queued."""

    completed_at: str | None
    """When it ended, in whatever state. Null while it is queued or running."""

    area: NotRequired[list[PlaceInfo]]
    """The places in `filters.area`, with the source of each boundary. The job uses these boundaries, also when the operator of the service replaces or removes them. Absent if it names no place."""

    ignored: NotRequired[Ignored]
    """The names in the call that the job does not use, as in `meta.ignored` of other responses. Absent when everything is used."""



class JobCoverage(TypedDict):
    """How much of the area a search with `PAGINATION_WITH_ZOOM_IN` has covered. The map is split into smaller and smaller tiles until each holds no more listings than one search can return. The result is complete when `capped_tiles` is 0 and neither `maxItems` nor the credits (`truncated_by`) ended the search, because the rest of the map is then not searched."""

    tiles: int
    """The number of tiles searched, including tiles that were then split."""

    capped_tiles: int
    """The number of tiles that have more listings than one search returns and could not be split any further."""

    total: int
    """The number of listings in the whole area, as the data source reports it. With several `searchUrls`, the sum over the URLs that the job has begun."""

    rows: int
    """The number of listings found, each counted once."""



class JobError(TypedDict):
    """Why a job ended without success."""

    code: Literal["not_found", "upstream_error", "upstream_timeout", "internal_error", "timed_out", "aborted"] | str
    """The reason, as a stable name for programs:

    - `not_found`: there is no building at the URL.
    - `upstream_error`: the data source failed; in a batch, for every entry.
    - `upstream_timeout`: the data source did not respond in time.
    - `internal_error`: something failed inside the service, repeatedly.
    - `timed_out`: the job did not finish in time. The status is `timed_out`.
    - `aborted`: the account or the operator of the service stopped the job. The status is `aborted`.
    """

    message: str
    """The reason in a sentence or two for people. Never match on it."""



class JobEventData(TypedDict):
    """What the event is about."""

    job: Job
    """Work that runs in the background. Its status moves from `queued` to `running` and ends in one of four states that never change."""



class JobEvent(TypedDict):
    """An event for the end of a job. It contains the job as GET /v1/jobs lists it, with the first 20 of its `failures`, and no result rows; read those with GET /v1/jobs/{id}/results."""

    id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    type: WebhookEventType
    """What happened. Event types may be added, but a webhook receives only the types in its `events`."""

    timestamp: str
    """When the event happened. It stays the same over all attempts."""

    attempt: int
    """Which attempt this is, counted from 1."""

    data: JobEventData
    """What the event is about."""



class JobFailure(TypedDict):
    """One entry of a job that returned no record. It does not fail the job, and it is free."""

    position: int
    """The place of the entry among the entries of the job, counted from 0: `urls` first, then `addresses`. Repeated entries count once."""

    input: str
    """The first 200 characters of the entry: the URL or address as it was sent, or the zpid of the search row whose detail was wanted."""

    code: Literal["not_found", "upstream_error", "upstream_timeout", "internal_error"] | str
    """Why it returned no record. Entries with `not_found` have no record; the others may succeed in a new job."""

    message: str
    """The reason in a sentence for people. Never match on it."""



class JobProgress(TypedDict):
    """How far the job has come, in entries of a batch or in rows of the other jobs; of a chained job, in its present stage."""

    done: int
    """The number dealt with so far, failures included."""

    total: int | None
    """The number there will be, or null while it is not known."""



JobResultRow: TypeAlias = "SearchRow | RecordRow | BuildingUnit"
"""One row of a job's result. The type of the job says which of these it is: a search row for `search`, a property record for `batch_detail` and `chained_search_detail`, a building unit for `building_units`. Only a search row has `statusType`, and only a property record has `input`. A job type that is added later uses one of these three rows, or has no rows here: its result is then read with another operation."""



class JobSkipped(TypedDict):
    """One entry of a job that was left out because the result had reached `maxItems`, the credits ran out, or the job had reached `maxCredits`. It was not charged, except for the records that `returned` counts."""

    position: int
    """The place of the entry in the job, from 0: `urls` come before `addresses`, and an entry that is sent twice counts once."""

    input: str
    """The entry as it was sent, its first 200 characters."""

    reason: Literal["max_items", "credits", "max_credits", "key_limit"] | str
    """Why it was left out: the result had reached `maxItems`, the credits ran out, or the job had reached the limit that you set for its charge, or the credit limit of its key."""

    returned: int
    """How many records of this entry the result has. It is above 0 only for a building if only some of its units are in the result."""



JobStatus: TypeAlias = "Literal['queued', 'running', 'succeeded', 'failed', 'timed_out', 'aborted'] | str"
"""The state of a job. It moves from `queued` to `running` and ends in one of four states, which never
change. States may be added: a job in a state that you do not know has ended if its `completed_at`
is not null, and has a result only if the state is `succeeded`.

- `queued`: accepted and waiting for its turn.
- `running`: in progress; see `progress`.
- `succeeded`: finished. The results can be read and the charge is final.
- `failed`: stopped because of the error in `error`. Free.
- `timed_out`: did not finish in time. Free.
- `aborted`: stopped by the account or by the operator of the service. Free.
"""



JobType: TypeAlias = "Literal['search', 'batch_detail', 'chained_search_detail', 'building_units'] | str"
"""What a job does, and with it what its result rows are. Types may be added.

- `search`: a large search (POST /v1/search or one of the POST /v1/listings presets). Rows are
  search rows.
- `batch_detail`: POST /v1/properties/batch. Rows are property records.
- `chained_search_detail`: POST /v1/search/with-details. Rows are property records.
- `building_units`: GET /v1/buildings/by-url with `sync=false`. Rows are building units.
"""



class KeyLimitEventData(TypedDict):
    """What the event is about."""

    key_ids: list[str]
    """The ids of the keys that share the limit. A rotated key shares its limit with the new key."""

    limit: CreditLimit
    """The limit."""

    used: int
    """The credits that count in the present period."""

    remaining: int
    """The credits that the limit leaves, too few for the charge that was refused or cut."""

    resets_at: str | None
    """When the next period begins. Null for a `total` limit."""



class KeyLimitEvent(TypedDict):
    """An event about the credit limit of a key."""

    id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    type: WebhookEventType
    """What happened. Event types may be added, but a webhook receives only the types in its `events`."""

    timestamp: str
    """When the event happened. It stays the same over all attempts."""

    attempt: int
    """Which attempt this is, counted from 1."""

    data: KeyLimitEventData
    """What the event is about."""



class ListMeta(TypedDict):
    """Information about a page of a list."""

    count: int
    """The number of entries in `data`."""

    limit: int
    """The `limit` that was applied."""

    has_more: bool
    """Whether there are more entries after these."""

    next_cursor: NotRequired[str]
    """`cursor` for the next page: the entries behind these. Absent if there are none."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class ListedWatch(TypedDict):
    """A watch as GET /v1/watches lists it. GET /v1/watches/{id} also has the homes, in `zpids`."""

    id: str
    """The id of the watch."""

    name: str
    """The name that you gave the watch."""

    filters: dict[str, Any] | None
    """The filters of the search, as they were sent. Null if the watch is one of homes."""

    area: NotRequired[list[PlaceInfo]]
    """The places in `filters.area`, with the source of each boundary. The watch keeps these boundaries, also when the operator of the service replaces or removes them; to use newer ones, create another watch. Absent if it names no place."""

    zpid_count: int | None
    """The number of homes that are watched. Null if the watch has `filters`."""

    events: list[WatchEventType]
    """The events that are reported and charged. That an event was retracted is always reported, for free."""

    metadata: dict[str, str]
    """The values of your own that every event returns."""

    every: Literal["change", "1h", "6h", "1d", "7d"] | str
    """When changes are reported: `change` as soon as the data changes, otherwise at this interval."""

    min_change: WatchMinChange | None
    """The smallest change of a price that is reported. Null if every change is."""

    status: Literal["pending", "active", "paused", "quarantined"] | str
    """Whether changes are reported now.

    - `pending`: the watch has no baseline yet; the first search has not finished.
    - `active`: changes are reported.
    - `paused`: nothing is reported; `paused_reason` says why.
    - `quarantined`: more than 20% of the homes, and more than 10, were missing in the last search.
      Nothing is reported until the next complete search agrees.
    """

    paused_reason: Literal["requested", "out_of_credits", "key_limit_reached", "too_many_matches", "incomplete_results", "evaluation_failed"] | str | None
    """Why the watch is paused: `requested` (by PATCH /v1/watches/{id}, by the operator of the service, or because the OAuth connector that created it has ended), `out_of_credits` (it continues when the account has credits again), `key_limit_reached` (it continues when the credit limit of the key that created it allows an event again), `too_many_matches` (the search matches too many homes; `count` says how many), `incomplete_results` (the remote data source did not return complete results in ten searches in a row; resume the watch to search again), or `evaluation_failed` (the service could not evaluate the watch ten times in a row; resume it, or send other `filters`). Null while the watch is not paused. More reasons may be added."""

    subscriber: NotRequired[WatchSubscriber | None]
    """Who gets the changes of the watch, a person by mail or one webhook. Null if the watch has no subscriber. Absent in events, so that no address is sent to webhooks."""

    count: int
    """The number of homes that match, as of the last evaluation. 0 while the watch is `pending`."""

    last_seq: int
    """The `seq` of the last event. 0 if there is none yet."""

    created_at: str
    """When the watch was created."""



class ListingMetadata(TypedDict):
    """The display rules that come with the listing from its MLS. They apply to anyone who shows the listing to the public. A rule that is null or absent is not stated; treat a missing permission as not given."""

    canShowOnMap: NotRequired[bool | None]
    """Whether the exact position may be shown."""

    canShowPriceHistory: NotRequired[bool | None]
    """Whether earlier prices may be shown with the listing."""

    canShowTaxHistory: NotRequired[bool | None]
    """Whether the tax history may be shown with the listing."""

    canShowAutomatedValuationDisplay: NotRequired[bool | None]
    """Whether an automated estimate of the value may be shown with the asking price."""

    passwordRequiredForZestimateMarketAnalysis: NotRequired[bool | None]
    """Whether an estimate may be shown to signed-in visitors only."""

    canShowComparables: NotRequired[bool | None]
    """Whether comparable homes may be shown on the listing's page."""

    canCommingleComparables: NotRequired[bool | None]
    """Whether comparable homes from other sources may be mixed with those of the MLS."""

    comminglingCategory: NotRequired[bool | None]
    """Whether the listing belongs to a group that may not be mixed with other sources."""

    comminglingCategoryIsRulesApplicable: NotRequired[bool | None]
    """Whether the MLS restricts showing its listings in one list with others."""

    canShowUserGeneratedContent: NotRequired[bool | None]
    """Whether comments by visitors may be shown with the listing."""

    canShowCroppedPhotos: NotRequired[bool | None]
    """Whether photos may be cut to another shape."""

    canShowNonIDXMedia: NotRequired[bool | None]
    """Whether photos and tours from elsewhere than the MLS may be added."""

    canShowPrequalifiedLinkInChip: NotRequired[bool | None]
    """Whether a lender's offer may be shown in the listing's summary."""

    canShowSiteLogoInHeader: NotRequired[bool | None]
    """Whether the showing site may put its own logo above the listing."""

    hidePriceAdjustmentFlexField: NotRequired[bool | None]
    """Whether remarks about price cuts must be left out."""

    isAdsRestricted: NotRequired[bool | None]
    """Whether advertising is kept off the listing's page."""

    isSuperTrafficOptimized: NotRequired[bool | None]
    """Whether the page is laid out to bring the listing's agent more inquiries."""

    mustAttributeOfficeNameBeforeAgentName: NotRequired[bool | None]
    """Whether the brokerage must be named before the agent."""

    mustDisplayAttributionAboveLocalFacts: NotRequired[bool | None]
    """Whether the credits must be shown above facts about the surroundings."""

    mustDisplayAttributionListAgentEmail: NotRequired[bool | None]
    """Whether the listing agent's e-mail address must be shown."""

    mustDisplayAttributionListAgentPhone: NotRequired[bool | None]
    """Whether the listing agent's phone number must be shown."""

    mustDisplayAttributionListingOfficePhone: NotRequired[bool | None]
    """Whether the brokerage's phone number must be shown."""

    mustDisplayAuctionStatusAsSold: NotRequired[bool | None]
    """Whether a home that went at auction must be called sold."""

    mustDisplayDisclaimerBelowAttribution: NotRequired[bool | None]
    """Whether the disclaimer must follow the credits directly."""

    mustDisplayFeedLogoInContactBox: NotRequired[bool | None]
    """Whether the MLS's logo must be shown next to the contact form."""

    mustHighlightAgentName: NotRequired[bool | None]
    """Whether the agent's name must be set off from the text around it."""

    mustHighlightListOfficeName: NotRequired[bool | None]
    """Whether the brokerage's name must be set off from the text around it."""

    mustHighlightMarketingType: NotRequired[bool | None]
    """Whether the kind of marketing, for example an auction, must be set off."""

    mustHighlightMlsId: NotRequired[bool | None]
    """Whether the listing's MLS number must be set off."""

    mustHighlightMlsStatus: NotRequired[bool | None]
    """Whether the MLS's own status must be set off."""

    mustMakeListingAgentContactable: NotRequired[bool | None]
    """Whether visitors must be able to reach the listing agent from the page."""



ListingStatus: TypeAlias = "Literal['FOR_SALE', 'RECENTLY_SOLD', 'FOR_RENT']"
"""Which listing of a home is wanted, when it has several:

- `FOR_SALE`: it is on the market.
- `RECENTLY_SOLD`: it has changed hands.
- `FOR_RENT`: it is offered to tenants.

This is a preference, not a filter: a home with only one listing is returned whatever that listing
is, and `homeStatus` in the record says what you got.
"""



class ListingSubType(TypedDict):
    """What kind of listing this is. Several can be true at once; all are false for a home that is off the market."""

    isFSBA: NotRequired[bool | None]
    """For sale by agent, the usual way."""

    isFSBO: NotRequired[bool | None]
    """For sale by owner, without a listing agent."""

    isNewHome: NotRequired[bool | None]
    """New construction, never lived in, sold by its builder."""

    isComingSoon: NotRequired[bool | None]
    """Announced, but not yet open to visits or offers."""

    isPending: NotRequired[bool | None]
    """An offer was accepted and the sale is not yet closed."""

    isOpenHouse: NotRequired[bool | None]
    """At least one open house is scheduled."""

    isForAuction: NotRequired[bool | None]
    """To be sold at auction, so that the price shown is an opening bid or an estimate."""

    isForeclosure: NotRequired[bool | None]
    """In foreclosure, or sold because of one."""

    isBankOwned: NotRequired[bool | None]
    """Owned by the lender after a foreclosure that drew no buyer (REO)."""



class NearbyHomeMiniCardPhotos(TypedDict):
    url: NotRequired[str | None]
    """The URL of the photo as JPEG."""



class NearbyHomeAttributionInfo(TypedDict):
    """Whom to credit when you show this home."""

    agentName: NotRequired[str | None]
    """The full name of its listing agent."""

    agentPhoneNumber: NotRequired[str | None]
    """The listing agent's phone number."""

    brokerName: NotRequired[str | None]
    """The brokerage that holds its listing."""

    brokerPhoneNumber: NotRequired[str | None]
    """The brokerage's phone number."""

    mlsId: NotRequired[str | None]
    """The listing's number within its MLS."""

    mlsName: NotRequired[str | None]
    """The MLS that the listing comes from."""

    providerLogo: NotRequired[str | None]
    """The URL of the MLS's logo."""

    trueStatus: NotRequired[str | None]
    """The status in the MLS's own words, where it says more than `homeStatus`."""



class NearbyHomeListingMetadata(TypedDict):
    """The MLS's rules for showing this home among others."""

    comminglingCategoryIsRulesApplicable: NotRequired[bool | None]
    """Whether the MLS restricts showing its listings in one list with others."""



class NearbyHome(TypedDict):
    """A short form of another home near the one in the record: enough to show a card and to follow `zpid` to its record."""

    zpid: NotRequired[str]
    """The id of the other home."""

    address: NotRequired[Address]
    """A postal address in parts, spelled as the data source spells it. Any part can be null: public records often lack the street, and an owner may keep it undisclosed."""

    state: NotRequired[str | None]
    """The two-letter postal abbreviation of the state."""

    latitude: NotRequired[float | None]
    """Degrees north of the equator (WGS 84)."""

    longitude: NotRequired[float | None]
    """Degrees east of Greenwich (WGS 84)."""

    price: NotRequired[float | None]
    """Its price in US dollars: the asking price or rent if it is on the market, otherwise the last sale price or an estimate."""

    currency: NotRequired[str | None]
    """The ISO 4217 code of the price, `USD`."""

    bedrooms: NotRequired[float | None]
    """The number of bedrooms; 0 for a studio."""

    bathrooms: NotRequired[float | None]
    """The number of bathrooms, half baths counted as 0.5."""

    livingArea: NotRequired[float | None]
    """The living area in square feet."""

    livingAreaValue: NotRequired[float | None]
    """The living area in the unit that `livingAreaUnits` names."""

    livingAreaUnits: NotRequired[str | None]
    """The unit of `livingAreaValue`, for example `Square Feet`."""

    livingAreaUnitsShort: NotRequired[str | None]
    """The same unit abbreviated, `sqft`."""

    lotSize: NotRequired[float | None]
    """The size of the lot in square feet."""

    lotAreaValue: NotRequired[float | None]
    """The size of the lot in the unit that `lotAreaUnits` names."""

    lotAreaUnits: NotRequired[str | None]
    """The unit of `lotAreaValue`, for example `Square Feet` or `Acres`."""

    homeType: NotRequired[str | None]
    """The kind of home, in the words of the record's `homeType`."""

    homeStatus: NotRequired[str | None]
    """The state of the home, in the words of the record's `homeStatus`."""

    hdpUrl: NotRequired[str | None]
    """The path of its page on the listing site."""

    miniCardPhotos: NotRequired[list[NearbyHomeMiniCardPhotos] | None]
    """One small photo, or none."""

    attributionInfo: NotRequired[NearbyHomeAttributionInfo | None]
    """Whom to credit when you show this home."""

    listing_sub_type: NotRequired[RowListingSubType]
    """What kind of listing this is, in the spelling of search rows. Several can be true at once. Sources leave out what is false, so read an absent flag as false."""

    listingMetadata: NotRequired[NearbyHomeListingMetadata | None]
    """The MLS's rules for showing this home among others."""

    isPremierBuilder: NotRequired[bool | None]
    """Whether the builder is an advertising customer of the listing site."""

    newConstructionType: NotRequired[str | None]
    """For new construction, `BUILDER_SPEC` or `BUILDER_PLAN`; null for homes that were lived in."""

    providerListingID: NotRequired[str | None]
    """The listing's id with the provider of a rental or builder feed."""



class NearbyRegionRegionUrl(TypedDict):
    """Where the listing site shows the region."""

    path: NotRequired[str | None]
    """The path on the listing site, without scheme and host."""



class NearbyRegion(TypedDict):
    """A region that borders the home's own."""

    name: NotRequired[str | None]
    """The region's name, or its ZIP code."""

    regionUrl: NotRequired[NearbyRegionRegionUrl | None]
    """Where the listing site shows the region."""



class NumberRange(TypedDict):
    """A range with both ends included. Leave an end out, or set it to null, to leave that side open; an empty object restricts nothing. A `min` above `max` is refused with `invalid_filters`, and so is any other field."""

    min: NotRequired[float | None]
    """The minimum value, in the unit of the filter; null or absent for none."""

    max: NotRequired[float | None]
    """The maximum value, in the unit of the filter; null or absent for none."""



class OpenHouse(TypedDict):
    """One window of time in which anyone may walk in and see the home."""

    startTime: NotRequired[str]
    """When the doors open, as ISO 8601 in UTC. To show local time, convert to `timeZone` of the record."""

    endTime: NotRequired[str | None]
    """When the doors close, as ISO 8601 in UTC; null where only a start was announced."""



class PhotoMixedSourcesJpeg(TypedDict):
    url: NotRequired[str]
    """The URL of this file."""

    width: NotRequired[int]
    """The width in pixels, among others 192, 384, 768 and 1536."""



class PhotoMixedSourcesWebp(TypedDict):
    url: NotRequired[str]
    """The URL of this file."""

    width: NotRequired[int]
    """The width in pixels, among others 192, 384, 768 and 1536."""



class PhotoMixedSources(TypedDict):
    """The same photo in every width on offer."""

    jpeg: NotRequired[list[PhotoMixedSourcesJpeg]]
    """JPEG files, narrowest first; every client can show them."""

    webp: NotRequired[list[PhotoMixedSourcesWebp]]
    """WebP files, narrowest first, about a third smaller than JPEG; empty where not on offer."""



class Photo(TypedDict):
    """One photo of a home, in several widths and two formats to choose from. Its links can expire (see "Homes" in the introduction)."""

    url: NotRequired[str]
    """The URL of the photo as JPEG in the default resolution."""

    caption: NotRequired[str | None]
    """The photographer's or agent's words under the photo; mostly empty."""

    subjectType: NotRequired[str | None]
    """What the photo shows, for example `kitchen`; null unless the data source classifies its photos."""

    mixedSources: NotRequired[PhotoMixedSources]
    """The same photo in every width on offer."""



class PingEvent(TypedDict):
    """A test delivery, signed like every other. POST /v1/webhooks/{id}/test and the operator of the service send it to check that a receiver works. Nothing has happened: answer it with a status from 200 to 299 and do nothing else."""

    id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    type: Literal["webhook.ping"]
    """Always `webhook.ping`."""

    timestamp: str
    """When the test delivery was sent."""

    attempt: int
    """Always 1. A test delivery is not repeated."""

    data: dict[str, Any]
    """An empty object."""



class PlaceCandidate(TypedDict):
    """A place that an ambiguous name may mean."""

    id: str
    """The id of the place in its kind. Send it instead of the name."""

    name: str
    """The name of the place."""

    county: str | None
    """The county of the place. Null if it is not known, and for states."""

    state: str | None
    """The two letters of the state of the place. Null if they are not known."""



class PlaceInfo(TypedDict):
    """A place that a search names, and where its boundary comes from."""

    kind: Literal["state", "county", "place", "zip", "neighborhood"] | str
    """The kind of the place."""

    id: str
    """The id of the place in its kind."""

    name: str
    """The name of the place."""

    source: str
    """Where the boundary comes from."""

    vintage: str
    """The year or version of the boundary."""



PlaceKind: TypeAlias = "Literal['state', 'county', 'place', 'zip', 'neighborhood']"
"""A kind of places with boundaries."""



PlanId: TypeAlias = "Literal['free', 'monthly', 'annual', 'custom'] | str"
"""The plan of the account. These are the default plans and their figures. The operator of the service can change the
figures and add plans: GET /v1/me returns those of your account.

- `free`: 100 credits once, 20 requests per minute, no top-ups.
- `monthly`: 1,000 credits a month, 200 requests per minute.
- `annual`: 12,000 credits at the start of each year, 300 requests per minute.
- `custom`: figures agreed with the operator of the service.

Each plan also limits what is free: failed lookups, the jobs and results that the service stores, and
watches.

| Plan | Failed lookups per minute | Failed lookups per day | Open jobs | Stored rows | Stored bytes | Watches | Homes per new watch | Watch queries per hour |
|---|---|---|---|---|---|---|---|---|
| `free` | 20 | 500 | 20 | 10,000 | 100,000,000 | 5 | 100 | 500 |
| `monthly` | 200 | 10,000 | 100 | 500,000 | 5,000,000,000 | 50 | 1,000 | 5,000 |
| `annual` | 300 | 20,000 | 200 | 1,000,000 | 10,000,000,000 | 200 | 5,000 | 20,000 |
| `custom` | 600 | 50,000 | 1,000 | 10,000,000 | 100,000,000,000 | 1,000 | 20,000 | 50,000 |

A failed lookup is a query to the data source that the account does not pay:

- a lookup of a home or building that finds nothing, and an entry of a job that fails
- a search of POST /v1/search/with-details that finds nothing, as long as its job has found no home
- a query for a building in a batch that has no record of its own and no units of the wanted kind
- each query of a call that ends without a charge because its client disconnected, or because other
  calls used up the credits meanwhile

Cached homes, and unknown homes that are asked for again within 10 minutes, need no query. A query
that the data source fails to answer counts only for an entry of a job.

These limits apply to the account, over all of its keys. Above the failed lookups a call gets 429
`lookup_budget_exceeded`, and a job waits. Above one of the others no further job is accepted (409
`job_limit`), and no further watch (409 `watch_limit`). A new watch that matches more homes is refused with 400
`invalid_filters`.

Over a remote data source, watches search it with at most this many queries per hour. When they are
used up, the watches of the account are searched later. Nothing is lost or refused.
"""



class PostingContact(TypedDict):
    """The contact for a listing."""

    name: NotRequired[str | None]
    """The contact's name, a person or a leasing office."""

    photo: NotRequired[dict[str, Any] | None]
    """The contact's picture."""



class PriceEventAttributeSource(TypedDict):
    """The report behind the event, in the form in which its MLS wants to be credited."""

    infoString1: NotRequired[str | None]
    """The MLS and the listing's number in it, as one line."""

    infoString2: NotRequired[str | None]
    """The name of the reporting MLS or county."""

    infoString3: NotRequired[str | None]
    """The URL of the reporting party's logo."""



class PriceEvent(TypedDict):
    """One event in the price history of a home: a listing, a change of price, a sale, a withdrawal. Sale and rent events are in one list; `postingIsRental` tells them apart."""

    date: NotRequired[str]
    """The day of the event, as `YYYY-MM-DD` in the home's own time zone."""

    time: NotRequired[int | None]
    """The same day as milliseconds since 1970-01-01 UTC."""

    event: NotRequired[str]
    """What happened, in the source's words. Known values are `Listed for sale`, `Price change`,
    `Contingent`, `Pending sale`, `Sold`, `Relisted`, `Listing removed` and `Listed for rent`;
    expect others.
    """

    price: NotRequired[float | None]
    """The price after the event in US dollars, a monthly rent if `postingIsRental`; null where it was not disclosed, as sale prices are not in some states."""

    priceChangeRate: NotRequired[float | None]
    """The change against the previous event as a fraction, so that -0.05 is a cut of 5 %; 0 for the first event, null where either price is unknown."""

    pricePerSquareFoot: NotRequired[float | None]
    """The event's price divided by the living area, in US dollars per square foot."""

    postingIsRental: NotRequired[bool | None]
    """Whether the event belongs to a rental listing, so that prices are monthly rents."""

    source: NotRequired[str | None]
    """Who reported the event, an MLS by name or `Public Record`."""

    attributeSource: NotRequired[PriceEventAttributeSource | None]
    """The report behind the event, in the form in which its MLS wants to be credited."""

    buyerAgent: NotRequired[dict[str, Any] | None]
    """The agent who represented the buyer, on a sale whose MLS discloses it."""

    sellerAgent: NotRequired[dict[str, Any] | None]
    """The agent who represented the seller, on a listing or sale whose MLS discloses it."""

    showCountyLink: NotRequired[bool | None]
    """Whether the event comes from county records that can be looked up by the public."""



class PropertyNeighborhoodRegion(TypedDict):
    """The neighborhood as a region of the listing site."""

    name: NotRequired[str | None]
    """The neighborhood's name."""



class PropertyParentRegion(TypedDict):
    """The next larger region that the listing site shows the home in."""

    name: NotRequired[str | None]
    """The region's name, a neighborhood, city or ZIP code."""



class PropertyHomeInsights(TypedDict):
    insights: NotRequired[list[dict[str, Any]] | None]
    """The groups of phrases, each with its `phrases`."""



class PropertyMortgageRates(TypedDict):
    """Average mortgage rates in the home's state on the day the record was read, in percent a year."""

    thirtyYearFixedRate: NotRequired[float | None]
    """The rate of a loan fixed for 30 years."""

    fifteenYearFixedRate: NotRequired[float | None]
    """The rate of a loan fixed for 15 years."""

    arm5Rate: NotRequired[float | None]
    """The rate of a loan that is fixed for 5 years and adjusts afterwards."""



class PropertyMortgageZHLRatesThirtyYearFixedBucket(TypedDict):
    """The quote for a loan fixed for 30 years."""

    rate: NotRequired[float | None]
    """Percent a year."""

    rateSource: NotRequired[str | None]
    """The lender or survey behind the rate."""

    lastUpdated: NotRequired[int | None]
    """When it was quoted, as milliseconds since 1970-01-01 UTC."""



class PropertyMortgageZHLRatesFifteenYearFixedBucket(TypedDict):
    """The quote for a loan fixed for 15 years."""

    rate: NotRequired[float | None]
    """Percent a year."""

    rateSource: NotRequired[str | None]
    """The lender or survey behind the rate."""

    lastUpdated: NotRequired[int | None]
    """When it was quoted, as milliseconds since 1970-01-01 UTC."""



class PropertyMortgageZHLRatesArm5Bucket(TypedDict):
    """The quote for a loan that is fixed for 5 years and adjusts afterwards."""

    rate: NotRequired[float | None]
    """Percent a year."""

    rateSource: NotRequired[str | None]
    """The lender or survey behind the rate."""

    lastUpdated: NotRequired[int | None]
    """When it was quoted, as milliseconds since 1970-01-01 UTC."""



class PropertyMortgageZHLRates(TypedDict):
    """The rates quoted by the listing site's own lender."""

    thirtyYearFixedBucket: NotRequired[PropertyMortgageZHLRatesThirtyYearFixedBucket | None]
    """The quote for a loan fixed for 30 years."""

    fifteenYearFixedBucket: NotRequired[PropertyMortgageZHLRatesFifteenYearFixedBucket | None]
    """The quote for a loan fixed for 15 years."""

    arm5Bucket: NotRequired[PropertyMortgageZHLRatesArm5Bucket | None]
    """The quote for a loan that is fixed for 5 years and adjusts afterwards."""



class PropertyAgent(TypedDict):
    """The listing agent in short; null for homes that no agent lists."""

    agentName: NotRequired[str | None]
    """The agent's full name."""

    agentEmail: NotRequired[str | None]
    """The agent's e-mail address; null where the MLS does not release it."""

    agentPhoneNumber: NotRequired[str | None]
    """The agent's phone number, formatted as the feed sends it."""

    agentLicenseNumber: NotRequired[str | None]
    """The number of the agent's state license."""

    brokerName: NotRequired[str | None]
    """The brokerage that the agent works for."""

    brokerPhoneNumber: NotRequired[str | None]
    """The brokerage's phone number, formatted as the feed sends it."""



class PropertyBroker(TypedDict):
    """The brokerage that holds the listing, in short."""

    brokerName: NotRequired[str | None]
    """The brokerage's name."""

    brokerPhoneNumber: NotRequired[str | None]
    """The brokerage's phone number, formatted as the feed sends it."""



class PropertyListedBy(TypedDict):
    id: NotRequired[str | None]
    """The kind of line, for example `LISTED_BY` or `BROKER`."""

    elements: NotRequired[list[dict[str, Any]] | None]
    """The parts of the line, each with `id` (for example `NAME` or `PHONE`) and `text`."""

    textStyle: NotRequired[str | None]
    """How the line is set; null for ordinary text."""



class PropertyThirdPartyVirtualTour(TypedDict):
    """A virtual tour by another company."""

    approved: NotRequired[bool | None]
    """Whether the listing site has checked the tour and embeds it."""

    externalUrl: NotRequired[str | None]
    """The URL of the tour on the company's own site."""

    lightboxUrl: NotRequired[str | None]
    """The URL of the tour for embedding."""

    staticUrl: NotRequired[str | None]
    """The URL of a still picture of the tour."""

    providerKey: NotRequired[str | None]
    """The company, as a code."""

    providerName: NotRequired[str | None]
    """The company's name."""



class PropertyVrModel(TypedDict):
    """The home's 3D model."""

    vrModelGuid: NotRequired[str | None]
    """The id of the model."""

    revisionId: NotRequired[str | None]
    """The id of the model's latest revision."""



class PropertySelfTour(TypedDict):
    """Visits without an agent."""

    hasSelfTour: NotRequired[bool | None]
    """Whether the home can be seen alone, with a code for the lock."""



class PropertyForeclosureTypes(TypedDict):
    """The foreclosure state of the home, as flags; all false for most homes."""

    isAnyForeclosure: NotRequired[bool | None]
    """Whether any of the other flags is set."""

    isPreforeclosure: NotRequired[bool | None]
    """The owner is in default, and no sale has taken place."""

    isForeclosedNFS: NotRequired[bool | None]
    """Foreclosed, and not offered for sale."""

    isBankOwned: NotRequired[bool | None]
    """Owned by the lender after an auction without a buyer (REO)."""

    wasDefault: NotRequired[bool | None]
    """There was a default that has been settled."""

    wasForeclosed: NotRequired[bool | None]
    """There was a foreclosure under an earlier owner."""

    wasNonRetailAuction: NotRequired[bool | None]
    """The home was sold at an auction closed to the public market."""

    wasREO: NotRequired[bool | None]
    """A lender owned the home at some earlier time."""



class PropertyForeclosureMoreInfo(TypedDict):
    """What the notice says about the parcel."""

    apn: NotRequired[str | None]
    """The assessor's number of the parcel as the notice writes it."""

    legalDescription: NotRequired[str | None]
    """The legal description of the parcel."""

    recordedDocs: NotRequired[str | None]
    """The recorded documents that the notice refers to."""



class Property(TypedDict):
    """Everything the data source knows about one home and its listing. Fields are grouped by subject: the home, its place, price, value and tax, the listing, history, people, photos, rentals, foreclosure, surroundings. A whole record always has its `zpid`; `fields` can leave even that out. Every other field can be absent or null, which both mean that the data source does not state it or that it does not apply; they never mean zero or no. Amounts are US dollars and areas square feet unless a field says otherwise. Sources may send further fields, and these are passed on unchanged."""

    zpid: NotRequired[str]
    """The id of the home, digits only. It stays the same over sales and relistings, so use it as the key in your own store. A home can have further ids, which find it, too (see "Homes" in the introduction)."""

    homeType: NotRequired[str | None]
    """The kind of home: `SINGLE_FAMILY`, `CONDO`, `TOWNHOUSE`, `MULTI_FAMILY`, `MANUFACTURED`, `LOT`, `APARTMENT`, `OTHER`, or others still to come."""

    homeStatus: NotRequired[str | None]
    """The state of the home on the market: `FOR_SALE`, `FOR_RENT`, `PENDING`, `COMING_SOON`, `RECENTLY_SOLD`, `SOLD`, `OFF_MARKET`, `OTHER`, or others still to come."""

    keystoneHomeStatus: NotRequired[str | None]
    """The state in the source's internal code, for example `ForSale` or `RecentlySold`; finer than `homeStatus` in rare cases."""

    parcelId: NotRequired[str | None]
    """The county assessor's number of the parcel (APN), formatted as the county writes it; unique only within the county."""

    mlsid: NotRequired[str | None]
    """The listing's number in its multiple listing service (MLS); null for homes that no MLS lists."""

    providerListingID: NotRequired[str | None]
    """The listing's id with the provider of a rental or builder feed."""

    listingFeedID: NotRequired[str | None]
    """The id of the feed through which the data source received the listing."""

    ouid: NotRequired[str | None]
    """The id of the organization that publishes the listing, as registered with RESO, for example `M00000353`."""

    hdpUrl: NotRequired[str | None]
    """The home's page: a path on the listing site, which can be given to GET /v1/properties/by-url with the host before it, or a whole URL."""

    postingUrl: NotRequired[str | None]
    """The URL of the listing on the website of the party that posted it."""

    address: NotRequired[Address | None]
    """The postal address in parts."""

    streetAddress: NotRequired[str | None]
    """House number, street and unit, the same as in `address`; null where the data source withholds it."""

    abbreviatedAddress: NotRequired[str | None]
    """The street address in its shortest form, without city, state and ZIP code."""

    unitNumber: NotRequired[str | None]
    """The number or letter of the unit in its building, without a designator."""

    city: NotRequired[str | None]
    """The city or town of the postal address."""

    state: NotRequired[str | None]
    """The two-letter postal abbreviation of the state."""

    zipcode: NotRequired[str | None]
    """The five-digit ZIP code, as a string so that leading zeros stay."""

    zipPlusFour: NotRequired[str | None]
    """The four digits behind the ZIP code that narrow it to a block or building."""

    county: NotRequired[str | None]
    """The county's name, for example `King County`."""

    countyFIPS: NotRequired[str | None]
    """The five-digit FIPS code of the county, state first; joins to census data."""

    neighborhood: NotRequired[str | None]
    """The neighborhood's name, where the data source assigns one."""

    country: NotRequired[str | None]
    """The country, `USA`."""

    regionString: NotRequired[str | None]
    """The region in words, for example `Queen Anne, Seattle, WA`."""

    latitude: NotRequired[float | None]
    """Degrees north of the equator (WGS 84), mostly of the parcel's center."""

    longitude: NotRequired[float | None]
    """Degrees east of Greenwich (WGS 84), mostly of the parcel's center."""

    hasBadGeocode: NotRequired[bool | None]
    """Whether the position is known to be wrong or too coarse; keep such homes off a map."""

    timeZone: NotRequired[str | None]
    """The IANA time zone of the home, for example `America/Los_Angeles`."""

    isUndisclosedAddress: NotRequired[bool | None]
    """Whether the seller keeps the exact address private."""

    cityId: NotRequired[int | None]
    """The listing site's id of the city."""

    countyID: NotRequired[str | None]
    """The listing site's id of the county, a string unlike the other ids of regions."""

    stateId: NotRequired[int | None]
    """The listing site's id of the state."""

    boroughId: NotRequired[int | None]
    """The listing site's id of the borough; in New York City only."""

    neighborhoodRegion: NotRequired[PropertyNeighborhoodRegion | None]
    """The neighborhood as a region of the listing site."""

    parentRegion: NotRequired[PropertyParentRegion | None]
    """The next larger region that the listing site shows the home in."""

    bedrooms: NotRequired[float | None]
    """The number of bedrooms; 0 for a studio."""

    bathrooms: NotRequired[float | None]
    """The number of bathrooms, where a half bath counts as 0.5 and a three-quarter bath as 0.75."""

    livingArea: NotRequired[float | None]
    """The finished living area in square feet, as far as the data source can tell without unfinished basement and garage."""

    livingAreaValue: NotRequired[float | None]
    """The living area in the unit that `livingAreaUnits` names."""

    livingAreaUnits: NotRequired[str | None]
    """The unit of `livingAreaValue` in words, for example `Square Feet`."""

    livingAreaUnitsShort: NotRequired[str | None]
    """The unit of `livingAreaValue` abbreviated, for example `sqft`."""

    lotSize: NotRequired[float | None]
    """The size of the lot in square feet; an acre is 43,560. Null for most condos."""

    lotAreaValue: NotRequired[float | None]
    """The size of the lot in the unit that `lotAreaUnits` names; read the two together, for large lots are given in acres."""

    lotAreaUnits: NotRequired[str | None]
    """The unit of `lotAreaValue`, `Square Feet` or `Acres`."""

    yearBuilt: NotRequired[int | None]
    """The year in which the home was finished, by the assessor's records where there are any."""

    yearRenovated: NotRequired[int | None]
    """The year of the last major renovation on record; null if there was none."""

    stories: NotRequired[float | None]
    """The number of floors above ground, where half a floor counts as 0.5."""

    numberOfUnitsTotal: NotRequired[int | None]
    """The number of homes in the building or on the parcel; 1 for a detached house."""

    parking: NotRequired[list[str] | None]
    """The kinds of parking, in the listing's words, for example `Garage - Attached`."""

    heating: NotRequired[list[str] | None]
    """The kinds of heating, by method and fuel, for example `Forced Air` and `Natural Gas`."""

    cooling: NotRequired[list[str] | None]
    """The kinds of cooling, for example `Central Air`; `None` where there is none."""

    hasGarage: NotRequired[bool | None]
    """Whether the home has a garage, attached or detached; a carport does not count."""

    hasPool: NotRequired[bool | None]
    """Whether the home has a private pool; a pool shared with neighbors does not count."""

    isWaterfront: NotRequired[bool | None]
    """Whether the lot touches a body of water; a mere view of it does not count."""

    homeFacts: NotRequired[dict[str, Any] | None]
    """Facts about the home as the listing site groups them for display; `resoFacts` has the same ones for programs."""

    resoFacts: NotRequired[ResoFacts | None]
    """The home's features in the vocabulary of the MLS, from appliances to zoning; also at GET /v1/properties/{zpid}/facts."""

    description: NotRequired[str | None]
    """The listing's text as its agent or owner wrote it; after a sale often the last one known."""

    whatILove: NotRequired[str | None]
    """What the owner likes about the home, in the owner's own words."""

    homeInsights: NotRequired[list[PropertyHomeInsights] | None]
    """Phrases that the data source extracted from text and photos."""

    highlights: NotRequired[list[str] | None]
    """The listing's selling points, a few words each."""

    buildingPermits: NotRequired[list[dict[str, Any]] | None]
    """Building permits on record for the parcel, in the county's terms."""

    solarPotential: NotRequired[dict[str, Any] | None]
    """How well the roof suits solar panels, as rated by the source's partner."""

    price: NotRequired[float | None]
    """The price that `homeStatus` implies: the asking price, the rent per month, or for a sold home the sale price."""

    currency: NotRequired[str | None]
    """The ISO 4217 code of every amount in the record, `USD`."""

    listPriceLow: NotRequired[float | None]
    """The lower end of an asking price that is published as a range."""

    priceChange: NotRequired[float | None]
    """The last change of the asking price, negative for a cut; null if it never changed."""

    priceChangeDate: NotRequired[int | None]
    """When the asking price last changed, as milliseconds since 1970-01-01 UTC."""

    priceChangeDateString: NotRequired[str | None]
    """The day on which the asking price last changed, as `YYYY-MM-DD`."""

    datePriceChanged: NotRequired[int | None]
    """When the price last changed, as milliseconds since 1970-01-01 UTC; some sources send it in place of `priceChangeDate`."""

    hoaFee: NotRequired[float | None]
    """The fee of the homeowners' association per month, as the listing states it."""

    monthlyHoaFee: NotRequired[float | None]
    """The fees of all homeowners' associations, converted to one month; 0 where an association charges nothing."""

    annualHomeownersInsurance: NotRequired[float | None]
    """An estimate of a year's homeowner's insurance."""

    mortgageRates: NotRequired[PropertyMortgageRates | None]
    """Average mortgage rates in the home's state on the day the record was read, in percent a year."""

    mortgageZHLRates: NotRequired[PropertyMortgageZHLRates | None]
    """The rates quoted by the listing site's own lender."""

    downPaymentAssistance: NotRequired[dict[str, Any] | None]
    """Programs that help buyers of this home with the down payment."""

    zestimate: NotRequired[float | None]
    """The source's automated estimate of the market value as of today; null where it makes none."""

    zestimateLowPercent: NotRequired[str | None]
    """How far below `zestimate` the low end of its range lies, in percent and as a string: `5` means 5 % below."""

    zestimateHighPercent: NotRequired[str | None]
    """How far above `zestimate` the high end of its range lies, in percent and as a string."""

    hideZestimate: NotRequired[bool | None]
    """Whether the owner or the MLS asked not to show the estimate to the public."""

    rentZestimate: NotRequired[float | None]
    """The source's automated estimate of the monthly rent."""

    restimateLowPercent: NotRequired[str | None]
    """How far below `rentZestimate` the low end of its range lies, in percent and as a string."""

    restimateHighPercent: NotRequired[str | None]
    """How far above `rentZestimate` the high end of its range lies, in percent and as a string."""

    homeValues: NotRequired[dict[str, Any] | None]
    """Estimates of the value by other models or for other dates."""

    tax: NotRequired[float | None]
    """The property tax of the latest year on record."""

    taxAssessedValue: NotRequired[float | None]
    """The value for tax in the latest year on record; in some states a fixed share of the market value, or capped."""

    taxAssessedYear: NotRequired[int | None]
    """The year that `taxAssessedValue` belongs to."""

    propertyTaxRate: NotRequired[float | None]
    """The usual property tax in the home's area, in percent of the market value a year."""

    lastSoldPrice: NotRequired[float | None]
    """The price of the last recorded sale; null in states where sale prices are not public."""

    daysOnSite: NotRequired[int | None]
    """Whole days since the listing became public; for a sold home, since the sale."""

    timeOnSite: NotRequired[str | None]
    """The same span in words, for example `15 days`."""

    datePosted: NotRequired[str | None]
    """The day on which the listing became public, as `YYYY-MM-DD`."""

    datePostedString: NotRequired[str | None]
    """The day of posting once more, as `YYYY-MM-DD`; sources send one or the other."""

    dateSold: NotRequired[int | str | None]
    """When the home was last sold, as milliseconds since 1970-01-01 UTC from some sources and as an ISO 8601 text from others; `dateSoldString` is always text."""

    dateSoldString: NotRequired[str | None]
    """The day of the last sale, as `YYYY-MM-DD`."""

    comingSoonOnMarketDate: NotRequired[str | None]
    """The day on which a coming-soon listing opens to visits and offers, as `YYYY-MM-DD`."""

    contingentListingType: NotRequired[str | None]
    """What an accepted offer still depends on, for example `UNDER_CONTRACT` or `ACCEPTING_BACK_UP_OFFERS`; null without one."""

    listingSubType: NotRequired[ListingSubType | None]
    """What kind of listing this is, as flags. Some sources send the same flags a second time in an unlisted field, spelled as in search rows; it is passed on unchanged."""

    listingMetadata: NotRequired[ListingMetadata | None]
    """The MLS's rules for showing the listing to the public."""

    listingDataSource: NotRequired[str | None]
    """The pipeline through which the listing site received the listing, by its internal name."""

    listingProvider: NotRequired[dict[str, Any] | None]
    """The company whose feed delivered the listing, with what it wants shown as credit."""

    listingAccountUserId: NotRequired[str | None]
    """The listing site's id of the account that posted the listing."""

    newConstructionType: NotRequired[str | None]
    """For new construction, `BUILDER_SPEC` (a house that is built or under construction) or `BUILDER_PLAN` (a plan that can be ordered)."""

    moveInReady: NotRequired[bool | None]
    """Whether a new home is finished and ready to move into."""

    moveInCompletionDate: NotRequired[str | None]
    """The day on which a new home will be finished, as date text."""

    isListedByOwner: NotRequired[bool | None]
    """Whether the owner sells without a listing agent."""

    isOffMarket: NotRequired[bool | None]
    """Whether the home is neither for sale nor for rent."""

    isRecentStatusChange: NotRequired[bool | None]
    """Whether `homeStatus` changed within the last days."""

    isNonOwnerOccupied: NotRequired[bool | None]
    """Whether public records say that the owner lives elsewhere."""

    isSiteOwned: NotRequired[bool | None]
    """Whether the listing site itself owns the home."""

    isFeatured: NotRequired[bool | None]
    """Whether the listing is a paid promotion on the listing site."""

    isShowcaseListing: NotRequired[bool | None]
    """Whether the listing comes with the larger set of media that agents can buy."""

    isPremierBuilder: NotRequired[bool | None]
    """Whether the builder is an advertising customer of the listing site."""

    isInstantOfferEnabled: NotRequired[bool | None]
    """Whether the owner can ask the listing site for an immediate offer."""

    pageViewCount: NotRequired[int | None]
    """How often the listing's page was viewed since it was posted."""

    favoriteCount: NotRequired[int | None]
    """How many visitors of the listing site saved the home."""

    tourViewCount: NotRequired[int | None]
    """How often the listing's 3D or video tour was viewed."""

    priceHistory: NotRequired[list[PriceEvent] | None]
    """Listings, price changes and sales, latest first; also at GET /v1/properties/{zpid}/price-history."""

    taxHistory: NotRequired[list[TaxEvent] | None]
    """Tax and assessed value by year, latest first; also at GET /v1/properties/{zpid}/tax-history."""

    attributionInfo: NotRequired[AttributionInfo | None]
    """Who listed the home, and the credits and disclaimer that its MLS requires."""

    agent: NotRequired[PropertyAgent | None]
    """The listing agent in short; null for homes that no agent lists."""

    broker: NotRequired[PropertyBroker | None]
    """The brokerage that holds the listing, in short."""

    brokerageName: NotRequired[str | None]
    """The name of the brokerage once more, as the MLS wants it credited."""

    brokerId: NotRequired[str | None]
    """The listing site's id of the brokerage."""

    listing_agent: NotRequired[dict[str, Any] | None]
    """The listing agent as some data sources send it in addition to `agent`, in their own form."""

    listedBy: NotRequired[list[PropertyListedBy] | None]
    """The lines that the listing site prints under "Listed by", ready for display."""

    enhancedBrokerImageUrl: NotRequired[str | None]
    """The URL of the brokerage's logo."""

    postingContact: NotRequired[PostingContact | list[PostingContact] | None]
    """The contacts for the listing; an empty array from some data sources if there is no contact."""

    ownerAccount: NotRequired[dict[str, Any] | None]
    """The account of an owner who has claimed the home on the listing site."""

    photoCount: NotRequired[int | None]
    """The number of photos in the listing; `responsivePhotos` can hold fewer where the data source limits it."""

    responsivePhotos: NotRequired[list[Photo] | None]
    """The listing's photos in the order of the listing; also at GET /v1/properties/{zpid}/photos."""

    responsivePhotosOriginalRatio: NotRequired[list[Photo] | None]
    """The same photos uncropped, in the ratio in which they were taken."""

    photos: NotRequired[list[dict[str, Any]] | None]
    """The same photos as some sources send them, with `mixedSources` and sometimes without `url`."""

    originalPhotos: NotRequired[list[dict[str, Any]] | None]
    """The photos in the size in which they were uploaded, with `caption` and `mixedSources`."""

    tourPhotos: NotRequired[list[dict[str, Any]] | None]
    """Still pictures taken from the 3D tour."""

    floorMaps: NotRequired[list[dict[str, Any]] | None]
    """Floor plans, each with its picture and the tour that it belongs to."""

    interactiveFloorPlanUrl: NotRequired[str | None]
    """The URL of a floor plan to walk through."""

    mediumImageLink: NotRequired[str | None]
    """The URL of the first photo in medium size, about 400 pixels wide."""

    hiResImageLink: NotRequired[str | None]
    """The URL of the first photo in the largest size, about 1500 pixels wide."""

    streetView: NotRequired[dict[str, Any] | None]
    """The street-level picture of the home and whether one exists."""

    hasPublicVideo: NotRequired[bool | None]
    """Whether the listing has a video that anyone may see."""

    primaryPublicVideo: NotRequired[dict[str, Any] | None]
    """The main video, with its URLs by resolution."""

    richMedia: NotRequired[dict[str, Any] | None]
    """Videos, tours and floor plans together, in the source's shape."""

    richMediaVideos: NotRequired[list[dict[str, Any]] | None]
    """The videos among the rich media."""

    virtualTourUrl: NotRequired[str | None]
    """The URL of a virtual tour, the one without advertising where there are two."""

    thirdPartyVirtualTour: NotRequired[PropertyThirdPartyVirtualTour | None]
    """A virtual tour by another company."""

    hasApprovedThirdPartyVirtualTourUrl: NotRequired[bool | None]
    """Whether `thirdPartyVirtualTour` is approved."""

    hasVRModel: NotRequired[bool | None]
    """Whether the home can be walked through as a 3D model."""

    vrModel: NotRequired[PropertyVrModel | None]
    """The home's 3D model."""

    openHouseSchedule: NotRequired[list[OpenHouse] | None]
    """The open houses to come, in order of time; also at GET /v1/properties/{zpid}/open-houses."""

    tourEligibility: NotRequired[TourEligibility | None]
    """Whether and how a private visit can be booked."""

    selfTour: NotRequired[PropertySelfTour | None]
    """Visits without an agent."""

    unassistedShowing: NotRequired[bool | None]
    """Whether visitors may see the home without the listing agent."""

    building: NotRequired[dict[str, Any] | None]
    """The multi-unit building that the home is part of, in the source's shape."""

    buildingId: NotRequired[str | None]
    """The source's key of the building."""

    buildingKey: NotRequired[str | None]
    """The key of the building in its listing URL, the part behind the last hyphen of a `/b/` URL."""

    buildingName: NotRequired[str | None]
    """The name of the building."""

    isBuilding: NotRequired[bool | None]
    """True on the record of a multi-unit building itself. Such a record is no home: searches do not return it, and it is free where it comes with its units."""

    lotId: NotRequired[int | None]
    """The source's number of the lot that the building stands on, the same for all its units."""

    marketingName: NotRequired[str | None]
    """The name under which a rental building is advertised, where it differs."""

    bdpUrl: NotRequired[str | None]
    """The path of the building's page on the listing site; with the host before it, it can be given to GET /v1/buildings/by-url."""

    availabilityDate: NotRequired[str | None]
    """The first day on which a rental can be moved into, as date text."""

    baseRent: NotRequired[float | None]
    """The rent per month without required fees."""

    listPriceIncludesRequiredMonthlyFees: NotRequired[bool | None]
    """Whether `price` of a rental already contains the fees that every tenant pays."""

    totalRequiredMonthlyMinFee: NotRequired[float | None]
    """The least that the fees required of every tenant add up to per month."""

    totalRequiredMonthlyMaxFee: NotRequired[float | None]
    """The most that the fees required of every tenant add up to per month."""

    rentalCostsAndFees: NotRequired[dict[str, Any] | None]
    """Every cost of renting in addition to the rent, grouped by due date."""

    rentalApplicationPriceDetail: NotRequired[dict[str, Any] | None]
    """What an application costs, and what it includes."""

    rentalApplicationsAcceptedType: NotRequired[str | None]
    """How applications are taken, for example `REQUIRE_INVITE`; null for homes that are not for rent."""

    rentalAvailableTourTimes: NotRequired[list[dict[str, Any]] | None]
    """The free times for visits to a rental."""

    rentalListingOwnerContact: NotRequired[dict[str, Any] | None]
    """The landlord or manager to contact about a rental."""

    isRentalListingOffMarket: NotRequired[bool | None]
    """Whether a rental listing has been taken down."""

    isRentalsLeadCapMet: NotRequired[bool | None]
    """Whether the landlord takes no more inquiries through the listing site for now."""

    isPaidMultiFamilyBrokerId: NotRequired[bool | None]
    """Whether the landlord pays for the rental building to be listed."""

    isCommunityPillar: NotRequired[bool | None]
    """Whether the landlord has agreed to open screening rules that make renting easier."""

    isHousingConnector: NotRequired[bool | None]
    """Whether the landlord takes part in a program for tenants who find it hard to rent."""

    isIncomeRestricted: NotRequired[bool | None]
    """Whether tenants or buyers must stay below an income limit."""

    postingProductType: NotRequired[str | None]
    """The advertising product that a rental was posted with, as a code."""

    foreclosureTypes: NotRequired[PropertyForeclosureTypes | None]
    """The foreclosure state of the home, as flags; all false for most homes."""

    isPreforeclosureAuction: NotRequired[bool | None]
    """Whether an auction is scheduled for a home in default."""

    foreclosureJudicialType: NotRequired[str | None]
    """How the state forecloses, `Judicial` through a court or `Non-Judicial` through a trustee; stated for homes that are not in foreclosure too."""

    foreclosureDefaultFilingDate: NotRequired[str | None]
    """The day on which the notice of default was filed, as date text."""

    foreclosureDate: NotRequired[str | None]
    """The day on which the lender took the home over, as date text."""

    foreclosureAmount: NotRequired[float | None]
    """The amount for which the lender took the home over."""

    foreclosingBank: NotRequired[str | None]
    """The lender that forecloses."""

    foreclosureLoanAmount: NotRequired[float | None]
    """The original amount of the loan in default."""

    foreclosureLoanDate: NotRequired[str | None]
    """The day on which the loan in default was made, as date text."""

    foreclosureLoanOriginator: NotRequired[str | None]
    """The lender that made the loan in default."""

    foreclosurePastDueBalance: NotRequired[float | None]
    """The installments that were overdue at `foreclosureBalanceReportingDate`."""

    foreclosureUnpaidBalance: NotRequired[float | None]
    """What was left of the loan at `foreclosureBalanceReportingDate`."""

    foreclosureBalanceReportingDate: NotRequired[str | None]
    """The day for which the two balances hold, as date text."""

    foreclosurePriorSaleAmount: NotRequired[float | None]
    """The price that the owner in default once paid."""

    foreclosurePriorSaleDate: NotRequired[str | None]
    """The day on which the owner in default bought the home, as date text."""

    foreclosureAuctionFilingDate: NotRequired[str | None]
    """The day on which the notice of auction was filed, as date text."""

    foreclosureAuctionTime: NotRequired[str | None]
    """When the auction begins, as text in local time."""

    foreclosureAuctionLocation: NotRequired[str | None]
    """Where the auction is held, for example the steps of a courthouse."""

    foreclosureAuctionCity: NotRequired[str | None]
    """The city in which the auction is held."""

    foreclosureAuctionDescription: NotRequired[str | None]
    """The notice of auction in words."""

    foreclosureMoreInfo: NotRequired[PropertyForeclosureMoreInfo | None]
    """What the notice says about the parcel."""

    schools: NotRequired[list[School] | None]
    """Schools near the home; also at GET /v1/properties/{zpid}/schools."""

    assignedSchools: NotRequired[list[School] | None]
    """The schools whose attendance areas include the home, from sources of rentals."""

    comps: NotRequired[list[NearbyHome] | None]
    """Comparable homes that the data source chose to judge the value by."""

    nearbyHomes: NotRequired[list[NearbyHome] | None]
    """Homes around this one, listed or not. For comparable listings that are computed here, use GET /v1/properties/{zpid}/nearby."""

    nearbyBuildings: NotRequired[list[dict[str, Any]] | None]
    """Rental buildings around the home, with name and path."""

    nearbyCities: NotRequired[list[NearbyRegion] | None]
    """Cities around the home's own."""

    nearbyNeighborhoods: NotRequired[list[NearbyRegion] | None]
    """Neighborhoods around the home's own."""

    nearbyZipcodes: NotRequired[list[NearbyRegion] | None]
    """ZIP codes around the home's own."""

    citySearchUrl: NotRequired[SiteLink | None]
    """The listing site's search for the home's city."""

    countySearchUrl: NotRequired[SiteLink | None]
    """The listing site's search for the home's county."""

    stateSearchUrl: NotRequired[SiteLink | None]
    """The listing site's search for the home's state."""

    zipcodeSearchUrl: NotRequired[SiteLink | None]
    """The listing site's search for the home's ZIP code."""

    neighborhoodSearchUrl: NotRequired[SiteLink | None]
    """The listing site's search for the home's neighborhood."""

    boroughSearchUrl: NotRequired[SiteLink | None]
    """The listing site's search for the home's borough; in New York City only."""

    apartmentsForRentInZipcodeSearchUrl: NotRequired[SiteLink | None]
    """The listing site's search for apartments to rent in the ZIP code."""

    housesForRentInZipcodeSearchUrl: NotRequired[SiteLink | None]
    """The listing site's search for houses to rent in the ZIP code."""

    communityUrl: NotRequired[str | None]
    """The path of the builder's community that a new home belongs to."""



class RecordMeta(TypedDict):
    """Information about the response. Absent if it would be empty."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class RecordRow(Property):
    """A property record in the result of a job, with the entry of the job that it belongs to."""

    input: str
    """The batch entry that returned this record, as it was sent, or the zpid of the search row. A row with `withheld` has its zpid here."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    withheld: NotRequired[Withheld]
    """What the data source has forbidden to show since the row or the event was stored. Absent if nothing is missing."""



class Redelivery(TypedDict):
    """The attempt that a redelivery makes."""

    webhook_id: str
    """The id of the webhook."""

    event_id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    attempt: int
    """The number of the attempt, as GET /v1/webhooks/{id}/deliveries will list it."""



RequestId: TypeAlias = "str"
"""The id of one request. It is in the body and in the header `X-Request-Id` of every response, and in the request's row of GET /v1/usage."""



_ResoAnswer = TypedDict("_ResoAnswer", {
    "@reso.context": "str",
})


class ResoAnswer(_ResoAnswer):
    """Homes in RESO Common Format."""

    value: list[ResoProperty]
    """The homes. A lookup of one home has one."""

    meta: SearchMeta
    """Information about the result of a search."""

    request_id: RequestId
    """The id of one request. It is in the body and in the header `X-Request-Id` of every response, and in the request's row of GET /v1/usage."""



class ResoFactsAtAGlanceFacts(TypedDict):
    factLabel: NotRequired[str | None]
    """The name of the fact, for example `Year Built`."""

    factValue: NotRequired[str | None]
    """The fact as text."""



class ResoFactsAssociations(TypedDict):
    name: NotRequired[str | None]
    """The name of the association."""

    phone: NotRequired[str | None]
    """The phone number of the association or its manager."""

    feeFrequency: NotRequired[str | None]
    """Fee and frequency as text, for example `$450 monthly`."""



class ResoFactsFeesAndDues(TypedDict):
    type: NotRequired[str | None]
    """The kind of fee, for example `Association fee`."""

    fee: NotRequired[str | None]
    """Amount and frequency as text, for example `$450 monthly`."""

    name: NotRequired[str | None]
    """Who receives the fee."""

    phone: NotRequired[str | None]
    """The receiver's phone number."""



class ResoFacts(TypedDict):
    """The home's features as the multiple listing service (MLS) or the county records them, in the vocabulary of the RESO Data Dictionary 2.0; where a field corresponds to an entry of the dictionary, its description ends with the entry's name. Texts and lists hold the source's own wording, which differs from MLS to MLS, so match on them with care. Every field can be absent or null, which both mean that the data source does not state it. Many amounts are texts with a unit, ready for display; the record around this object has the main ones as numbers. Further fields are passed on unchanged."""

    homeType: NotRequired[str | None]
    """The kind of home in the MLS's words, for example `SingleFamily` or `Residential`. RESO PropertySubType."""

    propertySubType: NotRequired[list[str] | None]
    """The kind of home in more detail, for example `Single Family Residence`. RESO PropertySubType."""

    structureType: NotRequired[str | None]
    """What kind of structure it is, for example `House` or `Mid-Rise`. RESO StructureType."""

    architecturalStyle: NotRequired[str | None]
    """The style in which the home is built, for example `Craftsman`. RESO ArchitecturalStyle."""

    bodyType: NotRequired[str | None]
    """How wide a manufactured home is, for example `Double Wide`. RESO BodyType."""

    atAGlanceFacts: NotRequired[list[ResoFactsAtAGlanceFacts] | None]
    """The facts that the listing site prints first, as pairs of label and value."""

    otherFacts: NotRequired[list[str] | None]
    """Facts that fit nowhere else, one sentence each."""

    yearBuilt: NotRequired[int | None]
    """The year in which the home was finished. RESO YearBuilt."""

    yearBuiltEffective: NotRequired[int | None]
    """The year that appraisers count from after a thorough renovation; never before `yearBuilt`. RESO YearBuiltEffective."""

    propertyCondition: NotRequired[str | None]
    """The state of repair, for example `Updated/Remodeled` or `Fixer`. RESO PropertyCondition."""

    developmentStatus: NotRequired[str | None]
    """How far land is developed, for example `Finished Lots` or `Raw Land`. RESO DevelopmentStatus."""

    isNewConstruction: NotRequired[bool | None]
    """Whether the home has never been lived in. RESO NewConstructionYN."""

    builderName: NotRequired[str | None]
    """The company that built the home. RESO BuilderName."""

    builderModel: NotRequired[str | None]
    """The builder's name for the floor plan. RESO BuilderModel."""

    hasHomeWarranty: NotRequired[bool | None]
    """Whether the seller pays for a warranty on systems and appliances. RESO HomeWarrantyYN."""

    hasAttachedProperty: NotRequired[bool | None]
    """Whether the home shares a wall, floor or ceiling with another one. RESO PropertyAttachedYN."""

    commonWalls: NotRequired[str | None]
    """Which walls are shared with neighbors, for example `End Unit` or `2+ Common Walls`. RESO CommonWalls."""

    buildingName: NotRequired[str | None]
    """The name of the building that the unit is in. RESO BuildingName."""

    buildingFeatures: NotRequired[str | None]
    """What the building offers to all units, for example an elevator or a lobby. RESO BuildingFeatures."""

    numberOfUnitsInCommunity: NotRequired[int | None]
    """The number of homes in the development or complex. RESO NumberOfUnitsInCommunity."""

    numberOfUnitsVacant: NotRequired[int | None]
    """The number of units without a tenant, in a building sold as a whole. RESO NumberOfUnitsVacant."""

    furnished: NotRequired[bool | None]
    """Whether the furniture stays. RESO Furnished."""

    bedrooms: NotRequired[int | None]
    """The number of bedrooms. RESO BedroomsTotal."""

    mainLevelBedrooms: NotRequired[int | None]
    """The number of bedrooms on the main floor. RESO MainLevelBedrooms."""

    bathrooms: NotRequired[float | None]
    """The number of bathrooms as the MLS counts them: rooms, so that a half bath counts as one. RESO BathroomsTotalInteger."""

    bathroomsFloat: NotRequired[float | None]
    """The number of bathrooms with parts counted as parts: 2.5 is two full baths and a half bath."""

    bathroomsFull: NotRequired[float | None]
    """The number of bathrooms with toilet, basin, tub and shower. RESO BathroomsFull."""

    bathroomsThreeQuarter: NotRequired[float | None]
    """The number of bathrooms with three of the four fixtures, mostly without a tub. RESO BathroomsThreeQuarter."""

    bathroomsHalf: NotRequired[float | None]
    """The number of bathrooms with toilet and basin only. RESO BathroomsHalf."""

    bathroomsOneQuarter: NotRequired[float | None]
    """The number of bathrooms with a single fixture. RESO BathroomsOneQuarter."""

    bathroomsPartial: NotRequired[float | None]
    """The number of bathrooms that are not full, for MLSs that do not tell the kinds apart. RESO BathroomsPartial."""

    mainLevelBathrooms: NotRequired[float | None]
    """The number of bathrooms on the main floor. RESO MainLevelBathrooms."""

    rooms: NotRequired[list[Room] | int | None]
    """The rooms one by one; some county records give only their number, as an integer. RESO Rooms."""

    stories: NotRequired[float | str | None]
    """The number of floors inside the home, where half a floor counts as 0.5; some county records give it in words, for example `one+half`. RESO Stories."""

    storiesTotal: NotRequired[int | None]
    """The number of floors of the whole building. RESO StoriesTotal."""

    levels: NotRequired[str | None]
    """The number of floors in words, for example `Two` or `Multi/Split`. RESO Levels."""

    entryLevel: NotRequired[str | None]
    """The floor on which the home is entered, `1` being the ground floor. RESO EntryLevel."""

    entryLocation: NotRequired[str | None]
    """Where the entrance is, for example `Main` or `Ground Level`. RESO EntryLocation."""

    basement: NotRequired[str | None]
    """The kind of basement, for example `Finished` or `Daylight, Unfinished`. RESO Basement."""

    basementYN: NotRequired[bool | None]
    """Whether there is a basement. RESO BasementYN."""

    attic: NotRequired[str | None]
    """The kind of attic, for example `Pull Down Stairs`."""

    livingQuarters: NotRequired[list[str] | None]
    """Separate quarters on the lot, for example a guest house."""

    laundryFeatures: NotRequired[list[str] | None]
    """Where and how laundry is done, for example `In Unit` or `Electric Dryer Hookup`. RESO LaundryFeatures."""

    livingArea: NotRequired[str | None]
    """The living area as text with its unit, for example `2,740 sqft`. RESO LivingArea."""

    livingAreaRange: NotRequired[str | None]
    """The living area as a range, for MLSs that give no exact figure."""

    livingAreaRangeUnits: NotRequired[str | None]
    """The unit of `livingAreaRange`, mostly `Square Feet`."""

    aboveGradeFinishedArea: NotRequired[str | None]
    """The finished area above ground as text, in square feet. RESO AboveGradeFinishedArea."""

    belowGradeFinishedArea: NotRequired[str | None]
    """The finished area of the basement as text, in square feet. RESO BelowGradeFinishedArea."""

    buildingArea: NotRequired[str | None]
    """The area within the outer walls as text, unfinished parts included."""

    buildingAreaSource: NotRequired[str | None]
    """Who measured `buildingArea`, for example `Assessor` or `Appraiser`. RESO BuildingAreaSource."""

    foundationArea: NotRequired[str | None]
    """The area that the foundation covers as text, in square feet. RESO FoundationArea."""

    pricePerSquareFoot: NotRequired[float | None]
    """The price divided by the living area, in US dollars per square foot."""

    appliances: NotRequired[list[str] | None]
    """The appliances that stay with the home. RESO Appliances."""

    flooring: NotRequired[list[str] | None]
    """The kinds of floor covering, for example `Hardwood` or `Ceramic Tile`. RESO Flooring."""

    interiorFeatures: NotRequired[list[str] | None]
    """Built-in features, for example `Walk-In Closet(s)` or `Wet Bar`. RESO InteriorFeatures."""

    fireplaces: NotRequired[int | None]
    """The number of fireplaces."""

    hasFireplace: NotRequired[bool | None]
    """Whether there is a fireplace. RESO FireplaceYN."""

    fireplaceFeatures: NotRequired[list[str] | None]
    """What the fireplaces burn and where they stand, for example `Gas` or `Living Room`. RESO FireplaceFeatures."""

    doorFeatures: NotRequired[list[str] | None]
    """Doors worth a mention, for example `French Doors`. RESO DoorFeatures."""

    windowFeatures: NotRequired[list[str] | None]
    """Windows and their treatments, for example `Double Pane Windows` or `Skylight(s)`. RESO WindowFeatures."""

    securityFeatures: NotRequired[list[str] | None]
    """Alarms, detectors, gates and guards. RESO SecurityFeatures."""

    accessibilityFeatures: NotRequired[list[str] | None]
    """What helps people with disabilities, for example `Accessible Entrance`. RESO AccessibilityFeatures."""

    otherEquipment: NotRequired[list[str] | None]
    """Equipment that stays, for example an intercom or a generator. RESO OtherEquipment."""

    hasSpa: NotRequired[bool | None]
    """Whether there is a hot tub or spa. RESO SpaYN."""

    spaFeatures: NotRequired[list[str] | None]
    """The kind of hot tub or spa, for example `In Ground` or `Heated`. RESO SpaFeatures."""

    inclusions: NotRequired[list[str] | None]
    """Movable things that are sold with the home. RESO Inclusions."""

    exclusions: NotRequired[str | None]
    """Things in the home that the seller takes along. RESO Exclusions."""

    heating: NotRequired[list[str] | None]
    """The kinds of heating, by method and fuel, for example `Forced Air` and `Natural Gas`. RESO Heating."""

    hasHeating: NotRequired[bool | None]
    """Whether there is a fixed heating system. RESO HeatingYN."""

    cooling: NotRequired[list[str] | None]
    """The kinds of cooling, for example `Central Air` or `Wall Unit(s)`. RESO Cooling."""

    hasCooling: NotRequired[bool | None]
    """Whether there is a fixed cooling system. RESO CoolingYN."""

    electric: NotRequired[list[str] | None]
    """The supply of electricity, for example `200 Amp Service` or `Photovoltaics Seller Owned`. RESO Electric."""

    hasElectricOnProperty: NotRequired[bool | None]
    """Whether the lot is connected to electricity. RESO ElectricOnPropertyYN."""

    gas: NotRequired[list[str] | str | None]
    """The supply of gas, for example `Natural Gas Available`: a list from some sources, one text from others."""

    waterSource: NotRequired[list[str] | None]
    """Where the water comes from, for example `Public` or `Well`. RESO WaterSource."""

    sewer: NotRequired[list[str] | None]
    """Where the waste water goes, for example `Public Sewer` or `Septic Tank`. RESO Sewer."""

    utilities: NotRequired[list[str] | None]
    """The utilities that are connected or available at the lot. RESO Utilities."""

    greenBuildingVerificationType: NotRequired[str | None]
    """The green building certificates of the home, for example `LEED For Homes`. RESO GreenBuildingVerificationType."""

    greenEnergyEfficient: NotRequired[list[str] | None]
    """What saves energy, for example `Insulation` or `Thermostat`. RESO GreenEnergyEfficient."""

    greenEnergyGeneration: NotRequired[str | None]
    """How the home makes energy, for example `Solar`. RESO GreenEnergyGeneration."""

    greenIndoorAirQuality: NotRequired[str | None]
    """What keeps the air inside clean, for example `Ventilation`. RESO GreenIndoorAirQuality."""

    greenSustainability: NotRequired[str | None]
    """Renewable or recycled materials used, for example `Bamboo`. RESO GreenSustainability."""

    greenWaterConservation: NotRequired[list[str] | None]
    """What saves water, for example `Low-Flow Fixtures`. RESO GreenWaterConservation."""

    parking: NotRequired[float | None]
    """The number of parking spaces, from sources that do not use `parkingCapacity`."""

    parkingCapacity: NotRequired[float | None]
    """The number of parking spaces of every kind. RESO ParkingTotal."""

    parkingFeatures: NotRequired[list[str] | None]
    """The kinds of parking, for example `Attached Garage` or `Off Street`. RESO ParkingFeatures."""

    otherParking: NotRequired[str | None]
    """What the other fields on parking leave out, in words. RESO OtherParking."""

    hasGarage: NotRequired[bool | None]
    """Whether there is a garage. RESO GarageYN."""

    hasAttachedGarage: NotRequired[bool | None]
    """Whether the garage shares a wall with the home. RESO AttachedGarageYN."""

    garageParkingCapacity: NotRequired[float | None]
    """The number of cars that fit in the garage. RESO GarageSpaces."""

    garageSpaces: NotRequired[float | None]
    """The number of cars that fit in the garage, from sources that do not use `garageParkingCapacity`. RESO GarageSpaces."""

    hasCarport: NotRequired[bool | None]
    """Whether there is a carport. RESO CarportYN."""

    carportParkingCapacity: NotRequired[float | None]
    """The number of cars that fit under the carport. RESO CarportSpaces."""

    carportSpaces: NotRequired[float | None]
    """The number of cars that fit under the carport, from sources that do not use `carportParkingCapacity`. RESO CarportSpaces."""

    coveredParkingCapacity: NotRequired[float | None]
    """The number of spaces with a roof, in garages and carports together. RESO CoveredSpaces."""

    coveredSpaces: NotRequired[float | None]
    """The number of spaces with a roof, from sources that do not use `coveredParkingCapacity`. RESO CoveredSpaces."""

    hasOpenParking: NotRequired[bool | None]
    """Whether there are spaces without a roof. RESO OpenParkingYN."""

    openParkingCapacity: NotRequired[float | None]
    """The number of spaces without a roof. RESO OpenParkingSpaces."""

    openParkingSpaces: NotRequired[float | None]
    """The number of spaces without a roof, from sources that do not use `openParkingCapacity`. RESO OpenParkingSpaces."""

    constructionMaterials: NotRequired[list[str] | None]
    """What the outer walls are made of, for example `Wood Siding` or `Brick`. RESO ConstructionMaterials."""

    foundationDetails: NotRequired[list[str] | None]
    """The kind of foundation, for example `Poured Concrete` or `Slab`. RESO FoundationDetails."""

    roofType: NotRequired[str | None]
    """What the roof is made of, for example `Composition`. RESO Roof."""

    exteriorFeatures: NotRequired[list[str] | None]
    """Features outside the walls, for example `Balcony` or `Garden`. RESO ExteriorFeatures."""

    patioAndPorchFeatures: NotRequired[list[str] | None]
    """Patios, porches and decks, for example `Covered` or `Wrap Around`. RESO PatioAndPorchFeatures."""

    fencing: NotRequired[str | None]
    """The kind of fence, for example `Fenced Full` or `Partial`. RESO Fencing."""

    otherStructures: NotRequired[list[str] | None]
    """Other buildings on the lot, for example `Shed(s)` or `Barn(s)`. RESO OtherStructures."""

    hasPrivatePool: NotRequired[bool | None]
    """Whether there is a pool that only this home uses. RESO PoolPrivateYN."""

    poolFeatures: NotRequired[list[str] | None]
    """The kind of pool, for example `In Ground` or `Heated`; shared pools are included. RESO PoolFeatures."""

    hasView: NotRequired[bool | None]
    """Whether there is a view worth a mention. RESO ViewYN."""

    view: NotRequired[list[str] | None]
    """What can be seen, for example `City`, `Mountain(s)` or `Lake`. RESO View."""

    waterView: NotRequired[str | None]
    """Which water can be seen, in words."""

    waterViewYN: NotRequired[bool | None]
    """Whether water can be seen from the home."""

    hasWaterfrontView: NotRequired[bool | None]
    """Whether the lot touches a body of water. RESO WaterfrontYN."""

    waterfrontFeatures: NotRequired[list[str] | None]
    """How the lot meets the water, for example `Lake` or `No Bank`. RESO WaterfrontFeatures."""

    waterBodyName: NotRequired[str | None]
    """The name of the lake, river or bay. RESO WaterBodyName."""

    lotSize: NotRequired[str | None]
    """The size of the lot as text with its unit, for example `4,800 sqft` or `2.3 Acres`. RESO LotSizeSquareFeet."""

    lotSizeDimensions: NotRequired[str | None]
    """The lengths of the lot's sides as text, in feet. RESO LotSizeDimensions."""

    lotFeatures: NotRequired[list[str] | None]
    """Features of the lot, for example `Corner Lot` or `Sidewalk`. RESO LotFeatures."""

    parcelNumber: NotRequired[str | None]
    """The county assessor's number of the parcel (APN). RESO ParcelNumber."""

    hasAdditionalParcels: NotRequired[bool | None]
    """Whether further parcels are sold with the home. RESO AdditionalParcelsYN."""

    additionalParcelsDescription: NotRequired[str | None]
    """The numbers of the further parcels, or a description of them. RESO AdditionalParcelsDescription."""

    zoning: NotRequired[str | None]
    """The zoning code of the municipality, for example `NR3`. RESO Zoning."""

    zoningDescription: NotRequired[str | None]
    """The zoning in words, for example `Residential`. RESO ZoningDescription."""

    topography: NotRequired[str | None]
    """The shape of the land, for example `Level` or `Partial Slope`. RESO Topography."""

    vegetation: NotRequired[list[str] | None]
    """What grows on the lot, for example `Fruit Trees` or `Wooded`. RESO Vegetation."""

    woodedArea: NotRequired[str | None]
    """The wooded part of the lot as text, in acres. RESO WoodedArea."""

    elevation: NotRequired[str | None]
    """The height above sea level as text, in the unit that `elevationUnits` names. RESO Elevation."""

    elevationUnits: NotRequired[str | None]
    """The unit of `elevation`, `Feet` or `Meters`. RESO ElevationUnits."""

    frontageType: NotRequired[str | None]
    """What the lot borders on, for example `Golf Course` or `Lakefront`. RESO FrontageType."""

    frontageLength: NotRequired[str | None]
    """The length of the lot's side along water or road, as text in feet. RESO FrontageLength."""

    roadSurfaceType: NotRequired[list[str] | None]
    """What the road to the home is made of, for example `Paved` or `Gravel`. RESO RoadSurfaceType."""

    cropsIncludedYN: NotRequired[bool | None]
    """Whether standing crops are part of the sale. RESO CropsIncludedYN."""

    irrigationWaterRightsYN: NotRequired[bool | None]
    """Whether rights to irrigation water come with the land. RESO IrrigationWaterRightsYN."""

    irrigationWaterRightsAcres: NotRequired[float | None]
    """How much land the water rights cover, in acres. RESO IrrigationWaterRightsAcres."""

    canRaiseHorses: NotRequired[bool | None]
    """Whether horses may be kept. RESO HorseYN."""

    horseYN: NotRequired[bool | None]
    """Whether horses may be kept, from sources that do not use `canRaiseHorses`. RESO HorseYN."""

    horseAmenities: NotRequired[str | None]
    """What there is for horses, for example `Barn` or `Riding Trail`. RESO HorseAmenities."""

    cityRegion: NotRequired[str | None]
    """The part of the city or county, as the MLS divides it. RESO CityRegion."""

    municipality: NotRequired[str | None]
    """The municipality that governs the lot, where it differs from the postal city. RESO CityRegion."""

    subdivisionName: NotRequired[str | None]
    """The subdivision under which the land was platted. RESO SubdivisionName."""

    communityFeatures: NotRequired[list[str] | None]
    """What there is for everybody in the neighborhood, for example `Park` or `Trail(s)`. RESO CommunityFeatures."""

    isSeniorCommunity: NotRequired[bool | None]
    """Whether residents must have reached a certain age, mostly 55. RESO SeniorCommunityYN."""

    elementarySchool: NotRequired[str | None]
    """The elementary school that the home is assigned to, by the listing agent's word. RESO ElementarySchool."""

    elementarySchoolDistrict: NotRequired[str | None]
    """The district of the elementary school. RESO ElementarySchoolDistrict."""

    middleOrJuniorSchool: NotRequired[str | None]
    """The middle or junior high school that the home is assigned to, by the listing agent's word. RESO MiddleOrJuniorSchool."""

    middleOrJuniorSchoolDistrict: NotRequired[str | None]
    """The district of the middle school. RESO MiddleOrJuniorSchoolDistrict."""

    highSchool: NotRequired[str | None]
    """The high school that the home is assigned to, by the listing agent's word. RESO HighSchool."""

    highSchoolDistrict: NotRequired[str | None]
    """The district of the high school. RESO HighSchoolDistrict."""

    hasAssociation: NotRequired[bool | None]
    """Whether the owner must join a homeowners' association. RESO AssociationYN."""

    associationName: NotRequired[str | None]
    """The name of the association. RESO AssociationName."""

    associationPhone: NotRequired[str | None]
    """The phone number of the association or its manager. RESO AssociationPhone."""

    associationFee: NotRequired[str | None]
    """The association's fee as text with its frequency, for example `$450 monthly`. RESO AssociationFee."""

    associationFeeIncludes: NotRequired[list[str] | None]
    """What the fee pays for, for example `Water` or `Trash`. RESO AssociationFeeIncludes."""

    associationAmenities: NotRequired[list[str] | None]
    """What the association offers its members, for example `Fitness Center`. RESO AssociationAmenities."""

    associationName2: NotRequired[str | None]
    """The name of a second association. RESO AssociationName2."""

    associationPhone2: NotRequired[str | None]
    """The phone number of the second association. RESO AssociationPhone2."""

    associationFee2: NotRequired[str | None]
    """The second association's fee as text with its frequency. RESO AssociationFee2."""

    associations: NotRequired[list[ResoFactsAssociations] | None]
    """The associations one by one."""

    hoaFee: NotRequired[str | None]
    """The association's fee as text, from sources that do not use `associationFee`. RESO AssociationFee."""

    hoaFeeTotal: NotRequired[str | None]
    """The fees of all associations together, as text with their frequency."""

    feesAndDues: NotRequired[list[ResoFactsFeesAndDues] | None]
    """Every regular fee that comes with the home."""

    additionalFeeInfo: NotRequired[str | None]
    """Further fees, in words."""

    taxAnnualAmount: NotRequired[float | None]
    """The property tax of the latest year on record, in US dollars. RESO TaxAnnualAmount."""

    taxAssessedValue: NotRequired[float | None]
    """The value for tax in the latest year on record, in US dollars. RESO TaxAssessedValue."""

    listingId: NotRequired[str | None]
    """The listing's number in its MLS. RESO ListingId."""

    listAOR: NotRequired[str | None]
    """The association of Realtors that the listing agent belongs to. RESO ListAOR."""

    onMarketDate: NotRequired[int | None]
    """When the listing became active, as milliseconds since 1970-01-01 UTC. RESO OnMarketDate."""

    daysOnSite: NotRequired[int | None]
    """Whole days since the listing became public on the listing site."""

    cumulativeDaysOnMarket: NotRequired[str | None]
    """The days on the market over all listings in a row, as text, by the MLS's own rules of counting. RESO CumulativeDaysOnMarket."""

    offerReviewDate: NotRequired[str | None]
    """The day on which the seller will look at offers, as date text."""

    contingency: NotRequired[str | None]
    """What an accepted offer still depends on, in words. RESO Contingency."""

    specialListingConditions: NotRequired[str | None]
    """Conditions out of the ordinary, for example `Short Sale`; `Standard` without any. RESO SpecialListingConditions."""

    marketingType: NotRequired[str | None]
    """How the listing may be advertised, as a term of its MLS."""

    listingTerms: NotRequired[str | None]
    """How the seller accepts payment, for example `Cash, Conventional, VA Loan`. RESO ListingTerms."""

    ownership: NotRequired[str | None]
    """Who owns the home, in words. RESO Ownership."""

    ownershipType: NotRequired[str | None]
    """The form of ownership, for example `Fee Simple` or `Leasehold`. RESO OwnershipType."""

    hasLandLease: NotRequired[bool | None]
    """Whether the land is leased and not sold with the home. RESO LandLeaseYN."""

    landLeaseAmount: NotRequired[float | None]
    """The rent for the land, in US dollars per period of the lease. RESO LandLeaseAmount."""

    landLeaseExpirationDate: NotRequired[str | None]
    """The day on which the lease of the land ends, as date text. RESO LandLeaseExpirationDate."""

    virtualTour: NotRequired[str | None]
    """The URL of a virtual tour without an agent's advertising. RESO VirtualTourURLUnbranded."""

    virtualTourURLUnbranded: NotRequired[str | None]
    """The URL of such a tour, from sources that do not use `virtualTour`. RESO VirtualTourURLUnbranded."""

    buyerAgencyCompensation: NotRequired[str | None]
    """What the seller offered to pay the buyer's broker, as text. U.S. MLSs stopped publishing it in August 2024, so it is found on older listings only."""

    buyerAgencyCompensationType: NotRequired[str | None]
    """The unit of `buyerAgencyCompensation`, `%` or `$`."""

    subAgencyCompensation: NotRequired[str | None]
    """What the seller offered to pay a broker who works under the listing broker, as text. RESO SubAgencyCompensation."""

    subAgencyCompensationType: NotRequired[str | None]
    """The unit of `subAgencyCompensation`, `%` or `$`. RESO SubAgencyCompensationType."""

    transactionBrokerCompensation: NotRequired[str | None]
    """What the seller offered to pay a broker who represents neither side, as text. RESO TransactionBrokerCompensation."""

    transactionBrokerCompensationType: NotRequired[str | None]
    """The unit of `transactionBrokerCompensation`, `%` or `$`. RESO TransactionBrokerCompensationType."""

    compensationBasedOn: NotRequired[str | None]
    """The amount that the compensations are a share of, for example `Sale Price`."""

    availabilityDate: NotRequired[str | None]
    """The first day on which a rental can be moved into, as date text. RESO AvailabilityDate."""

    leaseTerm: NotRequired[str | None]
    """How long a lease runs, for example `12 Months`. RESO LeaseTerm."""

    depositsAndFees: NotRequired[str | None]
    """Deposits and one-time fees, in words."""

    hasPetsAllowed: NotRequired[bool | None]
    """Whether pets are allowed, if only some. RESO PetsAllowed."""

    petsMaxWeight: NotRequired[float | None]
    """The greatest weight of a pet, in pounds."""

    hasRentControl: NotRequired[bool | None]
    """Whether a local law limits the rent. RESO RentControlYN."""

    totalActualRent: NotRequired[float | None]
    """The rent that all units bring in now, in US dollars per month. RESO TotalActualRent."""

    incomeIncludes: NotRequired[str | None]
    """What the owner earns besides rent, for example `Laundry` or `Parking`. RESO IncomeIncludes."""



class ResoProperty(TypedDict):
    """A home under the names of the RESO Data Dictionary 2.0, resource Property. Check names and lookups at https://dd.reso.org/DD2.0/Property/. Every field can be absent. A field with standard lookups has only these; a value that is none of them is under the local name, for example `X_Heating`. All local names begin with `X_`, and what follows is the record's own name, for example `X_Zestimate`."""

    ListingKey: NotRequired[str]
    """The zpid of the home."""

    ListingId: NotRequired[str]
    """The number of the listing in its MLS."""

    StandardStatus: NotRequired[str]
    """The status of the listing, for example `Active`, `Pending`, or `Closed`."""

    PropertyType: NotRequired[str]
    """The kind of offer and property, for example `Residential` or `Residential Lease`."""

    PropertySubType: NotRequired[str]
    """The kind of home, for example `Single Family Residence`."""

    ListPrice: NotRequired[float]
    """The asking price in US dollars, or the rent per month. Absent for a closed sale."""

    ClosePrice: NotRequired[float]
    """The price of a closed sale in US dollars."""

    UnparsedAddress: NotRequired[str]
    """The whole address on one line. Absent if it may not be displayed."""

    City: NotRequired[str]
    """The city of the postal address."""

    StateOrProvince: NotRequired[str]
    """The two-letter abbreviation of the state."""

    PostalCode: NotRequired[str]
    """The five-digit ZIP code."""

    Latitude: NotRequired[float]
    """Degrees north of the equator."""

    Longitude: NotRequired[float]
    """Degrees east of Greenwich."""

    BedroomsTotal: NotRequired[float]
    """The number of bedrooms."""

    BathroomsTotalInteger: NotRequired[float]
    """The number of bathrooms, where a half bath counts as one."""

    LivingArea: NotRequired[float]
    """The living area in the unit of `LivingAreaUnits`."""

    LivingAreaUnits: NotRequired[str]
    """The unit of `LivingArea`, `Square Feet`."""

    YearBuilt: NotRequired[float]
    """The year in which the home was finished."""

    ListOfficeName: NotRequired[str]
    """The brokerage that holds the listing."""

    OriginatingSystemName: NotRequired[str]
    """The MLS that the listing comes from."""



class Room(TypedDict):
    """One room of a home, as its MLS lists it."""

    roomType: NotRequired[str | None]
    """The kind of room, for example `Bedroom` or `Kitchen`."""

    roomLevel: NotRequired[str | None]
    """The floor that the room is on, for example `Main` or `Second`."""

    roomDescription: NotRequired[str | None]
    """The room in the agent's words."""

    roomFeatures: NotRequired[list[str] | None]
    """Features of the room, for example `Walk-In Closet(s)`."""

    roomDimensions: NotRequired[str | None]
    """Length and width as text, for example `12 x 14`."""

    roomLength: NotRequired[float | None]
    """The length of the room, in the unit that `roomLengthWidthUnits` names."""

    roomWidth: NotRequired[float | None]
    """The width of the room, in the unit that `roomLengthWidthUnits` names."""

    roomLengthWidthUnits: NotRequired[str | None]
    """The unit of length and width, mostly `Feet`."""

    roomLengthWidthSource: NotRequired[str | None]
    """Who measured length and width, for example `Builder`."""

    roomArea: NotRequired[float | None]
    """The area of the room, in the unit that `roomAreaUnits` names."""

    roomAreaUnits: NotRequired[str | None]
    """The unit of `roomArea`, mostly `Square Feet`."""

    roomAreaSource: NotRequired[str | None]
    """Who measured the area, for example `Assessor`."""

    level: NotRequired[str | None]
    """The floor once more, from sources with shorter names."""

    description: NotRequired[str | None]
    """The description once more, from sources with shorter names."""

    features: NotRequired[list[str] | None]
    """The features once more, from sources with shorter names."""

    dimensions: NotRequired[str | None]
    """The dimensions once more, from sources with shorter names."""

    area: NotRequired[str | None]
    """The area once more as text, from sources with shorter names."""



class RowListingSubType(TypedDict):
    """What kind of listing this is, in the spelling of search rows. Several can be true at once. Sources leave out what is false, so read an absent flag as false."""

    is_FSBA: NotRequired[bool | None]
    """For sale by agent, the usual way."""

    is_FSBO: NotRequired[bool | None]
    """For sale by owner, without a listing agent."""

    is_newHome: NotRequired[bool | None]
    """New construction, never lived in, sold by its builder."""

    is_comingSoon: NotRequired[bool | None]
    """Announced, but not yet open to visits or offers."""

    is_pending: NotRequired[bool | None]
    """An offer was accepted and the sale is not yet closed."""

    is_openHouse: NotRequired[bool | None]
    """At least one open house is scheduled."""

    is_forAuction: NotRequired[bool | None]
    """To be sold at auction, so that the price shown is an opening bid or an estimate."""

    is_foreclosure: NotRequired[bool | None]
    """In foreclosure, or sold because of one."""

    is_bankOwned: NotRequired[bool | None]
    """Owned by the lender after a foreclosure that drew no buyer (REO)."""



SaleType: TypeAlias = "Literal['by_agent', 'by_owner', 'new_construction', 'foreclosure', 'auction', 'coming_soon']"
"""How a home is sold. A listing has one of these, the first that applies in this order:

- `coming_soon`: announced, not yet open to visits or offers.
- `auction`: to be sold at auction.
- `foreclosure`: in foreclosure, or owned by the lender after one.
- `new_construction`: sold by its builder.
- `by_owner`: for sale by owner, without a listing agent.
- `by_agent`: all other listings, and listings without information about their sale.
"""



class School(TypedDict):
    """A school near the home, or one whose attendance area includes it."""

    name: NotRequired[str]
    """The school's name."""

    rating: NotRequired[int | None]
    """The source's rating from 1 (lowest) to 10 (best); null for schools that are not rated."""

    distance: NotRequired[float | None]
    """The distance from the home in miles, in a straight line."""

    type: NotRequired[str | None]
    """Who runs the school, `Public`, `Charter` or `Private`."""

    level: NotRequired[str | None]
    """The level of teaching: `Primary`, `Elementary`, `Middle` or `High`. A school with several levels is listed under the first."""

    grades: NotRequired[str | None]
    """The grades taught, for example `K-5` or `9-12`."""

    size: NotRequired[int | None]
    """The number of pupils enrolled."""

    studentsPerTeacher: NotRequired[float | None]
    """Pupils per full-time teacher."""

    isAssigned: NotRequired[bool | None]
    """Whether the home is in the school's attendance area; null if the district publishes none. Confirm with the district before you rely on it."""

    assigned: NotRequired[bool | None]
    """The older spelling of `isAssigned`, kept by some sources."""

    totalCount: NotRequired[int | None]
    """How many schools of this level the data source knows around the home."""

    link: NotRequired[str | None]
    """The URL of a page about the school."""



class SearchFilters(TypedDict):
    """The filters of a search. At least one of `bbox`, `area`, `zips` and `cities` is required. A listing must pass all filters: with `bbox` and `area`, a search returns the listings that are in both. A listing with an unknown value does not pass a filter on that value: with `{"yearBuilt": {"min": 1990}}`, a home of unknown age is left out. Filters that take true or false treat unknown as false, and a listing without a known sale type counts as `by_agent`. Filters with unknown names are ignored and listed in `meta.ignored`. An empty list and null mean the same as an absent filter. A malformed filter is refused with 400 `invalid_filters` before any listing is fetched, and costs nothing."""

    status: NotRequired[SearchStatus | None]
    """Which listings a search looks for:"""

    bbox: NotRequired[BoundingBox | None]
    """The area of a search, in degrees (WGS 84). All four bounds are required and belong to the area. `south` must not lie above `north`. A `west` greater than `east` is a box that crosses the antimeridian, as in RFC 7946: from 179 to -179 it is two degrees wide, not 358. Any other field in it is refused with `invalid_filters`."""

    area: NotRequired[Area | list[Area] | None]
    """Polygons, circles, boxes and places on the map: one area, or a list of up to 20. With a list, a listing must be in at least one of the areas. A home in several of them is one row. All polygons together have at most 5,000 positions. An empty list is the same as none."""

    zips: NotRequired[list[str] | None]
    """ZIP codes of the address, up to 100. A listing passes if the ZIP code of its address is one of them. Boundaries on the map play no part. Without `bbox` and `area`, this also finds homes without a position, such as those whose address may not be shown. An empty list is the same as none."""

    cities: NotRequired[list[str] | None]
    """Cities of the address with their states, up to 20, for example `Seattle, WA`. A listing passes if its address is in one of them. Capitals, periods and spaces make no difference, and `Saint`, `Fort` and `Mount` are the same as `St`, `Ft` and `Mt`. Without `bbox` and `area`, this also finds homes without a position, such as those whose address may not be shown. An empty list is the same as none."""

    location: NotRequired[str | None]
    """The name of the area, for example `Queen Anne, Seattle, WA`. It is accepted and has no effect, and `meta.ignored` names it. A search needs `bbox`, `area`, `zips` or `cities`."""

    price: NotRequired[NumberRange | None]
    """The price in US dollars: asking price for `for_sale`, monthly rent for `for_rent`, sale price for `sold`."""

    beds: NotRequired[NumberRange | None]
    """The number of bedrooms; a studio has 0."""

    baths: NotRequired[NumberRange | None]
    """The number of bathrooms, where a half bath counts as 0.5."""

    sqft: NotRequired[NumberRange | None]
    """The living area in square feet."""

    yearBuilt: NotRequired[IntegerRange | None]
    """The year in which the home was built."""

    homeTypes: NotRequired[list[HomeType] | None]
    """The home types to return; leave it out, or send an empty list, for all of them."""

    daysOnSite: NotRequired[DaysOnSite | None]
    """The maximum age of a listing: `1`, `7`, `14`, `30` and `90` are days, `6m`, `12m`, `24m` and `36m` months. It counts from the day of listing, and with status `sold` from the day of the sale. Note that `"7"` is a string, in JSON too."""

    hasPool: NotRequired[bool | None]
    """True for homes with a private pool only, false for homes without one; omit it for both."""

    hasGarage: NotRequired[bool | None]
    """True for homes with a garage only, false for homes without one; omit it for both."""

    lotSize: NotRequired[NumberRange | None]
    """The size of the lot in square feet; an acre is 43,560."""

    hoa: NotRequired[NumberRange | None]
    """The fees of all homeowners' associations (HOA), in US dollars a month. It is 0 if the data source says that the home has no association."""

    saleTypes: NotRequired[list[SaleType] | None]
    """The sale types to return; leave it out, or send an empty list, for all of them."""

    pending: NotRequired[bool | None]
    """False excludes homes whose sale is pending (an offer was accepted), true returns only those; omit it for both."""

    comingSoon: NotRequired[bool | None]
    """False excludes homes that are announced and not yet on the market, true returns only those; omit it for both."""

    openHouse: NotRequired[bool | None]
    """True for homes with an open house that has not ended yet, false for homes without one; omit it for both."""

    seniorCommunity: NotRequired[bool | None]
    """True for homes in communities with a minimum age for residents, mostly 55; false excludes them; omit it for both."""

    isWaterfront: NotRequired[bool | None]
    """True for homes on the waterfront only, false for homes away from it; omit it for both."""



class SearchMeta(TypedDict):
    """Information about the result of a search."""

    count: int
    """The number of rows in `data`."""

    total: NotRequired[int]
    """The number of homes that match, whether or not they are returned. With several search URLs it is the number of different homes that they find together, and absent where `maxItems` ended the search before all of them were seen."""

    truncated: NotRequired[bool]
    """`true` if the credits, the limit of the key, or the limit that you set for the call did not cover every row, so `data` has fewer rows than were found and requested. Absent otherwise; a result that only reached `maxItems` is not truncated."""

    truncated_by: NotRequired[Literal["credits", "max_credits", "key_limit"] | str]
    """What cut the result: the credits of the account, the limit that you set for the call (`max_credits`), or the credit limit of the key (`key_limit`). Present together with `truncated`."""

    area: NotRequired[list[PlaceInfo]]
    """The places of `filters.area` or `place`, in their order, with the source of each boundary. Absent if the search names no place."""

    next_cursor: NotRequired[str]
    """Send it as `cursor` with the same search to get the rows behind the last one of this response. Present if the search was sent with `sort` or `cursor` and has more rows. After a truncated response, it continues with the first row that was not returned."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



_SearchRequest = TypedDict("_SearchRequest", {
    "async": "NotRequired[bool | None]",
})


class SearchRequest(_SearchRequest):
    """What to search for: either `filters` or `searchUrls`. A body with neither is refused with `missing_input`, a body with both with `invalid_filters`. Unknown fields are ignored and listed in `meta.ignored`."""

    filters: NotRequired[SearchFilters | None]
    """The filters of a search. At least one of `bbox`, `area`, `zips` and `cities` is required. A listing must pass all filters: with `bbox` and `area`, a search returns the listings that are in both. A listing with an unknown value does not pass a filter on that value: with `{"yearBuilt": {"min": 1990}}`, a home of unknown age is left out. Filters that take true or false treat unknown as false, and a listing without a known sale type counts as `by_agent`. Filters with unknown names are ignored and listed in `meta.ignored`. An empty list and null mean the same as an absent filter. A malformed filter is refused with 400 `invalid_filters` before any listing is fetched, and costs nothing."""

    searchUrls: NotRequired[list[SearchUrl] | None]
    """Up to 100 search URLs of the listing site. They run one after the other until `maxItems` is reached; the remaining ones do not run. A home that several of them find is returned and charged once. An empty list is the same as none."""

    extractionMethod: NotRequired[ExtractionMethod | None]
    """How the area is searched:"""

    maxItems: NotRequired[int | None]
    """The maximum number of rows to return, and so the maximum cost of the search. Up to 820 with `PAGINATION`, 500 with `MAP_MARKERS` and 1,000,000 with `PAGINATION_WITH_ZOOM_IN`; a value out of bounds is refused, never corrected. The default is 50 with `PAGINATION` and `MAP_MARKERS`; with `PAGINATION_WITH_ZOOM_IN` there is no limit by default. With 51 or more the search runs as a job."""

    maxCredits: NotRequired[int | None]
    """The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies."""

    sort: NotRequired[SearchSort | None]
    """The order of the rows: `newest` (listed last, for sold homes sold last), `price`, `sqft` and `beds` ascending, or with a minus descending, and `distance` from the center of the circle, if the search has one circle as its only area. Equal rows are in the order of their zpids, and rows without the value come last in both directions. With `sort`, `meta.next_cursor` leads to the next page. Without it, the newest come first. Only for searches that run synchronously. If the service uses a remote data source, it sorts only areas from which that source returns all listings, and refuses others with `invalid_parameter`."""

    cursor: NotRequired[str | None]
    """`meta.next_cursor` of the page before, to get the rows behind it. Repeat the search unchanged; only `maxItems`, `extractionMethod` and the format may differ. A cursor of another search is refused with 400 `invalid_cursor`. Each page is charged by itself, by the rows that it returns. If listings change between two pages, a home whose sort value did not change is returned neither twice nor left out; a home whose value changed may be. A cursor does not expire."""



class SearchResult(TypedDict):
    """The listings that a search found."""

    data: list[SearchRow]
    """The listings, one row each."""

    meta: SearchMeta
    """Information about the result of a search."""

    request_id: RequestId
    """The id of one request. It is in the body and in the header `X-Request-Id` of every response, and in the request's row of GET /v1/usage."""



class SearchRowLatLong(TypedDict):
    """The position of the home, in degrees (WGS 84). Null if it is unknown or may not be shown. Only a search by ZIP code or city, without a box or an area, returns such a home."""

    latitude: float
    """Degrees north of the equator."""

    longitude: float
    """Degrees east of Greenwich, so negative in almost all of the United States."""



class SearchRowVariableDataData(TypedDict):
    """Facts about the remark."""

    isFresh: NotRequired[bool | None]
    """Whether the remark is newer than a day."""



class SearchRowVariableData(TypedDict):
    """The remark of `flexFieldText` with its kind, for clients that style kinds differently."""

    type: NotRequired[str | None]
    """The kind of remark, for example `OPEN_HOUSE`, `PRICE_REDUCTION` or `TIME_ON_INFO`."""

    text: NotRequired[str | None]
    """The remark itself."""

    data: NotRequired[SearchRowVariableDataData | None]
    """Facts about the remark."""



class SearchRowUnits(TypedDict):
    price: NotRequired[str | None]
    """The lowest price as text; a plus sign at its end means that there are more expensive units."""

    beds: NotRequired[str | None]
    """The number of bedrooms as text; `0` is a studio."""

    roomForRent: NotRequired[bool | None]
    """Whether the offer is one room of a shared home."""



class SearchRowHdpData(TypedDict):
    """A wrapper around `homeInfo`; absent from building rows and from rows of MAP_MARKERS."""

    homeInfo: NotRequired[HomeInfo]
    """The part of the property record that search rows carry along, with the names and units of the record. Any field can be absent or null."""



class SearchRow(TypedDict):
    """One home as a search finds it: enough for a list or a map. Follow `zpid` or `detailUrl` to the full record. Five fields are in every row (`latLong` and `unformattedPrice` can be null); rows of MAP_MARKERS carry little more than those, and any other field can be absent or null. Read numbers from `unformattedPrice`, `beds`, `baths` and `area`; the related text fields are for display."""

    zpid: str
    """The id of the home, digits only, for the lookups by id. Building rows (`isBuilding`) of some sources carry a `latitude--longitude` key instead: look those up by `detailUrl`."""

    id: NotRequired[str | None]
    """The id of the row in its source; for homes it equals `zpid`."""

    palsId: NotRequired[str | None]
    """The listing's id in the feed that delivered it, as feed number and listing number."""

    plid: NotRequired[str | None]
    """The id of a builder's floor plan, on rows that offer a home still to be built."""

    lotId: NotRequired[int | None]
    """The id of a rental building, on building rows."""

    buildingId: NotRequired[str | None]
    """The key of a multi-unit building, made of its coordinates, on building rows."""

    detailUrl: str
    """The page of the listing: the link that the data source has for it, or else the home's page on the site of this service. Empty if there is neither; use `zpid` then. A link on a site that the service accepts is ready for GET /v1/properties/by-url, or for GET /v1/buildings/by-url if the row is a building."""

    address: NotRequired[str | None]
    """The full address in one line, with the name of the building or community before it where there is one."""

    addressStreet: NotRequired[str | None]
    """House number, street and unit; null where the address is undisclosed or the data source has none."""

    addressCity: NotRequired[str | None]
    """The city or town of the postal address."""

    addressState: NotRequired[str | None]
    """The two-letter postal abbreviation of the state."""

    addressZipcode: NotRequired[str | None]
    """The five-digit ZIP code, as a string so that leading zeros stay."""

    isUndisclosedAddress: NotRequired[bool | None]
    """Whether the address may not be shown. The position is then null or approximate."""

    latLong: SearchRowLatLong | None
    """The position of the home, in degrees (WGS 84). Null if it is unknown or may not be shown. Only a search by ZIP code or city, without a box or an area, returns such a home."""

    price: NotRequired[str | None]
    """The price as text for display, for example `$1,675,000`, `$2,950/mo` or `From $1,850`."""

    unformattedPrice: float | None
    """The price in US dollars: asking price, monthly rent, or sale price, as `statusType` tells. Null where it was not disclosed."""

    priceLabel: NotRequired[str | None]
    """The price shortened for a map marker, for example `$1.68M` or `$640K`."""

    countryCurrency: NotRequired[str | None]
    """The currency sign that belongs before the price, `$`."""

    shouldShowZestimateAsPrice: NotRequired[bool | None]
    """Whether the price in this row is an estimate, because the home has no asking price."""

    shouldShowRequestOnPrice: NotRequired[bool | None]
    """Whether the seller wants to be asked for the price instead of publishing it."""

    beds: NotRequired[float | None]
    """The number of bedrooms; 0 for a studio, null where unknown and on lots."""

    baths: NotRequired[float | None]
    """The number of bathrooms, half baths counted as 0.5."""

    area: NotRequired[float | None]
    """The living area in square feet."""

    livingArea: NotRequired[float | None]
    """The living area in square feet once more, under the name it has in the record."""

    homeType: NotRequired[str | None]
    """The kind of home, in the words of the record: `SINGLE_FAMILY`, `CONDO`, `TOWNHOUSE`, `MULTI_FAMILY`, `MANUFACTURED`, `LOT`, `APARTMENT`, or others still to come."""

    lotAreaString: NotRequired[str | None]
    """The size of the lot as text with its unit, for example `4,800 sqft` or `2.3 acres`."""

    statusType: str | None
    """The state of the listing: `FOR_SALE`, `FOR_RENT`, `SOLD`, `PENDING`, `OTHER`, or others still to come. Null where the data source does not say."""

    statusText: NotRequired[str | None]
    """The state in words for display, for example `House for sale` or `Sold 11/06/2026`."""

    rawHomeStatusCd: NotRequired[str | None]
    """The state in the source's own code, for example `ForSale` or `RecentlySold`."""

    marketingStatusSimplifiedCd: NotRequired[str | None]
    """Who offers the home, in short, for example `For Sale by Agent` or `New Construction`."""

    listingType: NotRequired[str | None]
    """The trade the row belongs to, for example `FOR_SALE_BY_AGENT`; empty for most sources."""

    contentType: NotRequired[str | None]
    """What kind of entry the row is in its source's list, for example `listing` or `building`."""

    timeOnSite: NotRequired[int | None]
    """How long the listing has been public, in milliseconds."""

    brokerName: NotRequired[str | None]
    """The brokerage that holds the listing, as the MLS wants it credited."""

    hasAdditionalAttributions: NotRequired[bool | None]
    """Whether the MLS asks for more credits than `brokerName`; the record's `attributionInfo` has them."""

    isSiteOwned: NotRequired[bool | None]
    """Whether the listing site itself owns the home."""

    isFeaturedListing: NotRequired[bool | None]
    """Whether the listing is a paid promotion. It does not change our order of rows."""

    isShowcaseListing: NotRequired[bool | None]
    """Whether the listing comes with the larger set of media that agents can buy."""

    flexFieldText: NotRequired[str | None]
    """A short remark for display, for example `Open house Sun 1-3pm` or `12 days on the market`."""

    info6String: NotRequired[str | None]
    """Another line of credit that the MLS wants shown, often the agent's name."""

    variableData: NotRequired[SearchRowVariableData | None]
    """The remark of `flexFieldText` with its kind, for clients that style kinds differently."""

    imgSrc: NotRequired[str | None]
    """The URL of the listing's first photo, about 400 pixels wide. It can expire (see "Homes" in the introduction)."""

    hasImage: NotRequired[bool | None]
    """Whether the listing has a photo of its own, so that `imgSrc` is not a map or a street view."""

    hasVideo: NotRequired[bool | None]
    """Whether the listing has a video."""

    has3DModel: NotRequired[bool | None]
    """Whether the home can be walked through as a 3D model."""

    streetViewURL: NotRequired[str | None]
    """The URL of a street-level picture, on rows without a photo."""

    isBuilding: NotRequired[bool | None]
    """Whether the row is a multi-unit building instead of one home."""

    buildingName: NotRequired[str | None]
    """The marketed name of the building."""

    unitCount: NotRequired[int | None]
    """How many units of the building match the search."""

    units: NotRequired[list[SearchRowUnits] | None]
    """On building rows, the lowest price for each number of bedrooms."""

    minBeds: NotRequired[int | None]
    """The minimum number of bedrooms among the building's units."""

    minBaths: NotRequired[float | None]
    """The minimum number of bathrooms among the building's units."""

    minArea: NotRequired[int | None]
    """The living area of the building's smallest unit, in square feet."""

    availabilityCount: NotRequired[int | None]
    """How many units of the building are free to rent."""

    availabilityDate: NotRequired[str | None]
    """The first day on which a unit can be moved into, as date text."""

    communityName: NotRequired[str | None]
    """The name of a builder's community, on rows for its plans."""

    builderName: NotRequired[str | None]
    """The company that builds the community."""

    isCdpResult: NotRequired[bool | None]
    """Whether the row is a builder's community instead of one home."""

    isPropertyResultCDP: NotRequired[bool | None]
    """Whether the row is a home that belongs to a builder's community."""

    hdpData: NotRequired[SearchRowHdpData | None]
    """A wrapper around `homeInfo`; absent from building rows and from rows of MAP_MARKERS."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    withheld: NotRequired[Withheld]
    """Only in the results of jobs."""



SearchSort: TypeAlias = "Literal['newest', 'price', '-price', 'sqft', '-sqft', 'beds', '-beds', 'distance']"
"""An order of search rows."""



SearchStatus: TypeAlias = "Literal['for_sale', 'for_rent', 'sold']"
"""Which listings a search looks for:

- `for_sale`: on the market now. It includes homes whose sale is pending and homes that are coming
  soon, since either can still be bought or fall through; leave them out with `pending: false` and
  `comingSoon: false` (in a query `pending=false` and `coming_soon=false`). `homeStatus` of a row
  says which they are.
- `for_rent`: offered to tenants now.
- `sold`: sold; narrow it to a period with `daysOnSite`.

Unlike `status` of a lookup this is a filter: nothing else is returned.
"""



class SearchUrl(TypedDict):
    """A search as the listing site writes it: the address of a result page, copied from a browser."""

    url: str
    """A listing-site search URL with the query parameter `searchQueryState`, whose JSON must hold
    `mapBounds`. These keys of its `filterState` are read, in their short and in their long
    spelling:

    `price`, `mp` (`monthlyPayment`, for rentals), `beds`, `baths`, `sqft`, `built`, `lot`
    (`lotSize`), `hoa`, `doz`; `pool`, `gar`, `wat`; `open` (`isOpenHousesOnly`), `55plus`
    (`ageRestricted55Plus`: `e` excludes, `i` includes, `o` only); `rs`, `fr`; `fsba`, `fsbo`, `nc`,
    `fore`, `auc`, `cmsn` (false leaves that way of selling out); `pnd` (false leaves pending homes
    out; true and absent include them); `ah`, `sf`, `con`, `tow`, `mf`, `manu`, `land`, `apa`, `apco`.

    Every other key with a value has no effect and is named in `meta.ignored`, for example as
    `searchUrls.0.url.filterState.cityv`. This includes keys beside `filterState` (a region, a drawn
    line, another page, the zoom of the map), further keys in `mapBounds`, and other parameters of the
    URL. A URL that shows only a place name, such as
    `/seattle-wa/`, is refused.
    """



class SiteLink(TypedDict):
    """A link to a page of the listing site."""

    text: NotRequired[str | None]
    """The words of the link, for example `Seattle homes for sale`."""

    path: NotRequired[str | None]
    """The path on the listing site, without scheme and host."""



SubscribableEvent: TypeAlias = "Literal['job.succeeded', 'job.failed', 'job.timed_out', 'job.aborted', 'watch.changes', 'watch.ready', 'watch.paused', 'watch.quarantined', 'credits.low', 'key.limit_reached']"
"""An event that a webhook can be sent."""



class TaxEvent(TypedDict):
    """One year of a home's property tax, from the records of its county."""

    time: NotRequired[int]
    """When the assessment was recorded, as milliseconds since 1970-01-01 UTC. Take the tax year from it; day and month depend on the county."""

    taxPaid: NotRequired[float | None]
    """The tax for the year in US dollars; null where the county publishes assessments only."""

    taxIncreaseRate: NotRequired[float | None]
    """The change of the tax against the year before as a fraction, 0.03 for 3 % more."""

    value: NotRequired[float | None]
    """The assessed value in US dollars. Some states assess at a fraction of the market value or cap its growth, so compare homes within one county only."""

    valueIncreaseRate: NotRequired[float | None]
    """The change of the assessed value against the year before as a fraction; null for the first year on record."""



class TourEligibilityPropertyTourOptions(TypedDict):
    """How and when visits can be booked."""

    isFinal: NotRequired[bool | None]
    """Whether these options are settled; false while the listing side may still change them."""

    tourType: NotRequired[str | None]
    """How a booking is made, for example `REQUEST_TOUR` (the agent confirms it) or `BOOK_TOUR` (a free slot is taken at once)."""

    tourAvailability: NotRequired[list[dict[str, Any]] | None]
    """The slots that can be booked; empty unless `tourType` offers slots."""



class TourEligibility(TypedDict):
    """Whether and how a visit to the home can be booked. Empty where the data source does not support bookings."""

    isPropertyTourEligible: NotRequired[bool | None]
    """Whether visits to this home can be booked at all."""

    propertyTourOptions: NotRequired[TourEligibilityPropertyTourOptions | None]
    """How and when visits can be booked."""



class UsageMeta(TypedDict):
    """Information about the usage rows."""

    count: int
    """The number of entries in `data`."""

    limit: int
    """The `limit` that was applied."""

    offset: int
    """The `offset` that was applied."""

    has_more: bool
    """Whether there are more entries after these."""

    kept_since: str | None
    """Rows from this moment on are complete. Older rows were archived by the operator and are no longer returned. `null` if no row was ever archived."""

    next_cursor: NotRequired[str]
    """`cursor` for the next page: the rows behind these. Absent if there are none."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class UsageRow(TypedDict):
    """One admitted call, or one stage of a chained job. Calls that were refused before they were admitted (401, 402 for a balance of 0, 403 for a suspended account, 429 `rate_limited`) leave no row."""

    id: int
    """The id of the row. Later rows have greater ids."""

    request_id: RequestId
    """The id of one request. It is in the body and in the header `X-Request-Id` of every response, and in the request's row of GET /v1/usage."""

    endpoint: str
    """The path of the request, without its query, cut to 200 characters. It is `watch` for the events of a watch."""

    operation: str | None
    """The operationId of the call, such as `getProperty`. It is `createWatch` for the events of a watch, and `estimateCall` for a dry run. Null if no operation has the path and method of the call."""

    key_id: NotRequired[str]
    """The id of the key that the call was made with, as GET /v1/keys lists it."""

    oauth_client: NotRequired[str]
    """The OAuth client that the key was issued to: its id, or the address of its metadata. Left out for all other keys."""

    actor: Literal["detail", "search", "account"] | str
    """The kind of work: `detail` for property records, their parts and building units, `search` for search rows and the events of watches, `account` for jobs, webhooks and the account itself."""

    stage: Literal["search", "detail"] | str | None
    """The stage that the row is about. POST /v1/search/with-details has a row for each of its two stages; every other call has one row, with null."""

    units: int
    """The quantity that the charge is based on: the rows or records returned, the events of a watch, or 1 for a successful call at a fixed price."""

    status_code: int
    """The status of the response. 499 means that the client disconnected before the response."""

    credits_charged: int
    """The credits charged. The row of a 202 starts with 0 and is updated once, when its job succeeds."""

    created_at: str
    """When the call was admitted."""



class UsageSummaryMeta(TypedDict):
    """Information about a usage summary."""

    by: Literal["day", "operation", "key", "status"] | str
    """What the usage was summed by."""

    count: int
    """The number of entries in `data`."""

    limit: int
    """The `limit` that was applied."""

    has_more: bool
    """Whether there are more entries after these."""

    next_cursor: NotRequired[str]
    """`cursor` for the next page: the sums behind these. Absent if there are none."""

    total: UsageSums
    """Sums over usage rows."""

    kept_since: str | None
    """Rows from this moment on are summed. Older rows were archived by the operator. `null` if no row was ever archived."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class UsageSums(TypedDict):
    """Sums over usage rows."""

    usage_rows: int
    """How many rows GET /v1/usage has."""

    units: int
    """The sum of their `units`."""

    credits_charged: int
    """The sum of their `credits_charged`."""

    credits_refunded: NotRequired[int]
    """Credits that were refunded for events of watches that were retracted. They count at the time of the refund, and `credits_charged` is not reduced by them."""



class UsageSummaryRow(UsageSums):
    """The usage of a day, of an operation, of a key, or with a status."""

    value: str | None
    """The day as `YYYY-MM-DD` in UTC, the `operationId`, the id of the key, or the status, as `by` asks for. Null for calls that match no operation."""

    key_name: NotRequired[str]
    """With `by=key`, the name of the key. An empty string if none was given."""

    oauth_client: NotRequired[str]
    """With `by=key`, the OAuth client that the key was issued to. Left out for all other keys."""



class Watch(ListedWatch):
    """A search, or a list of homes, whose changes are reported as events."""

    zpids: list[str] | None
    """The homes that are watched. Null if the watch has `filters`."""



class WatchChangesEventData(TypedDict):
    """What the event is about."""

    watch: Watch
    """The watch, as it was when the events were written."""

    events: list[WatchEvent]
    """The events, in the order of `seq`."""



class WatchChangesEvent(TypedDict):
    """Events of one watch, up to 100, in the order of their `seq`. They are the same that GET /v1/watches/{id}/events returns."""

    id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    type: WebhookEventType
    """What happened. Event types may be added, but a webhook receives only the types in its `events`."""

    timestamp: str
    """When the events were written. It stays the same over all attempts."""

    attempt: int
    """Which attempt this is, counted from 1."""

    data: WatchChangesEventData
    """What the event is about."""



WatchDigestFrequency: TypeAlias = "Literal['daily', 'weekly']"
"""How often a digest is sent: each day, or each Monday, both at 13:00 UTC."""



class WatchEventChange(TypedDict):
    """The change of the price. Null if the price has not changed."""

    amount: float
    """The difference in US dollars. Negative if the price fell."""

    percent: float | None
    """The difference in percent of the earlier price. Null if the earlier price was 0."""



class WatchEvent(TypedDict):
    """One change of one home that a watch reports, or that an earlier event was retracted. If you do not know the `type`, read the home again."""

    id: str
    """The id of the event."""

    seq: int
    """The number of the event in its watch. It rises by 1 with each event and is never reused."""

    watch_id: str
    """The id of the watch."""

    type: WatchEventType
    """What happened to a home. Types may be added. Of the events that are charged, a watch reports only those in its
    `events`. It also reports, free of charge and whatever its `events` are, that an event was retracted: the service
    had reported a change that never happened, for example because of a wrong import.
    """

    retracts: NotRequired[EventId]
    """The id of the event that did not happen. Only for `listing.retracted`: `previous` has the facts that the retracted event reported, and `current` those before it, which are true again unless a later event says otherwise. `reason`, `change`, and `listing` are null."""

    zpid: str
    """The zpid of the home."""

    reason: Literal["listed", "entered_filters", "sold", "pending", "left_filters", "withdrawn", "taken_down"] | str | None
    """The reason of the event. For `listing.new`: `listed` or `entered_filters`. For `listing.removed`: `sold`, `pending`, `left_filters`, `withdrawn` (the data source no longer lists it), or `taken_down` (the operator removed it). Null for other events. More reasons may be added."""

    changed: list[Literal["presence", "status", "price"] | str]
    """The facts that have changed. `presence` means that the home matches now, or no longer matches."""

    previous: WatchFacts
    """The changed facts before the change."""

    current: WatchFacts
    """The changed facts after the change."""

    change: WatchEventChange | None
    """The change of the price. Null if the price has not changed."""

    observed_at: str
    """When the service received the change."""

    source_updated_at: str | None
    """When the listing was last changed, according to the data source. Null if the data source does not say."""

    listing: SearchRow | None
    """The search row of the home, as it is when the event is written. If the home has changed again by then, its price and status are those of this event, and other facts can be newer. Null with `withheld`, and if the data source no longer has the row."""

    source: NotRequired[DataSource | None]
    """Where the home comes from, with the attribution to show with `listing`. `fetched_at` is `observed_at`. Null if no source has the home any more."""

    withheld: NotRequired[Withheld]
    """What the data source has forbidden to show since the row or the event was stored. Absent if nothing is missing."""

    metadata: dict[str, str]
    """The metadata of the watch."""



WatchEventType: TypeAlias = "Literal['listing.removed', 'listing.back_on_market', 'listing.new', 'listing.status_changed', 'listing.price_changed', 'listing.retracted'] | str"
"""What happened to a home. Types may be added. Of the events that are charged, a watch reports only those in its
`events`. It also reports, free of charge and whatever its `events` are, that an event was retracted: the service
had reported a change that never happened, for example because of a wrong import.

- `listing.removed`: it no longer matches; `reason` says why.
- `listing.back_on_market`: it matches again, within 90 days after it was removed.
- `listing.new`: it matches now and did not before.
- `listing.status_changed`: it matches as before, with another status.
- `listing.price_changed`: it matches as before, with another price or rent.
- `listing.retracted`: the event that `retracts` names did not happen. Its charge was refunded.
"""



class WatchFacts(TypedDict):
    """The facts of a home that have changed. It contains no other facts."""

    status: NotRequired[Literal["for_sale", "coming_soon", "pending", "for_rent", "sold", "off_market"] | str]
    """The status of the listing."""

    price: NotRequired[float]
    """The price in US dollars; for a rental, the monthly rent."""



class WatchInput(TypedDict):
    """The watch to create, with either `filters` or `zpids`. A body with neither is refused with `missing_input`, a body with both with `invalid_filters`."""

    name: str
    """A name of your own, up to 100 characters."""

    filters: NotRequired[SearchFilters | None]
    """The filters of a search. At least one of `bbox`, `area`, `zips` and `cities` is required. A listing must pass all filters: with `bbox` and `area`, a search returns the listings that are in both. A listing with an unknown value does not pass a filter on that value: with `{"yearBuilt": {"min": 1990}}`, a home of unknown age is left out. Filters that take true or false treat unknown as false, and a listing without a known sale type counts as `by_agent`. Filters with unknown names are ignored and listed in `meta.ignored`. An empty list and null mean the same as an absent filter. A malformed filter is refused with 400 `invalid_filters` before any listing is fetched, and costs nothing."""

    zpids: NotRequired[list[str] | None]
    """The zpids of the homes to watch, up to 1,000. A home that does not exist yet is reported when it appears. An empty list is the same as none."""

    events: NotRequired[list[WatchListingEvent] | None]
    """The events to report and to pay for, each named once. Leave it out, or send an empty list, to get all five. The watch also reports when one of its events was retracted, for free."""

    metadata: NotRequired[dict[str, str] | None]
    """Up to 16 values of your own, which every event of the watch returns. Their names have up to 100 characters."""

    every: NotRequired[WatchInterval | None]
    """When changes are reported: `change` as soon as the data changes, `1h`, `6h`, `1d` and `7d` at this interval, as the net change since the last report. The default is `change`. A service over a remote data source searches at the interval: it refuses `change`, and its default is `1d`."""

    min_change: NotRequired[WatchMinChangeInput | None]
    """The smallest change of a price that is reported as `listing.price_changed`, compared with the price that the watch reported last, so that small changes add up. With both fields, a change must reach both. An object without fields reports every change."""

    paused: NotRequired[bool | None]
    """Whether the watch starts paused. It takes its baseline all the same. The default is false."""

    subscriber: NotRequired[WatchSubscriberInput | None]
    """Who gets the changes of the watch, a person by mail or one webhook. By default, the watch has no subscriber."""



WatchInterval: TypeAlias = "Literal['change', '1h', '6h', '1d', '7d']"
"""When changes are reported, `change` as soon as the data changes, the others at this interval."""



WatchListingEvent: TypeAlias = "Literal['listing.removed', 'listing.back_on_market', 'listing.new', 'listing.status_changed', 'listing.price_changed']"
"""An event that a watch can report."""



class WatchMinChange(TypedDict):
    """The smallest change of a price that is reported as `listing.price_changed`, compared with the price that the watch reported last, so that small changes add up. With both fields, a change must reach both. An object without fields reports every change."""

    amount: NotRequired[float]
    """In US dollars, for a rise as for a fall."""

    percent: NotRequired[float]
    """In percent of the price that was reported last, for a rise as for a fall."""



class WatchMinChangeInput(TypedDict):
    """The smallest change of a price that is reported as `listing.price_changed`, compared with the price that the watch reported last, so that small changes add up. With both fields, a change must reach both. An object without fields reports every change."""

    amount: NotRequired[float | None]
    """In US dollars, for a rise as for a fall."""

    percent: NotRequired[float | None]
    """In percent of the price that was reported last, for a rise as for a fall."""



class WatchPatch(TypedDict):
    """The fields of the watch to change. Fields that you leave out stay as they are. Null clears `events`, `metadata`, `min_change`, and `subscriber`, and changes nothing in other fields. You can send what a GET returned: fields that cannot be changed are accepted. A watch of a search takes `filters`, a watch of homes takes `zpids`. Other `filters` give the watch a new baseline; the same as before change nothing."""

    name: NotRequired[str | None]
    """A name of your own, up to 100 characters."""

    filters: NotRequired[SearchFilters | None]
    """The filters of a search. At least one of `bbox`, `area`, `zips` and `cities` is required. A listing must pass all filters: with `bbox` and `area`, a search returns the listings that are in both. A listing with an unknown value does not pass a filter on that value: with `{"yearBuilt": {"min": 1990}}`, a home of unknown age is left out. Filters that take true or false treat unknown as false, and a listing without a known sale type counts as `by_agent`. Filters with unknown names are ignored and listed in `meta.ignored`. An empty list and null mean the same as an absent filter. A malformed filter is refused with 400 `invalid_filters` before any listing is fetched, and costs nothing."""

    zpids: NotRequired[list[str] | None]
    """All homes to watch from now on, up to 1,000. Homes that are added get a baseline of their own; homes that stay keep their state. An empty list changes nothing."""

    events: NotRequired[list[WatchListingEvent] | None]
    """The events to report and to pay for from now on, each named once. An empty list changes nothing. Null: all five."""

    metadata: NotRequired[dict[str, str] | None]
    """All values of your own, which every later event of the watch returns. They replace the earlier ones. Null: none."""

    every: NotRequired[WatchInterval | None]
    """When changes are reported, as for POST /v1/watches."""

    min_change: NotRequired[WatchMinChangeInput | None]
    """The smallest change of a price that is reported. Null: every change."""

    paused: NotRequired[bool | None]
    """True pauses the watch and keeps its state. False resumes it: its next evaluation reports what has changed since, as one event for each home."""

    subscriber: NotRequired[WatchSubscriberInput | None]
    """Who gets the changes of the watch from now on. Another address must be confirmed first. The same address stays confirmed, and stays unsubscribed. Null removes the subscriber."""



class WatchStatusEventData(TypedDict):
    """What the event is about."""

    watch: Watch
    """The watch, as it was when the event happened."""

    count: NotRequired[int]
    """`watch.ready` and `watch.paused`: the number of homes that match."""

    reason: NotRequired[Literal["out_of_credits", "key_limit_reached", "too_many_matches", "incomplete_results", "evaluation_failed"] | str]
    """`watch.paused`: why the watch was paused."""

    missing: NotRequired[int]
    """`watch.quarantined`: the homes that were missing in the last search."""



class WatchStatusEvent(TypedDict):
    """An event about a watch itself. It is free and has no `seq`."""

    id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    type: WebhookEventType
    """What happened. Event types may be added, but a webhook receives only the types in its `events`."""

    timestamp: str
    """When the event happened. It stays the same over all attempts."""

    attempt: int
    """Which attempt this is, counted from 1."""

    data: WatchStatusEventData
    """What the event is about."""



class WatchSubscriber(TypedDict):
    """Who gets the changes of a watch, a person by mail or one webhook."""

    email: str | None
    """The address of the person. Null for a webhook."""

    frequency: Literal["daily", "weekly"] | str | None
    """How often the person gets a digest: each day, or each Monday, both at 13:00 UTC. Null for a webhook."""

    webhook_id: str | None
    """The id of the webhook. Null for a person."""

    status: Literal["unconfirmed", "active", "unsubscribed", "revoked"] | str
    """Whether something is sent now.

    - `unconfirmed`: the person has not confirmed the address yet. The link in the mail works for 7 days. After 30 days, the
      subscriber is removed.
    - `active`: digests or events are sent.
    - `unsubscribed`: the person has unsubscribed, or has refused the subscription.
    - `revoked`: the webhook is revoked, so events about the watch are sent to no webhook.
    """



class WatchSubscriberInput(TypedDict):
    """Who gets the changes of the watch: a person, by mail, or one webhook. Send `email` or `webhook_id`. A body with neither is refused with `missing_input`, a body with both with `invalid_parameter`.
    A person gets a digest of the changes, daily or weekly. First, the service sends one mail that asks the person to confirm the address. Nothing else is sent before that. Each digest has a link that unsubscribes with one click.
    With `webhook_id`, the events about this watch are sent only to that webhook, if it is subscribed to them. Without a subscriber of this kind, they are sent to each webhook of the account that is subscribed to them.
    """

    email: NotRequired[str | None]
    """The address of the person. It is personal data, and is deleted with the watch."""

    frequency: NotRequired[WatchDigestFrequency | None]
    """How often a digest is sent: `daily`, the default, or `weekly`. Has no effect for a webhook."""

    webhook_id: NotRequired[str | None]
    """The id of a webhook of the account that is not revoked."""



class Webhook(TypedDict):
    """A URL of yours that receives events of jobs, watches, credits, and keys."""

    id: str
    """The id of the webhook."""

    url: str
    """The URL that events are sent to."""

    events: list[WebhookEventType]
    """The events that are sent."""

    active: bool
    """Whether events are sent. It is false while the webhook is paused, and once it is revoked."""

    description: str
    """Your own note. An empty string if none was given."""

    credits_threshold: NotRequired[int | None]
    """The balance at which `credits.low` is also sent, as you set it. Null if you set none."""

    created_at: str
    """When the webhook was created."""

    revoked_at: str | None
    """When the webhook was revoked. Null while it is live."""



class WebhookDelivery(TypedDict):
    """One attempt to deliver an event to a webhook."""

    id: int
    """The id of the attempt. Later attempts have greater ids."""

    event_id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    job_id: str | None
    """The job that the event is about. Null if it is about something else: `subject` says what."""

    subject: EventSubject
    """What an event is about."""

    event: WebhookEventType
    """What happened. Event types may be added, but a webhook receives only the types in its `events`."""

    attempt: int
    """Which attempt of the event this was, counted from 1."""

    status_code: int | None
    """The status of the receiver's response, or null if there was no response."""

    delivered: bool
    """Whether the receiver answered with a status of 200 to 299 in time."""

    error: str | None
    """Why there was no response, in a sentence for people: for example, the name did not resolve, the connection was refused, or the receiver did not respond within 15 seconds. Null if the receiver answered."""

    attempted_at: str
    """When the attempt began."""

    response_preview: str
    """The beginning of the receiver's response, at most 1 KiB, as text. Empty if there was none."""

    request_preview: str
    """The beginning of the body that this attempt sends to the receiver, at most 4 KiB, as text. A home that the data source has forbidden to show since then is shown as `withheld` says."""

    request_bytes: int
    """The length of the whole body in bytes. If `request_preview` is shorter, it is only the beginning."""



WebhookEventType: TypeAlias = "Literal['job.succeeded', 'job.failed', 'job.timed_out', 'job.aborted', 'watch.changes', 'watch.ready', 'watch.paused', 'watch.quarantined', 'credits.low', 'key.limit_reached'] | str"
"""What happened. Event types may be added, but a webhook receives only the types in its `events`.

- `job.succeeded`: the job has finished; a chained job has finished both stages. Its results can be
  read.
- `job.failed`: the job stopped because of an error.
- `job.timed_out`: the job did not finish in time.
- `job.aborted`: the account or the operator of the service stopped the job.
- `watch.changes`: homes of a watch have changed.
- `watch.ready`: the watch has its baseline.
- `watch.paused`: the service paused the watch.
- `watch.quarantined`: too many homes of the watch were missing in one search.
- `credits.low`: few credits of the account are left.
- `key.limit_reached`: the credit limit of a key is reached.
"""



class WebhookInput(TypedDict):
    """The webhook to create."""

    url: str
    """The URL that receives events by POST. It must be an `https` URL with a public host; private, loopback, link-local and cloud metadata addresses are refused, at creation where they can be seen and at each delivery for the address that the name resolves to. Names that can never be resolved (such as those under `.invalid`, `.test` or `.example`) and ports of well-known services that do not use HTTP (such as 22, 25 or 5432) are refused too. `http` and private networks work only where the operator of the service has allowed them."""

    events: NotRequired[list[SubscribableEvent] | None]
    """The events to send, each named once. Leave it out, or send an empty list, to get the events of jobs (`job.succeeded`, `job.failed`, `job.timed_out`, and `job.aborted`). Events of watches, credits, and keys are sent only if you name them."""

    description: NotRequired[str | None]
    """A note of your own, up to 500 characters, none of them U+0000."""

    credits_threshold: NotRequired[int | None]
    """`credits.low` is also sent when the balance falls to this number of credits, once in a cycle. The spelling `creditsThreshold` is accepted too."""



class WebhookPatch(TypedDict):
    """The fields of the webhook to change. Fields that you leave out stay as they are. Null clears `events`, `description`, and `credits_threshold`, and changes nothing in other fields. You can send what a GET returned: fields that cannot be changed are accepted."""

    url: NotRequired[str | None]
    """The URL that receives events from now on. The same URLs are accepted as for POST /v1/webhooks."""

    events: NotRequired[list[SubscribableEvent] | None]
    """The events to send from now on, each named once. An empty list changes nothing. Null: those of a new webhook, the four events of jobs."""

    description: NotRequired[str | None]
    """A note of your own, up to 500 characters, none of them U+0000. Null: none."""

    active: NotRequired[bool | None]
    """False pauses the webhook: nothing is sent to it. True resumes it."""

    credits_threshold: NotRequired[int | None]
    """`credits.low` is also sent when the balance falls to this number of credits, once in a cycle. Null: only at the usual levels. The spelling `creditsThreshold` is accepted too."""



class WebhookRotation(TypedDict):
    """A webhook's new signing secret, returned only once."""

    webhook_id: str
    """The id of the webhook."""

    secret: str
    """The secret that signs every delivery from now on: `whsec_` and the Base64 form of 32 bytes. It is shown only here, so store it where your receiver can read it."""

    old_secret_until: str | None
    """Until when deliveries are signed with the earlier secret too. Null if it has stopped signing."""



class WebhookTest(TypedDict):
    """The result of a test delivery."""

    event_id: EventId
    """The id of an event. It stays the same over all attempts to deliver it and is also sent as the header `webhook-id`, so that a receiver can detect duplicates."""

    url: str
    """The URL that the test delivery was sent to."""

    delivered: bool
    """Whether the receiver answered with a status of 200 to 299 in time."""

    status_code: int | None
    """The status of the receiver's response, or null if there was no response."""

    error: str | None
    """Why there was no response, in a sentence for people. Null if the receiver answered."""

    response_preview: str
    """The beginning of the receiver's response, at most 1 KiB, as text. Empty if there was none."""



class WebhookWithSecret(Webhook):
    """A webhook with its signing secret, returned only once, when it is created."""

    secret: str
    """The secret that signs every delivery to this webhook: `whsec_` and the Base64 form of 32 bytes. It is shown only here, so store it where your receiver can read it."""



class WithDetailsRequest(TypedDict):
    """What to search for, and how to look up the homes found. Unknown fields are ignored and listed in `meta.ignored`."""

    filters: SearchFilters
    """The filters of a search. At least one of `bbox`, `area`, `zips` and `cities` is required. A listing must pass all filters: with `bbox` and `area`, a search returns the listings that are in both. A listing with an unknown value does not pass a filter on that value: with `{"yearBuilt": {"min": 1990}}`, a home of unknown age is left out. Filters that take true or false treat unknown as false, and a listing without a known sale type counts as `by_agent`. Filters with unknown names are ignored and listed in `meta.ignored`. An empty list and null mean the same as an absent filter. A malformed filter is refused with 400 `invalid_filters` before any listing is fetched, and costs nothing."""

    extractionMethod: NotRequired[ExtractionMethod | None]
    """How the area is searched:"""

    maxItems: NotRequired[int | None]
    """The maximum number of homes to find and look up, up to 820, with `MAP_MARKERS` up to 500; a value out of bounds is refused, never corrected. The default is 820, with `MAP_MARKERS` 500. The job costs at most twice this many credits, more only when it extracts the units of buildings."""

    maxCredits: NotRequired[int | None]
    """The maximum charge for this call, in credits. It works like the header `X-Max-Credits`. If both are sent, the smaller value applies."""

    propertyStatus: NotRequired[ListingStatus | None]
    """Which listing of a home is wanted, when it has several:"""

    extractBuildingUnits: NotRequired[ExtractUnits | None]
    """What to do with buildings: `disabled` returns the building's own record. `all` returns the records of all its units instead; the other values return only the units of that status. Each unit is a record and is charged as one."""



Withheld: TypeAlias = "Literal['address', 'listing'] | str"
"""What the data source has forbidden to show since the row or the event was stored. Absent if nothing is missing.

- `address`: the street line, the exact position, the parcel, links and pictures that lead to them, and every text that names
  them. A position that a row must have is rounded to 0.1 degrees. The listing of an event is null.
- `listing`: everything but the zpid. Other required fields are null or empty, and a position is rounded to whole degrees.
  An event keeps its type, its times, and the statuses.
"""



class Zestimate(TypedDict):
    """The value of a home, by the data source's automated valuation and by public records. Every field is present; an amount is null if it was not estimated or recorded."""

    zestimate: float | None
    """The estimated market value as of today. It is the output of a model, not an appraisal; the record's `zestimateLowPercent` and `zestimateHighPercent` give its range."""

    rent_zestimate: float | None
    """The estimated market rent per month."""

    tax_assessed_value: float | None
    """The value for tax in the latest year on record, which may differ a lot from the market value."""

    last_sold_price: float | None
    """The price of the last recorded sale; null in states where sale prices are not public."""

    currency: str
    """The ISO 4217 code of the currency of all four amounts, `USD` for U.S. homes."""



class GetPropertyByUrlMeta(TypedDict):
    """Information about the response. `count` is present if `data` is an array. Absent if it would be empty."""

    count: NotRequired[int]
    """The number of units in `data`, without the building's own record."""

    truncated: NotRequired[bool]
    """`true` if the credits, or the limit that you set for the call, did not cover every unit; absent otherwise."""

    truncated_by: NotRequired[Literal["credits", "max_credits", "key_limit"] | str]
    """What cut the result: the credits of the account, or the limit that you set for the call. Present together with `truncated`."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertyPhotosMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    count: int
    """The number of entries in `data`."""

    photo_count: int
    """The number of photos that the listing says it has."""

    has_3d: bool
    """Whether the listing has a 3D tour."""

    has_video: bool
    """Whether the listing has a video."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertyPriceHistoryMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    count: int
    """The number of entries in `data`."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertyTaxHistoryMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    count: int
    """The number of entries in `data`."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertySchoolsMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    count: int
    """The number of entries in `data`."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertyNearbyMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    count: int
    """The number of entries in `data`."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertyAgentMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertyZestimateMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertyOpenHousesMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    count: int
    """The number of entries in `data`."""

    tour_eligibility: TourEligibility
    """Whether and how a visit to the home can be booked. Empty where the data source does not support bookings."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetPropertyFactsMeta(TypedDict):
    """Information about the response."""

    cached: Cached
    """Whether the record was at hand when this call was admitted. `false` means that it was fetched from the data source for this call. A record of the service's own data set needs no fetch: `cached` can be `true` at its first call. The price is the same."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetBuildingUnitsData(TypedDict):
    units: list[BuildingUnit]
    """The units, one row each. A first row without `unitNumber` is the building's own record."""



class GetBuildingUnitsMeta(TypedDict):
    """Information about the result."""

    count: int
    """The number of units in `data.units`, without the building's own record."""

    include_units: Literal["all", "for_sale", "for_rent", "recently_sold", "off_market"] | str
    """The choice of units that was applied."""

    truncated: NotRequired[bool]
    """`true` if the credits, or the limit that you set for the call, did not cover every unit; absent otherwise."""

    truncated_by: NotRequired[Literal["credits", "max_credits", "key_limit"] | str]
    """What cut the result: the credits of the account, or the limit that you set for the call. Present together with `truncated`."""

    next_cursor: NotRequired[str]
    """Send it as `cursor` with the same `url` and `include_units` to get the units behind the last one of this response. Present if there are more."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class ListJobsMeta(TypedDict):
    count: int
    """The number of entries in `data`."""

    limit: int
    """The `limit` that was applied."""

    offset: int
    """The `offset` that was applied."""

    has_more: bool
    """Whether there are more entries after these."""

    next_cursor: NotRequired[str]
    """`cursor` for the next page: the jobs behind these. Absent if there are none."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class GetJobResultsMeta(TypedDict):
    count: int
    """The number of entries in `data`."""

    total: int | None
    """The number of rows of the whole result, or null if it is not known."""

    limit: int
    """The `limit` that was applied."""

    offset: int
    """The `offset` that was applied."""

    has_more: bool
    """Whether there are more entries after these."""

    next_cursor: NotRequired[str]
    """`cursor` for the next page: the rows behind these. Absent if there are none."""

    truncated: NotRequired[bool]
    """Present, and true, only if the credits, the `maxItems` of a batch, or `maxCredits` cut the result."""

    truncated_by: NotRequired[Literal["credits", "max_items", "max_credits", "key_limit"] | str]
    """Present only with `truncated`: what cut the job."""

    source: NotRequired[DataSource]
    """The source that answered: where the data comes from, and what to show with it. If you display a listing to the public, show `attribution` with it. In a list, `meta.source` is the source of all rows that have no `source` of their own, and the listing office of such a row is its `brokerName`. Rows of CSV and NDJSON have their own `source`, if it requires an attribution."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class ListWatchEventsMeta(TypedDict):
    count: int
    """The number of entries in `data`."""

    limit: int
    """The `limit` that was applied."""

    has_more: bool
    """Whether there are more events after these."""

    next_cursor: NotRequired[str]
    """`cursor` for the next page: the events behind these. Absent if there are none yet."""

    next_after: int
    """`after` for the next call: the `seq` of the last event here, or the `after` of this call."""

    ignored: NotRequired[Ignored]
    """The names in the call that the service did not use: dotted paths into the body (`filters.pirce`, `searchUrls.0.url.filterState.cityv`), names of query parameters, unknown paths of `fields` (`fields.pirce`), `Idempotency-Key` on a call that starts no job, and `body` if the operation takes no body. Besides unknown names, it names what has no effect on this call: `format` on a search that runs as a job, the status of a search whose path sets it, the fields of another type of area. Check it for misspelled names: a misspelled filter does not narrow the search, and every row costs a credit. Absent when everything was used. It holds the first 20 names, each cut to 80 characters. A newer service may use a name that an older one ignores."""



class KeyNotAllowedDetails(TypedDict):
    """What `error.details` can have with the code `key_not_allowed`."""

    operation: NotRequired[str]
    """`key_not_allowed`: the operation that the key may not use."""

    exceeds: NotRequired[Literal["allowed_operations", "expires_at", "credit_limit", "oauth_client"] | str]
    """`key_not_allowed`: what the other key has more than the key of the call."""

    live_keys: NotRequired[int]
    """`key_not_allowed` for the access token of a new client: the live keys of the account."""



class OutOfCreditsDetails(TypedDict):
    """What `error.details` can have with the code `out_of_credits`."""

    balance: NotRequired[int]
    """`out_of_credits`: the credits of the account, those held for running jobs included."""

    held: NotRequired[int]
    """`out_of_credits`: the credits that running jobs hold."""

    required: NotRequired[int]
    """`out_of_credits`, `max_credits_exceeded` and `key_limit_reached`: the credits that the call requires."""



class MaxCreditsExceededDetails(TypedDict):
    """What `error.details` can have with the code `max_credits_exceeded`."""

    required: NotRequired[int]
    """`out_of_credits`, `max_credits_exceeded` and `key_limit_reached`: the credits that the call requires."""

    max_credits: NotRequired[int]
    """`max_credits_exceeded`: the limit that you set for the charge of the call."""



class KeyLimitReachedDetails(TypedDict):
    """What `error.details` can have with the code `key_limit_reached`."""

    required: NotRequired[int]
    """`out_of_credits`, `max_credits_exceeded` and `key_limit_reached`: the credits that the call requires."""

    remaining: NotRequired[int]
    """`key_limit_reached`: the credits that the limit of the key leaves."""

    per: NotRequired[Literal["total", "day", "week", "month"] | str]
    """`key_limit_reached`: the period of the limit: `total`, `day`, `week` or `month`."""

    resets_at: NotRequired[str]
    """`key_limit_reached`: when the limit is reset. Absent for a `total` limit."""

    limit: NotRequired[int]
    """`lookup_budget_exceeded`, `job_limit` and the `invalid_filters` of a watch: what the plan allows. `key_limit_reached`: the limit of the key."""



class RateLimitedDetails(TypedDict):
    """What `error.details` can have with the code `rate_limited`."""

    plan: NotRequired[PlanId]
    """`rate_limited`, `lookup_budget_exceeded` and `job_limit`: the plan of the account."""

    limit_per_minute: NotRequired[int]
    """`rate_limited`: the calls that the key may make in 60 seconds."""



class LookupBudgetExceededDetails(TypedDict):
    """What `error.details` can have with the code `lookup_budget_exceeded`."""

    plan: NotRequired[PlanId]
    """`rate_limited`, `lookup_budget_exceeded` and `job_limit`: the plan of the account."""

    window: NotRequired[Literal["minute", "day"] | str]
    """`lookup_budget_exceeded`: which budget is used up, that of the `minute` or that of the `day`."""

    limit: NotRequired[int]
    """`lookup_budget_exceeded`, `job_limit` and the `invalid_filters` of a watch: what the plan allows. `key_limit_reached`: the limit of the key."""



class MissingInputDetails(TypedDict):
    """What `error.details` can have with the code `missing_input`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidUrlDetails(TypedDict):
    """What `error.details` can have with the code `invalid_url`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidAddressDetails(TypedDict):
    """What `error.details` can have with the code `invalid_address`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidZpidDetails(TypedDict):
    """What `error.details` can have with the code `invalid_zpid`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidStatusDetails(TypedDict):
    """What `error.details` can have with the code `invalid_status`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidExtractUnitsDetails(TypedDict):
    """What `error.details` can have with the code `invalid_extract_units`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidFiltersDetails(TypedDict):
    """What `error.details` can have with the code `invalid_filters`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""

    path: NotRequired[str]
    """`invalid_filters` for an area: the path of what is wrong in it, for example `filters.area.coordinates.0.3`."""

    position: NotRequired[list[float]]
    """`invalid_filters` for an area: the position at `path`, where it is one."""

    hint: NotRequired[str]
    """`invalid_filters` for an area: what to do, for example `The latitude seems to come first.`"""

    limit: NotRequired[int]
    """`lookup_budget_exceeded`, `job_limit` and the `invalid_filters` of a watch: what the plan allows. `key_limit_reached`: the limit of the key."""

    count: NotRequired[int]
    """`invalid_filters` of a watch: the homes that its search matches."""



class InvalidSearchUrlDetails(TypedDict):
    """What `error.details` can have with the code `invalid_search_url`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""

    index: NotRequired[int]
    """`invalid_search_url`: which of `searchUrls` was wrong, counted from 0."""



class UnknownPlaceDetails(TypedDict):
    """What `error.details` can have with the code `unknown_place`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class AmbiguousPlaceDetails(TypedDict):
    """What `error.details` can have with the code `ambiguous_place`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""

    candidates: NotRequired[list[str]]
    """What an ambiguous input may mean. `not_found` for an address that several homes fit: their addresses. `ambiguous_place`: the id of each of `places`, a colon, and its name."""

    places: NotRequired[list[PlaceCandidate]]
    """`ambiguous_place`: the places that have the name, up to 10."""



class InvalidCursorDetails(TypedDict):
    """What `error.details` can have with the code `invalid_cursor`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidEventsDetails(TypedDict):
    """What `error.details` can have with the code `invalid_events`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidMetadataDetails(TypedDict):
    """What `error.details` can have with the code `invalid_metadata`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class InvalidParameterDetails(TypedDict):
    """What `error.details` can have with the code `invalid_parameter`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""

    minimum: NotRequired[float]
    """`invalid_parameter`: the minimum of `parameter`."""

    maximum: NotRequired[float]
    """`invalid_parameter`: the maximum of `parameter`, or of its size."""



class NotFoundDetails(TypedDict):
    """What `error.details` can have with the code `not_found`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""

    candidates: NotRequired[list[str]]
    """What an ambiguous input may mean. `not_found` for an address that several homes fit: their addresses. `ambiguous_place`: the id of each of `places`, a colon, and its name."""



class JobNotFoundDetails(TypedDict):
    """What `error.details` can have with the code `job_not_found`."""

    parameter: NotRequired[str]
    """Every 400 that concerns a parameter, and `not_found` and `job_not_found` for an id that is malformed: its name in the path, the query or the headers, or the path of a field of the body. Steps are joined by dots and entries are counted from 0: `maxItems`, `filters.bbox`, `urls.3`."""



class JobNotReadyDetails(TypedDict):
    """What `error.details` can have with the code `job_not_ready`."""

    status: NotRequired[JobStatus]
    """`job_not_ready`, `job_ended`: the status of the job."""



class JobEndedDetails(TypedDict):
    """What `error.details` can have with the code `job_ended`."""

    status: NotRequired[JobStatus]
    """`job_not_ready`, `job_ended`: the status of the job."""



class JobLimitDetails(TypedDict):
    """What `error.details` can have with the code `job_limit`."""

    plan: NotRequired[PlanId]
    """`rate_limited`, `lookup_budget_exceeded` and `job_limit`: the plan of the account."""

    bound: NotRequired[Literal["open_jobs", "stored_rows", "stored_bytes"] | str]
    """`job_limit`: which bound is reached: `open_jobs`, `stored_rows` or `stored_bytes`."""

    value: NotRequired[int]
    """`job_limit`: what the account uses of the bound."""

    limit: NotRequired[int]
    """`lookup_budget_exceeded`, `job_limit` and the `invalid_filters` of a watch: what the plan allows. `key_limit_reached`: the limit of the key."""



class ServiceUnavailableDetails(TypedDict):
    """What `error.details` can have with the code `service_unavailable`."""

    charge: NotRequired[Literal["unknown"] | str]
    """`service_unavailable`: `unknown` where the service cannot tell whether the call was charged."""



class UpstreamTimeoutDetails(TypedDict):
    """What `error.details` can have with the code `upstream_timeout`."""

    phase: NotRequired[Literal["queue", "upstream"] | str]
    """`upstream_timeout`: whether the time was spent in the `queue` of the key or `upstream`, at the data source."""

