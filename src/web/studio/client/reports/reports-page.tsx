import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field } from '../../../shared/client/fields.tsx';
import { CancelButton, ConfirmDialog, Form, useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { followLink, navigate } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { PAGE_SIZE } from '../data/show-more.tsx';
import { announceDeletion, RecentlyDeleted } from '../data/trash.tsx';
import { canEditIn, useSession } from '../shell/session-context.tsx';
import { RenameReportDialog } from './rename-report-dialog.tsx';
import { ReportFiles, type RunAction } from './report-files.tsx';

type Report = Schema<'Report'>;

const t = texts.reports;
/** The API returns no more at once. */
const MAX_LISTED = 1000;
const EMPTY = '';

/** The reports of the workspace, with their files. */
export function ReportsPage() {
  const { workspace } = useSession();
  const [isCreating, setCreating] = useState(false);
  const { runAction, errorNotice } = useAction();
  const canEdit = canEditIn(workspace);
  const query = useQuery('/api/reports', {
    query: { workspace_id: workspace?.workspace_id, limit: MAX_LISTED },
  });
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
      <QueryView query={query}>
        {(reports) =>
          reports.length === 0 ? (
            <div class="blank">
              <p class="title">{t.emptyTitle}</p>
              <p>{canEdit ? t.emptyAbout : t.emptyViewer}</p>
            </div>
          ) : (
            <ul class="card rows" aria-label={t.title}>
              {reports.map((report) => (
                <ReportRow key={report.report_id} report={report} canEdit={canEdit} runAction={runAction} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {canEdit && <DeletedReports workspaceId={workspace?.workspace_id} runAction={runAction} />}
      {isCreating && <NewReportDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

function ReportRow({
  report,
  canEdit,
  runAction,
}: {
  report: Report;
  canEdit: boolean;
  runAction: RunAction;
}) {
  const { me } = useSession();
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete' | null>(null);
  const close = () => setOpenDialog(null);
  const { report_id: reportId, report_name: name, slide_count: slideCount } = report;
  const path = { reportId };
  const duplicate = async () => {
    const copy = await changeApi('post', '/api/reports/{reportId}/duplicate', { path });
    await reloadQueries('/api/reports');
    announce(t.duplicated(copy.report_name));
  };
  return (
    <li class="row">
      <div class="what">
        <p class="title">
          <a href={`/reports/${reportId}`} onClick={followLink}>
            {name}
          </a>
        </p>
        <p class="soft">
          {t.slides(slideCount)} · {t.edited} <DateTime at={report.updated_at} />
        </p>
      </div>
      <ReportFiles report={report} runAction={runAction} />
      {canEdit && (
        <Menu
          label={t.actions(name)}
          button={<Icon name="more" />}
          items={[
            { label: t.rename, run: () => setOpenDialog('rename') },
            { label: t.duplicate, run: () => void runAction(duplicate) },
            { label: t.delete, danger: true, run: () => setOpenDialog('delete') },
          ]}
        />
      )}
      {openDialog === 'rename' && <RenameReportDialog report={report} onClose={close} />}
      {openDialog === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle(name)}
          action={t.delete}
          onClose={close}
          onConfirm={async () => {
            await changeApi('delete', '/api/reports/{reportId}', { path });
            await reloadQueries('/api/reports');
            announceDeletion(t.deleted(name), () => void runAction(() => restoreReport(report)));
          }}
        >
          {t.deleteAbout(me.deleted_retention_days)}
        </ConfirmDialog>
      )}
    </li>
  );
}

async function restoreReport({
  report_id: reportId,
  report_name: name,
}: Pick<Report, 'report_id' | 'report_name'>): Promise<void> {
  await changeApi('post', '/api/reports/{reportId}/restore', { path: { reportId } });
  await reloadQueries('/api/reports');
  announce(texts.trash.restored(name));
}

function DeletedReports({
  workspaceId,
  runAction,
}: {
  workspaceId: number | undefined;
  runAction: RunAction;
}) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { data = [], total } = useQuery(
    '/api/reports',
    { query: { workspace_id: workspaceId, deleted: true, limit } },
    { keepPrevious: true },
  );
  return (
    <RecentlyDeleted
      items={data.map((report) => ({
        id: report.report_id,
        name: report.report_name,
        deletedAt: report.deleted_at,
        restore: () => void runAction(() => restoreReport(report)),
      }))}
      total={total}
      limit={limit}
      onChange={setLimit}
    />
  );
}

/** Creates and opens an empty report, or one with a slide for each element of a dashboard. */
function NewReportDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useSession();
  const dashboards = useQuery('/api/dashboards', {
    query: { workspace_id: workspace?.workspace_id, limit: MAX_LISTED },
  });
  const [source, setSource] = useState(EMPTY);
  const create = async (name: string) => {
    const report =
      source === EMPTY
        ? await changeApi('post', '/api/reports', {
            body: {
              report_name: name,
              ...(workspace === null ? {} : { workspace_id: workspace.workspace_id }),
            },
          })
        : await changeApi('post', '/api/reports/from-dashboard', {
            body: { dashboard_id: Number(source), report_name: name },
          });
    await reloadQueries('/api/reports');
    onClose();
    announce(t.created(report.report_name));
    navigate(`/reports/${report.report_id}`);
  };
  return (
    <Dialog title={t.create} onClose={onClose}>
      <QueryView query={dashboards}>
        {(found) => (
          <Form
            submit={t.create}
            onSubmit={(values) => create(values.get('report_name') ?? '')}
            otherButtons={<CancelButton onClose={onClose} />}
          >
            <Field name="report_name" label={t.name} />
            <div class="labeled">
              <label for="report-source">{t.source}</label>
              <p class="hint" id="report-source-hint">
                {t.sourceHint}
              </p>
              <select
                id="report-source"
                aria-describedby="report-source-hint"
                class="field"
                value={source}
                onChange={(event) => setSource(event.currentTarget.value)}
              >
                <option value={EMPTY}>{t.noSource}</option>
                {found.length > 0 && (
                  <optgroup label={t.dashboards}>
                    {found.map((dashboard) => (
                      <option key={dashboard.dashboard_id} value={String(dashboard.dashboard_id)}>
                        {dashboard.dashboard_name}
                      </option>
                    ))}
                  </optgroup>
                )}
              </select>
            </div>
          </Form>
        )}
      </QueryView>
    </Dialog>
  );
}
