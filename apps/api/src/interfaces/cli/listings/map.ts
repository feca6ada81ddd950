import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { suggestMapping } from '../../../data/ingest.ts'
import { CommandFailure, print } from '../print.ts'

export function mapCommand(): Command {
  return new Command('map')
    .description(
      'Write a mapping for a CSV file, guessed from its header and first rows. Correct it before you import. If a ' +
        'mapping that comes with Lotline fits the file, the command writes that mapping instead.',
    )
    .argument('<file>', 'CSV file, gzip or not')
    .option('--out <file>', 'write the mapping to this new file instead of stdout')
    .addHelpText(
      'after',
      `
Examples:
  lotline listings map sales.csv --out sales.yaml
  lotline listings import sales.csv --map sales.yaml --dry-run`,
    )
    .action(async (file: string, { out }: { out?: string }, command: Command) => {
      const { text, ready, used, unused, lacksFacts } = await suggestMapping(file)
      if (out !== undefined) await writeNew(out, text)
      const origin =
        ready === undefined ? 'guessed; correct it before you import' : `apps/api/mappings/${ready}`
      print(
        command,
        {
          mapping: text,
          ready: ready ?? null,
          used_columns: used,
          unused_columns: unused,
          lacks_facts: lacksFacts,
          out: out ?? null,
        },
        out === undefined
          ? [text.trimEnd()]
          : [
              `Wrote ${out} (${origin}).`,
              ...(unused.length > 0 ? [`Columns that it does not use: ${unused.join(', ')}.`] : []),
              ...(lacksFacts
                ? [
                    'The file lacks most facts of a home. If its rows are changes of stored homes, write rows: merge in the mapping.',
                  ]
                : []),
              'To see what an import would do:',
              `  pnpm --silent lotline listings import ${shellWord(file)} --map ${shellWord(out)} --dry-run`,
            ],
      )
    })
}

/** The text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CommandFailure(
      code === 'EEXIST' ? `${path} exists. Name a new file.` : `${path} cannot be written: ${message}.`,
    )
  }
}
