// Files that a comment names must be there: a reader follows the name, and a renamed file leaves the old one behind.

import type { Breach, Source } from './source.ts'

const COMMENT = /(?:^|\s)(?:\/\/|\*|\/\*\*?|--)\s(.*)$/
/** Not behind a character that makes it a part of something else: an address, a pattern, a placeholder. */
const FILE = /(?<![\w/:.<>{}$*-])(?:\.{1,2}\/)*(\w[\w./{}-]*\.(?:ts|mts|mjs|sql))\b/g

/** @param files of the whole tree; a comment may name any of them by the end of its path */
export function findMissingFiles(sources: readonly Source[], files: readonly string[]): Breach[] {
  const ends = new Set(files.flatMap(endsOf))
  return sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) =>
      namesIn(line)
        .filter((name) => !ends.has(name))
        .map((name) => ({ file, line: index + 1, rule: `there is no ${name}` })),
    ),
  )
}

function namesIn(line: string): string[] {
  const comment = COMMENT.exec(line)?.[1] ?? ''
  return [...comment.matchAll(FILE)].map(([, name]) => name!)
}

/** Returns the path of the file and each shorter path without its first folders, down to the file name. */
function endsOf(file: string): string[] {
  const steps = file.split('/')
  return steps.map((_, at) => steps.slice(at).join('/'))
}
