/** The bundled contract: OpenAPI 3.1 in which every reference points inside the document. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers: readonly { readonly url: string; readonly description?: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** By group (`schemas`, `responses`, …) and name. */
  readonly components: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
}
