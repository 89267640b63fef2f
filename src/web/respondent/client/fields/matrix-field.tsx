import { isRecord } from '../../../../domain/answers/read-result.ts';
import type { FieldProps } from './field-props.ts';

/** More columns than these are cards on every screen. */
const WIDEST_TABLE = 7;

/** Rows of radio buttons or checkboxes: a table where there is room, a card per row where there is not. */
export function MatrixField({ view, input, onInput, id, invalid, describedBy }: FieldProps) {
  const { question, rows, options } = view;
  if (question.type !== 'matrix') return null;
  const several = question.settings.matrix_type === 'multiple';
  const answers = isRecord(input) ? input : {};
  const requireAll = question.settings.require_all_rows;

  const chosenIn = (row: string): string[] => {
    const chosen = Object.hasOwn(answers, row) ? answers[row] : undefined;
    return Array.isArray(chosen) ? (chosen as string[]) : typeof chosen === 'string' ? [chosen] : [];
  };
  const choose = (row: string, value: string, on: boolean) => {
    if (!several) {
      onInput({ ...answers, [row]: value });
      return;
    }
    const option = options.find((each) => each.value === value);
    const exclusive = new Set(options.filter((each) => each.exclusive).map((each) => each.value));
    const others = chosenIn(row).filter((each) => each !== value);
    const kept = option?.exclusive && on ? [] : on ? others.filter((each) => !exclusive.has(each)) : others;
    const next: Record<string, unknown> = { ...answers };
    if (on || kept.length > 0) next[row] = on ? [...kept, value] : kept;
    else delete next[row];
    onInput(next);
  };
  const table = options.length <= WIDEST_TABLE ? ' table' : '';
  return (
    <div class={`matrix${table}`} style={{ '--columns': String(options.length) }}>
      <div class="head" aria-hidden="true">
        <span />
        {options.map((option) => (
          <span key={option.code}>{option.label}</span>
        ))}
      </div>
      {rows.map(({ row_code: row, row_label: label }) => {
        const chosen = chosenIn(row);
        const missing = invalid && chosen.length === 0 && (requireAll || Object.keys(answers).length === 0);
        return (
          <div
            key={row}
            class={`row${missing ? ' missing' : ''}`}
            role={several ? 'group' : 'radiogroup'}
            aria-labelledby={`${id}-${row}`}
            aria-describedby={missing ? describedBy : undefined}
            {...(several ? {} : { 'aria-invalid': missing })}
          >
            <span class="row-label" id={`${id}-${row}`}>
              {label}
            </span>
            {options.map((option) => (
              <label key={option.code} class="cell">
                <input
                  type={several ? 'checkbox' : 'radio'}
                  name={`${id}-${row}`}
                  value={option.value}
                  checked={chosen.includes(option.value)}
                  aria-invalid={missing ? true : undefined}
                  onChange={(event) => choose(row, option.value, event.currentTarget.checked)}
                />
                <span class="label">{option.label}</span>
              </label>
            ))}
          </div>
        );
      })}
    </div>
  );
}
