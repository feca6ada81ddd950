import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { confirm } from '../../../src/interfaces/cli/confirm.ts'
import { CommandFailure } from '../../../src/interfaces/cli/print.ts'

function terminal(answer: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = Object.assign(new PassThrough(), { isTTY })
  input.write(`${answer}\n`)
  function shown(): Promise<string> {
    output.end()
    return text(output)
  }
  return { input, output, shown }
}

describe('an action that cannot be undone', () => {
  it.each(['y', 'Y', 'yes', ' yes '])('is executed if the operator answers %j', async (answer) => {
    const { shown, ...there } = terminal(answer)
    await confirm('It will be gone.', {}, there)
    expect(await shown()).toContain('It will be gone. Continue? [y/N]')
  })

  it.each(['', 'n', 'no', 'yeah'])('is not executed if the operator answers %j', async (answer) => {
    const failure = await confirm('It will be gone.', {}, terminal(answer)).catch((error) => error)
    expect(failure).toBeInstanceOf(CommandFailure)
    expect(failure).toMatchObject({ message: 'Nothing was changed.', exitCode: 1 })
  })

  it('needs no confirmation with --yes', async () => {
    const { shown, ...there } = terminal('n')
    await confirm('It will be gone.', { yes: true }, there)
    expect(await shown()).toBe('')
  })

  it('is refused without a terminal for the confirmation', async () => {
    const failure = await confirm('It will be gone.', {}, terminal('y', false)).catch((error) => error)
    expect(failure).toMatchObject({ message: 'It will be gone. Add --yes to do it.', exitCode: 2 })
  })
})
