import type { Request } from 'express';
import { unsupportedMediaType } from '../lib/errors.ts';
import { isJson, readBodyBytes } from './body-bytes.ts';

/**
 * A body of JSON that is signed, in the place of a schema in a declaration: its bytes reach the handler as they came, for the signature
 * is of them, and nothing of it may be read before that is checked.
 */
export class SignedBody {
  /** Where the signature is. */
  readonly header: string;

  constructor(header: string) {
    this.header = header;
  }
}

export const signedBody = (header: string): SignedBody => new SignedBody(header);

/** What came, checked in nothing but its size. */
export interface SignedBytes {
  bytes: Buffer;
  /** null: there was none. */
  signature: string | null;
}

/** Another type is refused, as of all JSON: no form of another site can send this one. */
export async function readSignedBody(
  request: Request,
  { header }: SignedBody,
  maxBytes: number,
): Promise<SignedBytes> {
  if (!isJson(request))
    throw unsupportedMediaType('Send the body as JSON, with the header Content-Type: application/json');
  const signature = request.headers[header.toLowerCase()];
  const bytes = await readBodyBytes(request, maxBytes);
  return { bytes, signature: typeof signature === 'string' ? signature : null };
}
