import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../domain/access/caller.ts';
import type { ReportScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { reportSettingsOf } from '../../domain/reports/report-settings.ts';
import { unknownObject } from '../../lib/error-messages.ts';
import { invalid, notFound } from '../../lib/errors.ts';
import { mergeSettings } from '../../lib/settings.ts';
import type { ReportFields, ReportListing, ReportRow, ReportSlideRow } from '../../repositories/reports.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import { recordMove } from '../workspaces/moves.ts';
import { lockReport, reportAuditEntry } from './report-lock.ts';

type Settings = Record<string, unknown> | null | undefined;

/** Absent members stay unchanged. */
export interface ReportChanges {
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
