import { useId, useState } from 'preact/hooks';
import { texts } from '../../../texts.ts';
import { joinTypedList, splitTypedList } from '../../data/typed-list.ts';
import { arityOf } from '../../question-types/operators.ts';
import { sideOfOperator } from '../../question-types/filter-sides.ts';
import type { FilterInput, FilterSide, Operator } from '../../question-types/question-type.ts';
import type { FilterProblem } from './check-filter.ts';

const t = texts.filters;

/** Where browsers have a control; the remaining values are typed. */
const CONTROLS: Readonly<Record<FilterInput, object>> = {
  number: { type: 'text', inputMode: 'decimal' },
  year: { type: 'text', inputMode: 'numeric' },
  text: { type: 'text' },
  date: { type: 'date' },
  datetime: { type: 'datetime-local' },
  time: { type: 'time' },
  month: { type: 'month' },
};

interface ValuesProps {
  side: FilterSide;
  values: readonly string[];
  problem: FilterProblem | null;
  onChange: (values: readonly string[]) => void;
}

/** The controls for the values of an operator: boxes to tick, a list, or one or two boxes to type in. */
export function FilterValues({ operator, ...given }: ValuesProps & { operator: Operator }) {
  const props = { ...given, side: sideOfOperator(given.side, operator) };
  const { side, values, problem, onChange } = props;
  const isListed = side.values.length > 0;
  switch (arityOf(operator)) {
    case 'none':
      return null;
    case 'range':
      return <RangeFields {...props} />;
    case 'list':
      return isListed ? <ValueChecks {...props} /> : <ListField {...props} />;
    case 'one':
      return isListed && side.input === 'text' ? (
        <ValueSelect {...props} />
      ) : (
        <ValueField
          label={t.value[side.input]}
          input={side.input}
          value={values[0] ?? ''}
          problem={problem?.message}
          onChange={(value) => onChange([value])}
        />
      );
  }
}

const problemId = (id: string) => `${id}-problem`;

const describedBy = (id: string, problem: string | undefined) => ({
  'aria-invalid': problem !== undefined,
  ...(problem === undefined ? {} : { 'aria-describedby': problemId(id) }),
});

const Problem = ({ id, message }: { id: string; message: string | undefined }) =>
  message !== undefined && (
    <p class="problem" id={problemId(id)} role="alert">
      {message}
    </p>
  );

function ValueField({
  label,
  input,
  value,
  problem,
  onChange,
}: {
  label: string;
  input: FilterInput;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="labeled">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="field"
        autocomplete="off"
        {...CONTROLS[input]}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
        {...describedBy(id, problem)}
      />
      <Problem id={id} message={problem} />
    </div>
  );
}

function RangeFields({ side: { kind, input }, values, problem, onChange }: ValuesProps) {
  const [low = '', high = ''] = values;
  const labels = kind === 'date' ? [t.from, t.to] : [t.lowest, t.highest];
  const at = (index: number) => (problem?.index === index ? problem.message : undefined);
  return (
    <div class="result-filter-range">
      <ValueField
        label={labels[0] ?? ''}
        input={input}
        value={low}
        problem={at(0)}
        onChange={(value) => onChange([value, high])}
      />
      <ValueField
        label={labels[1] ?? ''}
        input={input}
        value={high}
        problem={at(1)}
        onChange={(value) => onChange([low, value])}
      />
    </div>
  );
}

/** Several typed values. Only a filter from an address has them. */
function ListField({ side, values, problem, onChange }: ValuesProps) {
  const id = useId();
  const [listProblem, setListProblem] = useState<string | null>(null);
  const message = listProblem ?? problem?.message;
  return (
    <div class="labeled">
      <label for={id}>{t.valueList}</label>
      <input
        id={id}
        class="field"
        autocomplete="off"
        defaultValue={joinTypedList(values)}
        onInput={(event) => {
          const typed = splitTypedList(event.currentTarget.value, side.input === 'number' ? null : 'text');
          setListProblem(typed.problem);
          onChange(typed.values);
        }}
        {...describedBy(id, message)}
      />
      <Problem id={id} message={message} />
    </div>
  );
}

function ValueSelect({ side, values, problem, onChange }: ValuesProps) {
  const id = useId();
  return (
    <div class="labeled">
      <label for={id}>{t.values}</label>
      <select
        id={id}
        class="field"
        value={values[0] ?? ''}
        onChange={(event) => onChange([event.currentTarget.value])}
        {...describedBy(id, problem?.message)}
      >
        <option value="">{texts.editor.logic.chooseOption}</option>
        {side.values.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Problem id={id} message={problem?.message} />
    </div>
  );
}

function ValueChecks({ side, values, problem, onChange }: ValuesProps) {
  const id = useId();
  const chosen = new Set(values);
  /** Values keep their order in the list. Values that the list does not have stay. */
  const choose = (changed: readonly string[], isChosen: boolean) => {
    const result = isChosen
      ? [...new Set([...values, ...changed])]
      : values.filter((value) => !changed.includes(value));
    const listed = side.values.map(({ value }) => value);
    onChange([
      ...listed.filter((value) => result.includes(value)),
      ...result.filter((value) => !listed.includes(value)),
    ]);
  };
  const invalid = describedBy(id, problem?.message);
  return (
    <fieldset class="labeled">
      <legend>{t.values}</legend>
      {side.groups.length > 0 && (
        <div class="result-filter-groups" role="group" aria-label={t.groups}>
          {side.groups.map(({ label, values: members }) => {
            const count = members.filter((value) => chosen.has(value)).length;
            return (
              <label key={label} class="check">
                <input
                  type="checkbox"
                  checked={count === members.length}
                  indeterminate={count > 0 && count < members.length}
                  onChange={(event) => choose(members, event.currentTarget.checked)}
                />
                <span>{label}</span>
              </label>
            );
          })}
        </div>
      )}
      <div
        class={
          side.input === 'number' && side.values.every(isPlainPoint)
            ? 'result-filter-points'
            : 'result-filter-values'
        }
      >
        {side.values.map(({ value, label }) => (
          <label key={value} class="check">
            <input
              type="checkbox"
              checked={chosen.has(value)}
              onChange={(event) => choose([value], event.currentTarget.checked)}
              {...invalid}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <Problem id={id} message={problem?.message} />
    </fieldset>
  );
}

/** Points without labels need little space. */
const isPlainPoint = ({ value, label }: { value: string; label: string }): boolean => value === label;
