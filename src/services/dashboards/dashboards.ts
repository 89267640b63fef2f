import type { Caller } from '../../domain/access/caller.ts';
import type { DashboardScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { resolveDashboardSettings } from '../../domain/dashboards/dashboard.ts';
import { createSlug, findFreeSlug } from '../../lib/slugs.ts';
import { alreadyUsed, limitReached } from '../../lib/error-messages.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import { refuseIncompleteOrder } from '../../lib/item-order.ts';
import { requireEntry, requireValue } from '../../lib/require-value.ts';
import { mergeSettings } from '../../lib/settings.ts';
import type {
  DashboardFields,
  DashboardPageRow,
  DashboardRow,
  ListedDashboardRow,
} from '../../repositories/dashboards.ts';
import type { ContentListing } from '../../repositories/list-queries.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import type { DeletedRetention } from '../deleted-retention.ts';
import { changeSettings, defineWorkspaceObject } from '../workspace-objects.ts';

type Settings = Record<string, unknown> | null | undefined;

/** Absent members stay unchanged. */
interface DashboardChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  slug?: string | undefined;
  workspaceId?: number | undefined;
  settings?: Settings;
}

/** Attempts to find a free slug. Each failed attempt means that a concurrent request took the same slug. */
const MAX_TRIES = 100;

export const dashboardObject = defineWorkspaceObject<{ dashboardId: number }, DashboardRow>({
  type: 'dashboard',
  idOf: ({ dashboardId }) => dashboardId,
  repositoryOf: ({ dashboards }) => dashboards,
});

/** Dashboards without their content, which has separate services. */
export class DashboardService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly baseUrl: string,
    private readonly retention: DeletedRetention,
  ) {}

  /** Newest first. */
  listByWorkspace(
    scope: WorkspaceScope,
    listing: ContentListing,
  ): Promise<{ found: ListedDashboardRow[]; total: number }> {
    return this.store.read.dashboards.list(scope.organizationId, { workspaceId: scope.workspaceId }, listing);
  }

  /** Dashboards shared with the user directly or through a group. Throws 404 for a workspace without any of them. */
  async listShared(
    { organizationId, userId }: Caller,
    inWorkspaceId: number | null,
    listing: ContentListing,
  ): Promise<{ found: ListedDashboardRow[]; total: number }> {
    const { dashboards, dashboardShares } = this.store.read;
    if (
      inWorkspaceId !== null &&
      (await dashboardShares.listGrantsOfUser(organizationId, userId, [inWorkspaceId])).length === 0
    )
      throw notFound('workspace');
    return dashboards.list(organizationId, { userId, inWorkspaceId }, listing);
  }

  async get(scope: DashboardScope): Promise<DashboardRow> {
    const row = await this.store.read.dashboards.find(scope);
    if (row === null) throw notFound('dashboard');
    return row;
  }

  /** The public address; null if the dashboard requires authentication. */
  publicUrl({ open_share, organization_slug, dashboard_slug }: DashboardRow): string | null {
    return open_share === null ? null : `${this.baseUrl}/d/${organization_slug}/${dashboard_slug}`;
  }

  async isSlugFree({ organizationId }: Caller, slug: string): Promise<boolean> {
    return !(await this.store.read.dashboards.listSlugsLike(organizationId, slug)).has(slug);
  }

  create(
    scope: WorkspaceScope,
    input: { name: string; description: string | null; slug: string | undefined; settings: Settings },
  ): Promise<DashboardRow> {
    return this.store.transaction(async (repositories) => {
      const row = await insertWithFreeSlug(repositories, scope, {
        workspace_id: scope.workspaceId,
        dashboard_name: input.name,
        dashboard_description: input.description,
        dashboard_slug: input.slug,
        dashboard_settings: mergeSettings({}, input.settings ?? {}),
      });
      const dashboardId = row.dashboard_id;
      await repositories.audit.record(dashboardObject.auditEntry({ ...scope, dashboardId }, 'created'));
      return row;
    });
  }

  /** Creates a copy with all its content in the same workspace. Shares are not copied. */
  duplicate(scope: DashboardScope, name: string | undefined): Promise<DashboardRow> {
    return this.store.transaction(async (repositories) => {
      const { dashboards } = repositories;
      const from = await dashboardObject.lock(repositories, scope);
      const row = await insertWithFreeSlug(repositories, scope, {
        ...from,
        dashboard_name: name ?? `${from.dashboard_name} (copy)`.slice(0, MAX_NAME),
        dashboard_slug: undefined,
      });
      const copy = { ...scope, dashboardId: row.dashboard_id };
      const pages = new Map<number, number>();
      for (const page of await dashboards.listPages(scope))
        pages.set(page.page_id, (await dashboards.addPage(copy, page.page_title)).page_id);
      for (const chart of await dashboards.listCharts(scope))
        await dashboards.addChart(copy, { ...chart, page_id: requireEntry(pages, chart.page_id, 'page') });
      await repositories.audit.record(
        dashboardObject.auditEntry(copy, 'created', { copy_of: scope.dashboardId }),
      );
      return row;
    });
  }

  async update(caller: Caller, scope: DashboardScope, changes: DashboardChanges): Promise<DashboardRow> {
    return dashboardObject.update({
      store: this.store,
      access: this.access,
      caller,
      scope,
      workspaceId: changes.workspaceId,
      apply: (before) => applyChanges(before, changes),
      save: async (repositories, { before, after, changed }) => {
        if (changed.includes('dashboard_slug'))
          await refuseTakenSlug(repositories, scope, after.dashboard_slug);
        await repositories.dashboards.update(scope, after);
        const minBase = resolveDashboardSettings(after.dashboard_settings).min_base;
        const isMinBaseChanged = minBase !== resolveDashboardSettings(before.dashboard_settings).min_base;
        return isMinBaseChanged ? { min_base: minBase } : {};
      },
    });
  }

  /** The dashboard disappears for all viewers at once; `DashboardTrash` restores it. */
  async delete(scope: DashboardScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await dashboardObject.lock(repositories, scope);
      await repositories.dashboards.delete(scope, this.retention.now());
      await repositories.audit.record(dashboardObject.auditEntry(scope, 'deleted'));
    });
  }
}

export const MAX_NAME = 200;

function applyChanges(
  row: DashboardRow,
  { name, description, slug, workspaceId, settings }: DashboardChanges,
) {
  return {
    workspace_id: workspaceId ?? row.workspace_id,
    dashboard_name: name ?? row.dashboard_name,
    dashboard_description: description === undefined ? row.dashboard_description : description,
    dashboard_slug: slug ?? row.dashboard_slug,
    dashboard_settings: changeSettings(
      row.dashboard_settings,
      resolveDashboardSettings(row.dashboard_settings),
      settings,
    ),
  } satisfies DashboardFields;
}

/** Without a slug, derives one from the name. */
async function insertWithFreeSlug(
  repositories: Repositories,
  by: { organizationId: number; userId: number },
  fields: Omit<DashboardFields, 'dashboard_slug'> & { dashboard_slug: string | undefined },
): Promise<DashboardRow> {
  const { dashboards } = repositories;
  const { organizationId } = by;
  const requestedSlug = fields.dashboard_slug ?? createSlug(fields.dashboard_name, 'dashboard');
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const takenSlugs = await dashboards.listSlugsLike(organizationId, requestedSlug);
    if (fields.dashboard_slug !== undefined && takenSlugs.has(requestedSlug)) break;
    const slug = findFreeSlug(requestedSlug, (one) => takenSlugs.has(one));
    const dashboardId = await dashboards.create(by, { ...fields, dashboard_slug: slug });
    if (dashboardId !== null)
      return requireValue(await dashboards.find({ organizationId, dashboardId }), 'new dashboard');
  }
  throw slugTakenError(requestedSlug);
}

/** Returns this slug if it is free in the organization, else one derived from it. */
export async function findFreeSlugIn(
  { dashboards }: Repositories,
  organizationId: number,
  slug: string,
): Promise<string> {
  const takenSlugs = await dashboards.listSlugsLike(organizationId, slug);
  return findFreeSlug(slug, (one) => takenSlugs.has(one));
}

async function refuseTakenSlug(
  { dashboards }: Repositories,
  { organizationId }: DashboardScope,
  slug: string,
): Promise<void> {
  if ((await dashboards.listSlugsLike(organizationId, slug)).has(slug)) throw slugTakenError(slug);
}

const slugTakenError = (slug: string) =>
  conflict('slug_taken', `dashboard_slug: ${alreadyUsed(slug, 'another dashboard of this organization')}`, [
    { field: 'dashboard_slug', message: alreadyUsed(slug, 'another dashboard of this organization') },
  ]);

const MAX_PAGES = 50;

/** The pages of a dashboard. Reading them requires access to the dashboard only. */
export class DashboardPageService {
  constructor(private readonly store: Store) {}

  /** Appends the page after the existing ones. */
  create(scope: DashboardScope, title: string | null): Promise<DashboardPageRow> {
    return dashboardObject.change(this.store, scope, async ({ dashboards }) => {
      if ((await dashboards.listPages(scope)).length >= MAX_PAGES)
        throw conflict(
          'too_many_pages',
          limitReached({ owner: 'A dashboard', max: MAX_PAGES, unit: 'page' }),
        );
      const page = await dashboards.addPage(scope, title);
      return { result: page, action: 'page_created', details: { page_id: page.page_id } };
    });
  }

  /** An absent title stays unchanged. */
  update(
    scope: DashboardScope,
    pageId: number,
    title: string | null | undefined,
  ): Promise<DashboardPageRow & { chartIds: number[] }> {
    return dashboardObject.change(this.store, scope, async ({ dashboards }) => {
      const before = requirePage(await dashboards.listPages(scope), pageId);
      const charts = await dashboards.listCharts(scope);
      const chartIds = charts.filter((chart) => chart.page_id === pageId).map((chart) => chart.chart_id);
      if (title === undefined || title === before.page_title)
        return { result: { ...before, chartIds }, action: null };
      await dashboards.setPageTitle(scope, pageId, title);
      const result = { ...before, page_title: title, chartIds };
      return { result, action: 'page_updated', details: { page_id: pageId } };
    });
  }

  /** Deletes the page with its elements. */
  delete(scope: DashboardScope, pageId: number): Promise<void> {
    return dashboardObject.change(this.store, scope, async ({ dashboards }) => {
      requirePage(await dashboards.listPages(scope), pageId);
      await dashboards.removePage(scope, pageId);
      return { result: undefined, action: 'page_deleted', details: { page_id: pageId } };
    });
  }

  /** `pageIds` must contain every page once, in the new order. */
  async reorder(scope: DashboardScope, pageIds: readonly number[]): Promise<void> {
    await dashboardObject.change(this.store, scope, async ({ dashboards }) => {
      const pages = await dashboards.listPages(scope);
      const existingIds = pages.map((page) => page.page_id);
      refuseIncompleteOrder({ field: 'page_ids', given: pageIds, existingIds, kind: 'page' });
      await dashboards.setPageOrder(scope, pageIds);
      return { result: undefined, action: 'pages_reordered' };
    });
  }
}

function requirePage(pages: readonly DashboardPageRow[], pageId: number): DashboardPageRow {
  const page = pages.find((one) => one.page_id === pageId);
  if (page === undefined) throw notFound('page');
  return page;
}
