import type { InputHTMLAttributes } from 'preact';
import type { FieldProps } from './field-props.ts';

const TYPES = {
  date: 'date',
  datetime: 'datetime-local',
  time: 'time',
  month: 'month',
  year: 'text',
} as const;

/** The date picker of the browser. Years, and months in browsers without a month picker, are a text field with the format as placeholder. */
export function DateField({ view, input, onInput, id, describedBy, invalid }: FieldProps) {
  const { question, placeholder } = view;
  if (question.type !== 'date') return null;
  const { precision, min, max } = question.settings;
  // Preact has a separate type for each `type` of an input; here the value is known only at run time.
  const type = { type: TYPES[precision] } as InputHTMLAttributes;
  return (
    <input
      {...type}
      id={id}
      class="field date-input"
      inputMode={precision === 'year' ? 'numeric' : undefined}
      maxLength={precision === 'year' ? 4 : undefined}
      placeholder={
        placeholder ?? (precision === 'month' ? 'YYYY-MM' : precision === 'year' ? 'YYYY' : undefined)
      }
      min={min ?? undefined}
      max={max ?? undefined}
      value={typeof input === 'string' ? input : ''}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      aria-required={question.required}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}
