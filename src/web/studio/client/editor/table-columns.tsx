import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon } from '../../../shared/client/icon.tsx';
import { sideBySideTexts } from '../../texts/side-by-side.ts';
import {
  COLUMN_KINDS,
  type ColumnField,
  type ColumnKind,
  type ColumnOption,
  type EditedColumn,
  KINDS,
  kindOf,
  newColumn,
  newOptions,
  tableColumnsOf,
} from '../question-types/table-columns.ts';
import type { EditorQuestion } from './editor-content.ts';

const words = sideBySideTexts;

/** The columns of a side-by-side table. */
export function TableColumns({
  question,
  problemAt,
  onChange: onColumnsChange,
}: {
  question: EditorQuestion;
  problemAt: (field: string, label?: string) => string | null;
  onChange: (columns: readonly EditedColumn[]) => void;
}) {
  const columns = tableColumnsOf(question);
  // A number is taken when its field is left, in the same moment as the first key in the next field: before the columns are shown again.
  const latest = useRef(columns);
  latest.current = columns;
  const onChange = (changed: readonly EditedColumn[]) => {
    latest.current = changed;
    onColumnsChange(changed);
  };
  const change = (index: number, changes: Partial<EditedColumn>) =>
    onChange(latest.current.map((column, at) => (at === index ? { ...column, ...changes } : column)));
  const move = (index: number, by: -1 | 1) => {
    const moved = [...columns];
    const [column] = moved.splice(index, 1);
    if (column !== undefined) moved.splice(index + by, 0, column);
    onChange(moved);
  };
  const add = () => onChange([...columns, newColumn(columns, words.newColumn(columns.length + 1))]);
  return (
    <>
      <p class="list-title">{words.title}</p>
      <ul class="table-columns">
        {columns.map((column, index) => (
          <li key={index}>
            <fieldset class="table-column">
              <legend>{words.column(index + 1)}</legend>
              <div class="table-column-actions">
                <IconButton
                  label={words.moveUp(column.column_label)}
                  icon="up"
                  isDisabled={index === 0}
                  onClick={() => move(index, -1)}
                />
                <IconButton
                  label={words.moveDown(column.column_label)}
                  icon="down"
                  isDisabled={index === columns.length - 1}
                  onClick={() => move(index, 1)}
                />
                <IconButton
                  label={words.remove(column.column_label)}
                  icon="close"
                  isDisabled={columns.length === 1}
                  onClick={() => onChange(columns.filter((_, at) => at !== index))}
                />
              </div>
              <ColumnFields
                column={column}
                problemAt={(field) => problemAt(`question_settings.columns[${index}].${field}`)}
                onChange={(changes) => change(index, changes)}
              />
            </fieldset>
          </li>
        ))}
      </ul>
      {problemAt('question_settings.columns') !== null && (
        <p class="problem">{problemAt('question_settings.columns')}</p>
      )}
      <button type="button" class="button small" onClick={add}>
        <Icon name="plus" /> {words.add}
      </button>
    </>
  );
}

function IconButton({
  label,
  icon,
  isDisabled,
  onClick,
}: {
  label: string;
  icon: 'up' | 'down' | 'close';
  isDisabled: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class={icon === 'up' ? 'icon-button turned' : 'icon-button'}
      aria-label={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon === 'up' ? 'down' : icon} />
    </button>
  );
}

interface ColumnProps {
  column: EditedColumn;
  problemAt: (field: string) => string | null;
  onChange: (changes: Partial<EditedColumn>) => void;
}

function ColumnFields({ column, problemAt, onChange }: ColumnProps) {
  const kind = kindOf(column);
  const { hasOptions, fields } = COLUMN_KINDS[kind];
  const chooseKind = (next: ColumnKind) => {
    onChange({
      column_type: next,
      column_settings: {},
      options: COLUMN_KINDS[next].hasOptions ? (column.options ?? newOptions()) : undefined,
    } as Partial<EditedColumn>);
  };
  const set = (name: string, value: unknown) => {
    const others = Object.entries(column.column_settings).filter(([each]) => each !== name);
    onChange({
      column_settings: Object.fromEntries(value === null ? others : [...others, [name, value]]),
    });
  };
  return (
    <>
      <div class="table-column-fields">
        <Labeled label={words.label} problem={problemAt('column_label')}>
          <input
            class="field"
            value={column.column_label}
            onInput={({ currentTarget: { value } }) => onChange({ column_label: value })}
          />
        </Labeled>
        <Labeled label={words.code} problem={problemAt('column_code')}>
          <input
            class="field"
            value={column.column_code}
            onInput={({ currentTarget: { value } }) => onChange({ column_code: value })}
          />
        </Labeled>
        <Labeled label={words.kind} problem={problemAt('column_type')}>
          <select
            class="field"
            value={kind}
            onChange={({ currentTarget: { value } }) =>
              chooseKind(KINDS.find((each) => each === value) ?? kind)
            }
          >
            {KINDS.map((each) => (
              <option key={each} value={each} selected={each === kind}>
                {words.kinds[each]}
              </option>
            ))}
          </select>
        </Labeled>
        {fields.map(({ name, label, control }) => (
          <SettingInput
            key={name}
            label={label}
            control={control}
            value={column.column_settings[name]}
            problem={problemAt(`column_settings.${name}`)}
            onChange={(value) => set(name, value)}
          />
        ))}
      </div>
      {hasOptions && (
        <OptionInputs
          options={column.options ?? []}
          problemAt={problemAt}
          onChange={(options) => onChange({ options })}
        />
      )}
      <label class="check">
        <input
          type="checkbox"
          role="switch"
          checked={column.column_required}
          onChange={({ currentTarget: { checked } }) => onChange({ column_required: checked })}
        />
        <span>{words.required}</span>
      </label>
    </>
  );
}

function Labeled({
  label,
  problem,
  children,
}: {
  label: string;
  problem: string | null;
  children: ComponentChildren;
}) {
  return (
    <label class="labeled">
      {label}
      {children}
      {problem !== null && <span class="problem">{problem}</span>}
    </label>
  );
}

function SettingInput({
  label,
  control,
  value,
  problem,
  onChange,
}: Pick<ColumnField, 'label' | 'control'> & {
  value: unknown;
  problem: string | null;
  onChange: (value: unknown) => void;
}) {
  /** What is being written, which a save that ends meanwhile does not replace. */
  const [draft, setDraft] = useState<string | null>(null);
  if (control === 'switch')
    return (
      <label class="check">
        <input
          type="checkbox"
          role="switch"
          checked={value === true}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
        <span>{label}</span>
      </label>
    );
  const shown = typeof value === 'string' || typeof value === 'number' ? value : '';
  return (
    <Labeled label={label} problem={problem}>
      <input
        class="field"
        inputMode={control === 'number' ? 'decimal' : 'text'}
        value={draft ?? shown}
        onInput={({ currentTarget: { value: written } }) => setDraft(written)}
        onChange={({ currentTarget: { value: written } }) => {
          setDraft(null);
          const text = written.trim();
          // What is no number is sent as it is, so that the API says what it accepts.
          const number = Number(text);
          onChange(text === '' ? null : control === 'number' && !Number.isNaN(number) ? number : text);
        }}
      />
    </Labeled>
  );
}

function OptionInputs({
  options,
  problemAt,
  onChange,
}: {
  options: readonly ColumnOption[];
  problemAt: (field: string) => string | null;
  onChange: (options: readonly ColumnOption[]) => void;
}) {
  const codes = options.map(({ option_code: code }) => code ?? 0);
  const add = () => {
    const code = Math.max(0, ...codes) + 1;
    onChange([...options, { option_label: '', option_code: code, option_value: String(code) }]);
  };
  const live = options.filter(({ retired }) => retired !== true);
  return (
    <>
      <ul class="table-column-options">
        {live.map((option, index) => (
          <li key={option.option_code}>
            <input
              class="field"
              aria-label={words.option(index + 1)}
              value={option.option_label}
              onInput={({ currentTarget: { value } }) =>
                onChange(options.map((each) => (each === option ? { ...each, option_label: value } : each)))
              }
            />
            <button
              type="button"
              class="icon-button"
              aria-label={words.removeOption(option.option_label)}
              disabled={live.length === 1}
              onClick={() => onChange(options.filter((each) => each !== option))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {problemAt('options') !== null && <p class="problem">{problemAt('options')}</p>}
      <button type="button" class="button small" onClick={add}>
        <Icon name="plus" /> {words.addOption}
      </button>
    </>
  );
}
