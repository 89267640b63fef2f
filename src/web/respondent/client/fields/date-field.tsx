import type { InputHTMLAttributes } from 'preact';
import type { FieldProps } from './field-props.ts';

const TYPES = {
  date: 'date',
  datetime: 'datetime-local',
  time: 'time',
  month: 'month',
  year: 'text',
} as const;

/** The platform's own picker; where a browser has none for months, it is a text of the form that is said. */
export function DateField({ view, input, onInput, id, describedBy, invalid }: FieldProps) {
  const { question, placeholder } = view;
  if (question.type !== 'date') return null;
  const { precision, min, max } = question.settings;
  // The type is one of several, which the element's own types cannot follow.
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
