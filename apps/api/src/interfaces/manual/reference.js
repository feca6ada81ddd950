// Shows the reference. On the machine where the service was started for the first time, the demo key is filled in, so that
// a call can be tried at once; the service gives it only to this machine.

const key = await fetch('/docs/demo-key')
  .then((answer) => (answer.status === 200 ? answer.json() : undefined))
  .then((body) => body?.key)
  .catch(() => undefined)

// Each click starts a job of its own. A key that the reader has entered is kept.
const STARTS_JOB = /\/v1\/(properties\/batch|search\/with-details)$/
function addFreshKey({ request, requestBuilder }) {
  const { headers } = requestBuilder
  if (STARTS_JOB.test(new URL(request.url).pathname) && !headers.get('Idempotency-Key')) {
    headers.set('Idempotency-Key', crypto.randomUUID())
  }
}

window.Scalar.createApiReference('#app', {
  url: '/docs/openapi.json',
  // The colors are in reference.css, the search in the header.
  theme: 'none',
  withDefaultFonts: false,
  hideSearch: true,
  hideDarkModeToggle: true,
  telemetry: false,
  // Only samples that are run by a test.
  hiddenClients: true,
  // Everything that would lead to the services of the page's maker.
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  onBeforeRequest: addFreshKey,
  ...(key && {
    authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token: key } } },
  }),
})
