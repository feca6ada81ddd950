// The sites of listings: those whose URLs are accepted, and the operator's own pages.

/** The operator's page of each home, from `LISTING_URL_TEMPLATE`. */
export interface HomePages {
  urlOf(zpid: string): string
  /** The zpid of the home whose page the URL is, with or without a final slash, query, or fragment. */
  zpidOf(url: string): string | undefined
}

export interface ListingSites {
  /** Host names in lower case; each includes its subdomains. */
  readonly hosts: readonly string[]
  /** The origin for paths of records: `https://www.` and the first host. */
  readonly origin: string
  /** Absent: the operator has none. */
  readonly homePages?: HomePages
}

export function listingSites(hosts: readonly string[], template?: string): ListingSites {
  const host = hosts[0] ?? 'zillow.com'
  const origin = host.startsWith('www.') ? `https://${host}` : `https://www.${host}`
  return { hosts, origin, ...(template !== undefined && { homePages: homePages(template) }) }
}

const PLACEHOLDER = '{zpid}'

function homePages(template: string): HomePages {
  const [before = '', after = ''] = template.split(PLACEHOLDER)
  const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const [, host = '', rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(before) ?? []
  // The host may be written in any case, and both schemes lead to the same page.
  const hostPattern = [...host].map((one) =>
    /[a-z]/i.test(one) ? `[${one.toLowerCase()}${one.toUpperCase()}]` : quote(one),
  )
  const tail = template.includes('?') ? '(?:[&#].*)?' : '/?(?:[?#].*)?'
  const pattern = new RegExp(
    `^[Hh][Tt][Tt][Pp][Ss]?://${hostPattern.join('')}${quote(rest)}(\\d{1,20})${quote(after.replace(/\/$/, ''))}${tail}$`,
  )
  return {
    urlOf: (zpid) => `${before}${zpid}${after}`,
    zpidOf: (url) => pattern.exec(url)?.[1],
  }
}
