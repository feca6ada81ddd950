/**
 * The contract lacks something that the generator needs, or contradicts itself. It names every fault that was
 * found, so that one run is enough to see them all.
 */
export class ContractError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The contract cannot be generated from:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ContractError'
    this.faults = faults
  }
}
