import { useState } from 'preact/hooks';
import { followLink } from '../../../shared/client/navigation.tsx';
import { texts } from '../../texts.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';
import { useCanEdit } from '../shell/session-context.tsx';
import { StatusChip } from './status-chip.tsx';
import { SurveyName } from './survey-name.tsx';
import type { SurveyTabProps } from './survey-tab.ts';

/** The tabs of a survey. Each is a module that is loaded when it is opened. */
const SURVEY_TABS = {
  edit: {
    label: texts.survey.edit,
    Page: lazyPage<SurveyTabProps>(async () => (await import('../editor/editor-page.tsx')).EditorPage),
  },
  translate: {
    label: texts.survey.translate,
    Page: lazyPage<SurveyTabProps>(
      async () => (await import('../translations/translations-page.tsx')).TranslationsPage,
    ),
  },
  collect: {
    label: texts.survey.collect,
    Page: lazyPage<SurveyTabProps>(async () => (await import('../collect/collect-page.tsx')).CollectPage),
  },
  results: {
    label: texts.survey.results,
    Page: lazyPage<SurveyTabProps>(async () => (await import('../results/results-page.tsx')).ResultsPage),
  },
  weights: {
    label: texts.survey.weights,
    Page: lazyPage<SurveyTabProps>(async () => (await import('../weights/weights-page.tsx')).WeightsPage),
  },
  responses: {
    label: texts.survey.responses,
    Page: lazyPage<SurveyTabProps>(
      async () => (await import('../responses/responses-page.tsx')).ResponsesPage,
    ),
  },
} as const;

export type SurveyTab = keyof typeof SURVEY_TABS;

/** Labels of tabs whose own label says what a viewer may not do. */
const READ_ONLY_LABELS: Partial<Record<SurveyTab, string>> = {
  edit: texts.survey.readQuestions,
  translate: texts.survey.readTranslations,
};

const TAB_NAMES = Object.keys(SURVEY_TABS) as SurveyTab[];

export const isSurveyTab = (name: string): name is SurveyTab => Object.hasOwn(SURVEY_TABS, name);

const SurveySettingsDialog = lazyPage<{ survey: SurveyTabProps['survey']; onClose: () => void }>(
  async () => (await import('./survey-settings-dialog.tsx')).SurveySettingsDialog,
);
const VersionsDialog = lazyPage<SurveyTabProps & { onClose: () => void }>(
  async () => (await import('../versions/versions-dialog.tsx')).VersionsDialog,
);

/** One survey: its name and status, and the tab that is open. */
export function SurveyFrame({ surveyId, tab }: { surveyId: number; tab: SurveyTab }) {
  const query = useQuery('/api/surveys/{id}', { path: { id: surveyId } });
  if (query.error?.status === 404) {
    return (
      <div class="blank" role="alert">
        <h1 class="title">{texts.survey.notFound}</h1>
        <p>{texts.survey.notFoundAbout}</p>
        <a class="button" href="/surveys" onClick={followLink}>
          {texts.shell.toSurveys}
        </a>
      </div>
    );
  }
  return <QueryView query={query}>{(survey) => <OpenSurvey survey={survey} tab={tab} />}</QueryView>;
}

/** The guide has a heading for each tab. */
const HELP = '/help/how-to/use-the-studio';

function OpenSurvey({ survey, tab }: { survey: SurveyTabProps['survey']; tab: SurveyTab }) {
  const canEdit = useCanEdit(survey.workspace_id);
  const { Page } = SURVEY_TABS[tab];
  const [openDialog, setOpenDialog] = useState<'settings' | 'versions' | null>(null);
  return (
    <>
      <div class="survey-head">
        <p class="breadcrumb">
          <a href="/surveys" onClick={followLink}>
            {texts.survey.breadcrumb}
          </a>
        </p>
        <div class="survey-title">
          <div class="survey-name">
            {canEdit ? <SurveyName key={survey.survey_name} survey={survey} /> : <p>{survey.survey_name}</p>}
            <StatusChip survey={survey} />
          </div>
          <div class="buttons">
            <a class="plain help" href={`${HELP}#${tab}`} target="_blank" rel="noreferrer">
              {texts.survey.help}
              <span class="visually-hidden"> {texts.survey.helpAbout(SURVEY_TABS[tab].label)}</span>
            </a>
            {(canEdit || survey.published_version !== null) && (
              <button type="button" class="button small" onClick={() => setOpenDialog('versions')}>
                {texts.survey.versionsButton}
              </button>
            )}
            {canEdit && (
              <button type="button" class="button small" onClick={() => setOpenDialog('settings')}>
                {texts.survey.settingsButton}
              </button>
            )}
          </div>
        </div>
        <nav class="tabs" aria-label={texts.survey.tabs}>
          <ul>
            {TAB_NAMES.map((name) => (
              <li key={name}>
                <a
                  href={`/surveys/${survey.survey_id}/${name}`}
                  onClick={followLink}
                  {...(name === tab ? { 'aria-current': 'page' } : {})}
                >
                  {canEdit ? SURVEY_TABS[name].label : (READ_ONLY_LABELS[name] ?? SURVEY_TABS[name].label)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <Page key={tab} survey={survey} canEdit={canEdit} />
      {openDialog === 'settings' && (
        <SurveySettingsDialog survey={survey} onClose={() => setOpenDialog(null)} />
      )}
      {openDialog === 'versions' && (
        <VersionsDialog survey={survey} canEdit={canEdit} onClose={() => setOpenDialog(null)} />
      )}
    </>
  );
}
