// Images and CI actions are named by digest: a tag can be moved to other code after a review.

import { type Breach, lineAt, type Source } from './source.ts'

/** Files that name images or actions. */
export const PINNING_FILE = /(?:^|\/)(?:Dockerfile|compose\.yaml)$|^\.github\/workflows\/[^/]+\.ya?ml$/

/** The whole of a line that names an image or an action. Own images and stages of a Dockerfile are not looked up. */
const REFERENCE =
  /^(?:ARG \w+_IMAGE=|FROM (?!\$)(?=\S*[:/@])|\s*image: (?!lotline(?:[:\s]|$))|\s*(?:- )?uses: (?!\.\/))(\S+)/gm
const PINNED = /@(?:sha256:[0-9a-f]{64}|[0-9a-f]{40})$/

/** @param sources those whose name matches PINNING_FILE */
export function findUnpinned(sources: readonly Source[]): Breach[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(REFERENCE)]
      .filter(([, reference]) => !PINNED.test(reference!))
      .map((match) => ({
        file,
        line: lineAt(text, match.index + match[0].length),
        rule: `${match[1]} is not pinned by digest`,
      })),
  )
}
