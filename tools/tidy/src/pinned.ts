// Images and CI actions are named by digest: a tag can be moved to other code after a review.

import type { Breach, Source } from './source.ts'

/** Files that name images or actions. */
export const PINNING_FILE = /(?:^|\/)(?:Dockerfile|compose\.yaml)$|^\.github\/workflows\/[^/]+\.ya?ml$/

/** The whole of a line that names an image or an action. Own images and stages of a Dockerfile are not looked up. */
const REFERENCE =
  /^(?:ARG \w+_IMAGE=|FROM (?!\$)(?=\S*[:/@])|\s*image: (?!lotline(?:[:\s]|$))|\s*(?:- )?uses: (?!\.\/))(\S+)/gm
const PINNED = /@(?:sha256:[0-9a-f]{64}|[0-9a-f]{40})$/

/** A reference whose digest is not known yet. `since`: the day it was let through. Remove it with the pin. */
interface Exception {
  readonly file: string
  readonly reference: string
  readonly since: string
  readonly reason: string
}

const EXCEPTIONS: readonly Exception[] = [
  {
    file: 'compose.yaml',
    reference: 'valkey/valkey:8',
    since: '2026-11-22',
    reason: 'its digest could not be looked up offline: docker buildx imagetools inspect valkey/valkey:8',
  },
]

/** @param sources those whose name matches PINNING_FILE */
export function findUnpinned(sources: readonly Source[]): Breach[] {
  return sources.flatMap(({ file, text }) => {
    const found = [...text.matchAll(REFERENCE)].map((match) => ({
      reference: match[1]!,
      line: text.slice(0, match.index + match[0].length).split('\n').length,
    }))
    const excepted = EXCEPTIONS.filter((exception) => exception.file === file)
    const unpinned = found.filter(
      ({ reference }) => !PINNED.test(reference) && !excepted.some((each) => each.reference === reference),
    )
    const unused = excepted.filter((each) => !found.some(({ reference }) => reference === each.reference))
    return [
      ...unpinned.map(({ reference, line }) => ({
        file,
        line,
        rule: `${reference} is not pinned by digest`,
      })),
      ...unused.map(({ reference }) => ({
        file,
        line: 1,
        rule: `${reference} is not here: remove its exception from the pinning rule`,
      })),
    ]
  })
}
