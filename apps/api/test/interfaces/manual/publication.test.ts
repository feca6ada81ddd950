import { asPublished, PUBLISHED } from '@lotline/contract/publication'
import { describe, expect, it } from 'vitest'
import { LANDING, PAGES, readPage } from '../../../src/interfaces/manual/library.ts'
import { summary } from '../../../src/interfaces/manual/llms.ts'

const WRITTEN = 'npx @lotline/mock send x\nnpm install @lotline/client\n'

describe('the switch of the first publication', () => {
  it('off: commands work in a checkout, and none asks the registry for what it does not have', () => {
    const text = asPublished(WRITTEN, false)
    expect(text).toContain('npx -y pnpm@12.21.0 --silent mock send x')
    expect(text).toContain('release:pack')
    expect(text).not.toMatch(/npx @lotline|npm install @lotline/)
  })

  it('on: the text stays as it is written', () => {
    expect(asPublished(WRITTEN, true)).toBe(WRITTEN)
  })

  it('is turned in both directions, and changes nothing when it stays', () => {
    const today = asPublished(WRITTEN, false)
    expect(asPublished(today, false)).toBe(today)
    expect(asPublished(today, true)).toBe(WRITTEN)
  })

  it('is what every page and llms.txt follow', async () => {
    const texts = [...(await Promise.all([LANDING, ...PAGES].map(readPage))), summary([])]
    expect(texts.some((text) => /npx @lotline|npm install @lotline/.test(text))).toBe(PUBLISHED)
  })
})
