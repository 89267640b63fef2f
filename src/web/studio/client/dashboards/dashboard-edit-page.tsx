import { useState } from 'preact/hooks';
import { useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { followLink } from '../../../shared/client/navigation.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { takeOpened } from '../shell/take-opened.ts';
import { DashboardPageCard } from './dashboard-page-card.tsx';
import { RenameDashboardDialog } from './dashboard-dialogs.tsx';
import { PageTitleDialog } from './page-dialogs.tsx';
import { ShareDashboardDialog } from './share-dashboard-dialog.tsx';
import { useArrangement } from './use-arrangement.ts';
import './dashboards.css';
import './dashboard-edit.css';

type Dashboard = Schema<'DashboardWithPages'>;

const t = texts.dashboards.arrange;

/** Arranges the pages and charts of a dashboard. */
export function DashboardEditPage({ dashboardId }: { dashboardId: number }) {
  const query = useQuery('/api/dashboards/{id}', { path: { id: dashboardId } });
  if (query.error?.status === 404) {
    return (
      <div class="blank" role="alert">
        <h1 class="title">{t.notFound}</h1>
        <p>{t.notFoundAbout}</p>
        <a class="button" href="/dashboards" onClick={followLink}>
          {t.toDashboards}
        </a>
      </div>
    );
  }
  return <QueryView query={query}>{(dashboard) => <Arrangement dashboard={dashboard} />}</QueryView>;
}

function Arrangement({ dashboard }: { dashboard: Dashboard }) {
  const { dashboard_id: id, dashboard_name: name, my_role: role, pages } = dashboard;
  const canEdit = role !== null && role !== 'viewer';
  const [isOpenedForSharing] = useState(() => canEdit && takeOpened('share'));
  const [openDialog, setOpenDialog] = useState<'rename' | 'share' | 'page' | null>(
    isOpenedForSharing ? 'share' : null,
  );
  const { runAction, errorNotice } = useAction();
  const close = () => setOpenDialog(null);
  const closeSharing = () => {
    // The "Share" button of the dashboard led here, so closing leads back.
    if (isOpenedForSharing) location.replace(`/dashboards/${id}`);
    else close();
  };
  const arrangement = useArrangement(dashboard, runAction);
  return (
    <>
      <p class="breadcrumb dashboard-breadcrumb">
        <a href="/dashboards" onClick={followLink}>
          {t.breadcrumb}
        </a>
      </p>
      <Section
        title={name}
        about={canEdit ? t.about : t.viewOnly}
        action={
          <div class="buttons">
            {canEdit && (
              <>
                <button type="button" class="button small" onClick={() => setOpenDialog('rename')}>
                  {texts.dashboards.rename}
                </button>
                <button type="button" class="button small" onClick={() => setOpenDialog('share')}>
                  {texts.dashboards.share}
                </button>
              </>
            )}
            <a class="button small primary" href={`/dashboards/${id}`}>
              {t.view}
            </a>
          </div>
        }
      >
        {errorNotice}
        {canEdit && dashboard.charts.length === 0 && (
          <div class="blank">
            <p class="title">{t.noPages}</p>
            <p>{t.addCharts}</p>
            <a class="button" href="/surveys" onClick={followLink}>
              {t.toSurveys}
            </a>
          </div>
        )}
        {canEdit &&
          pages.map((page, index) => (
            <DashboardPageCard
              key={page.page_id}
              dashboard={dashboard}
              page={page}
              index={index}
              arrangement={arrangement}
            />
          ))}
        {canEdit && (
          <button type="button" class="button small add-dashboard-page" onClick={() => setOpenDialog('page')}>
            <Icon name="plus" /> {t.addPage}
          </button>
        )}
        {canEdit && dashboard.charts.length > 0 && (
          <p class="soft">
            {t.moreCharts}{' '}
            <a href="/surveys" onClick={followLink}>
              {t.toSurveys}
            </a>
          </p>
        )}
        {openDialog === 'rename' && <RenameDashboardDialog dashboard={dashboard} onClose={close} />}
        {openDialog === 'share' && <ShareDashboardDialog dashboard={dashboard} onClose={closeSharing} />}
        {openDialog === 'page' && <PageTitleDialog dashboardId={id} page={null} onClose={close} />}
      </Section>
    </>
  );
}
