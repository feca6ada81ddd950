import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import type { Lease } from '../../../src/work/loop/lease.ts'
import {
  type LeasedWork,
  startWorkLoop,
  type WorkLoop,
  type WorkLoopOptions,
} from '../../../src/work/loop/work-loop.ts'

const log = pino({ level: 'silent' })

interface Piece extends LeasedWork {
  readonly name: string
}

/** A queue in memory whose work does what the test says. */
function createSource(run: (piece: Piece, lease: Lease) => Promise<'done' | 'unfinished'>) {
  const source = {
    name: 'test',
    waiting: [] as string[],
    running: new Set<string>(),
    done: [] as string[],
    handedBack: [] as string[],
    failed: [] as string[],
    most: 0,
    claims: 0,
    /** Tokens that are renewed; others are lost. */
    renewed: undefined as ReadonlySet<string> | undefined,
    claimError: undefined as Error | undefined,
    handBackErrors: 0,
    async claim(room: number) {
      source.claims++
      if (source.claimError) throw source.claimError
      return source.waiting.splice(0, room).map((name) => ({ name, token: `token of ${name}` }))
    },
    async renew(work: readonly Piece[]) {
      const tokens = new Set(work.map(({ token }) => token))
      return source.renewed ?? tokens
    },
    async run(piece: Piece, lease: Lease) {
      source.running.add(piece.name)
      source.most = Math.max(source.most, source.running.size)
      try {
        const end = await run(piece, lease)
        if (end === 'done') source.done.push(piece.name)
        return end
      } finally {
        source.running.delete(piece.name)
      }
    },
    async handBack({ name, token }: Piece) {
      if (source.handBackErrors-- > 0) throw new DatabaseUnavailable('away')
      if (source.renewed?.has(token) ?? true) source.handedBack.push(name)
    },
    async fail({ name }: Piece) {
      source.failed.push(name)
    },
  }
  return source
}

let loop: WorkLoop | undefined
afterEach(async () => {
  await loop?.stop()
  loop = undefined
})

function start(source: ReturnType<typeof createSource>, options: Partial<WorkLoopOptions> = {}): WorkLoop {
  loop = startWorkLoop(source, { leaseMs: 60_000, atATime: 3, log, pollMs: 10, ...options })
  return loop
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 30_000; !holds(); await sleep(2)) {
    if (performance.now() > end) throw new Error('It did not come to that.')
  }
}

describe('the work loop', () => {
  it('does all work, within its limit on concurrent pieces', async () => {
    const source = createSource(async () => {
      await sleep(3)
      return 'done'
    })
    source.waiting = Array.from({ length: 40 }, (_, at) => `piece ${at}`)
    start(source)
    await until(() => source.done.length === 40)
    expect(source.most).toBe(3)
    expect([source.handedBack, source.failed]).toEqual([[], []])
  })

  it('finds work by polling, and immediately when it is woken', async () => {
    const source = createSource(async () => 'done')
    start(source, { pollMs: 20 })
    await until(() => source.claims > 0)
    source.waiting.push('unannounced')
    await until(() => source.done.includes('unannounced'))

    await loop!.stop()
    const slow = createSource(async () => 'done')
    start(slow, { pollMs: 3_600_000 })
    await until(() => slow.claims > 0)
    slow.waiting.push('announced')
    loop!.wake()
    await until(() => slow.done.includes('announced'))
  })

  it('misses no wake-up that arrives while it is polling', async () => {
    const source = createSource(async () => 'done')
    const claim = source.claim
    source.claim = async (room) => {
      const found = await claim(room)
      await sleep(1)
      return found
    }
    start(source, { pollMs: 3_600_000 })
    for (let at = 0; at < 200; at++) {
      source.waiting.push(`piece ${at}`)
      loop!.wake()
      if (at % 7 === 0) await sleep(1)
    }
    await until(() => source.done.length === 200)
  })

  it('keeps polling after a database outage', async () => {
    const source = createSource(async () => 'done')
    source.claimError = new DatabaseUnavailable('away')
    start(source)
    await until(() => source.claims > 2)
    source.waiting.push('later')
    source.claimError = undefined
    await until(() => source.done.includes('later'))
  })

  it('returns failed work to its source, and continues with the next', async () => {
    const source = createSource(async ({ name }) => {
      if (name === 'bad') throw new TypeError('a mistake')
      return 'done'
    })
    source.waiting = ['bad', 'good']
    start(source)
    await until(() => source.done.includes('good') && source.failed.includes('bad'))
    expect(source.handedBack).toEqual([])
  })

  it('returns work after a database outage as soon as possible, without counting a failure', async () => {
    const source = createSource(async () => {
      throw new DatabaseUnavailable('away')
    })
    source.handBackErrors = 2
    source.waiting = ['unlucky']
    start(source)
    await until(() => source.handedBack.includes('unlucky'))
    expect(source.failed).toEqual([])
  })
})

describe('a lease', () => {
  it('is renewed as long as the work runs', async () => {
    const source = createSource(async (_piece, lease) => {
      await lease.pause(2_500)
      lease.signal.throwIfAborted()
      return 'done'
    })
    source.waiting = ['long']
    // Longer than a busy machine keeps this process from its timers: a lease that is over is lost, as it must be.
    start(source, { leaseMs: 1_000 })
    await until(() => source.done.includes('long'))
  })

  it('that another process has taken aborts the work immediately, and is not returned', async () => {
    const source = createSource(async (_piece, lease) => {
      await lease.pause(60_000)
      lease.signal.throwIfAborted()
      return 'done'
    })
    source.waiting = ['taken']
    source.renewed = new Set()
    start(source, { leaseMs: 60 })
    await until(() => source.claims > 3 && source.running.size === 0)
    expect([source.done, source.handedBack, source.failed]).toEqual([[], [], []])
  })

  it('that cannot be renewed counts as lost when it expires', async () => {
    let lost = false
    const source = createSource(async (_piece, lease) => {
      await lease.pause(60_000)
      lost = lease.lost
      lease.signal.throwIfAborted()
      return 'done'
    })
    source.renew = () => Promise.reject(new DatabaseUnavailable('away'))
    source.waiting = ['cut off']
    start(source, { leaseMs: 90 })
    await until(() => lost)
  })

  it('that expired during a database outage is returned afterwards', async () => {
    const source = createSource(async (_piece, lease) => {
      await lease.pause(60_000)
      lease.signal.throwIfAborted()
      return 'done'
    })
    source.renew = () => Promise.reject(new DatabaseUnavailable('away'))
    source.handBackErrors = 2
    source.waiting = ['cut off']
    start(source, { leaseMs: 90 })
    await until(() => source.handedBack.includes('cut off'))
    expect(source.failed).toEqual([])
  })
})

describe('stopping the loop', () => {
  it('ends work at its next checkpoint and returns its lease', async () => {
    const source = createSource(async (_piece, lease) => {
      while (!lease.stopping) await sleep(2)
      return 'unfinished'
    })
    source.waiting = ['one', 'other', 'third', 'never begun']
    start(source)
    await until(() => source.running.size === 3)
    await loop!.stop()
    expect(source.handedBack.sort()).toEqual(['one', 'other', 'third'])
    expect(source.waiting).toEqual(['never begun'])
    expect(loop!.running).toBe(0)
  })

  it('aborts work without a checkpoint in sight, and returns its lease', async () => {
    const source = createSource(async (_piece, lease) => {
      await new Promise((_resolve, reject) =>
        lease.signal.addEventListener('abort', () => reject(lease.signal.reason)),
      )
      return 'done'
    })
    source.waiting = ['endless']
    start(source, { stopTimeoutMs: 30 })
    await until(() => source.running.size === 1)
    await loop!.stop()
    expect([source.handedBack, source.failed]).toEqual([['endless'], []])
  })

  it('lets work finish that is about to', async () => {
    const source = createSource(async () => {
      await sleep(30)
      return 'done'
    })
    source.waiting = ['nearly done']
    start(source)
    await until(() => source.running.size === 1)
    await loop!.stop()
    expect([source.done, source.handedBack]).toEqual([['nearly done'], []])
  })

  it('finishes even without the database', async () => {
    const source = createSource(async (_piece, lease) => {
      while (!lease.stopping) await sleep(2)
      return 'unfinished'
    })
    source.handBackErrors = 1_000
    source.waiting = ['left behind']
    start(source)
    await until(() => source.running.size === 1)
    await loop!.stop()
    expect(source.handedBack).toEqual([])
  })
})
