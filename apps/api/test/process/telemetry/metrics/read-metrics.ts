// What Prometheus would read, as values by name and labels.

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface MetricsRead {
  readonly text: string
  /** Names of the families, as their TYPE lines have them. */
  readonly families: readonly string[]
  readonly samples: readonly Sample[]
  /** The sum of all samples of that name whose labels are among those given. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number
}

export function parseMetrics(text: string): MetricsRead {
  const lines = text.split('\n').filter((line) => line !== '')
  const families = lines.flatMap((line) => /^# TYPE (\S+) /.exec(line)?.[1] ?? [])
  const samples = lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`not a line of Prometheus' text format: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((match) => [match[1]!, match[2]!])
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
  return {
    text,
    families,
    samples,
    sum: (name, wanted = {}) =>
      samples
        .filter((one) => one.name === name && Object.entries(wanted).every(([k, v]) => one.labels[k] === v))
        .reduce((sum, { value }) => sum + value, 0),
  }
}

export async function readMetrics(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<MetricsRead> {
  const response = await fetch(`${url}/metrics`, { headers })
  if (response.status !== 200)
    throw new Error(`/metrics answered ${response.status}: ${await response.text()}`)
  return parseMetrics(await response.text())
}
