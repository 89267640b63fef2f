import { DateTime } from '../../../shared/client/date-time.tsx';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { useAction } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { undoChange } from './data-change.ts';

const t = texts.responses.changes;
const MAX_LISTED = 200;

const OPERATIONS: Readonly<Record<string, string>> = t.operations;

/** Every change of the collected data, newest first. The last ones can be undone. */
export function ChangeLog({
  surveyId,
  canEdit,
  reload,
  onClose,
}: {
  surveyId: number;
  canEdit: boolean;
  reload: () => Promise<void>;
  onClose: () => void;
}) {
  const query = useQuery('/api/responses/{surveyId}/changes', {
    path: { surveyId },
    query: { limit: MAX_LISTED },
  });
  const { runAction, errorNotice } = useAction();
  const undo = (changeId: number) =>
    runAction(async () => {
      await undoChange(surveyId, changeId);
      await reload();
    });
  return (
    <Dialog title={t.title} onClose={onClose}>
      {errorNotice}
      <QueryView query={query}>
        {(changes) =>
          changes.length === 0 ? (
            <p class="soft">{t.empty}</p>
          ) : (
            <ol class="change-log" aria-label={t.title}>
              {changes.map((change) => (
                <li key={change.change_id}>
                  <div>
                    <p>
                      <strong>{OPERATIONS[change.operation] ?? change.operation}</strong>{' '}
                      <span class="soft">{describeExtent(change)}</span>
                    </p>
                    <p class="soft">
                      {change.user_name ?? t.bySystem}, <DateTime at={change.created_at} />
                    </p>
                    {change.reason !== null && <p>“{change.reason}”</p>}
                  </div>
                  {change.undone_at !== null ? (
                    <span class="chip">{t.undone}</span>
                  ) : (
                    canEdit && (
                      <button
                        type="button"
                        class="button small"
                        aria-label={t.undoLabel(OPERATIONS[change.operation] ?? change.operation)}
                        onClick={() => void undo(change.change_id)}
                      >
                        {texts.responses.undo}
                      </button>
                    )
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
      <div class="buttons">
        <button type="button" class="button" onClick={onClose}>
          {texts.responses.close}
        </button>
      </div>
    </Dialog>
  );
}

function describeExtent({ rows_changed: rows, column_codes: codes }: Schema<'DataChange'>): string {
  const responses = texts.responses.count(rows);
  return codes.length === 0
    ? responses
    : `${responses}, ${codes.slice(0, 3).join(', ')}${codes.length > 3 ? ', …' : ''}`;
}
