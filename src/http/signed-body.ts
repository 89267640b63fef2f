/**
 * Declares a JSON body that is signed. The handler gets its bytes as they were sent, because the signature covers them, and nothing of
 * the body may be used before the signature is verified.
 */
export class SignedBody {
  constructor(/** Name of the header that carries the signature. */ readonly header: string) {}
}

export const signedBody = (header: string): SignedBody => new SignedBody(header);

/** A signed body, of which only the size is checked. */
export interface SignedBytes {
  bytes: Buffer;
  /** null: the header is missing. */
  signature: string | null;
}
