import { JsColorType, ResizeFit, Transformer } from '@napi-rs/image';
import { type PictureSize, readPictureSize } from '../../domain/files/picture-size.ts';
import { reencodePicture } from '../pictures/reencode-picture.ts';
import type { NewReportImage } from '../../repositories/report-images.ts';

/** Resolution of the largest page. */
const MAX_SIDE = 2_400;
const QUALITY = 88;
/** Drawings compress well without loss; larger results are photographs. */
const MAX_LOSSLESS_BYTES = 1_500_000;
const MAX_STORED_BYTES = 5_000_000;

const OPAQUE: ReadonlySet<JsColorType> = new Set([JsColorType.L8, JsColorType.Rgb8]);

/**
 * Encodes a picture for slides: PNG for transparency or small lossless results (logos, screenshots), else JPEG; at most 2,400 pixels per
 * side.
 */
export function createSlidePicture(field: string, bytes: Buffer): Promise<NewReportImage> {
  return reencodePicture(field, bytes, async ({ picture, kind, size }) => {
    const small = shrink(picture, size, MAX_SIDE);
    if (kind === 'jpeg') return fitToMaxBytes('jpeg', await small.jpeg(QUALITY));
    // WebP reduces the picture to 8 bits per channel and drops an alpha channel that is fully opaque.
    const webp = await small.webpLossless();
    const png = await new Transformer(webp).png();
    const { colorType } = await new Transformer(webp).metadata();
    if (png.length <= MAX_LOSSLESS_BYTES || !OPAQUE.has(colorType)) return fitToMaxBytes('png', png);
    return fitToMaxBytes('jpeg', await new Transformer(webp).jpeg(QUALITY));
  });
}

/** Halves the size until the picture fits. */
async function fitToMaxBytes(kind: 'png' | 'jpeg', picture: Buffer): Promise<NewReportImage> {
  const size = readPictureSize(kind, picture)!;
  if (picture.length <= MAX_STORED_BYTES) return { content_type: `image/${kind}`, picture, ...size };
  const half = shrink(new Transformer(picture), size, Math.ceil(Math.max(size.width, size.height) / 2));
  return fitToMaxBytes(kind, await (kind === 'png' ? half.png() : half.jpeg(QUALITY)));
}

/** Never enlarges. */
const shrink = (picture: Transformer, { width, height }: PictureSize, maxSide: number): Transformer =>
  Math.max(width, height) > maxSide
    ? picture.resize({ width: maxSide, height: maxSide, fit: ResizeFit.Inside })
    : picture;
