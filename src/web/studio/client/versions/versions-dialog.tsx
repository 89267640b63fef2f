import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { ConfirmDialog } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import './versions.css';

type Version = Schema<'SurveyVersion'>;

const t = texts.versions;
const DRAFT = 'draft';

/** The published versions of a survey: what they say, what changed since, and a way back to each. */
export function VersionsDialog({
  survey,
  canEdit,
  onRestored,
  onClose,
}: {
  survey: Pick<Schema<'Survey'>, 'survey_id' | 'survey_name'>;
  canEdit: boolean;
  /** The draft has other content now. */
  onRestored?: () => void;
  onClose: () => void;
}) {
  const { survey_id: id, survey_name: name } = survey;
  const query = useQuery('/api/surveys/{id}/versions', { path: { id }, query: { limit: 1000 } });
  const [shown, setShown] = useState<number | null>(null);
  const [restoring, setRestoring] = useState<Version | null>(null);
  return (
    <Dialog title={t.title(name)} onClose={onClose}>
      <QueryView query={query}>
        {(versions) =>
          versions.length === 0 ? (
            <p>{t.none}</p>
          ) : (
            <ol class="versions" aria-label={t.list}>
              {versions.map((version) => (
                <li key={version.version}>
                  <VersionHead version={version} />
                  <div class="buttons">
                    <button
                      type="button"
                      class="button small"
                      aria-expanded={shown === version.version}
                      aria-label={
                        shown === version.version
                          ? t.hideChanges(version.version)
                          : t.showChanges(version.version)
                      }
                      onClick={() => setShown(shown === version.version ? null : version.version)}
                    >
                      {shown === version.version ? t.hide : t.show}
                    </button>
                    {canEdit && (
                      <button
                        type="button"
                        class="button small"
                        aria-label={t.restoreVersion(version.version)}
                        onClick={() => setRestoring(version)}
                      >
                        {t.restore}
                      </button>
                    )}
                  </div>
                  {shown === version.version && (
                    <Changes surveyId={id} version={version.version} versions={versions} />
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
      <div class="buttons">
        <button type="button" class="button" onClick={onClose}>
          {t.close}
        </button>
      </div>
      {restoring !== null && (
        <RestoreDialog
          surveyId={id}
          version={restoring.version}
          onRestored={() => onRestored?.()}
          onClose={() => setRestoring(null)}
        />
      )}
    </Dialog>
  );
}

function VersionHead({ version }: { version: Version }) {
  const { user_name: author } = version.published_by;
  return (
    <>
      <p class="title">
        {t.version(version.version)} {version.is_current && <span class="chip good">{t.current}</span>}
      </p>
      <p class="soft">
        <DateTime at={version.published_at} />
        {author !== null && ` ${t.publishedBy(author)}`}
        {` · ${t.questions(version.question_count)}`}
      </p>
      {version.note !== null && <p>{version.note}</p>}
    </>
  );
}

/** What is different from a version in the draft, or in another version, in words. */
function Changes({
  surveyId: id,
  version,
  versions,
}: {
  surveyId: number;
  version: number;
  versions: readonly Version[];
}) {
  const [other, setOther] = useState(DRAFT);
  const query = useQuery('/api/surveys/{id}/versions/{version}/diff/{other}', {
    path: { id, version, other },
  });
  const fieldId = `compare-${version}`;
  return (
    <div class="version-changes">
      <div class="labeled">
        <label for={fieldId}>{t.compareWith}</label>
        <select id={fieldId} class="field" onChange={({ currentTarget }) => setOther(currentTarget.value)}>
          <option value={DRAFT}>{t.draft}</option>
          {versions
            .filter((each) => each.version !== version)
            .map((each) => (
              <option key={each.version} value={each.version}>
                {t.version(each.version)}
              </option>
            ))}
        </select>
      </div>
      <QueryView query={query}>
        {({ changes }) =>
          changes.length === 0 ? (
            <p class="soft">{t.same}</p>
          ) : (
            <ul>
              {changes.map(({ text }, index) => (
                <li key={index}>{text}</li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </div>
  );
}

function RestoreDialog({
  surveyId,
  version,
  onRestored,
  onClose,
}: {
  surveyId: number;
  version: number;
  onRestored: () => void;
  onClose: () => void;
}) {
  const restore = async () => {
    const { is_changed: isChanged, remaining_changes: remaining } = await changeApi(
      'post',
      '/api/surveys/{id}/versions/{version}/restore',
      { path: { id: surveyId, version } },
    );
    await reloadQueries('/api/surveys');
    announce(
      !isChanged
        ? t.unchanged(version)
        : remaining.length > 0
          ? t.restoredExcept(remaining.length)
          : t.restored(version),
    );
    if (isChanged) onRestored();
  };
  return (
    <ConfirmDialog
      title={t.restoreTitle(version)}
      action={t.restoreVersion(version)}
      danger={false}
      onClose={onClose}
      onConfirm={restore}
    >
      {t.restoreAbout}
    </ConfirmDialog>
  );
}
