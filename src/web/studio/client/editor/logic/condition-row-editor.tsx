import { createContext, type InputHTMLAttributes } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { Icon } from '../../../../shared/client/icon.tsx';
import { texts } from '../../../texts.ts';
import { blocksTexts } from '../../../texts/blocks.ts';
import { previousTexts } from '../../../texts/previous.ts';
import { sharesValues, takesList, takesRange, takesValue } from '../../question-types/operators.ts';
import { studioTypeOf } from '../../question-types/registry.ts';
import { reasonValues } from '../../question-types/no-answers.ts';
import type { FilterValue, Operator, ValueControl } from '../../question-types/question-type.ts';
import { type EditorQuestion, isPrevious } from '../editor-content.ts';
import { textInWords } from '../piping/pipes.ts';
import type { Schema } from '../../data/api.ts';
import {
  type ConditionRow,
  questionOf,
  rowForArm,
  rowForQuestion,
  rowForValue,
  sideOf,
} from './condition-rows.ts';
import { joinTypedList, splitTypedList } from '../../data/typed-list.ts';
import { readTypedNumber } from '../../data/typed-number.ts';

const words = texts.editor.logic;
/** Values of the select that are no question codes, which begin with a letter. */
const VALUE_CHOICES = { '~hidden': 'hidden', '~attribute': 'attribute' } as const;
const ARM_CHOICE = '~arm:';

/** The blocks whose arms conditions can ask for. */
export const ArmBlocks = createContext<readonly Schema<'Block'>[]>([]);

/** A comparison: what, how, and with which value. */
export function ConditionRowEditor({
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
  const question = questionOf(row, earlier);
  const side = sideOf(row, earlier);
  const offered = side?.operators ?? [];
  // A stored comparison can have an operator that the editor does not offer for the type.
  const operators = offered.includes(row.operator) ? offered : [...offered, row.operator];
  const operatorTexts =
    row.type === 'question' ? words.operators : { ...words.operators, ...words.valueOperators };
  const changeOperator = (operator: Operator) => {
    onChange({ ...row, operator, values: sharesValues(operator, row.operator) ? row.values : [] });
  };
  return (
    <div class="condition-row">
      <LeftSelect row={row} earlier={earlier} onChange={onChange} />
      {(row.type === 'hidden' || row.type === 'attribute') && (
        <input
          class="field"
          aria-label={words.valueName}
          placeholder={words.valueNameHint[row.type]}
          autocomplete="off"
          value={row.code}
          onInput={(event) => onChange({ ...row, code: event.currentTarget.value.trim() })}
        />
      )}
      {question !== undefined && (
        <PartSelect row={row} question={question} earlier={earlier} onChange={onChange} />
      )}
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
            {operatorTexts[operator]}
          </option>
        ))}
      </select>
      {row.type === 'arm' && takesValue(row.operator) && (
        <ArmValue row={row} onChange={(values) => onChange({ ...row, values })} />
      )}
      {row.type !== 'arm' && takesValue(row.operator) && (
        <RowValue
          row={row}
          question={question}
          control={side?.value ?? { kind: 'text', inputType: 'text' }}
          earlier={earlier}
          onChange={(values) => onChange({ ...row, values })}
        />
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={words.remove}
        title={words.remove}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

function LeftSelect({
  row,
  earlier,
  onChange,
}: {
  row: ConditionRow;
  earlier: readonly EditorQuestion[];
  onChange: (row: ConditionRow) => void;
}) {
  const isKnown = earlier.some(({ question_code: code }) => code === row.code);
  const armBlocks = useContext(ArmBlocks).filter(({ arms }) => arms.length > 0);
  const armCodes = [
    ...armBlocks.map(({ block_code: code, block_title: title }): [string, string] => [code, title ?? code]),
    ...(row.type === 'arm' && !armBlocks.some(({ block_code: code }) => code === row.code)
      ? [[row.code, row.code] as [string, string]]
      : []),
  ];
  return (
    <select
      class="field"
      aria-label={words.question}
      value={row.type === 'question' ? row.code : row.type === 'arm' ? ARM_CHOICE + row.code : `~${row.type}`}
      onChange={(event) => {
        const { value } = event.currentTarget;
        const chosen = earlier.find(({ question_code: each }) => each === value);
        if (chosen !== undefined) onChange(rowForQuestion(chosen));
        else if (value === '~hidden' || value === '~attribute') onChange(rowForValue(VALUE_CHOICES[value]));
        else if (value.startsWith(ARM_CHOICE)) onChange(rowForArm(value.slice(ARM_CHOICE.length)));
      }}
    >
      {row.type === 'question' && !isKnown && <option value={row.code}>{row.code}</option>}
      <QuestionGroup label={words.questions} questions={earlier.filter((each) => !isPrevious(each))} />
      <QuestionGroup label={previousTexts.group} questions={earlier.filter(isPrevious)} />
      <optgroup label={words.otherValues}>
        {Object.entries(VALUE_CHOICES).map(([value, type]) => (
          <option key={value} value={value}>
            {words.valueTypes[type]}
          </option>
        ))}
        {armCodes.map(([code, name]) => (
          <option key={code} value={ARM_CHOICE + code}>
            {blocksTexts.armName(name)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

function QuestionGroup({ label, questions }: { label: string; questions: readonly EditorQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <optgroup label={label}>
      {questions.map((each) => (
        <option key={each.question_code} value={each.question_code}>
          {textInWords(each.question_text, questions) || each.question_code}
        </option>
      ))}
    </optgroup>
  );
}

/** Chooses a row of a matrix or an item of a constant sum. */
function PartSelect({
  row,
  question,
  earlier,
  onChange,
}: {
  row: ConditionRow;
  question: EditorQuestion;
  earlier: readonly EditorQuestion[];
  onChange: (row: ConditionRow) => void;
}) {
  const { parts } = studioTypeOf(question).comparison;
  if (parts === null) return null;
  const list = parts.list(question);
  const isKnown = row.part === null || list.some(({ code }) => code === row.part);
  return (
    <select
      class="field"
      aria-label={parts.label}
      value={row.part ?? ''}
      onChange={(event) => {
        const part = event.currentTarget.value === '' ? null : event.currentTarget.value;
        const changed = { ...row, part };
        const operators = sideOf(changed, earlier)?.operators ?? [];
        const keepsOperator = operators.includes(row.operator);
        onChange({
          ...changed,
          operator: keepsOperator ? row.operator : (operators[0] ?? 'answered'),
          values: keepsOperator ? row.values : [],
        });
      }}
    >
      <option value="">{words.wholeAnswer}</option>
      {!isKnown && <option value={row.part ?? ''}>{row.part}</option>}
      {list.map(({ code, label }) => (
        <option key={code} value={code}>
          {textInWords(label, earlier)}
        </option>
      ))}
    </select>
  );
}

/** Chooses an arm. */
function ArmValue({ row, onChange }: { row: ConditionRow; onChange: (values: readonly string[]) => void }) {
  const block = useContext(ArmBlocks).find(({ block_code: code }) => code === row.code);
  const [value = ''] = row.values;
  const arms = block?.arms ?? [];
  return (
    <select
      class="field"
      aria-label={words.value}
      value={value}
      onChange={(event) => onChange([event.currentTarget.value])}
    >
      <option value="">{words.chooseOption}</option>
      {value !== '' && !arms.some(({ arm_code: code }) => code === value) && (
        <option value={value}>{value}</option>
      )}
      {arms.map(({ arm_code: code, arm_label: label }) => (
        <option key={code} value={code}>
          {label ?? code}
        </option>
      ))}
    </select>
  );
}

function RowValue({
  row,
  question,
  control,
  earlier,
  onChange,
}: {
  row: ConditionRow;
  question: EditorQuestion | undefined;
  control: ValueControl;
  earlier: readonly EditorQuestion[];
  onChange: (values: readonly string[]) => void;
}) {
  if (row.operator === 'gave_reason')
    return (
      <ListedValues row={row} values={reasonValues(question?.question_settings ?? {})} onChange={onChange} />
    );
  if (control.kind === 'options' && takesList(row.operator)) {
    const values = (question?.options ?? []).map(({ option_value: value, option_label: label }) => ({
      value,
      label: textInWords(label, earlier),
    }));
    return <ListedValues row={row} values={values} onChange={onChange} />;
  }
  if (takesRange(row.operator)) {
    const [low = '', high = ''] = row.values;
    return (
      <div class="condition-range">
        <ValueInput
          label={words.lowest}
          control={control}
          value={low}
          onChange={(value) => onChange([value, high])}
        />
        <span>{words.connectors.and}</span>
        <ValueInput
          label={words.highest}
          control={control}
          value={high}
          onChange={(value) => onChange([low, value])}
        />
      </div>
    );
  }
  if (control.kind === 'options' && question !== undefined) {
    return (
      <select
        class="field"
        aria-label={words.value}
        value={row.values[0] ?? ''}
        onChange={(event) => onChange([event.currentTarget.value])}
      >
        <option value="">{words.chooseOption}</option>
        {question.options.map(({ option_value: value, option_label: label }) => (
          <option key={value} value={value}>
            {textInWords(label, earlier)}
          </option>
        ))}
      </select>
    );
  }
  if (takesList(row.operator))
    return <ListInput values={row.values} isNumber={control.kind === 'number'} onChange={onChange} />;
  return (
    <ValueInput
      label={words.value}
      control={control}
      value={row.values[0] ?? ''}
      onChange={(value) => onChange([value])}
    />
  );
}

/** Preact has a separate type for each `type` of an input. */
const inputKind = (control: ValueControl) =>
  (control.kind === 'text' ? { type: control.inputType } : { inputMode: 'decimal' }) as InputHTMLAttributes;

function ValueInput({
  label,
  control,
  value,
  onChange,
}: {
  label: string;
  control: ValueControl;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const isNumber = control.kind === 'number' && value.trim() !== '';
  const problem = isNumber ? readTypedNumber(value, null).problem : null;
  return (
    <>
      <input
        class="field"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        {...inputKind(control)}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {problem !== null && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </>
  );
}

/** Several typed values. */
function ListInput({
  values,
  isNumber,
  onChange,
}: {
  values: readonly string[];
  isNumber: boolean;
  onChange: (values: readonly string[]) => void;
}) {
  const id = useId();
  const [listProblem, setListProblem] = useState<string | null>(null);
  const valueProblem = isNumber
    ? values.map((value) => readTypedNumber(value, null).problem).find((found) => found !== null)
    : null;
  const problem = listProblem ?? valueProblem ?? null;
  return (
    <>
      <input
        class="field"
        aria-label={words.valueList}
        placeholder={words.valueList}
        autocomplete="off"
        defaultValue={joinTypedList(values)}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onInput={(event) => {
          const typed = splitTypedList(event.currentTarget.value, isNumber ? null : 'text');
          setListProblem(typed.problem);
          onChange(typed.values);
        }}
      />
      {problem !== null && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </>
  );
}

function ListedValues({
  row,
  values,
  onChange,
}: {
  row: ConditionRow;
  values: readonly FilterValue[];
  onChange: (values: readonly string[]) => void;
}) {
  return (
    <fieldset class="condition-values">
      <legend class="visually-hidden">{words.values}</legend>
      {values.map(({ value, label }) => (
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
