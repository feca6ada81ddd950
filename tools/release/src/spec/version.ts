/** Negative: `one` is the older of two versions `major.minor.patch`. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  return a!.map((part, at) => part - b![at]!).find((difference) => difference !== 0) ?? 0
}
