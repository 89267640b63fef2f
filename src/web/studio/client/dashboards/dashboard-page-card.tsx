import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { elementLabel } from '../results/chart-types.ts';
import { listPageCharts } from './arrange-charts.ts';
import { ChangeChartDialog } from './change-chart-dialog.tsx';
import { MoveChartDialog, PageTitleDialog } from './page-dialogs.tsx';
import { type ArrangementActions, pageName } from './use-arrangement.ts';

type Dashboard = Schema<'DashboardWithPages'>;
type Chart = Schema<'DashboardChart'>;

const t = texts.dashboards.arrange;

/** Moves the focused page or chart with Alt and an arrow key. */
function pressKey(event: KeyboardEvent, move: (by: 1 | -1) => void): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
  if (by === null || !event.altKey) return;
  event.preventDefault();
  move(by);
}

const KEYS = { 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown' };

/** One page of a dashboard with its charts. */
export function DashboardPageCard({
  dashboard,
  page,
  index,
  arrangement,
}: {
  dashboard: Dashboard;
  page: Dashboard['pages'][number];
  index: number;
  arrangement: ArrangementActions;
}) {
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete' | null>(null);
  const { dashboard_id: dashboardId, pages } = dashboard;
  const { page_id: pageId } = page;
  const name = pageName(page, index);
  const charts = listPageCharts(dashboard.charts, pageId);
  const key = `page-${pageId}`;
  const close = () => setOpenDialog(null);
  const move = (by: 1 | -1) => arrangement.stepPage(pageId, by);
  return (
    <section
      class="card dashboard-page"
      aria-label={name}
      data-drop-group="dashboard-page"
      data-drop-id={`group-${pageId}`}
    >
      <div class="page-head" data-drop-group="dashboard-chart" data-drop-id={key}>
        <span
          class="grip"
          title={t.drag}
          onPointerDown={(event) => arrangement.startPageDrag(event, `group-${pageId}`)}
        />
        <h2>
          <button
            type="button"
            class="rename-button"
            id={key}
            {...KEYS}
            onClick={() => setOpenDialog('rename')}
            onKeyDown={(event) => pressKey(event, move)}
          >
            {name}
          </button>
        </h2>
        <Menu
          label={t.pageActions(name)}
          button={<Icon name="more" />}
          items={[
            { label: t.renamePage, run: () => setOpenDialog('rename') },
            ...(index > 0 ? [{ label: t.moveUp, run: () => move(-1) }] : []),
            ...(index < pages.length - 1 ? [{ label: t.moveDown, run: () => move(1) }] : []),
            { label: t.deletePage, danger: true, run: () => setOpenDialog('delete') },
          ]}
        />
      </div>
      {charts.length === 0 ? (
        <p class="soft">{t.noCharts}</p>
      ) : (
        <ol class="rows" aria-label={name}>
          {charts.map((chart) => (
            <ChartRow key={chart.chart_id} dashboard={dashboard} chart={chart} arrangement={arrangement} />
          ))}
        </ol>
      )}
      {openDialog === 'rename' && <PageTitleDialog dashboardId={dashboardId} page={page} onClose={close} />}
      {openDialog === 'delete' && (
        <ConfirmDialog
          title={t.deletePageTitle(name)}
          action={t.deletePage}
          onClose={close}
          onConfirm={async () => {
            await changeApi('delete', '/api/dashboards/{id}/pages/{pageId}', {
              path: { id: dashboardId, pageId },
            });
            await reloadQueries('/api/dashboards');
            announce(t.pageDeleted(name));
          }}
        >
          {t.deletePageAbout(charts.length)}
        </ConfirmDialog>
      )}
    </section>
  );
}

function ChartRow({
  dashboard,
  chart,
  arrangement,
}: {
  dashboard: Dashboard;
  chart: Chart;
  arrangement: ArrangementActions;
}) {
  const [openDialog, setOpenDialog] = useState<'change' | 'move' | 'remove' | null>(null);
  const { dashboard_id: id, pages, charts } = dashboard;
  const { chart_id: chartId, page_id: pageId, chart_title: title } = chart;
  const name = title ?? t.untitled;
  const key = `chart-${chartId}`;
  const close = () => setOpenDialog(null);
  const move = (by: 1 | -1) => arrangement.step(chartId, by);
  const onPage = listPageCharts(charts, pageId);
  const isFirst = pages[0]?.page_id === pageId && onPage[0]?.chart_id === chartId;
  const isLast = pages.at(-1)?.page_id === pageId && onPage.at(-1)?.chart_id === chartId;
  return (
    <li class="row chart-row" data-drop-group="dashboard-chart" data-drop-id={key}>
      <span class="grip" title={t.drag} onPointerDown={(event) => arrangement.startChartDrag(event, key)} />
      <div class="what">
        <button
          type="button"
          class={title === null ? 'rename-button soft' : 'rename-button'}
          id={key}
          {...KEYS}
          onClick={() => setOpenDialog('change')}
          onKeyDown={(event) => pressKey(event, move)}
        >
          {name}
        </button>
        <p class="soft">
          {elementLabel(chart.chart_type)}
          {chart.survey_deleted && (
            <>
              {' '}
              <span class="chip bad">{t.surveyDeleted}</span>
            </>
          )}
        </p>
      </div>
      <Menu
        label={t.chartActions(name)}
        button={<Icon name="more" />}
        items={[
          { label: t.change, run: () => setOpenDialog('change') },
          ...(isFirst ? [] : [{ label: t.moveUp, run: () => move(-1) }]),
          ...(isLast ? [] : [{ label: t.moveDown, run: () => move(1) }]),
          ...(pages.length > 1 ? [{ label: t.movePage, run: () => setOpenDialog('move') }] : []),
          { label: t.remove, danger: true, run: () => setOpenDialog('remove') },
        ]}
      />
      {openDialog === 'change' && <ChangeChartDialog dashboard={dashboard} chart={chart} onClose={close} />}
      {openDialog === 'move' && (
        <MoveChartDialog
          pages={pages.map((page, index) => ({ pageId: page.page_id, name: pageName(page, index) }))}
          current={pageId}
          onMove={(target) => arrangement.place(chartId, target, listPageCharts(charts, target).length)}
          onClose={close}
        />
      )}
      {openDialog === 'remove' && (
        <ConfirmDialog
          title={t.removeTitle(name)}
          action={t.remove}
          onClose={close}
          onConfirm={async () => {
            await changeApi('delete', '/api/dashboards/{id}/charts/{chartId}', { path: { id, chartId } });
            await reloadQueries('/api/dashboards');
            announce(t.removed(name));
          }}
        >
          {t.removeAbout}
        </ConfirmDialog>
      )}
    </li>
  );
}
