import { describe, expect, it } from 'vitest'
import { growthOf, type Series, seriesOf } from '../src/soak/growth.ts'
import { csvLines, memoryPicture, tableOf } from '../src/soak/report.ts'
import { memoryOf, type SoakSample } from '../src/soak/samples.ts'

const MIB = 1_048_576

/** A value every minute for an hour. */
function hour(kind: Series['kind'], name: string, value: (minute: number) => number): Series {
  return { kind, name, points: Array.from({ length: 61 }, (_, at) => ({ atS: at * 60, value: value(at) })) }
}

describe('the soak report complains', () => {
  it('about memory that keeps growing, and says by how much', () => {
    const growth = growthOf(hour('memory', 'api-1', (minute) => (150 + minute * 2) * MIB))
    expect(growth.complaint).toBe('rose by 50 %')
    expect(growth.perHour / MIB).toBeCloseTo(120)
  })

  it('about growing connections, files, and tables that do not hold calls', () => {
    expect(growthOf(hour('connections', 'all', (minute) => 10 + minute)).complaint).toBeDefined()
    expect(growthOf(hour('files', 'api-1', (minute) => 30 + minute)).complaint).toBeDefined()
    expect(growthOf(hour('table', 'api_processes', (minute) => minute * MIB)).complaint).toBeDefined()
  })

  it('about nothing that grows during warm-up, fluctuates, or has one row per call', () => {
    const warm = (minute: number) => Math.min(15, minute) * 10 * MIB
    expect(growthOf(hour('memory', 'api-1', warm)).complaint).toBeUndefined()
    expect(
      growthOf(hour('memory', 'api-1', (minute) => (150 + 40 * (minute % 2)) * MIB)).complaint,
    ).toBeUndefined()
    expect(growthOf(hour('table', 'usage_rows', (minute) => minute * 100 * MIB)).complaint).toBeUndefined()
    expect(growthOf(hour('shared', 'postgres', (minute) => minute * 100 * MIB)).complaint).toBeUndefined()
  })

  it('about no series that is too short to judge', () => {
    const short = { ...hour('memory', 'api-1', () => 1), points: [{ atS: 0, value: 1 }] }
    expect(growthOf(short).complaint).toBe('too few values to judge')
  })
})

it('the soak report includes every value and a chart with one line per process', () => {
  const samples: SoakSample[] = [0, 60].flatMap((atS) => [
    { atS, kind: 'memory', name: 'api-1', value: (100 + atS) * MIB },
    { atS, kind: 'connections', name: 'all', value: 7 },
  ])
  expect(csvLines(samples)).toEqual([
    '0,memory,"api-1",104857600',
    '0,connections,"all",7',
    '60,memory,"api-1",167772160',
    '60,connections,"all",7',
  ])
  const series = seriesOf(samples)
  expect(memoryPicture(series).match(/<polyline/g)).toHaveLength(1)
  const [head, memory, connections] = tableOf(series.map(growthOf))
  expect(head).toMatch(/0 min\s+1 min/)
  expect(memory).toMatch(/^memory api-1 +100\.0 +160\.0 +✖ too few values to judge$/)
  expect(connections).toMatch(/^connections all +7 +7/)
})

it.runIf(process.platform === 'linux')(
  'the memory of a process is read in bytes, and of none it is unknown',
  () => {
    expect(memoryOf(process.pid)).toBeGreaterThan(20 * MIB)
    expect(memoryOf(0x7ffffff)).toBeUndefined()
  },
)
