import type { Transformer } from '@napi-rs/image';
import {
  keepEssentialChunks,
  type PictureKind,
  type PictureSize,
  readPictureSize,
} from '../domain/files/pictures.ts';
import { Semaphore } from '../lib/concurrency.ts';
import { fileTooLarge } from '../lib/error-messages.ts';
import { AppError, invalid } from '../lib/errors.ts';

/** More pixels than camera pictures within the size limit have; decoded they take 100 MB. */
export const MAX_PIXELS = 24_000_000;

/** Kind by the signature of the file. An animated PNG gives its first frame. */
const KINDS = new Map<string, PictureKind>([
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
]);

/** Limits the decoded pictures in memory. */
const decoding = new Semaphore(2);

/** The native library that decodes and encodes pictures; loaded with the first picture, because a server without uploads needs less memory. */
export type ImageLibrary = typeof import('@napi-rs/image');

/** An uploaded picture, decoded and rotated upright. */
interface UploadedPicture {
  picture: Transformer;
  images: ImageLibrary;
  kind: PictureKind;
  /** Size in the file, before rotation. */
  size: PictureSize;
}

/**
 * Encodes an uploaded picture again from its pixels, which removes everything else from the file (location, camera, comments, hidden data).
 * Throws 400 at `field` for other file types, pictures that are too large, and damaged files; passes on an `AppError` of `make`. Decodes
 * outside the main thread.
 */
export async function reencodePicture<T>(
  field: string,
  bytes: Buffer,
  make: (sent: UploadedPicture) => Promise<T>,
): Promise<T> {
  if (bytes.length === 0) throw invalid(field, 'must not be empty');
  const { fileTypeFromBuffer } = await import('file-type');
  const found = (await fileTypeFromBuffer(bytes))?.mime;
  const kind = KINDS.get(found ?? '');
  if (kind === undefined) {
    const known = found === undefined ? '' : `; by its content this is ${found}`;
    throw invalid(field, `must be a PNG, JPEG or WebP picture${known}`);
  }
  const unreadable = () => invalid(field, 'cannot be read as a picture: the file is damaged or incomplete');
  const size = readPictureSize(kind, bytes);
  if (size === null) throw unreadable();
  const { width, height } = size;
  if (width * height > MAX_PIXELS) {
    throw invalid(
      field,
      `must have at most ${MAX_PIXELS / 1_000_000} million pixels, not ${width} × ${height}`,
    );
  }
  const release = await decoding.acquire();
  try {
    const images = await import('@napi-rs/image');
    const picture = new images.Transformer(kind === 'png' ? keepEssentialChunks(bytes) : bytes).rotate();
    return await make({ picture, images, kind, size });
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Any error of the decoder means a damaged file.
    throw unreadable();
  } finally {
    release();
  }
}

/** Collects the bytes of an upload. Throws 413 beyond `maxBytes`. */
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
  fileTooLarge(field, maxBytes / 1024 / 1024);
