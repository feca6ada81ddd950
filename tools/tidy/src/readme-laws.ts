// The README of each module names every folder of the module, and every table that these folders write.

import { MODULES, SOURCE } from './modules.ts'
import type { Breach } from './source.ts'
import { TABLE_OWNERS } from './table-owners.ts'
import type { Law, Tree } from './tree.ts'

const RULE = 'the README of a module names its folders and tables'

function findUnnamed({ files, read }: Tree): Breach[] {
  return Object.entries(MODULES).flatMap(([module, folders]) => {
    const file = `${SOURCE}${module}/README.md`
    // Tests of other laws have a tree without modules.
    if (!files.some((one) => one.startsWith(`${SOURCE}${module}/`) && one !== file)) return []
    const text = files.includes(file) ? read(file) : ''
    const hasPicture = text.includes('](TABLES.md)')
    const unnamed = folders.flatMap((folder) => [
      ...(text.includes(`\`${folder}/\``) ? [] : [`${folder}/`]),
      ...(hasPicture ? [] : (TABLE_OWNERS[folder] ?? []).filter((table) => !text.includes(`\`${table}\``))),
    ])
    return unnamed.map((name) => ({ file, line: 1, rule: `${RULE}: ${name}` }))
  })
}

export const README_LAWS: readonly Law[] = [
  {
    rule: RULE,
    check: findUnnamed,
    plants: [
      {
        what: 'a README that lacks the tables of its folders',
        file: 'apps/api/src/money/README.md',
        text: '# money/\n\n`credits/` `accounts/` `billing/` `operator/` `limits/` `oauth/`\n',
      },
      {
        what: 'a README that lacks a folder',
        file: 'apps/api/src/interfaces/README.md',
        text: '# interfaces/\n\n`api/` `oauth/` `portal/`\n',
      },
    ],
  },
]
