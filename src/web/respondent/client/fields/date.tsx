import type { InputHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toAsciiDigits } from '../../../../domain/numbers/read-number-text.ts';
import { readDateText, dateAnswers } from '../../../../domain/questions/types/date.ts';
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

/** The message for what browsers cannot read. Years are a text field, which has no such state. */
const UNREADABLE = {
  date: 'date_unreadable',
  datetime: 'datetime_unreadable',
  time: 'time_unreadable',
  month: 'month_unreadable',
  year: 'date_unreadable',
} as const;

/**
 * The date picker of the browser. Years, and months in browsers without a month picker, are a text field with the format as placeholder.
 * The value of a picker with an incomplete date, or with one that does not exist, is empty, so the page asks the control for that state.
 */
function DateField({
  view,
  input,
  onInput,
  messages,
  id,
  describedBy,
  invalid,
  session,
}: FieldProps<QuestionWithType<'date'>>) {
  const { question, placeholder } = view;
  const { code } = question;
  const { precision, min, max } = question.settings;
  const control = useRef<HTMLInputElement>(null);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const checkControl = () => {
    const isBad = control.current?.validity.badInput === true;
    setIsUnreadable(isBad);
    // An incomplete date has no input event of its own. The message disappears when the date is complete, or empty.
    if (invalid && !isBad) session.recheck(code);
  };
  useEffect(() => {
    const { controlProblems } = session;
    controlProblems.set(code, () =>
      control.current?.validity.badInput === true ? session.messages[UNREADABLE[precision]] : null,
    );
    return () => {
      controlProblems.delete(code);
    };
  }, [session, code, precision]);
  // Preact has a separate type for each `type` of an input; here the value is known only at run time.
  const type = { type: TYPES[precision] } as InputHTMLAttributes;
  return (
    <>
      <input
        {...type}
        ref={control}
        id={id}
        class="field date-input"
        inputMode={precision === 'year' ? 'numeric' : undefined}
        placeholder={
          placeholder ?? (precision === 'month' ? 'YYYY-MM' : precision === 'year' ? 'YYYY' : undefined)
        }
        min={min ?? undefined}
        max={max ?? undefined}
        value={typeof input === 'string' ? input : ''}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        aria-required={question.required}
        onInput={(event) => {
          onInput(event.currentTarget.value);
          checkControl();
        }}
        onKeyUp={checkControl}
        onBlur={checkControl}
      />
      {invalid && isUnreadable && (
        <button
          type="button"
          class="plain clear"
          onClick={() => {
            if (control.current !== null) control.current.value = '';
            onInput(null);
            setIsUnreadable(false);
            control.current?.focus();
          }}
        >
          {messages.clear}
        </button>
      )}
    </>
  );
}

/** Whether the browser shows months in a picker, and not as the text of the answer. */
const hasMonthPicker = (): boolean => {
  const control = document.createElement('input');
  control.type = 'month';
  const { type } = control;
  return type === 'month';
};

/** How the control writes an answer: pickers follow the locale of the browser, not the language of the page. */
const SHOWN: Record<keyof typeof TYPES, Intl.DateTimeFormatOptions | null> = {
  date: { year: 'numeric', month: '2-digit', day: '2-digit' },
  datetime: { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  time: { hour: '2-digit', minute: '2-digit' },
  month: { year: 'numeric', month: 'long' },
  year: null,
};

/** Writes a limit such as `2026-03-01` as the control shows it. */
function showDate(text: string, precision: keyof typeof TYPES): string {
  const shown = SHOWN[precision];
  if (shown === null || (precision === 'month' && !hasMonthPicker())) return text;
  const moment = precision === 'time' ? `1970-01-01T${text}` : text;
  const date = new Date(precision === 'time' || precision === 'datetime' ? `${moment}Z` : moment);
  return new Intl.DateTimeFormat(undefined, { ...shown, timeZone: 'UTC' }).format(date);
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
  answers: dateAnswers,
  Field: DateField,
  role: 'control',
  toAnswer: (_question, input) => (typeof input === 'string' ? toAsciiDigits(input.trim()) : (input ?? null)),
  problem({ settings: { precision, min, max } }, answer, messages) {
    const date = readDateText(answer, precision);
    if (!date.ok) return fillPlaceholders(messages.date_wrong, { n: DATE_FORMATS[precision] });
    if (min !== null && date.text < min)
      return fillPlaceholders(messages.date_min, { n: showDate(min, precision) });
    return max !== null && date.text > max
      ? fillPlaceholders(messages.date_max, { n: showDate(max, precision) })
      : null;
  },
};
