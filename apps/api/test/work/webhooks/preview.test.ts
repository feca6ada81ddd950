import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { previewOf } from '../../../src/work/webhooks/send-message.ts'

describe('the preview of a response body', () => {
  it('is at most 1 KiB of valid UTF-8, whatever the body is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4096 }), (bytes) => {
        const preview = previewOf(Buffer.from(bytes))
        expect(Buffer.byteLength(preview)).toBeLessThanOrEqual(1024)
        expect(preview.isWellFormed()).toBe(true)
        expect(preview).not.toContain('\0')
      }),
    )
  })

  it('is the whole body if it is short enough', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\uFEFF') && text.isWellFormed())
        expect(previewOf(Buffer.from(text))).toBe(text)
      }),
    )
  })

  it('never ends within a character', () => {
    for (let before = 1020; before <= 1024; before++) {
      const preview = previewOf(Buffer.from(`${'a'.repeat(before)}😀😀`))
      expect(preview).toBe('a'.repeat(before) + (before <= 1020 ? '😀' : ''))
    }
  })

  it('shows invalid UTF-8 as replacement characters', () => {
    expect(previewOf(Buffer.from([0x66, 0xff, 0x00, 0x6f]))).toBe('f\uFFFD\uFFFDo')
  })
})
