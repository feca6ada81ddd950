/** Bytes of a receiver's answer that are kept. */
export const PREVIEW_BYTES = 1024

/**
 * The beginning of an answer as text: at most 1 KiB of valid UTF-8, cut between characters. What is no UTF-8 becomes
 * U+FFFD, and so does NUL, which the database cannot keep.
 */
export function previewOf(answer: Buffer): string {
  // Streaming: a character that is cut off at the end is left out instead of being replaced.
  const text = new TextDecoder('utf-8').decode(answer.subarray(0, PREVIEW_BYTES + 4), { stream: true })
  let bytes = 0
  let end = 0
  const clean = text.replaceAll('\0', '\uFFFD')
  for (const character of clean) {
    bytes += Buffer.byteLength(character)
    if (bytes > PREVIEW_BYTES) break
    end += character.length
  }
  return clean.slice(0, end)
}
