// The document around each page: head, navigation, sign-out.

import type { PageAnswer, Section, SignedIn } from './answer.ts'
import { type Html, html, render } from './html.ts'
import { form } from './parts.ts'

const SECTIONS: readonly (readonly [section: Section, path: string, title: string])[] = [
  ['overview', '/portal', 'Overview'],
  ['usage', '/portal/usage', 'Usage'],
  ['keys', '/portal/keys', 'API keys'],
  ['jobs', '/portal/jobs', 'Jobs'],
  ['webhooks', '/portal/webhooks', 'Webhooks'],
  ['watches', '/portal/watches', 'Watches'],
  ['explore', '/portal/explore', 'Explore'],
]

/** @param session undefined: the browser is not signed in */
export function layOut(answer: PageAnswer, session: SignedIn | undefined): string {
  const { title, section, body, refreshS } = answer
  return render(html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${`${title} · Lotline`}</title>
      <link rel="icon" href="/portal/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/portal/assets/portal.css" />
      <script src="/portal/assets/portal.js" type="module"></script>
      ${section === 'explore' && html`<script src="/portal/assets/explore.js" type="module"></script>`}
      ${refreshS !== undefined && html`<noscript><meta http-equiv="refresh" content=${String(refreshS)} /></noscript>`}
    </head>
    <body class=${session ? '' : 'signed-out'}>
      <a class="skip" href="#main">Skip to the content</a>
      ${session ? header(section, session) : ''}
      <main id="main" tabindex="-1">${body}</main>
    </body>
  </html>`)
}

function header(current: Section | undefined, session: SignedIn): Html {
  return html`<header>
    <a class="brand" href="/portal"><img src="/portal/assets/icon.svg" alt="" width="20" height="20" />Lotline</a>
    <nav aria-label="Portal">${SECTIONS.map(
      ([section, path, title]) =>
        html`<a href=${path} aria-current=${section === current ? 'page' : undefined}>${title}</a>`,
    )}</nav>
    <div class="account"><a href="/docs">Docs</a>${form(
      session,
      '/portal/sign-out',
      html`<button class="link">Sign out</button>`,
      'inline',
    )}</div>
  </header>`
}
