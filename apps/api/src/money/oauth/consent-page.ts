// The page on which a user approves a connector. It shows the client, its requested rights and credit limit, and the signed-in
// account. It works without scripts, and escapes all external text.

import type { Scope } from './rights.ts'

export interface ConsentFacts {
  readonly action: string
  /** The name that the client registered. */
  readonly clientName: string
  /** The host of its metadata document; undefined for a registered client. */
  readonly clientHost: string | undefined
  /** The redirect URI. */
  readonly returnsTo: string
  readonly scopes: readonly Scope[]
  /** Whether only reading is selected although more was requested. */
  readonly onlyRead: boolean
  /** The content of the credits field: a number, or the submitted text. */
  readonly credits: string
  /** undefined: the portal is off, and the form asks for a key. */
  readonly signedIn: { readonly account: string; readonly csrfToken: string } | undefined
  /** The problem of the submitted form. */
  readonly problem: string | undefined
}

/** The default limit of a connector, in credits per month. */
export const DEFAULT_CREDIT_LIMIT = 500
export const MAX_CREDIT_LIMIT = 1_000_000

/** A sentence about the rights of each scope. */
const SCOPE_SENTENCES: Readonly<Record<Scope, string>> = {
  read: 'search, look up homes, and read jobs, watches, and usage',
  jobs: 'start jobs, and abort its own',
  watches: 'create watches, and change and delete its own',
}

export function consentPage(facts: ConsentFacts): string {
  const { action, clientName, clientHost, returnsTo, signedIn, credits, problem } = facts
  const origin =
    clientHost === undefined
      ? 'This application registered itself. Its name was not checked.'
      : `The application is described by <strong>${escapeHtml(clientHost)}</strong>.`
  return renderPage(
    'Connect an application',
    `<h1>Connect ${escapeHtml(clientName)}</h1>
<p>${origin} After your approval, your browser goes to <strong>${escapeHtml(returnsTo)}</strong>. Approve only an application that you have
started yourself.</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="${escapeHtml(action)}">
${signedIn === undefined ? '' : signedInPart(signedIn)}
<fieldset><legend>It may</legend>
${limitChoices(facts)}
</fieldset>
<label for="credits">Credits that it may spend in a month</label>
<input id="credits" name="credits" type="number" min="0" max="${MAX_CREDIT_LIMIT}" step="1" value="${escapeHtml(credits)}" required>
${signedIn === undefined ? KEY_PART : ''}
<p class="note">The application gets a key of its own, without your email address, which you can revoke at any time.</p>
<p class="buttons"><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Deny</button></p>
</form>`,
  )
}

/** The requested rights, and read-only access as an alternative. */
function limitChoices({ scopes, onlyRead }: ConsentFacts): string {
  const mayRead = scopes.includes('read')
  const others = scopes.filter((scope) => scope !== 'read').map((scope) => SCOPE_SENTENCES[scope])
  const isReading = others.length === 0 || (mayRead && onlyRead)
  const choice = (value: string, checked: boolean, text: string) =>
    `<label><input type="radio" name="access" value="${value}"${checked ? ' checked' : ''}> ${text}</label>`
  return [
    ...(mayRead ? [choice('read', isReading, `only read: ${SCOPE_SENTENCES.read}`)] : []),
    ...(others.length > 0
      ? [choice('all', !isReading, `${mayRead ? 'also ' : ''}${others.join('; ')}`)]
      : []),
  ].join('\n')
}

function signedInPart({ account, csrfToken }: NonNullable<ConsentFacts['signedIn']>): string {
  return `<input type="hidden" name="csrf" value="${escapeHtml(csrfToken)}">
<p class="account">You are signed in as <strong>${escapeHtml(account)}</strong>.
<button class="link" name="decision" value="switch" formnovalidate>Use another account</button></p>`
}

const KEY_PART = `<label for="key">Your API key</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false">`

/** A page that opens the address by itself, so that the browser treats the request as same-site. */
export function reloadPage(address: string): string {
  return renderPage(
    'Connect an application',
    `<p><a href="${escapeHtml(address)}">Continue</a></p>`,
    `<meta http-equiv="refresh" content="0;url=${escapeHtml(address)}">\n`,
  )
}

export function errorPage(code: string, description: string | undefined): string {
  return renderPage(
    'Connection failed',
    `<h1>Connection failed</h1>
<p>${escapeHtml(description ?? 'The application sent a request that is not valid.')}</p>
<p>Go back to the application and try again. Its error code is <code>${escapeHtml(code)}</code>.</p>`,
  )
}

function renderPage(title: string, main: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}<title>${title} · Lotline</title>
<link rel="stylesheet" href="/oauth/page.css">
</head>
<body>
<main>
<p class="brand">Lotline</p>
${main}
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export const STYLE = `:root { color-scheme: light dark; --text: light-dark(#1c2024, #eceef0); --quiet: light-dark(#5a6169, #a4abb3);
  --line: light-dark(#d5d9dd, #3a4047); --page: light-dark(#fff, #16191c); --accent: light-dark(#0b5cad, #78b4f2);
  --problem: light-dark(#a3160b, #ff9c92) }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1rem }
.brand { font-weight: 600; color: var(--quiet) }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
strong { overflow-wrap: anywhere }
fieldset { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 1rem; padding: .75rem 1rem }
label { display: block; margin: .5rem 0 .25rem }
input[type=number], input[type=password] { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--quiet); border-radius: 6px }
.note { color: var(--quiet); font-size: .875rem }
.problem { color: var(--problem); font-weight: 600 }
button { font: inherit; padding: .5rem 1.25rem; border: 1px solid var(--accent); border-radius: 6px; background: transparent; color: var(--accent) }
button.link { padding: 0; border: 0; text-decoration: underline }
button[value=allow] { background: var(--accent); color: var(--page) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
