// What is published, and what each tarball holds: this and nothing else. A file that is not named here does not get out.

export interface PublishedPackage {
  readonly name: string
  /** From the root of the repository. */
  readonly directory: string
  readonly files: readonly string[]
  /** It is a command and nothing to import, so it has no types. */
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
