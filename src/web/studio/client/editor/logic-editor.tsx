import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../../shared/client/icon.tsx';
import { texts } from '../../texts.ts';
import {
  type ConditionGroupRows,
  conditionInWords,
  type ConditionRow,
  type ConditionRows,
  type Connector,
  fromConditionRows,
  isComplete,
  OPERATORS,
  type Operator,
  rowFor,
  takesList,
  takesValue,
  toConditionRows,
} from './conditions.ts';
import type { Condition, EditorQuestion } from './editor-content.ts';

const words = texts.editor.logic;
const EMPTY: ConditionRows = { connector: 'and', groups: [] };
const CONNECTORS: readonly Connector[] = ['and', 'or'];

/** A condition as rows in groups, and in words. `earlier`: the questions that it can use. */
export function LogicEditor({
  title,
  condition,
  earlier,
  problem,
  onChange,
}: {
  title: string;
  condition: Condition | null;
  earlier: readonly EditorQuestion[];
  problem: string | null;
  onChange: (condition: Condition | null) => void;
}) {
  const [rows, setRows] = useState<ConditionRows | null>(() => rowsOf(condition));
  const emitted = useRef(JSON.stringify(condition));
  useEffect(() => {
    const stored = JSON.stringify(condition);
    if (stored === emitted.current) return;
    emitted.current = stored;
    setRows(rowsOf(condition));
  }, [condition]);

  const inWords = condition === null ? null : conditionInWords(condition, earlier);
  const change = (changed: ConditionRows) => {
    const next = { ...changed, groups: changed.groups.filter((group) => group.rows.length > 0) };
    setRows(next);
    const typeOf = (code: string) => earlier.find(({ question_code: each }) => each === code)?.question_type;
    const result = fromConditionRows(next, typeOf);
    const stored = JSON.stringify(result);
    if (stored === emitted.current) return;
    emitted.current = stored;
    onChange(result);
  };
  const clear = () => change(EMPTY);

  if (rows === null) {
    return (
      <div class="logic">
        <p>{words.inWords(inWords ?? '')}</p>
        <p class="hint">{words.notEditable}</p>
        <button type="button" class="button small" onClick={clear}>
          {words.clear}
        </button>
      </div>
    );
  }
  const [last] = earlier.slice(-1);
  if (last === undefined && rows.groups.length === 0) return <p class="hint">{words.noneBefore}</p>;
  const { connector, groups } = rows;
  const changeGroup = (index: number, group: ConditionGroupRows) =>
    change({ connector, groups: groups.with(index, group) });
  const addGroup = () => {
    if (last !== undefined)
      change({ connector, groups: [...groups, { connector: 'and', rows: [rowFor(last)] }] });
  };
  return (
    <div class="logic" role="group" aria-label={title}>
      <p class="logic-title">{title}</p>
      {groups.length === 0 && <p class="hint">{words.always}</p>}
      {groups.length > 1 && (
        <ConnectorSelect
          label={words.joinGroups}
          value={connector}
          onChange={(value) => change({ connector: value, groups })}
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
            <RowEditor
              key={rowIndex}
              row={row}
              earlier={earlier}
              onChange={(changed) =>
                changeGroup(index, { ...group, rows: group.rows.with(rowIndex, changed) })
              }
              onRemove={() => changeGroup(index, { ...group, rows: group.rows.toSpliced(rowIndex, 1) })}
            />
          ))}
          {last !== undefined && (
            <button
              type="button"
              class="plain"
              onClick={() => changeGroup(index, { ...group, rows: [...group.rows, rowFor(last)] })}
            >
              {words.add}
            </button>
          )}
        </div>
      ))}
      {last !== undefined && (
        <button type="button" class="button small" onClick={addGroup}>
          {groups.length === 0 ? words.add : words.addGroup}
        </button>
      )}
      {groups.some((group) => !group.rows.every(isComplete)) && <p class="hint">{words.incomplete}</p>}
      {inWords !== null && <p class="in-words">{words.inWords(inWords)}</p>}
      {problem !== null && <p class="problem">{problem}</p>}
    </div>
  );
}

const rowsOf = (condition: Condition | null): ConditionRows | null =>
  condition === null ? EMPTY : toConditionRows(condition);

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

function RowEditor({
  row,
  earlier,
  onChange,
  onRemove,
}: {
  row: ConditionRow;
  earlier: readonly EditorQuestion[];
  onChange: (row: ConditionRow) => void;
  onRemove: () => void;
}) {
  const question = earlier.find(({ question_code: code }) => code === row.code);
  const offered = question === undefined ? [] : OPERATORS[question.question_type];
  // A stored comparison can have an operator that the editor does not offer for the type.
  const operators = offered.includes(row.operator) ? offered : [...offered, row.operator];
  const changeOperator = (operator: Operator) => {
    const keepsValues = takesList(operator) === takesList(row.operator);
    onChange({ ...row, operator, values: keepsValues && takesValue(operator) ? row.values : [] });
  };
  return (
    <div class="condition-row">
      <select
        class="field"
        aria-label={words.question}
        value={row.code}
        onChange={(event) => {
          const code = event.currentTarget.value;
          const chosen = earlier.find(({ question_code: each }) => each === code);
          if (chosen !== undefined) onChange(rowFor(chosen));
        }}
      >
        {question === undefined && <option value={row.code}>{row.code}</option>}
        {earlier.map((each) => (
          <option key={each.question_id} value={each.question_code}>
            {each.question_text}
          </option>
        ))}
      </select>
      <select
        class="field"
        aria-label={words.operator}
        value={row.operator}
        onChange={(event) => {
          const operator = operators.find((each) => each === event.currentTarget.value);
          if (operator !== undefined) changeOperator(operator);
        }}
      >
        {operators.map((operator) => (
          <option key={operator} value={operator}>
            {words.operators[operator]}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="icon-button"
        aria-label={words.remove}
        title={words.remove}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
      {takesValue(row.operator) && (
        <RowValue row={row} question={question} onChange={(values) => onChange({ ...row, values })} />
      )}
    </div>
  );
}

function RowValue({
  row,
  question,
  onChange,
}: {
  row: ConditionRow;
  question: EditorQuestion | undefined;
  onChange: (values: readonly string[]) => void;
}) {
  if (!takesList(row.operator)) {
    return (
      <input
        class="field"
        aria-label={words.value}
        placeholder={words.value}
        autocomplete="off"
        value={row.values[0] ?? ''}
        onInput={(event) => onChange([event.currentTarget.value])}
      />
    );
  }
  return (
    <fieldset class="condition-values">
      <legend class="visually-hidden">{words.values}</legend>
      {(question?.options ?? []).map(({ option_value: value, option_label: label }) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            checked={row.values.includes(value)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...row.values, value]
                  : row.values.filter((each) => each !== value),
              )
            }
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
