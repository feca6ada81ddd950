import { readAreasBefore } from '@lotline/contract/checks'
import { runInSlices } from '../../infrastructure/platform.ts'
import type { Call } from './call.ts'

/**
 * The size of an input, in bytes (`estimateBytes`), above which its areas are read in slices. A polygon of about 500
 * corners has this size.
 */
export const MAX_INPUT_AT_ONCE = 50_000

/**
 * Reads the areas of a search, or of one that is estimated, so that its handler does not have to. Other bodies are left alone.
 *
 * @throws the signal's reason
 */
export async function readAreasIn(
  body: unknown,
  { signal, accountId }: Pick<Call, 'signal' | 'accountId'>,
): Promise<void> {
  interface Searching {
    readonly filters?: { readonly area?: unknown }
  }
  const { filters, input } = (body ?? {}) as Searching & { readonly input?: { readonly body?: Searching } }
  const { area } = filters ?? input?.body?.filters ?? {}
  if (area !== undefined) await runInSlices(readAreasBefore(area), signal, accountId)
}
