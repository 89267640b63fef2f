import { useState } from 'preact/hooks';
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
                    {change.rows_changed > 0 && <ChangedRows surveyId={surveyId} change={change} />}
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

const MAX_ROWS = 100;

/** The responses of a change with their values before and after it, loaded when they are opened. */
function ChangedRows({ surveyId, change }: { surveyId: number; change: Schema<'DataChange'> }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(
    '/api/responses/{surveyId}/changes/{changeId}/rows',
    isOpen ? { path: { surveyId, changeId: change.change_id }, query: { limit: MAX_ROWS } } : null,
  );
  return (
    <details class="changed-rows" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.showRows}</summary>
      {isOpen && (
        <QueryView query={query}>
          {(rows) => (
            <>
              <div class="scroll" tabIndex={0} role="region" aria-label={t.rows}>
                <table class="table">
                  <thead>
                    <tr>
                      <th scope="col">{t.response}</th>
                      <th scope="col">{t.column}</th>
                      <th scope="col">{t.before}</th>
                      <th scope="col">{t.after}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.flatMap(({ response_id: id, cells }) =>
                      cells.map((cell) => (
                        <tr key={`${id}-${cell.column_code}`}>
                          <th scope="row">{id}</th>
                          <td>{cell.label}</td>
                          <td>{cellInWords(cell.column_code, cell.before_label)}</td>
                          <td>
                            {cell.after_label === undefined
                              ? t.undone
                              : cellInWords(cell.column_code, cell.after_label)}
                          </td>
                        </tr>
                      )),
                    )}
                  </tbody>
                </table>
              </div>
              {(query.total ?? 0) > MAX_ROWS && <p class="soft">{t.firstRows(MAX_ROWS, query.total ?? 0)}</p>}
            </>
          )}
        </QueryView>
      )}
    </details>
  );
}

const { yes, no, checks } = texts.responses;
const CHECK_NAMES: Readonly<Record<string, string>> = checks;

/** The label of a cell; codes that people do not know are replaced. */
function cellInWords(columnCode: string, label: string | null): string {
  if (label === null || label === '') return t.noValue;
  if (columnCode === 'deleted') return label === '1' ? yes : no;
  if (columnCode !== 'quality_flags') return label;
  return label
    .split(';')
    .map((name) => CHECK_NAMES[name] ?? name)
    .join(', ');
}

function describeExtent({ rows_changed: rows, column_codes: codes }: Schema<'DataChange'>): string {
  const responses = texts.responses.count(rows);
  return codes.length === 0
    ? responses
    : `${responses}, ${codes.slice(0, 3).join(', ')}${codes.length > 3 ? ', …' : ''}`;
}
