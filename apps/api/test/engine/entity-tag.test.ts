import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigner } from '../../src/engine/entity-tag.ts'

test('the signature of a tag is HMAC-SHA-256, as Node computes it, for any secret and text', () => {
  for (let round = 0; round < 500; round++) {
    const secret = randomBytes(round % 65)
    const text = `${randomBytes(round).toString('hex')} é 😀`
    const sign = createSigner(secret)
    const expected = createHmac('sha256', secret).update(text).digest('base64url')
    expect(sign(text)).toBe(expected)
    // The signer keeps nothing of a text.
    expect(sign(text)).toBe(expected)
  }
})
