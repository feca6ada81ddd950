import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CircuitState, createCircuitBreaker } from '../../../../src/data/sources/resilience/retry.ts'
import { createClock } from './clock.ts'

const SETTINGS = { failuresInARow: 5, share: 0.6, sample: 20, probeEveryMs: 1000 }

function makeCircuit() {
  const clock = createClock()
  const changes: CircuitState[] = []
  const circuit = createCircuitBreaker({
    ...SETTINGS,
    now: clock.now,
    onChange: (state) => changes.push(state),
  })
  const ask = (outcome: 'answered' | 'failed') => circuit.enter()?.[outcome]()
  const askMany = (outcomes: string) => {
    for (const letter of outcomes) ask(letter === 'a' ? 'answered' : 'failed')
  }
  return { circuit, clock, changes, ask, askMany }
}

describe('a circuit', () => {
  it('opens after five failures in a row, and not after four', () => {
    const { circuit, askMany, changes } = makeCircuit()
    askMany('ffffaffff')
    expect(circuit.permits).toBe(true)
    askMany('f')
    expect(circuit.permits).toBe(false)
    expect(circuit.enter()).toBeUndefined()
    expect(changes).toEqual(['open'])
  })

  it('opens when twelve of the last twenty failed, without five in a row', () => {
    const { circuit, askMany } = makeCircuit()
    askMany('ffaffaffaffaffaffaf')
    expect(circuit.permits).toBe(true)
    askMany('f')
    expect(circuit.permits).toBe(false)
  })

  it('stays closed if half of all queries fail', () => {
    const { circuit, askMany } = makeCircuit()
    askMany('affaffaa'.repeat(50))
    expect(circuit.permits).toBe(true)
  })

  it('lets one query through in each second while it is open', () => {
    const { circuit, clock, askMany } = makeCircuit()
    askMany('fffff')
    clock.advance(999)
    expect(circuit.enter()).toBeUndefined()
    clock.advance(1)
    expect(circuit.enter()).toBeDefined()
    expect(circuit.enter()).toBeUndefined()
    clock.advance(1000)
    expect(circuit.enter()).toBeDefined()
  })

  it('closes at the first answer, even if an earlier probe still hangs', () => {
    const { circuit, clock, askMany, changes } = makeCircuit()
    askMany('fffff')
    clock.advance(1000)
    const hanging = circuit.enter()
    clock.advance(1000)
    circuit.enter()?.answered()
    expect(changes).toEqual(['open', 'closed'])
    expect(circuit.permits).toBe(true)
    hanging?.failed()
    expect(circuit.permits).toBe(true)
  })

  it('stays open when a probe fails, or its caller leaves', () => {
    const { circuit, clock, askMany, ask } = makeCircuit()
    askMany('fffff')
    clock.advance(1000)
    ask('failed')
    expect(circuit.permits).toBe(false)
    clock.advance(1000)
    circuit.enter()
    expect(circuit.permits).toBe(false)
  })

  it('forgets earlier failures when it closes', () => {
    const { circuit, clock, askMany, ask } = makeCircuit()
    askMany('fffff')
    clock.advance(1000)
    ask('answered')
    askMany('ffff')
    expect(circuit.permits).toBe(true)
    askMany('affaffaffaffaffaffaffaff')
    expect(circuit.permits).toBe(false)
    clock.advance(1000)
    ask('answered')
    askMany('ffaf')
    expect(circuit.permits).toBe(true)
  })

  it('ignores answers to queries from before it opened', () => {
    const { circuit, askMany } = makeCircuit()
    const early = circuit.enter()
    askMany('fffff')
    early?.answered()
    expect(circuit.permits).toBe(false)
  })

  it('continues to probe when earlier queries fail late', () => {
    const { circuit, clock, askMany } = makeCircuit()
    const early = Array.from({ length: 20 }, () => circuit.enter())
    askMany('fffff')
    clock.advance(999)
    for (const passage of early) passage?.failed()
    clock.advance(1)
    expect(circuit.enter()).toBeDefined()
  })

  it('lets a query through each second, whatever has happened before', () => {
    const event = fc.oneof(
      fc.constantFrom('answered' as const, 'failed' as const, 'left' as const),
      fc.nat(3000),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const { circuit, clock } = makeCircuit()
        for (const what of events) {
          if (typeof what === 'number') clock.advance(what)
          else {
            const passage = circuit.enter()
            if (what !== 'left') passage?.[what]()
          }
        }
        clock.advance(SETTINGS.probeEveryMs)
        circuit.enter()!.answered()
        expect(circuit.permits).toBe(true)
      }),
    )
  })
})
