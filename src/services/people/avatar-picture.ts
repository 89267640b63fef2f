import { ResizeFit, Transformer } from '@napi-rs/image';
import { fileTypeFromBuffer } from 'file-type';
import { type PictureKind, pictureSize } from '../../domain/files/picture-size.ts';
import { pngEssentials } from '../../domain/files/png-essentials.ts';
import { invalid } from '../../lib/errors.ts';
import { Slots } from '../../lib/slots.ts';

export const AVATAR_CONTENT_TYPE = 'image/webp';
const SIDE = 256;
const QUALITY = 85;
/** More than any camera's picture that fits the file's limit has; unpacked they take 100 MB. */
const MAX_PIXELS = 24_000_000;
/** The long side is first scaled with the short one, so a thread of a picture would grow beyond all bounds. */
const MAX_RATIO = 20;

/** By what the file begins with; an animated PNG shows its first picture. */
const KINDS = new Map<string, PictureKind>([
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
]);

/** Unpacked pictures that are in memory at a time. */
const slots = new Slots(2);

/**
 * What is kept of a picture that somebody sends: upright, cut to a square, small, and made anew from its pixels, so that nothing else
 * of the file (place, camera, comments, whatever hides in it) is left. Works on other threads than the one that answers requests.
 */
export async function avatarPicture(bytes: Buffer): Promise<Buffer> {
  if (bytes.length === 0) throw invalid('avatar', 'is empty');
  const found = (await fileTypeFromBuffer(bytes))?.mime;
  const kind = KINDS.get(found ?? '');
  if (kind === undefined) {
    const known = found === undefined ? '' : `; by its content this is ${found}`;
    throw invalid('avatar', `must be a PNG, JPEG or WebP picture${known}`);
  }
  const size = pictureSize(kind, bytes);
  if (size === null) throw unreadable();
  const { width, height } = size;
  if (width * height > MAX_PIXELS) {
    throw invalid(
      'avatar',
      `is ${width} × ${height} pixels; at most ${MAX_PIXELS / 1_000_000} million are taken`,
    );
  }
  if (Math.max(width, height) > MAX_RATIO * Math.min(width, height))
    throw invalid('avatar', `is ${width} × ${height} pixels, which no square can be cut from sensibly`);
  const release = await slots.take();
  try {
    return await new Transformer(kind === 'png' ? pngEssentials(bytes) : bytes)
      .rotate()
      .resize({ width: SIDE, height: SIDE, fit: ResizeFit.Cover })
      .webp(QUALITY);
  } catch {
    // Whatever the decoder complains of, it is the file.
    throw unreadable();
  } finally {
    release();
  }
}

const unreadable = () => invalid('avatar', 'cannot be read as a picture: it is broken or cut off');
