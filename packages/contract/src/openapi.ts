import document from './generated/openapi.json' with { type: 'json' }
import type { OpenApiDocument } from './openapi-document.ts'

/** The bundle. It is shared: give a library that edits its input a clone (`structuredClone`). */
export const openapi: OpenApiDocument = document
