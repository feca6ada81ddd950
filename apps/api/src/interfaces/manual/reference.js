// Shows the reference. On the machine where the service was first started, it fills in the demo key, so that a call can be tried
// immediately. The service returns the key only to this machine.

const key = await fetch('/docs/demo-key')
  .then((answer) => (answer.status === 200 ? answer.json() : undefined))
  .then((body) => body?.key)
  .catch(() => undefined)

// Each click starts a new job. A key that the reader has entered is kept.
const STARTS_JOB = /\/v1\/(properties\/batch|search\/with-details)$/
function addFreshKey({ request, requestBuilder }) {
  const { headers } = requestBuilder
  if (STARTS_JOB.test(new URL(request.url).pathname) && !headers.get('Idempotency-Key')) {
    headers.set('Idempotency-Key', crypto.randomUUID())
  }
}

window.Scalar.createApiReference('#app', {
  url: '/docs/openapi.json',
  // The colors are in reference.css, and the search is in the header.
  theme: 'none',
  withDefaultFonts: false,
  hideSearch: true,
  hideDarkModeToggle: true,
  telemetry: false,
  // Only sample languages that a test runs.
  hiddenClients: true,
  // Disables all links to the vendor's services.
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
