// Whether @lotline/client, @lotline/mcp, @lotline/mock and the Python package lotline are on the public registries. No text may tell readers to run a command that does
// not work yet.
// The guides and llms.txt are written for the time after the first publication, and served as the switch says; the READMEs
// are set by `pnpm release:pack`.

/** THE SWITCH: true from the first publication on. */
export const PUBLISHED = false

/** Commands that use the registry, and the commands that do the same in a checkout of Lotline. */
const COMMANDS: readonly { readonly published: string; readonly today: string }[] = [
  {
    published: '"args": ["-y", "@lotline/mcp"]',
    today: '"args": ["-y", "pnpm@12.21.0", "--dir", "<checkout>", "--silent", "mcp"]',
  },
  { published: 'npx @lotline/mcp', today: 'npx -y pnpm@12.21.0 --silent mcp' },
  { published: 'npx @lotline/mock', today: 'npx -y pnpm@12.21.0 --silent mock' },
  {
    published: 'npm install @lotline/client',
    today:
      'npx -y pnpm@12.21.0 release:pack # in the checkout of Lotline: makes the packages in release/\n' +
      'npm install <checkout>/release/lotline-client-*.tgz',
  },
  {
    published: 'pip install "lotline[pandas]"',
    today:
      'npx -y pnpm@12.21.0 release:pack # in the checkout of Lotline: makes the packages in release/\n' +
      'pip install --find-links <checkout>/release "lotline[pandas]"',
  },
]

/** The text with the commands that work now: in either direction, and again without a change. */
export function asPublished(text: string, published = PUBLISHED): string {
  return COMMANDS.reduce(
    (written, command) =>
      published
        ? written.replaceAll(command.today, command.published)
        : written.replaceAll(command.published, command.today),
    text,
  )
}
