import type { InputHTMLAttributes } from 'preact';
import { countCharacters } from '../../../../domain/questions/answers/read-answer.ts';
import { textAnswers } from '../../../../domain/questions/types/text.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders } from '../localization.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

const INPUT_ATTRIBUTES = {
  none: { type: 'text', mode: undefined, complete: undefined },
  regex: { type: 'text', mode: undefined, complete: undefined },
  email: { type: 'email', mode: 'email', complete: 'email' },
  url: { type: 'url', mode: 'url', complete: 'url' },
  phone: { type: 'tel', mode: 'tel', complete: 'tel' },
} as const;
/** Share of the maximum length from which the number of remaining characters is shown. */
const COUNT_FROM_SHARE = 0.8;

function TextField({
  view,
  input,
  onInput,
  messages,
  id,
  describedBy,
  invalid,
  session,
}: FieldProps<QuestionWithType<'text'>>) {
  const { question, placeholder } = view;
  const { multiline, max_length: max, format } = question.settings;
  const value = typeof input === 'string' ? input : '';
  const length = countCharacters(value);
  const isNearLimit = length >= max * COUNT_FROM_SHARE;
  const shared = {
    id,
    class: 'field',
    value,
    placeholder: placeholder ?? undefined,
    dir: placeholder === null ? undefined : session.languageOf(view.texts.has('placeholder')).dir,
    'aria-invalid': invalid,
    'aria-required': question.required,
    'aria-describedby': [describedBy ?? [], isNearLimit ? `${id}-count` : []].flat().join(' ') || undefined,
    onInput: (event: Event) => onInput((event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value),
  };
  const { type, mode, complete } = INPUT_ATTRIBUTES[format];
  // An address or a number is one line, whatever the setting says.
  const isTextarea = multiline && mode === undefined;
  // Preact has a separate type for each `type` of an input; here the value is known only at run time.
  const keyboard = {
    type,
    inputMode: mode,
    autocomplete: complete,
    ...(mode === undefined ? {} : { autocapitalize: 'off', spellcheck: false }),
  } as InputHTMLAttributes;
  return (
    <>
      {isTextarea ? <textarea rows={4} {...shared} /> : <input {...keyboard} {...shared} />}
      {isNearLimit && (
        <p class={`count${length > max ? ' over' : ''}`} id={`${id}-count`}>
          {length > max
            ? fillPlaceholders(messages.characters_over, { n: length - max })
            : fillPlaceholders(messages.characters_left, { n: max - length })}
        </p>
      )}
    </>
  );
}

export const textField: FieldModuleOf<'text'> = {
  ...PLAIN_FIELD,
  answers: textAnswers,
  Field: TextField,
  role: 'control',
  problem({ settings: { min_length: min, max_length: max, format } }, answer, messages) {
    if (typeof answer !== 'string') return null;
    const length = countCharacters(answer);
    if (min !== null && length < min) return fillPlaceholders(messages.too_short, { n: min, m: length });
    if (length > max) return fillPlaceholders(messages.too_long, { n: max, m: length });
    switch (format) {
      case 'email':
        return messages.email_wrong;
      case 'url':
        return messages.url_wrong;
      case 'phone':
        return messages.phone_wrong;
      case 'regex':
        return messages.pattern_wrong;
      case 'none':
        return null;
    }
  },
};
