import { asPublished, PUBLISHED } from '@lotline/contract/publication'
import { describe, expect, it } from 'vitest'
import { LANDING, PAGES, readPage } from '../../../src/interfaces/manual/library.ts'
import { summary } from '../../../src/interfaces/manual/llms.ts'

const WRITTEN = 'npx @lotline/mock send x\nnpm install @lotline/client\n'

describe('the switch of the first publication', () => {
  it('off: commands work in a checkout, and none requests unpublished packages from the registry', () => {
    const text = asPublished(WRITTEN, false)
    expect(text).toContain('npx -y pnpm@12.21.0 --silent mock send x')
    expect(text).toContain('release:pack')
    expect(text).not.toMatch(/npx @lotline|npm install @lotline/)
  })

  it('on: the text is unchanged', () => {
    expect(asPublished(WRITTEN, true)).toBe(WRITTEN)
  })

  it('can be set both ways, and setting the same value changes nothing', () => {
    const today = asPublished(WRITTEN, false)
    expect(asPublished(today, false)).toBe(today)
    expect(asPublished(today, true)).toBe(WRITTEN)
  })

  it('applies to every page and llms.txt', async () => {
    const texts = [...(await Promise.all([LANDING, ...PAGES].map(readPage))), summary([])]
    expect(texts.some((text) => /npx @lotline|npm install @lotline/.test(text))).toBe(PUBLISHED)
  })
})
