import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { TextAreaField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { type ResultsView, selectionFilter } from '../survey/results-view.ts';
import { announceChange } from './data-change.ts';

const t = texts.responses;

type Status = Schema<'ResponseRow'>['response_status'];

/** The responses that an action concerns. `all`: all that match the status and the filters. */
export type RowSelection = { kind: 'some'; ids: ReadonlySet<number> } | { kind: 'all' };

export const NOTHING_SELECTED: RowSelection = { kind: 'some', ids: new Set() };

type Action =
  { action: 'flag' | 'leave_out' | 'unflag' | 'delete' } | { action: 'set_status'; status: Status };

const STATUSES = Object.keys(t.statuses) as Status[];

/** Matches every response, because the API refuses a selection without a condition. */
const EVERY_RESPONSE = { left: { type: 'column', code: 'response_id' }, operator: 'answered' };

/** The responses of a bulk change: by id, or by a filter that matches those that the grid shows. */
function changedResponses(
  selection: RowSelection,
  view: ResultsView,
  extraConditions: Parameters<typeof selectionFilter>[1] = [],
): object {
  if (selection.kind === 'some') return { response_ids: [...selection.ids] };
  const status = { left: { type: 'column', code: 'response_status' }, operator: 'in', right: [view.status] };
  const conditions = view.status === 'all' ? [EVERY_RESPONSE] : [status];
  return { filter: selectionFilter(view, [...conditions, ...extraConditions]) };
}

/** What can be done with the selected responses. */
export function SelectionBar({
  surveyId,
  selection,
  total,
  view,
  conditions,
  onSelect,
  reload,
}: {
  surveyId: number;
  selection: RowSelection;
  /** Responses that match the status and the filters. */
  total: number;
  view: ResultsView;
  /** What the list selects besides the filters of the view. */
  conditions: Parameters<typeof selectionFilter>[1];
  onSelect: (selection: RowSelection) => void;
  reload: () => Promise<void>;
}) {
  const [chosen, setChosen] = useState<Action | null>(null);
  const count = selection.kind === 'all' ? total : selection.ids.size;
  if (count === 0) return null;
  const run = async (action: Action, reason: string) => {
    const outcome = await changeApi('post', '/api/responses/{surveyId}/bulk', {
      path: { surveyId },
      body: {
        ...action,
        ...changedResponses(selection, view, conditions),
        ...(reason === '' ? {} : { reason }),
      },
    });
    onSelect(NOTHING_SELECTED);
    setChosen(null);
    await reload();
    const unchanged = outcome.unchanged + outcome.failed;
    const done = t.bulk.done[action.action](t.count(outcome.updated));
    announceChange(unchanged === 0 ? done : `${done}, ${t.bulk.unchanged(unchanged)}`, {
      surveyId,
      changeId: outcome.change_id,
      reload,
    });
  };
  return (
    <div class="selection-bar" role="region" aria-label={t.bulk.title}>
      <strong role="status">{t.bulk.selected(count)}</strong>
      {selection.kind === 'some' && count < total && (
        <button type="button" class="plain" onClick={() => onSelect({ kind: 'all' })}>
          {t.bulk.selectAll(total)}
        </button>
      )}
      <div class="buttons">
        <button type="button" class="button small" onClick={() => setChosen({ action: 'flag' })}>
          {t.bulk.actions.flag}
        </button>
        <button type="button" class="button small" onClick={() => setChosen({ action: 'leave_out' })}>
          {t.bulk.actions.leave_out}
        </button>
        <button type="button" class="button small" onClick={() => setChosen({ action: 'unflag' })}>
          {t.bulk.actions.unflag}
        </button>
        <Menu
          label={t.bulk.actions.set_status}
          button={t.bulk.actions.set_status}
          buttonClass="button small"
          items={STATUSES.map((status) => ({
            label: t.statuses[status],
            run: () => setChosen({ action: 'set_status', status }),
          }))}
        />
        <button type="button" class="button small danger" onClick={() => setChosen({ action: 'delete' })}>
          {t.bulk.actions.delete}
        </button>
        <button type="button" class="button small" onClick={() => onSelect(NOTHING_SELECTED)}>
          {t.bulk.clear}
        </button>
      </div>
      {chosen !== null && (
        <Dialog title={t.bulk.titles[chosen.action](t.count(count))} onClose={() => setChosen(null)}>
          <Form
            submit={t.bulk.actions[chosen.action]}
            danger={chosen.action === 'delete'}
            onSubmit={(values) => run(chosen, values.get('reason')?.trim() ?? '')}
            otherButtons={<CancelButton onClose={() => setChosen(null)} />}
          >
            <p>
              {chosen.action === 'set_status'
                ? t.bulk.aboutStatus(t.statuses[chosen.status])
                : t.bulk.about[chosen.action]}
            </p>
            <TextAreaField name="reason" label={t.reason} hint={t.reasonHint} />
          </Form>
        </Dialog>
      )}
    </div>
  );
}
