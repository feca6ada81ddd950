// The manual for language models (llmstxt.org): an index as Markdown, and all guides as one text.

import { operations } from '@lotline/contract'
import { asPublished } from '@lotline/contract/publication'
import type { ManualEntry } from './layout.ts'

const HEAD = `# Lotline

> Property data for the United States over REST: homes by listing URL, street address or id (zpid), searches of an area,
> bulk lookups as jobs, signed webhooks. Paid in credits; a call is charged only when it succeeds.

All paths begin with /v1. Send the key as \`Authorization: Bearer lot_…\`. Bodies are JSON; lists also come as CSV and NDJSON.
Every error is \`{"error": {"code", "message", "request_id", "details"?}}\`: decide by \`code\`. A key has one call in work at a
time and a number of calls per 60 seconds. Searches of more than 50 rows, batches and searches with details run as jobs:
they answer 202 with a \`job_id\`. Agents can use the same API as tools: the MCP server is at /mcp, and \`npx @lotline/mcp\` offers it over stdio. The TypeScript SDK is \`@lotline/client\` (\`npm install @lotline/client\`), the offline mock
is \`npx @lotline/mock\`.`

/** The text of /llms.txt. */
export function summary(entries: readonly ManualEntry[]): string {
  const list = (part: ManualEntry['part']) =>
    entries
      .filter((entry) => entry.part === part)
      .map(({ title, source, lead }) => `- [${title}](${source})${part === 'guides' ? `: ${lead}` : ''}`)
  return [
    asPublished(HEAD).replaceAll(/ # [^`]*\n/g, ' and '),
    `## Guides\n\n${list('guides').join('\n')}`,
    `## Reference\n\n${[
      '- [OpenAPI 3.1](/openapi.json): the contract for clients, with prices in `x-credits`; also as [YAML](/openapi.yaml)',
      '- [The whole contract](/openapi.json?view=full): with estimates (`Prefer: dry-run`) and RESO names (`shape=reso`) too',
      '- [OpenAPI 3.0](/openapi-3.0.json): the same wire format for client generators, without the webhooks',
      '- [OpenAPI with samples](/docs/openapi.json): the same with a curl and an SDK sample for each operation',
    ].join('\n')}`,
    `## Operations of the API\n\n${Object.entries(operations)
      .map(([id, { method, path }]) => `- \`${method} ${path}\` (${id})`)
      .join('\n')}`,
    `## Optional\n\n${['- [All guides as one text](/llms-full.txt)', ...list('operations')].join('\n')}\n`,
  ].join('\n\n')
}

/** The text of /llms-full.txt. */
export function fullText(pages: readonly string[]): string {
  return pages
    .map((page) => page.trim())
    .join('\n\n---\n\n')
    .concat('\n')
}
