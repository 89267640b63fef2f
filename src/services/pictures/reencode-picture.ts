import { Transformer } from '@napi-rs/image';
import { fileTypeFromBuffer } from 'file-type';
import { type PictureKind, pictureSize, type PictureSize } from '../../domain/files/picture-size.ts';
import { pngEssentials } from '../../domain/files/png-essentials.ts';
import { AppError, invalid, tooLarge } from '../../lib/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';

/** More than any camera's picture that fits the files' limits has; unpacked they take 100 MB. */
const MAX_PIXELS = 24_000_000;

/** By what the file begins with; an animated PNG shows its first picture. */
const KINDS = new Map<string, PictureKind>([
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
]);

/** Unpacked pictures that are in memory at a time. */
const decoding = new Semaphore(2);

/** A picture that somebody sent, upright, from which what is kept is made. */
export interface UploadedPicture {
  picture: Transformer;
  kind: PictureKind;
  /** As the file says it, before it was turned. */
  size: PictureSize;
}

/**
 * Makes a picture anew from the pixels of one that somebody sent, so that nothing else of the file (place, camera, comments, whatever
 * hides in it) is left. 400 at `field` for what is no picture, too large or broken; an `AppError` of `make` stays one. Works on
 * other threads than the one that answers requests.
 */
export async function reencodePicture<T>(
  field: string,
  bytes: Buffer,
  make: (sent: UploadedPicture) => Promise<T>,
): Promise<T> {
  if (bytes.length === 0) throw invalid(field, 'is empty');
  const found = (await fileTypeFromBuffer(bytes))?.mime;
  const kind = KINDS.get(found ?? '');
  if (kind === undefined) {
    const known = found === undefined ? '' : `; by its content this is ${found}`;
    throw invalid(field, `must be a PNG, JPEG or WebP picture${known}`);
  }
  const unreadable = () => invalid(field, 'cannot be read as a picture: it is broken or cut off');
  const size = pictureSize(kind, bytes);
  if (size === null) throw unreadable();
  const { width, height } = size;
  if (width * height > MAX_PIXELS) {
    throw invalid(
      field,
      `is ${width} × ${height} pixels; at most ${MAX_PIXELS / 1_000_000} million are taken`,
    );
  }
  const release = await decoding.acquire();
  try {
    const picture = new Transformer(kind === 'png' ? pngEssentials(bytes) : bytes).rotate();
    return await make({ picture, kind, size });
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Whatever the decoder complains of, it is the file.
    throw unreadable();
  } finally {
    release();
  }
}

/** The bytes of a file on its way in; 413 beyond `maxBytes`. */
export async function collectBytes(
  field: string,
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw pictureTooLarge(field, maxBytes);
    parts.push(chunk);
  }
  return Buffer.concat(parts, size);
}

export const pictureTooLarge = (field: string, maxBytes: number) =>
  tooLarge(`${field}: is larger than the ${maxBytes / 1024 / 1024} MB allowed here`);
