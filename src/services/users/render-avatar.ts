import { ResizeFit } from '@napi-rs/image';
import { invalid } from '../../lib/errors.ts';
import { reencodePicture } from '../pictures/reencode-picture.ts';

export const AVATAR_CONTENT_TYPE = 'image/webp';
const SIDE = 256;
const QUALITY = 85;
/** The long side is scaled together with the short one, so a very elongated picture would become huge. */
const MAX_RATIO = 20;

/** Renders an uploaded picture as an avatar: upright, cropped to a square, and small. */
export function renderAvatar(bytes: Buffer): Promise<Buffer> {
  return reencodePicture('avatar', bytes, ({ picture, size: { width, height } }) => {
    if (Math.max(width, height) > MAX_RATIO * Math.min(width, height))
      throw invalid('avatar', `is ${width} × ${height} pixels, too elongated for a square avatar`);
    return picture.resize({ width: SIDE, height: SIDE, fit: ResizeFit.Cover }).webp(QUALITY);
  });
}
