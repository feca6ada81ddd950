/** Where things stand in the example contract. */
export const home = ['paths', '/v1/homes/{id}', 'get'] as const
export const homeBody = [...home, 'responses', '200', 'content', 'application/json', 'schema'] as const
export const search = ['paths', '/v1/search', 'post'] as const
export const webhook = ['webhooks', 'job.succeeded', 'post'] as const
export const payload = [...webhook, 'requestBody', 'content', 'application/json', 'schema'] as const
export const schemas = ['components', 'schemas'] as const
export const field = (name: string) => [...schemas, 'Home', 'properties', name] as const
export const input = (name: string) => [...schemas, 'Search', 'properties', name] as const
export const filter = (name: string) => [...input('filters'), 'properties', name] as const
export const homeId = ['components', 'parameters', 'HomeId'] as const
