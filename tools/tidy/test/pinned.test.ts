import { expect, test } from 'vitest'
import { findUnpinned, PINNING_FILE } from '../src/pinned.ts'

const DIGEST = `sha256:${'0a'.repeat(32)}`
const COMMIT = '0a'.repeat(20)

const rulesOf = (file: string, text: string) =>
  findUnpinned([{ file, text }]).map(({ line, rule }) => `${line} ${rule}`)

test.each([
  ['the base image', 'Dockerfile', 'ARG NODE_IMAGE=node:26', '1 node:26'],
  ['an image in a stage', 'Dockerfile', '# x\nFROM node:26 AS base', '2 node:26'],
  ['an image in Compose', 'compose.yaml', 'services:\n  proxy:\n    image: caddy:2\n', '3 caddy:2'],
  ['an action', '.github/workflows/ci.yml', 'steps:\n  - uses: actions/checkout@v5', '2 actions/checkout@v5'],
  [
    'a short digest',
    '.github/workflows/ci.yml',
    '- uses: actions/checkout@0a0a0a0',
    '1 actions/checkout@0a0a0a0',
  ],
])('a reference without a complete digest is reported: %s', (_, file, text, place) => {
  expect(PINNING_FILE.test(file)).toBe(true)
  expect(rulesOf(file, text)).toEqual([`${place} is not pinned by digest`])
})

test.each([
  [
    'images with a digest',
    'Dockerfile',
    `ARG NODE_IMAGE=node:26@${DIGEST}\nFROM \${NODE_IMAGE} AS base\nFROM base AS full`,
  ],
  ['an action at a commit', '.github/workflows/ci.yml', `- uses: actions/checkout@${COMMIT} # v5.0.0`],
  ['our own image', 'compose.yaml', 'x:\n  image: lotline\n'],
])('a pinned or local reference is accepted: %s', (_, file, text) => {
  expect(rulesOf(file, text)).toEqual([])
})
