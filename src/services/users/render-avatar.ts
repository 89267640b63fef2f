import { ResizeFit } from '@napi-rs/image';
import { invalid } from '../../lib/errors.ts';
import { reencodePicture } from '../pictures/reencode-picture.ts';

export const AVATAR_CONTENT_TYPE = 'image/webp';
const SIDE = 256;
const QUALITY = 85;
/** The long side is first scaled with the short one, so a thread of a picture would grow beyond all bounds. */
const MAX_RATIO = 20;

/** What is kept of a picture that somebody sends: upright, cut to a square and small. */
export function renderAvatar(bytes: Buffer): Promise<Buffer> {
  return reencodePicture('avatar', bytes, ({ picture, size: { width, height } }) => {
    if (Math.max(width, height) > MAX_RATIO * Math.min(width, height))
      throw invalid('avatar', `is ${width} × ${height} pixels, which no square can be cut from sensibly`);
    return picture.resize({ width: SIDE, height: SIDE, fit: ResizeFit.Cover }).webp(QUALITY);
  });
}
