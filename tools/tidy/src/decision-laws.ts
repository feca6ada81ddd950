// Decisions: each is in the index, and a comment that names one leads to it.

import { lineAt } from './source.ts'
import type { Law, Tree } from './tree.ts'

const FOLDER = 'decisions/'
const INDEX = `${FOLDER}README.md`
const NAMED = /\bdecisions\/[\w-]+\/[\w.-]+\.md\b/g

function decisionsOf({ files }: Tree): string[] {
  return files.filter((file) => file.startsWith(FOLDER) && file.endsWith('.md') && file !== INDEX)
}

export const DECISION_LAWS: readonly Law[] = [
  {
    rule: 'decisions/README.md lists each decision',
    check(tree) {
      const decisions = decisionsOf(tree)
      if (decisions.length === 0) return []
      const index = tree.files.includes(INDEX) ? tree.read(INDEX) : ''
      return decisions
        .filter((file) => !index.includes(`](${file.slice(FOLDER.length)})`))
        .map((file) => ({ file, line: 1, rule: 'decisions/README.md lists each decision' }))
    },
    plants: [
      {
        what: 'a decision that the index lacks',
        file: `${FOLDER}data/plant.md`,
        text: '# Plant\n\n2026-11-27\n\nA.\n\n**Reason.** B.\n',
      },
    ],
  },
  {
    rule: 'a decision that code names is there',
    check(tree) {
      const decisions = new Set(decisionsOf(tree))
      return tree.sources.flatMap(({ file, text }) =>
        [...text.matchAll(NAMED)]
          .filter(([path]) => !decisions.has(path))
          .map(({ index, 0: path }) => ({
            file,
            line: lineAt(text, index),
            rule: `a decision that code names is there: ${path}`,
          })),
      )
    },
    plants: [
      {
        what: 'a comment with a decision that does not exist',
        file: 'apps/api/src/domain/record/plant-decision.ts',
        text: `// Why: ${FOLDER}domain/${'gone'}.md\nconst a = 1\nconsole.log(a)\n`,
      },
    ],
  },
]
