import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigner } from '../../../src/requests/engine/entity-tag.ts'

test('the signature of a tag is HMAC-SHA-256, as Node computes it, for any key of ASCII characters and any text', () => {
  for (let round = 0; round < 500; round++) {
    const key = randomBytes(48)
      .toString('base64')
      .slice(0, round % 65)
    const text = `${randomBytes(round).toString('hex')} é 😀`
    const sign = createSigner(key)
    const expected = createHmac('sha256', key).update(text).digest('base64url')
    expect(sign(text)).toBe(expected)
    // The signer keeps nothing of a text.
    expect(sign(text)).toBe(expected)
  }
})
