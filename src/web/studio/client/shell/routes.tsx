import { followLink } from '../../../shared/client/navigation.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { isSurveyTab, SurveyFrame } from '../survey/survey-frame.tsx';
import { lazyPage } from './lazy-page.tsx';
import { useSession } from './session-context.tsx';

const NewSurveyPage = lazyPage<{ way: string | undefined }>(
  async () => (await import('../surveys/new-survey-page.tsx')).NewSurveyPage,
);
const SurveysPage = lazyPage(async () => (await import('../surveys/surveys-page.tsx')).SurveysPage);
const DashboardsPage = lazyPage(
  async () => (await import('../dashboards/dashboards-page.tsx')).DashboardsPage,
);
const DashboardEditPage = lazyPage<{ dashboardId: number }>(
  async () => (await import('../dashboards/dashboard-edit-page.tsx')).DashboardEditPage,
);
const ReportsPage = lazyPage(async () => (await import('../reports/reports-page.tsx')).ReportsPage);
const ReportPage = lazyPage<{ reportId: number }>(
  async () => (await import('../reports/report-page.tsx')).ReportPage,
);
const RespondentsPage = lazyPage(
  async () => (await import('../respondents/respondents-page.tsx')).RespondentsPage,
);
const OutboxPage = lazyPage(async () => (await import('../outbox/outbox-page.tsx')).OutboxPage);

const SettingsPage = lazyPage<{ path: string }>(
  async () => (await import('../settings/settings-page.tsx')).SettingsPage,
);

const isId = (part: string | undefined): boolean => part !== undefined && /^[1-9]\d{0,8}$/.test(part);

/** The page of an address of the studio. */
export function Routes({ path }: { path: string }) {
  const { me, workspace } = useSession();
  const [, area, id, tab = 'edit'] = path.split('/');
  if (area === '') return null;
  if (area === 'settings') return <SettingsPage path={path} />;
  // Clients, and members without a workspace, have the dashboards that are shared with them.
  if (area === 'dashboards' && id === undefined) return <DashboardsPage />;
  if (me.user_role === 'client') return <NotFound />;
  if (workspace === null) return <NoWorkspace />;
  switch (area) {
    case 'dashboards':
      return isId(id) ? <DashboardEditPage key={id} dashboardId={Number(id)} /> : <NotFound />;
    case 'surveys':
      if (id === undefined) return <SurveysPage />;
      if (id === 'new') return <NewSurveyPage way={path.split('/')[3]} />;
      if (!isId(id) || !isSurveyTab(tab)) return <NotFound />;
      return <SurveyFrame surveyId={Number(id)} tab={tab} />;
    case 'reports':
      if (id === undefined) return <ReportsPage />;
      return isId(id) ? <ReportPage key={id} reportId={Number(id)} /> : <NotFound />;
    case 'respondents':
      return id === undefined ? <RespondentsPage /> : <NotFound />;
    case 'outbox':
      return id === undefined ? <OutboxPage /> : <NotFound />;
    default:
      return <NotFound />;
  }
}

function NoWorkspace() {
  return (
    <Section title={texts.shell.noWorkspace}>
      <p class="blank">{texts.shell.noWorkspaceAbout}</p>
    </Section>
  );
}

function NotFound() {
  const isClient = useSession().me.user_role === 'client';
  return (
    <Section title={texts.shell.notFound}>
      <p>
        {texts.shell.notFoundAbout}{' '}
        <a href={isClient ? '/dashboards' : '/surveys'} onClick={followLink}>
          {isClient ? texts.shell.toDashboards : texts.shell.toSurveys}
        </a>
      </p>
    </Section>
  );
}
