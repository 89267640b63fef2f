import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { downloadBlob } from '../../../shared/client/download.ts';
import { SearchField } from '../../../shared/client/fields.tsx';
import { useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu, type MenuItem } from '../../../shared/client/menu.tsx';
import { followLink } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi, readApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { PAGE_SIZE, ShowMore } from '../data/show-more.tsx';
import { announceDeletion, DeletedRow } from '../data/trash.tsx';
import { canEditIn, useSession } from '../shell/session-context.tsx';
import { StatusChip } from '../survey/status-chip.tsx';
import { VersionsDialog } from '../versions/versions-dialog.tsx';
import { SparkLine } from './spark-line.tsx';
import { FirstSteps } from './first-steps.tsx';
import './surveys.css';

type Survey = Schema<'Survey'>;
type Status = 0 | 1 | 2 | 3;
type RunAction = (action: () => Promise<unknown>) => Promise<void>;

/** The API counts the responses of the last days for so many surveys at once. */
const MAX_WITH_ACTIVITY = 100;
const ACTIVE = 2;
const CLOSED = 3;
const DELETED: Status = 0;
const STATUSES: readonly Status[] = [1, 2, 3];

export function SurveysPage() {
  const { me, workspace } = useSession();
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<Status | null>(null);
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { runAction, errorNotice } = useAction();
  const canEdit = canEditIn(workspace);
  const isFiltered = search !== '' || status !== null;
  const query = useQuery(
    '/api/surveys',
    {
      query: {
        workspace_id: workspace?.workspace_id,
        sort: '-survey_updated',
        include: limit <= MAX_WITH_ACTIVITY ? 'activity' : undefined,
        limit,
        ...(search === '' ? {} : { search }),
        ...(status === null ? {} : status === 0 ? { deleted: true } : { status }),
      },
    },
    { keepPrevious: true },
  );
  const shown = query.data ?? [];
  const isEmpty = query.data !== undefined && shown.length === 0 && !isFiltered;

  return (
    <Section title={texts.surveys.title} action={canEdit && !isEmpty && <NewSurveyLink />}>
      {errorNotice}
      {canEdit && !isFiltered && query.data !== undefined && <FirstSteps surveys={shown} />}
      {!isEmpty && (
        <div class="survey-filters">
          <SearchField label={texts.surveys.search} onSearch={setSearch} />
          <div class="segments" role="group" aria-label={texts.surveys.filter}>
            {[null, ...STATUSES, ...(canEdit ? [DELETED] : [])].map((each) => (
              <button key={each} type="button" aria-pressed={each === status} onClick={() => setStatus(each)}>
                {each === null ? texts.surveys.allStatuses : texts.status[each]}
              </button>
            ))}
          </div>
        </div>
      )}
      <QueryView query={query}>
        {() => {
          if (isEmpty) return <FirstSurvey canEdit={canEdit} onShowDeleted={() => setStatus(DELETED)} />;
          if (shown.length === 0) {
            return (
              <div class="blank" role="status">
                <p class="title">
                  {status === DELETED && search === '' ? texts.surveys.noneDeleted : texts.surveys.noMatch}
                </p>
                <p>
                  {status === DELETED && search === ''
                    ? texts.surveys.noneDeletedAbout(me.deleted_retention_days)
                    : texts.surveys.noMatchAbout}
                </p>
              </div>
            );
          }
          return (
            <ul class="card rows surveys" aria-label={texts.surveys.list} aria-busy={query.isLoading}>
              {shown.map((survey) =>
                survey.survey_status === DELETED ? (
                  <DeletedRow
                    key={survey.survey_id}
                    name={survey.survey_name}
                    deletedAt={survey.deleted_at}
                    restore={() => void runAction(() => restoreSurvey(survey))}
                  />
                ) : (
                  <SurveyRow key={survey.survey_id} survey={survey} canEdit={canEdit} runAction={runAction} />
                ),
              )}
            </ul>
          );
        }}
      </QueryView>
      <ShowMore total={query.total} limit={limit} onChange={setLimit} />
    </Section>
  );
}

const NewSurveyLink = () => (
  <a class="button primary" href="/surveys/new" onClick={followLink}>
    {texts.surveys.newSurvey}
  </a>
);

function FirstSurvey({ canEdit, onShowDeleted }: { canEdit: boolean; onShowDeleted: () => void }) {
  const { workspace } = useSession();
  const { total: deleted } = useQuery(
    '/api/surveys',
    canEdit ? { query: { workspace_id: workspace?.workspace_id, deleted: true, limit: 1 } } : null,
  );
  if (!canEdit) return <p class="blank">{texts.surveys.emptyViewer}</p>;
  return (
    <div class="blank first-survey">
      <p class="title">{texts.surveys.emptyTitle}</p>
      <p>{texts.surveys.emptyAbout}</p>
      <NewSurveyLink />
      {deleted !== null && deleted > 0 && (
        <p>
          <button type="button" class="button small" onClick={onShowDeleted}>
            {texts.surveys.showDeleted}
          </button>
        </p>
      )}
    </div>
  );
}

function SurveyRow({
  survey,
  canEdit,
  runAction,
}: {
  survey: Survey;
  canEdit: boolean;
  runAction: RunAction;
}) {
  const { survey_id: id, survey_name: name, survey_status: status } = survey;
  const path = `/surveys/${id}/${canEdit && survey.response_count === 0 ? 'edit' : 'results'}`;
  const [hasVersions, setHasVersions] = useState(false);
  return (
    <li class="row">
      <div class="what">
        <p class="title">
          <a href={path} onClick={followLink}>
            {name}
          </a>
          <StatusChip survey={survey} />
        </p>
        <p class="soft">
          {texts.surveys.editedAt} <DateTime at={survey.survey_updated} />
          {survey.last_edited_by !== null && ` ${texts.surveys.editedBy(survey.last_edited_by.user_name)}`}
        </p>
      </div>
      {survey.published_version !== null && survey.activity !== undefined && (
        <SparkLine activity={survey.activity} />
      )}
      <p class="response-count">
        {status === 1 && survey.response_count === 0
          ? null
          : texts.surveys.responseCount(survey.response_count)}
      </p>
      <Menu
        label={texts.surveys.actions(name)}
        button={<Icon name="more" />}
        items={[
          ...(canEdit ? [{ label: texts.survey.edit, path: `/surveys/${id}/edit` }] : []),
          { label: texts.surveys.results, path: `/surveys/${id}/results` },
          ...(survey.published_version === null
            ? []
            : [{ label: texts.versions.open, run: () => setHasVersions(true) }]),
          { label: texts.surveys.download, run: () => void runAction(() => downloadSurvey(survey)) },
          ...(canEdit ? editActions(survey, runAction) : []),
        ]}
      />
      {hasVersions && (
        <VersionsDialog survey={survey} canEdit={canEdit} onClose={() => setHasVersions(false)} />
      )}
    </li>
  );
}

async function restoreSurvey({ survey_id: id, survey_name: name }: Survey): Promise<void> {
  await changeApi('post', '/api/surveys/{id}/restore', { path: { id } });
  await reloadQueries('/api/surveys');
  announce(texts.trash.restored(name));
}

/** Saves the survey as a file, from which “New survey” creates a copy here or in another Canvass. */
async function downloadSurvey({ survey_id: id, survey_name: name }: Survey): Promise<void> {
  const { data } = await readApi('/api/surveys/{id}/export', { path: { id } });
  downloadBlob(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `${name}.json`);
}

/** The actions that change a survey. */
function editActions(survey: Survey, runAction: RunAction): MenuItem[] {
  const { survey_id: id, survey_name: name, survey_status: status } = survey;
  const path = { id };
  const duplicate = async () => {
    const copy = await changeApi('post', '/api/surveys/{id}/duplicate', { path });
    await reloadQueries('/api/surveys');
    announce(texts.surveys.duplicated(copy.survey_name));
  };
  const setStatus = (newStatus: 2 | 3, confirmation: string) => async () => {
    await changeApi('put', '/api/surveys/{id}', { path, body: { survey_status: newStatus } });
    await reloadQueries('/api/surveys');
    announce(confirmation);
  };
  return [
    { label: texts.surveys.duplicate, run: () => void runAction(duplicate) },
    ...(status === ACTIVE
      ? [
          {
            label: texts.surveys.close,
            run: () => void runAction(setStatus(CLOSED, texts.surveys.closed(name))),
          },
        ]
      : []),
    ...(status === CLOSED
      ? [
          {
            label: texts.surveys.reopen,
            run: () => void runAction(setStatus(ACTIVE, texts.surveys.reopened(name))),
          },
        ]
      : []),
    {
      label: texts.surveys.delete,
      danger: true,
      run: () => void runAction(() => deleteWithUndo(survey, runAction)),
    },
  ];
}

/** Deletes the survey. Undo restores it. */
async function deleteWithUndo(survey: Survey, runAction: RunAction): Promise<void> {
  await changeApi('delete', '/api/surveys/{id}', { path: { id: survey.survey_id } });
  await reloadQueries('/api/surveys');
  announceDeletion(
    texts.surveys.deleted(survey.survey_name),
    () => void runAction(() => restoreSurvey(survey)),
  );
}
