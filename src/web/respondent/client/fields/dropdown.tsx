import { dropdownAnswers } from '../../../../domain/questions/types/dropdown.ts';
import type { Option, QuestionWithType } from '../../../../domain/survey/definition.ts';
import { choiceValue, otherText, OtherText, readChoices } from './choice.tsx';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';
import { OptionSearch } from './option-tools.tsx';

/** Visible rows of a list with a search box; phones open the full list on a tap. */
const LISTED_ROWS = 7;

/** A select element. With `searchable` it is a list box that a search box filters. */
function DropdownField({
  view,
  input,
  onInput,
  messages,
  id,
  describedBy,
  invalid,
  session,
}: FieldProps<QuestionWithType<'dropdown'>>) {
  const { question, options, labels, placeholder } = view;
  const [chosen] = readChoices(input);
  const value = chosen === undefined ? '' : choiceValue(chosen);
  const option = options.find((each) => each.value === value);
  const isSearchable = question.settings.searchable;
  const list = (shown: readonly Option[]) => (
    <select
      id={id}
      class={isSearchable ? 'field listed' : 'field'}
      size={isSearchable ? Math.max(2, Math.min(LISTED_ROWS, shown.length + 1)) : undefined}
      value={value}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      aria-required={question.required}
      onChange={(event) => onInput(event.currentTarget.value || null)}
    >
      <option value="">{placeholder ?? messages.choose}</option>
      {shown.map((each) => (
        <option
          key={each.code}
          value={each.value}
          {...session.languageOf(view.texts.has(String(each.code), 'options'))}
        >
          {each.label}
        </option>
      ))}
    </select>
  );
  return (
    <>
      {isSearchable ? (
        <OptionSearch
          id={`${id}-search`}
          controls={id}
          options={options}
          isChosen={(each) => each.value === value}
          messages={messages}
        >
          {list}
        </OptionSearch>
      ) : (
        list(options)
      )}
      {option?.other && (
        <OtherText
          id={`${id}-other`}
          label={labels.other_label ?? messages.other}
          language={session.languageOf(labels.other_label === null || view.texts.has('other_label'))}
          value={otherText(chosen)}
          onInput={(other) => onInput(other === '' ? value : { value, other })}
        />
      )}
    </>
  );
}

export const dropdownField: FieldModuleOf<'dropdown'> = {
  ...PLAIN_FIELD,
  answers: dropdownAnswers,
  Field: DropdownField,
  role: 'control',
};
