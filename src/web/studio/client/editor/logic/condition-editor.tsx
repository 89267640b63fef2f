import { texts } from '../../../texts.ts';
import type { Condition, EditorQuestion } from '../editor-content.ts';
import { ConditionRowEditor } from './condition-row-editor.tsx';
import {
  type ConditionGroupRows,
  type ConditionRow,
  type ConditionRows,
  type Connector,
  fromConditionRows,
  isEveryRowComplete,
  NO_ROWS,
  rowForQuestion,
  rowForValue,
  toConditionRows,
} from './condition-rows.ts';
import { conditionInWords } from './logic-words.ts';
import { useDraft } from './use-draft.ts';

const words = texts.editor.logic;
const CONNECTORS: readonly Connector[] = ['and', 'or'];

const rowsOf = (condition: Condition | null): ConditionRows | null =>
  condition === null ? NO_ROWS : toConditionRows(condition);

/** The condition under which something is shown, as rows and in words. `earlier`: the questions that it can use. */
export function DisplayEditor({
  title,
  always,
  inWords,
  condition,
  earlier,
  onChange,
}: {
  title: string;
  /** Shown without a condition. */
  always: string;
  inWords: (condition: string) => string;
  condition: Condition | null;
  earlier: readonly EditorQuestion[];
  onChange: (condition: Condition | null) => void;
}) {
  const write = (rows: ConditionRows | null) =>
    rows === null ? condition : fromConditionRows(rows, earlier);
  const [rows, change] = useDraft(condition, { read: rowsOf, write }, onChange);
  const repeated = condition === null ? null : inWords(conditionInWords(condition, earlier));
  return (
    <section class="logic" aria-label={title}>
      <p class="logic-title">{title}</p>
      {rows === null ? (
        <FixedCondition inWords={repeated ?? ''} onClear={() => onChange(null)} />
      ) : (
        <>
          {rows.groups.length === 0 && <p class="hint">{always}</p>}
          <ConditionRowsEditor rows={rows} earlier={earlier} onChange={change} />
          {repeated !== null && <p class="in-words">{repeated}</p>}
        </>
      )}
    </section>
  );
}

/** A row for the question before, which conditions use most. */
export const newRow = (earlier: readonly EditorQuestion[]): ConditionRow => {
  const last = earlier.at(-1);
  return last === undefined ? rowForValue('hidden') : rowForQuestion(last);
};

/** A condition that rows cannot show. */
export function FixedCondition({ inWords, onClear }: { inWords: string; onClear: () => void }) {
  return (
    <>
      <p class="in-words">{inWords}</p>
      <p class="hint">{words.notEditable}</p>
      <button type="button" class="button small" onClick={onClear}>
        {words.clear}
      </button>
    </>
  );
}

/** The groups and rows of a condition. */
export function ConditionRowsEditor({
  rows: { connector, groups },
  earlier,
  onChange,
}: {
  rows: ConditionRows;
  earlier: readonly EditorQuestion[];
  onChange: (rows: ConditionRows) => void;
}) {
  const changeGroup = (index: number, group: ConditionGroupRows) =>
    onChange({ connector, groups: groups.with(index, group).filter((each) => each.rows.length > 0) });
  return (
    <>
      {groups.length > 1 && (
        <ConnectorSelect
          label={words.joinGroups}
          value={connector}
          onChange={(value) => onChange({ connector: value, groups })}
        />
      )}
      {groups.map((group, index) => (
        <div key={index} class="condition-group">
          {group.rows.length > 1 && (
            <ConnectorSelect
              label={words.joinRows}
              value={group.connector}
              onChange={(value) => changeGroup(index, { ...group, connector: value })}
            />
          )}
          {group.rows.map((row, rowIndex) => (
            <ConditionRowEditor
              key={rowIndex}
              row={row}
              earlier={earlier}
              onChange={(changed) =>
                changeGroup(index, { ...group, rows: group.rows.with(rowIndex, changed) })
              }
              onRemove={() => changeGroup(index, { ...group, rows: group.rows.toSpliced(rowIndex, 1) })}
            />
          ))}
          <button
            type="button"
            class="plain"
            onClick={() => changeGroup(index, { ...group, rows: [...group.rows, newRow(earlier)] })}
          >
            {words.add}
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button small"
        onClick={() =>
          onChange({ connector, groups: [...groups, { connector: 'and', rows: [newRow(earlier)] }] })
        }
      >
        {groups.length === 0 ? words.add : words.addGroup}
      </button>
      {!isEveryRowComplete({ connector, groups }, earlier) && <p class="hint">{words.incomplete}</p>}
    </>
  );
}

function ConnectorSelect({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Connector;
  onChange: (connector: Connector) => void;
}) {
  return (
    <select
      class="field compact"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value === 'or' ? 'or' : 'and')}
    >
      {CONNECTORS.map((each) => (
        <option key={each} value={each}>
          {words.joins[each]}
        </option>
      ))}
    </select>
  );
}
