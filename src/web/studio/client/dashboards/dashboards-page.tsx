import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { SearchField } from '../../../shared/client/fields.tsx';
import { ConfirmDialog, useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { followLink } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Card, Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { MAX_LISTED, PAGE_SIZE, ShowMore } from '../data/show-more.tsx';
import { announceDeletion, RecentlyDeleted } from '../data/trash.tsx';
import { canEditIn, useSession } from '../shell/session-context.tsx';
import { NewDashboardDialog, RenameDashboardDialog } from './dashboard-dialogs.tsx';
import { ShareDashboardDialog } from './share-dashboard-dialog.tsx';
import './dashboards.css';

type ListedDashboard = Schema<'ListedDashboard'>;
type RunAction = (action: () => Promise<unknown>) => Promise<void>;

const t = texts.dashboards;

/** The dashboards of the workspace and those that are shared with the user; clients of the organization have only the latter. */
export function DashboardsPage() {
  const { me, workspace } = useSession();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(PAGE_SIZE);
  const [isCreating, setCreating] = useState(false);
  const { runAction, errorNotice } = useAction();
  const canEdit = canEditIn(workspace);
  const isClient = me.user_role === 'client';
  const query = useQuery(
    '/api/dashboards',
    isClient || workspace !== null
      ? {
          query: {
            workspace_id: workspace?.workspace_id,
            limit,
            ...(search === '' ? {} : { search }),
          },
        }
      : null,
    { keepPrevious: true },
  );
  const shown = query.data ?? [];
  const isEmpty = query.data !== undefined && shown.length === 0 && search === '';
  return (
    <Section
      title={t.title}
      action={
        canEdit && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            {t.create}
          </button>
        )
      }
    >
      {errorNotice}
      {!isEmpty && <SearchField label={t.search} onSearch={setSearch} />}
      {(isClient || workspace !== null) && (
        <QueryView query={query}>
          {() => {
            if (isEmpty) return <NoDashboards canEdit={canEdit} isClient={isClient} />;
            if (shown.length === 0) {
              return (
                <div class="blank" role="status">
                  <p class="title">{t.noMatch}</p>
                  <p>{t.noMatchAbout}</p>
                </div>
              );
            }
            return (
              <ul class="card rows dashboards" aria-label={t.list} aria-busy={query.isLoading}>
                {shown.map((dashboard) => (
                  <DashboardRow
                    key={dashboard.dashboard_id}
                    dashboard={dashboard}
                    canEdit={canEdit}
                    runAction={runAction}
                  />
                ))}
              </ul>
            );
          }}
        </QueryView>
      )}
      <ShowMore total={query.total} limit={limit} onChange={setLimit} />
      {!isClient && <SharedDashboards search={search} />}
      {canEdit && <DeletedDashboards workspaceId={workspace?.workspace_id} runAction={runAction} />}
      {isCreating && <NewDashboardDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

/** Says what to do next. */
function NoDashboards({ canEdit, isClient }: { canEdit: boolean; isClient: boolean }) {
  if (isClient) return <EmptyList>{t.emptyClient}</EmptyList>;
  if (!canEdit) return <EmptyList>{t.emptyViewer}</EmptyList>;
  return (
    <div class="blank no-dashboards">
      <p class="title">{t.emptyTitle}</p>
      <p>{t.emptyAbout}</p>
      <a class="button" href="/surveys" onClick={followLink}>
        {t.toSurveys}
      </a>
    </div>
  );
}

const EmptyList = ({ children }: { children: ComponentChildren }) => (
  <div class="blank">
    <p class="title">{t.emptyTitle}</p>
    <p>{children}</p>
  </div>
);

/** A dashboard is a page of the server, so its link needs a new document. */
const DashboardLink = ({ id, name }: { id: number; name: string }) => (
  <a href={`/dashboards/${id}`}>{name}</a>
);

function DashboardRow({
  dashboard,
  canEdit,
  runAction,
}: {
  dashboard: ListedDashboard;
  canEdit: boolean;
  runAction: RunAction;
}) {
  const { me } = useSession();
  const [openDialog, setOpenDialog] = useState<'share' | 'rename' | 'delete' | null>(null);
  const { dashboard_id: id, dashboard_name: name, dashboard_description: description } = dashboard;
  const sharing = t.openTo[dashboard.open_to];
  const path = { id };
  const close = () => setOpenDialog(null);
  const duplicate = async () => {
    const copy = await changeApi('post', '/api/dashboards/{id}/duplicate', { path });
    await reloadQueries('/api/dashboards');
    announce(t.duplicated(copy.dashboard_name));
  };
  return (
    <li class="row">
      <div class="what">
        <p class="title">
          <DashboardLink id={id} name={name} />
          {sharing !== null && <span class="chip">{sharing}</span>}
        </p>
        {description !== null && <p class="description">{description}</p>}
        <p class="soft">
          {t.contents(dashboard.chart_count, dashboard.page_count)} · {t.edited}{' '}
          <DateTime at={dashboard.updated_at} />
        </p>
      </div>
      {canEdit && (
        <Menu
          label={t.actions(name)}
          button={<Icon name="more" />}
          items={[
            { label: t.open, run: () => location.assign(`/dashboards/${id}`) },
            { label: t.edit, path: `/dashboards/${id}/edit` },
            { label: t.share, run: () => setOpenDialog('share') },
            { label: t.rename, run: () => setOpenDialog('rename') },
            { label: t.duplicate, run: () => void runAction(duplicate) },
            { label: t.delete, danger: true, run: () => setOpenDialog('delete') },
          ]}
        />
      )}
      {openDialog === 'share' && <ShareDashboardDialog dashboard={dashboard} onClose={close} />}
      {openDialog === 'rename' && <RenameDashboardDialog dashboard={dashboard} onClose={close} />}
      {openDialog === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle(name)}
          action={t.delete}
          onClose={close}
          onConfirm={async () => {
            await changeApi('delete', '/api/dashboards/{id}', { path });
            await reloadQueries('/api/dashboards');
            announceDeletion(t.deleted(name), () => void runAction(() => restoreDashboard(dashboard)));
          }}
        >
          {t.deleteAbout[dashboard.open_to](me.deleted_retention_days)}
        </ConfirmDialog>
      )}
    </li>
  );
}

async function restoreDashboard(deleted: ListedDashboard): Promise<void> {
  const { dashboard_id: id, dashboard_name: name } = deleted;
  const restored = await changeApi('post', '/api/dashboards/{id}/restore', { path: { id } });
  await reloadQueries('/api/dashboards');
  if (restored.open_to !== deleted.open_to) announce(t.restoredClosed(name));
  else if (restored.dashboard_slug !== deleted.dashboard_slug) announce(t.restoredElsewhere(name));
  else announce(texts.trash.restored(name));
}

function DeletedDashboards({
  workspaceId,
  runAction,
}: {
  workspaceId: number | undefined;
  runAction: RunAction;
}) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { data = [], total } = useQuery(
    '/api/dashboards',
    { query: { workspace_id: workspaceId, deleted: true, limit } },
    { keepPrevious: true },
  );
  return (
    <RecentlyDeleted
      items={data.map((dashboard) => ({
        id: dashboard.dashboard_id,
        name: dashboard.dashboard_name,
        deletedAt: dashboard.deleted_at,
        restore: () => void runAction(() => restoreDashboard(dashboard)),
      }))}
      total={total}
      limit={limit}
      onChange={setLimit}
    />
  );
}

/** The dashboards of workspaces that a member cannot see, shared with them directly or through a group. */
function SharedDashboards({ search }: { search: string }) {
  const { me, workspaces } = useSession();
  const query = useQuery('/api/users/{id}/dashboards', {
    path: { id: me.user_id },
    query: { limit: MAX_LISTED },
  });
  const seen = new Set(workspaces.map(({ workspace_id: id }) => id));
  const shared = (query.data ?? []).filter(
    ({ workspace_id: id, dashboard_name: name }) =>
      !seen.has(id) && name.toLowerCase().includes(search.toLowerCase()),
  );
  if (shared.length === 0) return null;
  return (
    <Card title={t.sharedTitle}>
      <ul class="rows dashboards" aria-label={t.sharedTitle}>
        {shared.map(({ dashboard_id: id, dashboard_name: name }) => (
          <li key={id} class="row">
            <p class="title">
              <DashboardLink id={id} name={name} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
