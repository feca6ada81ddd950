// Lists the published packages and the files of each tarball. A file that is not listed is not published.

export interface PublishedPackage {
  readonly name: string
  /** The path from the root of the repository. */
  readonly directory: string
  readonly files: readonly string[]
  /** The package is only a command. It has no exports and no types. */
  readonly isCommand?: true
}

const EVERYWHERE = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']

export const published: readonly PublishedPackage[] = [
  {
    name: '@lotline/client',
    directory: 'packages/client',
    files: [...EVERYWHERE, 'dist/index.cjs', 'dist/index.d.cts', 'dist/index.d.ts', 'dist/index.js'],
  },
  {
    name: '@lotline/mock',
    directory: 'packages/mock',
    files: [
      ...EVERYWHERE,
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/ajv.cjs',
      'dist/index.cjs',
      'dist/index.d.cts',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/main.cjs',
      'dist/openapi.json',
      'dist/prism-mocker.cjs',
      'dist/prism-reader.cjs',
      'dist/prism-shared.cjs',
      'dist/rolldown-runtime.cjs',
      'dist/target.cjs',
    ],
  },
  {
    name: '@lotline/mcp',
    directory: 'packages/mcp',
    files: [...EVERYWHERE, 'dist/main.js'],
    isCommand: true,
  },
]
