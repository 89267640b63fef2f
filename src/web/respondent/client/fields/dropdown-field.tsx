import type { FieldProps } from './field-props.ts';
import { choicesIn, otherOf, valueOf } from './choice-field.tsx';
import { OtherText } from './other-text.tsx';

/** The platform's own list: it can be searched by typing, and phones show it at full size. */
export function DropdownField({
  view,
  input,
  onInput,
  words,
  id,
  describedBy,
  invalid,
  session,
}: FieldProps) {
  const { question, options, labels, placeholder } = view;
  const [chosen] = choicesIn(input);
  const value = chosen === undefined ? '' : valueOf(chosen);
  const option = options.find((each) => each.value === value);
  return (
    <>
      <select
        id={id}
        class="field"
        value={value}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        aria-required={question.required}
        onChange={(event) => onInput(event.currentTarget.value || null)}
      >
        <option value="">{placeholder ?? words.choose}</option>
        {options.map((each) => (
          <option
            key={each.code}
            value={each.value}
            {...session.languageOf(view.texts.has(String(each.code), 'options'))}
          >
            {each.label}
          </option>
        ))}
      </select>
      {option?.other && (
        <OtherText
          id={`${id}-other`}
          label={labels.other_label ?? words.other}
          language={session.languageOf(labels.other_label === null || view.texts.has('other_label'))}
          value={otherOf(chosen)}
          onInput={(other) => onInput(other === '' ? value : { value, other })}
        />
      )}
    </>
  );
}
