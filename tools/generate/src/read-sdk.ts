// Why: decisions/contract/x-sdk-names-the-method.md

/**
 * Reads what the contract says about the SDKs and the samples of an operation: `x-sdk`, the method, and `x-sample`, what
 * the samples of the reference show beyond the required parameters. Each error becomes a fault.
 */

export interface ShownSample {
  /** Optional query parameters that samples show, with the first example that the contract has of each. */
  readonly parameters: readonly string[]
  /** Whether the sample of the SDK iterates over the rows instead of printing `data`. */
  readonly rows: boolean
}

/** The method of the SDKs: a namespace and a name, both in camelCase. The Python client has the same in snake_case. */
export function readSdkMethod(value: unknown, id: string, faults: string[]): string {
  if (typeof value === 'string' && /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(value)) return value
  faults.push(`${id}: x-sdk must be a method of the SDKs, like jobs.list`)
  return id
}

/** An operation without `x-sample` shows what it requires, and prints `data`. */
export function readSample(
  value: unknown,
  queryParameters: readonly string[],
  id: string,
  faults: string[],
): ShownSample {
  const { parameters = [], rows = false, ...rest } = (value ?? {}) as Record<string, unknown>
  for (const name of Object.keys(rest)) faults.push(`${id}: x-sample.${name} is unknown`)
  if (typeof rows !== 'boolean') faults.push(`${id}: x-sample.rows must be true or false`)
  const names = [parameters].flat().map(String)
  for (const name of names) {
    if (!queryParameters.includes(name))
      faults.push(`${id}: x-sample.parameters has ${name}, which is no query parameter of the operation`)
  }
  return { parameters: names, rows: rows === true }
}
