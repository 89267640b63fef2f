import type { InputHTMLAttributes } from 'preact';
import { readDateText } from '../../../../domain/questions/types/date.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders } from '../localization.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

const TYPES = {
  date: 'date',
  datetime: 'datetime-local',
  time: 'time',
  month: 'month',
  year: 'text',
} as const;

/** The date picker of the browser. Years, and months in browsers without a month picker, are a text field with the format as placeholder. */
function DateField({ view, input, onInput, id, describedBy, invalid }: FieldProps<QuestionWithType<'date'>>) {
  const { question, placeholder } = view;
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

/** The format of an answer by precision, for messages. */
const DATE_FORMATS = {
  date: 'YYYY-MM-DD',
  datetime: 'YYYY-MM-DDTHH:mm',
  time: 'HH:mm',
  month: 'YYYY-MM',
  year: 'YYYY',
} as const;

export const dateField: FieldModuleOf<'date'> = {
  ...PLAIN_FIELD,
  Field: DateField,
  role: 'control',
  problem({ settings: { precision, min, max } }, answer, messages) {
    const date = readDateText(answer, precision);
    if (!date.ok) return fillPlaceholders(messages.date_wrong, { n: DATE_FORMATS[precision] });
    if (min !== null && date.text < min) return fillPlaceholders(messages.date_min, { n: min });
    return max !== null && date.text > max ? fillPlaceholders(messages.date_max, { n: max }) : null;
  },
};
