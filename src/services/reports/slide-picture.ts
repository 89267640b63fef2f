import { JsColorType, ResizeFit, Transformer } from '@napi-rs/image';
import { type PictureSize, pictureSize } from '../../domain/files/picture-size.ts';
import { reencodePicture } from '../pictures/reencode-picture.ts';
import type { NewReportImage } from '../../repositories/report-images.ts';

/** As sharp as the largest page is drawn. */
const MAX_SIDE = 2_400;
const QUALITY = 88;
/** What is no photograph packs well without loss; what does not, is one. */
const MAX_LOSSLESS_BYTES = 1_500_000;
const MAX_STORED_BYTES = 5_000_000;

const OPAQUE: ReadonlySet<JsColorType> = new Set([JsColorType.L8, JsColorType.Rgb8]);

/**
 * What is kept of a picture for slides: a PNG where something shines through or where losing nothing costs little (logos,
 * screenshots), else a JPEG; at most 2,400 pixels a side.
 */
export function createSlidePicture(field: string, bytes: Buffer): Promise<NewReportImage> {
  return reencodePicture(field, bytes, async ({ picture, kind, size }) => {
    const small = shrink(picture, size, MAX_SIDE);
    if (kind === 'jpeg') return fitToMaxBytes('jpeg', await small.jpeg(QUALITY));
    // On the way through it a picture gets 8 bits a channel, and loses an alpha channel that is all opaque.
    const webp = await small.webpLossless();
    const made = await new Transformer(webp).png();
    const { colorType } = await new Transformer(webp).metadata();
    if (made.length <= MAX_LOSSLESS_BYTES || !OPAQUE.has(colorType)) return fitToMaxBytes('png', made);
    return fitToMaxBytes('jpeg', await new Transformer(webp).jpeg(QUALITY));
  });
}

/** Half as large, until there is room for it. */
async function fitToMaxBytes(kind: 'png' | 'jpeg', made: Buffer): Promise<NewReportImage> {
  const size = pictureSize(kind, made)!;
  if (made.length <= MAX_STORED_BYTES) return { content_type: `image/${kind}`, picture: made, ...size };
  const half = shrink(new Transformer(made), size, Math.ceil(Math.max(size.width, size.height) / 2));
  return fitToMaxBytes(kind, await (kind === 'png' ? half.png() : half.jpeg(QUALITY)));
}

/** Nothing grows. */
const shrink = (picture: Transformer, { width, height }: PictureSize, maxSide: number): Transformer =>
  Math.max(width, height) > maxSide
    ? picture.resize({ width: maxSide, height: maxSide, fit: ResizeFit.Inside })
    : picture;
