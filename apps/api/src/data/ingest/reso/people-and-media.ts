// The listing agent and office, photos, and open houses of a home.

import {
  isJsonObject,
  type JsonObject,
  type PropertyReader,
  readNumber,
  readText,
} from '../../../domain/reso.ts'
import { present } from './computed-fields.ts'

/** The source of a listing, as clients see it. */
export interface ListingSource {
  /** The name in `sources add NAME`. Part of each home's identity. */
  readonly name: string
  /** The public name of the MLS, used if the feed does not state `OriginatingSystemName`. */
  readonly authority?: string
  /** The notice that must be shown with each listing. */
  readonly notice?: string
  /** The use that listings must permit in `MlgCanUse`, such as `IDX`. */
  readonly use?: string
}

/** Fields of an expanded agent or office, with the field of the property that they replace. */
const EXPANDED = {
  ListAgent: {
    MemberFullName: 'ListAgentFullName',
    MemberEmail: 'ListAgentEmail',
    MemberPreferredPhone: 'ListAgentPreferredPhone',
    MemberStateLicense: 'ListAgentStateLicense',
  },
  ListOffice: { OfficeName: 'ListOfficeName', OfficePhone: 'ListOfficePhone' },
  BuyerAgent: { MemberFullName: 'BuyerAgentFullName', MemberStateLicense: 'BuyerAgentStateLicense' },
  BuyerOffice: { OfficeName: 'BuyerOfficeName' },
} as const

/** The property with the names of its expanded agents and offices in its own fields. */
export function withPeople(property: JsonObject): JsonObject {
  const added: Record<string, unknown> = {}
  for (const [resource, fields] of Object.entries(EXPANDED)) {
    const person = property[resource]
    if (!isJsonObject(person)) continue
    for (const [from, to] of Object.entries(fields)) {
      if (readText(property[to]) === undefined && readText(person[from]) !== undefined)
        added[to] = person[from]
    }
  }
  const phone = property.ListAgentDirectPhone ?? property.ListAgentMobilePhone
  if (property.ListAgentPreferredPhone === undefined && phone !== undefined)
    added.ListAgentPreferredPhone ??= phone
  return Object.keys(added).length === 0 ? property : { ...property, ...added }
}

/** The attribution that must be shown with the listing. */
export function attributionOf(property: PropertyReader, source: ListingSource): JsonObject {
  const status = property.text('StandardStatus')
  const ownStatus = property.text('MlsStatus')
  return present({
    mlsName: property.text('OriginatingSystemName') ?? source.authority ?? source.name,
    mlsDisclaimer: source.notice ?? property.text('CopyrightNotice'),
    trueStatus: ownStatus !== undefined && ownStatus !== status ? ownStatus : status,
    lastUpdated: property.text('ModificationTimestamp'),
  })
}

/** The values of the permission field that make a file public. */
const PUBLIC_PERMISSIONS: ReadonlySet<string> = new Set(['Public', 'IDX'])

/** The photos in their order, each once with all its sizes. */
export function photosOf(property: PropertyReader): readonly JsonObject[] {
  const photos = new Map<
    string,
    { order: number; files: { url: string; width?: number }[]; caption: string }
  >()
  for (const [index, file] of property.objects('Media').entries()) {
    const url = readText(file.MediaURL)
    if (url === undefined || !/^https?:\/\//i.test(url) || !isPublicPhoto(file)) continue
    const order = readNumber(file.Order) ?? index
    const width = readNumber(file.ImageWidth)
    // Sizes of one photo share its id. Vendors without ids have one file for each order.
    const key = readText(file.MediaObjectID) ?? `order ${order} ${readText(file.MediaKey) ?? index}`
    const photo = photos.get(key) ?? { order, files: [], caption: readText(file.ShortDescription) ?? '' }
    photo.files.push(width !== undefined && width > 0 ? { url, width: Math.round(width) } : { url })
    photos.set(key, photo)
  }
  return [...photos.values()]
    .sort((one, other) => one.order - other.order)
    .map(({ files, caption }) => {
      const sized = files.filter((file) => file.width !== undefined)
      if (sized.length > 1) sized.sort((one, other) => one.width! - other.width!)
      return {
        url: (sized.at(-1) ?? files[0]!).url,
        caption,
        subjectType: null,
        mixedSources: { jpeg: sized, webp: [] },
      }
    })
}

function isPublicPhoto(file: JsonObject): boolean {
  const category = readText(file.MediaCategory)
  if (category !== undefined && category !== 'Photo' && !/^photo$/i.test(category)) return false
  const status = readText(file.MediaStatus)
  if (status !== undefined && /^(?:deleted|incomplete)$/i.test(status)) return false
  if (file.Permission === undefined || file.Permission === null) return true
  const permission = [file.Permission].flat().flatMap((each) => (readText(each) ?? '').split(','))
  const stated = permission.map((each) => each.trim()).filter((each) => each !== '')
  return stated.length === 0 || stated.some((each) => PUBLIC_PERMISSIONS.has(each))
}

/** The tour without an agent's advertising comes first. */
export function tourOf(property: PropertyReader): string | undefined {
  const urls = [property.text('VirtualTourURLUnbranded'), property.text('VirtualTourURLBranded')]
  return urls.find((url) => url !== undefined && /^https?:\/\//i.test(url))
}

/** Open houses that anyone may visit. */
export function openHousesOf(property: PropertyReader): readonly JsonObject[] {
  return [...property.objects('OpenHouse'), ...property.objects('OpenHouses')].flatMap((visit) => {
    const start = Date.parse(readText(visit.OpenHouseStartTime) ?? '')
    const end = Date.parse(readText(visit.OpenHouseEndTime) ?? '')
    const type = readText(visit.OpenHouseType)
    const isOff = /^(?:canceled|ended)$/i.test(readText(visit.OpenHouseStatus) ?? '')
    if (isOff || !Number.isFinite(start) || (type !== undefined && !/^public$/i.test(type))) return []
    return [
      {
        startTime: new Date(start).toISOString(),
        endTime: Number.isFinite(end) ? new Date(end).toISOString() : null,
      },
    ]
  })
}
