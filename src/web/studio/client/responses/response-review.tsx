import { useRef } from 'preact/hooks';
import { useAction } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { announceChange } from './data-change.ts';

type Row = Schema<'ResponseRow'>;

const t = texts.responses;
const STATE_CHIPS = {
  none: 'chip good',
  pending: 'chip wait',
  confirmed: 'chip bad',
  dismissed: 'chip good',
};

/** Whether results count a response, why it was flagged, and the decision about it. */
export function ResponseReview({
  row: { response_id: responseId, quality },
  surveyId,
  canEdit,
  reload,
}: {
  row: Row;
  surveyId: number;
  canEdit: boolean;
  reload: () => Promise<void>;
}) {
  const { runAction, errorNotice } = useAction();
  const outcome = useRef<HTMLParagraphElement>(null);
  const state = quality?.status ?? 'none';
  const flags = quality?.flags ?? [];
  const run = (done: string, change: () => Promise<{ change_id: number | null }>) =>
    runAction(async () => {
      const { change_id: changeId } = await change();
      await reload();
      announceChange(done, { surveyId, changeId, reload });
      // The button that was pressed is no longer there.
      outcome.current?.focus();
    });
  const mark = (action: 'flag' | 'leave_out') =>
    run(t.bulk.done[action](t.response(responseId)), () =>
      changeApi('post', '/api/responses/{surveyId}/bulk', {
        path: { surveyId },
        body: { action, response_ids: [responseId] },
      }),
    );
  const keep = () =>
    run(t.reviewing.kept(responseId), () =>
      changeApi('patch', '/api/responses/{surveyId}/quality-flags', {
        path: { surveyId },
        body: { response_ids: [responseId], review: 'dismissed' },
      }),
    );
  return (
    <section class="response-review" aria-label={t.reviewing.title}>
      <p ref={outcome} tabIndex={-1}>
        <span class={STATE_CHIPS[state]}>{t.reviewing.states[state]}</span>{' '}
        <span class="soft">{t.reviewing.about[state]}</span>
      </p>
      {flags.length > 0 && (
        <ul class="response-flags" aria-label={t.flags}>
          {flags.map((flag, index) => (
            <li key={index}>
              <span class={flag.severity === 'high' ? 'chip bad' : 'chip wait'}>{t.checks[flag.check]}</span>
            </li>
          ))}
        </ul>
      )}
      {errorNotice}
      {canEdit && (
        <div class="buttons">
          {state === 'none' && (
            <button type="button" class="button small" onClick={() => void mark('flag')}>
              {t.reviewing.flag}
            </button>
          )}
          {state !== 'confirmed' && (
            <button type="button" class="button small" onClick={() => void mark('leave_out')}>
              {t.bulk.actions.leave_out}
            </button>
          )}
          {(state === 'pending' || state === 'confirmed') && (
            <button type="button" class="button small" onClick={() => void keep()}>
              {t.reviewing.keep}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
