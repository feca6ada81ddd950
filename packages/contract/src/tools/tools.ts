// The tools of the MCP server, in the order in which clients see them. Names, order and schemas are part of the product:
// packages/contract/test/tools.test.ts compares them with a snapshot. Prices come from the operations.

import { createWatch, getAccount, getJob, readResults, readWatchEvents, startJob } from './job-tools.ts'
import { getBuildingUnits, getProperty, getPropertyPart, searchListings } from './lookup-tools.ts'
import type { Arguments, Tool } from './tool.ts'
import { call, FREE_PRICE_TEXT, inputSchema, outputSchema, READ_ONLY_HINTS } from './tool-parts.ts'
import { resultSchema } from './tool-schemas.ts'

const estimateCost: Tool = {
  name: 'estimate_cost',
  title: 'Estimate the cost of a call',
  description: `Returns what the call of another tool would cost now, without making it. ${FREE_PRICE_TEXT}`,
  inputSchema: inputSchema(
    {
      tool: {
        type: 'string',
        enum: [
          'search_listings',
          'get_property',
          'get_property_part',
          'get_building_units',
          'start_job',
          'create_watch',
        ],
        description: 'The name of the tool.',
      },
      arguments: { type: 'object', description: 'The arguments that you would send with the call.' },
    },
    ['tool', 'arguments'],
  ),
  outputSchema: outputSchema({ estimate: resultSchema('Estimate') }, ['estimate', 'credits_charged']),
  annotations: { ...READ_ONLY_HINTS, openWorldHint: false },
  judgedByApi: [],
  target: () => ({ operation: 'estimateCall' }),
  toCall(args) {
    const tool = TOOLS.find(({ name }) => name === args.tool)!
    const made = tool.toCall(args.arguments as Arguments)
    if (typeof made === 'string') return made
    const { operation, params, query, headers, body } = made
    const limit = headers['x-max-credits']
    const limited = limit !== undefined && /^\d+$/.test(limit)
    return call(
      'estimateCall',
      {},
      {
        body: {
          operation,
          input: {
            path: params,
            query: { ...query, ...(limited && !body && { max_credits: limit }) },
            ...(body && { body: { ...body, ...(limited && { maxCredits: Number(limit) }) } }),
          },
        },
      },
    )
  },
  inner: ({ tool, arguments: asked }) => ({ name: String(tool), args: asked as Record<string, unknown> }),
  toContent: ({ data }) => ({ estimate: data }),
}

/** All tools. */
export const TOOLS: readonly Tool[] = [
  searchListings,
  getProperty,
  getPropertyPart,
  getBuildingUnits,
  estimateCost,
  startJob,
  getJob,
  readResults,
  getAccount,
  createWatch,
  readWatchEvents,
]
