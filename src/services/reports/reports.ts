import { isDeepStrictEqual } from 'node:util';
import { JsColorType, ResizeFit, Transformer } from '@napi-rs/image';
import type { Actor, Caller } from '../../domain/access/caller.ts';
import type { ReportScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { type PictureSize, readPictureSize } from '../../domain/files/pictures.ts';
import { reportSettingsOf } from '../../domain/reports/report.ts';
import { limitReached, unknownObject } from '../../lib/error-messages.ts';
import { conflict, invalid, notFound } from '../../lib/errors.ts';
import { mergeSettings } from '../../lib/settings.ts';
import type { AuditEntry } from '../../repositories/audit.ts';
import type {
  NewReportImage,
  ReportFields,
  ReportImageRow,
  ReportListing,
  ReportPictureRow,
  ReportRow,
  ReportSlideRow,
} from '../../repositories/reports.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import { collectBytes, reencodePicture } from '../pictures.ts';
import { recordMove } from '../workspaces.ts';

type Settings = Record<string, unknown> | null | undefined;

/** Absent members stay unchanged. */
interface ReportChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  workspaceId?: number | undefined;
  settings?: Settings;
}

export const MAX_NAME = 200;

/** Reports without their slides and pictures, which have separate services. */
export class ReportService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
  ) {}

  /** Newest first. */
  listByWorkspace(
    scope: WorkspaceScope,
    listing: ReportListing,
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
      await repositories.audit.record(reportAuditEntry({ ...scope, reportId }, 'created'));
      return (await repositories.reports.find({ ...scope, reportId }))!;
    });
  }

  /** Creates a copy with slides and pictures in the same workspace. */
  duplicate(scope: ReportScope, name: string | undefined): Promise<ReportRow> {
    return this.store.transaction(async (repositories) => {
      const { reports } = repositories;
      const from = await lockReport(repositories, scope);
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
      await repositories.audit.record(reportAuditEntry(copy, 'created', { copy_of: scope.reportId }));
      return (await reports.find(copy))!;
    });
  }

  async update(caller: Caller, scope: ReportScope, changes: ReportChanges): Promise<ReportRow> {
    const { workspaceId } = changes;
    const seenBy =
      workspaceId === undefined || workspaceId === scope.workspaceId
        ? null
        : await this.access.checkMove(caller, scope, workspaceId, { type: 'report', id: scope.reportId });
    return this.store.transaction(async (repositories) => {
      const before = await lockReport(repositories, scope);
      const after = applyChanges(before, changes);
      const fields = Object.keys(after).filter(
        (key) => !isDeepStrictEqual(after[key as keyof ReportFields], before[key as keyof ReportFields]),
      );
      if (fields.length === 0) return before;
      if (after.report_settings['logo_image_id'] !== before.report_settings['logo_image_id'])
        refuseUnknownLogo(after.report_settings, await repositories.reports.listImages(scope));
      await repositories.reports.update(scope, after);
      await repositories.audit.record(reportAuditEntry(scope, 'updated', { fields }));
      await recordMove(
        repositories,
        (action, details) => reportAuditEntry(scope, action, details),
        before,
        after,
        seenBy,
      );
      return (await repositories.reports.lock(scope))!;
    });
  }

  /** Soft delete: the report disappears at once, the data stay. */
  async delete(scope: ReportScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await lockReport(repositories, scope);
      await repositories.reports.delete(scope);
      await repositories.audit.record(reportAuditEntry(scope, 'deleted'));
    });
  }
}

function applyChanges(row: ReportRow, { name, description, workspaceId, settings }: ReportChanges) {
  return {
    workspace_id: workspaceId ?? row.workspace_id,
    report_name: name ?? row.report_name,
    report_description: description === undefined ? row.report_description : description,
    report_settings:
      settings === null ? {} : mergeSettings(row.report_settings, omitUnchanged(row, settings ?? {})),
  } satisfies ReportFields;
}

/** Ignores settings that are sent back as they were read, so that defaults are not stored. */
function omitUnchanged(row: ReportRow, settings: Record<string, unknown>): Record<string, unknown> {
  const now = new Map<string, unknown>(Object.entries(reportSettingsOf(row.report_settings)));
  return Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => !isDeepStrictEqual(now.get(key), value)),
  );
}

function refuseUnknownLogo(settings: Record<string, unknown>, images: readonly { image_id: number }[]): void {
  const logo = settings['logo_image_id'] as number | undefined;
  if (logo === undefined || images.some(({ image_id }) => image_id === logo)) return;
  throw invalid(
    'report_settings.logo_image_id',
    `${unknownObject('picture', logo, 'in this report')}; upload it with POST …/images first`,
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

/** Serializes changes of a report and its content. */
async function lockReport(repositories: Repositories, scope: ReportScope): Promise<ReportRow> {
  const row = await repositories.reports.lock(scope);
  // The report was moved to another workspace after the access check: the caller may have no access there.
  if (row?.workspace_id !== scope.workspaceId) throw notFound('report');
  return row;
}

/** An audit log entry of a report; contains ids and field names only. */
export function reportAuditEntry(
  by: Actor & { reportId: number },
  action: string,
  details?: Record<string, unknown>,
): AuditEntry {
  return {
    by,
    action: `report.${action}`,
    objectType: 'report',
    objectId: by.reportId,
    ...(details === undefined ? {} : { details }),
  };
}

/** Runs `work` with the report locked, then raises its revision and records `action` with `details` in the audit log; null: nothing changed. */
export async function changeReport<T>(
  store: Store,
  scope: ReportScope,
  work: (
    repositories: Repositories,
    report: ReportRow,
  ) => Promise<{ result: T; action: string | null; details?: Record<string, unknown> }>,
): Promise<T> {
  return store.transaction(async (repositories) => {
    const report = await lockReport(repositories, scope);
    const { result, action, details } = await work(repositories, report);
    if (action !== null) {
      await repositories.reports.incrementRevision(scope);
      await repositories.audit.record(reportAuditEntry(scope, action, details));
    }
    return result;
  });
}
