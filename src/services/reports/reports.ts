import type { Transformer } from '@napi-rs/image';
import type { Caller } from '../../domain/access/caller.ts';
import type { ReportScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { type PictureSize, readPictureSize } from '../../domain/files/pictures.ts';
import { reportSettingsOf } from '../../domain/reports/report.ts';
import { limitReached, unknownObject } from '../../lib/error-messages.ts';
import { conflict, invalid, notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import { mergeSettings } from '../../lib/settings.ts';
import type {
  NewReportImage,
  ReportFields,
  ReportImageRow,
  ReportPictureRow,
  ReportRow,
  ReportSlideRow,
} from '../../repositories/reports.ts';
import type { ContentListing } from '../../repositories/list-queries.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import type { DeletedRetention } from '../deleted-retention.ts';
import { collectBytes, type ImageLibrary, reencodePicture } from '../pictures.ts';
import { changeSettings, defineWorkspaceObject } from '../workspace-objects.ts';

type Settings = Record<string, unknown> | null | undefined;

/** Absent members stay unchanged. */
interface ReportChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  workspaceId?: number | undefined;
  settings?: Settings;
}

export const MAX_NAME = 200;

export const reportObject = defineWorkspaceObject<{ reportId: number }, ReportRow>({
  type: 'report',
  idOf: ({ reportId }) => reportId,
  repositoryOf: ({ reports }) => reports,
});

/** Reports without their slides and pictures, which have separate services. */
export class ReportService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly retention: DeletedRetention,
  ) {}

  /** Newest first. */
  listByWorkspace(
    scope: WorkspaceScope,
    listing: ContentListing,
  ): Promise<{ found: ReportRow[]; total: number }> {
    return this.store.read.reports.list(scope, listing);
  }

  /** The report with all slides. */
  async get(scope: ReportScope): Promise<{ report: ReportRow; slides: ReportSlideRow[] }> {
    const { reports } = this.store.read;
    const [report, slides] = await Promise.all([reports.find(scope), reports.listSlides(scope)]);
    if (report === null) throw notFound('report');
    return { report, slides };
  }

  create(
    scope: WorkspaceScope,
    input: { name: string; description: string | null; settings: Settings },
  ): Promise<ReportRow> {
    const chosen = mergeSettings({}, input.settings ?? {});
    refuseUnknownLogo(chosen, []);
    return this.store.transaction(async (repositories) => {
      const reportId = await repositories.reports.create(scope, {
        workspace_id: scope.workspaceId,
        report_name: input.name,
        report_description: input.description,
        report_settings: chosen,
      });
      await repositories.audit.record(reportObject.auditEntry({ ...scope, reportId }, 'created'));
      return requireValue(await repositories.reports.find({ ...scope, reportId }), 'new report');
    });
  }

  /** Creates a copy with slides and pictures in the same workspace. */
  duplicate(scope: ReportScope, name: string | undefined): Promise<ReportRow> {
    return this.store.transaction(async (repositories) => {
      const { reports } = repositories;
      const from = await reportObject.lock(repositories, scope);
      const fields = { ...from, report_name: name ?? `${from.report_name} (copy)`.slice(0, MAX_NAME) };
      const reportId = await reports.create(scope, fields);
      const copy = { ...scope, reportId };
      const images = await reports.copyImages(scope, reportId);
      const slides = await reports.listSlides(scope);
      await reports.insertSlide(
        copy,
        1,
        slides.map((slide) => ({ ...slide, slide_content: replaceImageIds(slide.slide_content, images) })),
      );
      const settings = replaceImageIds(from.report_settings, images, 'logo_image_id');
      if (settings !== from.report_settings)
        await reports.update(copy, { ...fields, report_settings: settings });
      await repositories.audit.record(reportObject.auditEntry(copy, 'created', { copy_of: scope.reportId }));
      return requireValue(await reports.find(copy), 'new report');
    });
  }

  async update(caller: Caller, scope: ReportScope, changes: ReportChanges): Promise<ReportRow> {
    return reportObject.update({
      store: this.store,
      access: this.access,
      caller,
      scope,
      workspaceId: changes.workspaceId,
      apply: (before) => applyChanges(before, changes),
      save: async ({ reports }, { before, after }) => {
        if (after.report_settings['logo_image_id'] !== before.report_settings['logo_image_id'])
          refuseUnknownLogo(after.report_settings, await reports.listImages(scope));
        await reports.update(scope, after);
      },
    });
  }

  /** The report disappears at once; `ReportTrash` restores it. */
  async delete(scope: ReportScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await reportObject.lock(repositories, scope);
      await repositories.reports.delete(scope, this.retention.now());
      await repositories.audit.record(reportObject.auditEntry(scope, 'deleted'));
    });
  }
}

function applyChanges(row: ReportRow, { name, description, workspaceId, settings }: ReportChanges) {
  return {
    workspace_id: workspaceId ?? row.workspace_id,
    report_name: name ?? row.report_name,
    report_description: description === undefined ? row.report_description : description,
    report_settings: changeSettings(row.report_settings, reportSettingsOf(row.report_settings), settings),
  } satisfies ReportFields;
}

function refuseUnknownLogo(settings: Record<string, unknown>, images: readonly { image_id: number }[]): void {
  const logo = settings['logo_image_id'] as number | undefined;
  if (logo === undefined || images.some(({ image_id }) => image_id === logo)) return;
  throw invalid(
    'report_settings.logo_image_id',
    `${unknownObject({ kind: 'picture', idOrCode: logo, scope: 'in this report' })}; upload it with POST …/images first`,
  );
}

/** Replaces image ids by those of the copied pictures. */
function replaceImageIds(
  settings: Record<string, unknown>,
  images: ReadonlyMap<number, number>,
  member = 'image_id',
): Record<string, unknown> {
  const copy = images.get(settings[member] as number);
  return copy === undefined ? settings : { ...settings, [member]: copy };
}

/** Resolution of the largest page. */
const MAX_SIDE = 2_400;
const QUALITY = 88;
/** Drawings compress well without loss; larger results are photographs. */
const MAX_LOSSLESS_BYTES = 1_500_000;
const MAX_STORED_BYTES = 5_000_000;

/**
 * Encodes a picture for slides: PNG for transparency or small lossless results (logos, screenshots), else JPEG; at most 2,400 pixels per
 * side.
 */
function createSlidePicture(field: string, bytes: Buffer): Promise<NewReportImage> {
  return reencodePicture(field, bytes, async ({ picture, images, kind, size }) => {
    const { JsColorType, Transformer } = images;
    const small = shrink(images, picture, size, MAX_SIDE);
    if (kind === 'jpeg') return fitToMaxBytes(images, 'jpeg', await small.jpeg(QUALITY));
    // WebP reduces the picture to 8 bits per channel and drops an alpha channel that is fully opaque.
    const webp = await small.webpLossless();
    const png = await new Transformer(webp).png();
    const { colorType } = await new Transformer(webp).metadata();
    const isOpaque = colorType === JsColorType.L8 || colorType === JsColorType.Rgb8;
    if (png.length <= MAX_LOSSLESS_BYTES || !isOpaque) return fitToMaxBytes(images, 'png', png);
    return fitToMaxBytes(images, 'jpeg', await new Transformer(webp).jpeg(QUALITY));
  });
}

/** Halves the size until the picture fits. */
async function fitToMaxBytes(
  images: ImageLibrary,
  kind: 'png' | 'jpeg',
  picture: Buffer,
): Promise<NewReportImage> {
  const size = requireValue(readPictureSize(kind, picture), 'size of a picture');
  if (picture.length <= MAX_STORED_BYTES) return { content_type: `image/${kind}`, picture, ...size };
  const half = shrink(
    images,
    new images.Transformer(picture),
    size,
    Math.ceil(Math.max(size.width, size.height) / 2),
  );
  return fitToMaxBytes(images, kind, await (kind === 'png' ? half.png() : half.jpeg(QUALITY)));
}

/** Never enlarges. */
const shrink = (
  images: ImageLibrary,
  picture: Transformer,
  { width, height }: PictureSize,
  maxSide: number,
): Transformer =>
  Math.max(width, height) > maxSide
    ? picture.resize({ width: maxSide, height: maxSide, fit: images.ResizeFit.Inside })
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
    return reportObject.change(this.store, scope, async ({ reports }) => {
      const others = await reports.listImages(scope);
      if (others.length >= MAX_IMAGES)
        throw conflict(
          'too_many_images',
          limitReached({ owner: 'A report', max: MAX_IMAGES, unit: 'picture' }),
        );
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
    await reportObject.change(this.store, scope, async ({ reports }, report) => {
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
