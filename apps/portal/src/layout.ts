// The document around each page: head, navigation, sign-out.

import type { PageAnswer, Section, SignedInAccount } from './answer.ts'
import { type Html, html, render } from './html.ts'
import { form } from './parts.ts'

/** A set of pages: the portal for customers, or the console for operators. */
export interface Site {
  readonly name: string
  /** The path of the first page. */
  readonly home: string
  /** The path of the static files. */
  readonly assets: string
  readonly signOut: string
  /** The accessible name of the navigation. */
  readonly label: string
  readonly sections: readonly (readonly [section: string, path: string, title: string])[]
  /** Shown beside the sign-out. */
  readonly aside: (session: SignedInAccount) => Html
}

const SECTIONS: readonly (readonly [section: Section, path: string, title: string])[] = [
  ['overview', '/portal', 'Overview'],
  ['usage', '/portal/usage', 'Usage'],
  ['billing', '/portal/billing', 'Plan and credits'],
  ['keys', '/portal/keys', 'API keys'],
  ['jobs', '/portal/jobs', 'Jobs'],
  ['webhooks', '/portal/webhooks', 'Webhooks'],
  ['watches', '/portal/watches', 'Watches'],
  ['explore', '/portal/explore', 'Explore'],
]

const PORTAL: Site = {
  name: 'Lotline',
  label: 'Portal',
  sections: SECTIONS,
  home: '/portal',
  assets: '/portal/assets',
  signOut: '/portal/sign-out',
  aside: () => html`<a href="/docs">Docs</a>`,
}

/** Sections whose pages have a map. */
const WITH_MAP: readonly (string | undefined)[] = ['explore', 'data-set']

/** @param session undefined: the browser is not signed in */
export function layOut(
  answer: PageAnswer,
  session: SignedInAccount | undefined,
  site: Site = PORTAL,
): string {
  const { title, section, body, refreshS, leadsTo } = answer
  return render(html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${`${title} · ${site.name}`}</title>
      <link rel="icon" href=${`${site.assets}/icon.svg`} type="image/svg+xml" />
      <link rel="stylesheet" href=${`${site.assets}/portal.css`} />
      <script src=${`${site.assets}/portal.js`} type="module"></script>
      ${WITH_MAP.includes(section) && html`<script src=${`${site.assets}/explore.js`} type="module"></script>`}
      ${leadsTo !== undefined && html`<meta http-equiv="refresh" content=${`0;url=${leadsTo}`} />`}
      ${refreshS !== undefined && html`<noscript><meta http-equiv="refresh" content=${String(refreshS)} /></noscript>`}
    </head>
    <body class=${session ? '' : 'signed-out'}>
      <a class="skip" href="#main">Skip to the content</a>
      ${session ? header(site, section, session) : ''}
      <main id="main" tabindex="-1">${body}</main>
    </body>
  </html>`)
}

function header(site: Site, current: string | undefined, session: SignedInAccount): Html {
  return html`<header>
    <a class="brand" href=${site.home}><img src=${`${site.assets}/icon.svg`} alt="" width="20" height="20" />${site.name}</a>
    <nav aria-label=${site.label}>${site.sections
      .filter(([section]) => section !== 'billing' || session.hasBilling)
      .map(
        ([section, path, title]) =>
          html`<a href=${path} aria-current=${section === current ? 'page' : undefined}>${title}</a>`,
      )}</nav>
    <div class="account">${site.aside(session)}${form(
      session,
      site.signOut,
      html`<button class="link">Sign out</button>`,
      'inline',
    )}</div>
  </header>`
}
