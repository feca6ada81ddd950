// Loaded into the server before its own code (node --import): the wall clock of this process is the machine's, plus the
// milliseconds that stand in the file LOTLINE_TORTURE_CLOCK. SIGWINCH, which the service leaves alone, makes it read the file again, so the
// clock jumps under a process at work. The monotonic clock stays as it is, as it does when a real clock is set. PostgreSQL's clock
// is not touched.

import { readFileSync } from 'node:fs'

const file = process.env.LOTLINE_TORTURE_CLOCK ?? ''
const RealDate = Date
let shiftMs = read()

function read(): number {
  try {
    return Number(readFileSync(file, 'utf8')) || 0
  } catch {
    return 0
  }
}

process.on('SIGWINCH', () => {
  shiftMs = read()
})

globalThis.Date = class extends RealDate {
  constructor(...given: ConstructorParameters<typeof RealDate> | []) {
    if (given.length === 0) super(RealDate.now() + shiftMs)
    else super(...(given as ConstructorParameters<typeof RealDate>))
  }

  static override now(): number {
    return RealDate.now() + shiftMs
  }
} as DateConstructor
