import type { DataSource } from '../../data/sources.ts'
import type { ResoResult } from '../engine/handler.ts'
import { bodyVersion } from './version.ts'

/** Records under the names of the RESO Data Dictionary (`shape=reso`), each at its price. */
export function resoResult(values: readonly object[], source: DataSource | undefined): ResoResult {
  const body = (granted: number) => {
    const data = values.slice(0, granted)
    return { data, meta: { count: data.length, ...(source && { source }) } }
  }
  return {
    status: 200,
    isReso: true,
    units: values.length,
    body,
    data: { version: bodyVersion(body(values.length)) },
  }
}
