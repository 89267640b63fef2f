import type { OtherChoice } from '../../../../domain/answers/codec.ts';
import type { Option } from '../../../../domain/survey/definition.ts';
import { isRecord } from '../../../../domain/answers/read-result.ts';
import type { FieldProps } from './field-props.ts';
import { SearchBox, useOptionSearch } from './option-search.tsx';
import { OtherText } from './other-text.tsx';

type Choice = string | OtherChoice;

export const choiceValue = (choice: Choice): string => (typeof choice === 'string' ? choice : choice.value);
export const otherText = (choice: Choice | undefined): string =>
  typeof choice === 'object' ? choice.other : '';

/** Returns the choices of an input. Other values are ignored. */
export function readChoices(input: unknown): Choice[] {
  const list: unknown[] = Array.isArray(input) ? input : [input];
  return list.filter(
    (choice): choice is Choice =>
      (typeof choice === 'string' && choice !== '') || (isRecord(choice) && typeof choice.value === 'string'),
  );
}

/** Options as radio buttons or checkboxes. */
export function ChoiceField(props: FieldProps) {
  const { view, input, onInput, messages, invalid } = props;
  const { question, options, labels } = view;
  const chosen = readChoices(input);
  const byValue = new Map(chosen.map((choice) => [choiceValue(choice), choice]));
  const search = useOptionSearch(options, (option) => byValue.has(option.value));
  if (question.type !== 'single_choice' && question.type !== 'multiple_choice') return null;
  const isMultiple = question.type === 'multiple_choice';
  const maxSelections = isMultiple ? question.settings.max_selections : null;
  const hasExclusive = options.some((option) => option.exclusive && byValue.has(option.value));
  const isFull =
    maxSelections !== null && maxSelections > 1 && chosen.length >= maxSelections && !hasExclusive;

  const choose = (option: Option, isChecked: boolean) => {
    if (!isMultiple) onInput(option.value);
    else if (!isChecked) onInput(chosen.filter((choice) => choiceValue(choice) !== option.value));
    else if (option.exclusive) onInput([option.value]);
    else {
      const exclusive = new Set(options.filter((each) => each.exclusive).map((each) => each.value));
      onInput([...chosen.filter((choice) => !exclusive.has(choiceValue(choice))), option.value]);
    }
  };
  const setOtherText = (option: Option, other: string) => {
    const choice: Choice = other === '' ? option.value : { value: option.value, other };
    onInput(isMultiple ? chosen.map((each) => (choiceValue(each) === option.value ? choice : each)) : choice);
  };

  const { display, columns, searchable } = question.settings;
  const listId = `${props.id}-options`;
  const list = (
    <div id={listId} class={`choices ${display} columns-${columns}`}>
      {(searchable ? search.found : options).map((option) => {
        const isChecked = byValue.has(option.value);
        const id = `${props.id}-${option.code}`;
        return (
          <div key={option.code} class={`option${isChecked && option.other ? ' wide' : ''}`}>
            <label class="choice">
              <input
                id={id}
                type={isMultiple ? 'checkbox' : 'radio'}
                name={props.id}
                value={option.value}
                checked={isChecked}
                disabled={isFull && !isChecked && !option.exclusive}
                aria-invalid={isMultiple && invalid ? true : undefined}
                onChange={(event) => choose(option, event.currentTarget.checked)}
              />
              {option.image !== null && (
                <img src={option.image} alt="" loading="lazy" referrerPolicy="no-referrer" />
              )}
              <span
                class="label"
                {...props.session.languageOf(view.texts.has(String(option.code), 'options'))}
              >
                {option.label}
              </span>
            </label>
            {isChecked && option.other && (
              <OtherText
                id={`${id}-other`}
                label={labels.other_label ?? messages.other}
                language={props.session.languageOf(
                  labels.other_label === null || view.texts.has('other_label'),
                )}
                value={otherText(byValue.get(option.value))}
                onInput={(other) => setOtherText(option, other)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
  if (!searchable) return list;
  return (
    <>
      <SearchBox
        id={`${props.id}-search`}
        controls={listId}
        search={search}
        total={options.length}
        messages={messages}
      />
      {list}
    </>
  );
}
