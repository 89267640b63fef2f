import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { useAction } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { announceChange } from './data-change.ts';
import { EVERY_CHECK, QualitySettings, runBody } from './quality-settings.tsx';

const t = texts.responses.quality;

type Check = Schema<'QualityCounts'>['checks'][number];

/** The quality checks of the survey: what they found, and what was decided about it. */
export function QualityPanel({
  surveyId,
  canEdit,
  reload,
  onShow,
  onClose,
}: {
  surveyId: number;
  canEdit: boolean;
  reload: () => Promise<void>;
  /** Shows the responses with a flag of the check in the grid. */
  onShow: (check: Check['check']) => void;
  onClose: () => void;
}) {
  const query = useQuery('/api/responses/{surveyId}/quality', { path: { surveyId } });
  const { runAction, errorNotice } = useAction();
  const [run, setRun] = useState(EVERY_CHECK);
  const [version, setVersion] = useState(0);
  const check = () =>
    runAction(async () => {
      const report = await changeApi('post', '/api/responses/{surveyId}/quality-check', {
        path: { surveyId },
        body: runBody(run),
      });
      await reload();
      setVersion((current) => current + 1);
      announceChange(t.checked(report.checked, report.flagged), {
        surveyId,
        changeId: report.change_id,
        reload,
      });
    });
  const review = (flag: Check['check'], decision: 'confirmed' | 'dismissed') =>
    runAction(async () => {
      const outcome = await changeApi('patch', '/api/responses/{surveyId}/quality-flags', {
        path: { surveyId },
        body: { filter: { quality_status: ['pending'] }, check: flag, review: decision },
      });
      await reload();
      announceChange(t.reviewed[decision](outcome.updated), {
        surveyId,
        changeId: outcome.change_id,
        reload,
      });
    });
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p>{t.about}</p>
      {errorNotice}
      <QueryView query={query}>
        {(counts) => (
          <>
            <p>
              <strong>{t.flagged(counts.flagged, counts.responses)}</strong>
              {counts.flagged > 0 && ` · ${t.states(counts.pending, counts.confirmed, counts.dismissed)}`}
            </p>
            {counts.flagged > 0 && (
              <ul class="quality-checks" aria-label={t.title}>
                {counts.checks
                  .filter(({ responses }) => responses > 0)
                  .map((found) => (
                    <li key={found.check}>
                      <div>
                        <strong>{texts.responses.checks[found.check]}</strong>
                        <p class="soft">{t.states(found.pending, found.confirmed, found.dismissed)}</p>
                      </div>
                      <div class="buttons">
                        <button type="button" class="button small" onClick={() => onShow(found.check)}>
                          {t.show}
                        </button>
                        {canEdit && found.pending > 0 && (
                          <>
                            <button
                              type="button"
                              class="button small"
                              onClick={() => void review(found.check, 'confirmed')}
                            >
                              {t.confirm}
                            </button>
                            <button
                              type="button"
                              class="button small"
                              onClick={() => void review(found.check, 'dismissed')}
                            >
                              {t.dismiss}
                            </button>
                          </>
                        )}
                      </div>
                    </li>
                  ))}
              </ul>
            )}
          </>
        )}
      </QueryView>
      {canEdit && (
        <>
          <h3>{t.checksTitle}</h3>
          <p class="soft">{t.checksAbout}</p>
          <QualitySettings surveyId={surveyId} run={run} version={version} onChange={setRun} />
        </>
      )}
      <div class="buttons">
        {canEdit && (
          <button
            type="button"
            class="button primary"
            aria-disabled={run.checks.length === 0}
            onClick={() => run.checks.length > 0 && void check()}
          >
            {t.check}
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          {texts.responses.close}
        </button>
      </div>
    </Dialog>
  );
}
