import { JsColorType, ResizeFit, Transformer } from '@napi-rs/image';
import type { ReportScope } from '../../domain/access/scopes.ts';
import { type PictureSize, readPictureSize } from '../../domain/files/pictures.ts';
import { limitReached } from '../../lib/error-messages.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import type { NewReportImage, ReportImageRow, ReportPictureRow } from '../../repositories/reports.ts';
import type { Store } from '../../repositories/store.ts';
import { collectBytes, reencodePicture } from '../pictures/reencode-picture.ts';
import { changeReport } from './report-lock.ts';

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
function createSlidePicture(field: string, bytes: Buffer): Promise<NewReportImage> {
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

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_IMAGES = 100;
/** Total size of a report's pictures, because its files contain all of them. */
const MAX_TOTAL_BYTES = 50_000_000;

/** The pictures that slides and report settings refer to. */
export class ReportImageService {
  constructor(private readonly store: Store) {}

  list(scope: ReportScope): Promise<ReportImageRow[]> {
    return this.store.read.reports.listImages(scope);
  }

  async get(scope: ReportScope, imageId: number): Promise<ReportPictureRow> {
    const image = await this.store.read.reports.findImage(scope, imageId);
    if (image === null) throw notFound('picture');
    return image;
  }

  async add(scope: ReportScope, chunks: AsyncIterable<Buffer>): Promise<ReportImageRow> {
    const picture = await createSlidePicture('image', await collectBytes('image', chunks, MAX_IMAGE_BYTES));
    return changeReport(this.store, scope, async ({ reports }) => {
      const others = await reports.listImages(scope);
      if (others.length >= MAX_IMAGES)
        throw conflict('too_many_images', limitReached('A report', MAX_IMAGES, 'picture'));
      const bytes = others.reduce((sum, { size_bytes }) => sum + size_bytes, picture.picture.length);
      if (bytes > MAX_TOTAL_BYTES)
        throw conflict(
          'images_too_large',
          `The pictures of a report can have at most ${MAX_TOTAL_BYTES / 1_000_000} MB in total`,
        );
      const image = await reports.addImage(scope, picture);
      return { result: image, action: 'image_added', details: { image_id: image.image_id } };
    });
  }

  /** Throws 409 if the picture is in use. */
  async delete(scope: ReportScope, imageId: number): Promise<void> {
    await changeReport(this.store, scope, async ({ reports }, report) => {
      const images = await reports.listImages(scope);
      if (!images.some(({ image_id }) => image_id === imageId)) throw notFound('picture');
      const slides = (await reports.listSlides(scope)).filter(
        ({ slide_type, slide_content }) => slide_type === 'image' && slide_content['image_id'] === imageId,
      );
      const slideNames = slides.map(({ slide_order }) => `slide ${slide_order}`);
      if (report.report_settings['logo_image_id'] === imageId) slideNames.push('the logo');
      if (slideNames.length > 0)
        throw conflict('image_in_use', `The picture is in use: ${slideNames.slice(0, 10).join(', ')}`);
      await reports.removeImage(scope, imageId);
      return { result: undefined, action: 'image_deleted', details: { image_id: imageId } };
    });
  }
}
