/** What a receiver answered. */
export interface ReceiverResponse {
  /** HTTP status, 200 or greater. */
  readonly status: number
  /** The beginning of the body, at most `ANSWER_BYTES`. */
  readonly body: Buffer
}

/** Bytes of an answer's body that are read; then the connection is closed. */
export const ANSWER_BYTES = 4096
/** Of the head of an answer. */
export const HEAD_BYTES = 16 * 1024
