// `node packages/client-python/build/notebook-pages.ts` makes a page of the manual and its pictures of each notebook in examples/,
// as they are stored: nothing is executed. With --check it writes nothing, and fails when a file is not up to date.
//
// A test executes the notebooks (tests/run_notebooks.py) and compares their outputs with those that are stored. To store new
// ones: with tests/requirements.txt installed, and LOTLINE_BASE_URL and LOTLINE_API_KEY of a new service with the sample data,
// run `PYTHONPATH=src python tests/run_notebooks.py --write examples/*.ipynb`.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const EXAMPLES = new URL('../examples/', import.meta.url)
const GUIDES = new URL('../../../apps/api/guides/', import.meta.url)

interface CellOutput {
  readonly text?: string | readonly string[]
  readonly data?: Readonly<Record<string, string | readonly string[]>>
}
interface Cell {
  readonly cell_type: 'markdown' | 'code'
  readonly source: string | readonly string[]
  readonly outputs?: readonly CellOutput[]
}

/** The files of a notebook by their path below apps/api/guides: a page, and its pictures, described by the heading above. */
export function renderNotebookPages(name: string, notebook: string): Map<string, string> {
  const { cells } = JSON.parse(notebook) as { readonly cells: readonly Cell[] }
  const files = new Map<string, string>()
  const parts: string[] = []
  let heading = ''
  for (const cell of cells) {
    const source = joinLines(cell.source).trim()
    if (cell.cell_type === 'markdown') {
      heading = /^#+ (.+)$/m.exec(source)?.[1] ?? heading
      parts.push(source)
      continue
    }
    parts.push(fenced('python', source))
    for (const { text, data } of cell.outputs ?? []) {
      const picture = data?.['image/svg+xml']
      const shown = text ?? data?.['text/plain']
      if (picture !== undefined) {
        const path = `pictures/${name}-${files.size + 1}.svg`
        files.set(path, titled(joinLines(picture), heading))
        parts.push(`![${heading}](${path})`)
      } else if (shown !== undefined) parts.push(fenced('text', joinLines(shown).trimEnd()))
    }
  }
  const source = `https://github.com/lotline/lotline/blob/main/packages/client-python/examples/${name}.ipynb`
  parts.push(`## The notebook\n\nThis page is a Jupyter notebook: [\`${name}.ipynb\`](${source}).`)
  return files.set(`${name}.md`, `${parts.join('\n\n')}\n`)
}

function joinLines(text: string | readonly string[]): string {
  return [text].flat().join('')
}

/** For readers who do not see the picture. */
function titled(svg: string, title: string): string {
  return svg.replace(/<svg [^>]*>\n/, (opening) => `${opening} <title>${title}</title>\n`)
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

if (import.meta.main) {
  for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.ipynb'))) {
    const files = renderNotebookPages(
      file.replace(/\.ipynb$/, ''),
      readFileSync(new URL(file, EXAMPLES), 'utf8'),
    )
    for (const [path, text] of files) {
      const target = new URL(path, GUIDES)
      if (existsSync(target) && readFileSync(target, 'utf8') === text) continue
      if (!process.argv.includes('--check')) writeFileSync(target, text)
      else {
        console.error(`apps/api/guides/${path} differs from its notebook. Run \`pnpm generate\`.`)
        process.exitCode = 1
      }
    }
  }
}
