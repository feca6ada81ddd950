// The reason why a receiver did not respond, in a sentence for the webhook's owner. It reveals nothing about the private network.

const SENTENCE_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  ECONNABORTED: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  UND_ERR_HEADERS_OVERFLOW: 'The head of the answer was too large.',
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the receiver is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the receiver is signed by itself.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the receiver is signed by an authority that is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate of the receiver is signed by an authority that is not trusted, or the chain is not complete.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate of the receiver is signed by an authority that is not trusted, or the chain is not complete.',
  CERT_REVOKED: 'The certificate of the receiver has been revoked.',
  EPROTO: 'The TLS handshake failed.',
}

export class NoResponse extends Error {
  override readonly name = 'NoResponse'

  /** Converts a connection error into a reason that the customer may see. */
  static of(error: unknown): NoResponse {
    if (error instanceof NoResponse) return error
    const { code = '', name } = error as { code?: string; name?: string }
    return new NoResponse(SENTENCE_BY_ERROR_CODE[code] ?? describeNoResponse(code, name), { cause: error })
  }
}

function describeNoResponse(code: string, name: string | undefined): string {
  if (name === 'HTTPParserError') return 'The answer was not valid HTTP.'
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'The TLS handshake failed.'
  return 'The receiver could not be reached.'
}
