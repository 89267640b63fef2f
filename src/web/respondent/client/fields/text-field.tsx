import type { InputHTMLAttributes } from 'preact';
import { countCharacters } from '../../../../domain/answers/typed-text.ts';
import type { FieldProps } from './field-props.ts';
import { fillPlaceholders } from '../localization.ts';

const INPUT_ATTRIBUTES = {
  none: { type: 'text', mode: undefined, complete: undefined },
  regex: { type: 'text', mode: undefined, complete: undefined },
  email: { type: 'email', mode: 'email', complete: 'email' },
  url: { type: 'url', mode: 'url', complete: 'url' },
  phone: { type: 'tel', mode: 'tel', complete: 'tel' },
} as const;
/** Share of the maximum length from which the number of remaining characters is shown. */
const COUNT_FROM_SHARE = 0.8;

export function TextField({ view, input, onInput, messages, id, describedBy, invalid, session }: FieldProps) {
  const { question, placeholder } = view;
  if (question.type !== 'text') return null;
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
  // Preact has a separate type for each `type` of an input; here the value is known only at run time.
  const keyboard = { type, inputMode: mode, autocomplete: complete } as InputHTMLAttributes;
  return (
    <>
      {multiline ? <textarea rows={4} {...shared} /> : <input {...keyboard} {...shared} />}
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
