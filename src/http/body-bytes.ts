import type { Request } from 'express';
import { invalid, tooLarge, unsupportedMediaType } from '../lib/errors.ts';

/** How many bytes are announced: 0, where there is no body; NaN, where that is not said. */
export const declaredBodyBytes = (request: Request): number =>
  Number(request.headers['content-length'] ?? (request.headers['transfer-encoding'] ? NaN : 0));

export const isJson = (request: Request): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');

/** The body as it came, held in memory. Refused: one that is packed, and one of more bytes. */
export async function readBodyBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupportedMediaType(
      `Content-Encoding "${encoding.slice(0, 40)}" is not supported; send the body as it is`,
    );
  }
  if (declaredBodyBytes(request) > maxBytes) throw bodyTooLarge(maxBytes);
  return readBytes(request, maxBytes);
}

const bodyTooLarge = (maxBytes: number) =>
  tooLarge(`The body is larger than the ${maxBytes} bytes allowed here`);

/** Plain listeners: an async iterator over the request costs more than all that is done with a small body. */
function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) {
        // What follows is left unread: the line stays up for the answer.
        request.off('data', onData).pause();
        reject(bodyTooLarge(maxBytes));
      }
    };
    const onClosed = () => {
      if (!request.readableEnded) reject(invalid('', 'The body ended before it was complete'));
    };
    if (request.destroyed) onClosed();
    request.on('data', onData).on('error', onClosed).on('close', onClosed);
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
  });
}
