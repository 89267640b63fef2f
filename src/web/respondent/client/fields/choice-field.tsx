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
  const several = question.type === 'multiple_choice';
  const most = several ? question.settings.max_selections : null;
  const excluded = options.some((option) => option.exclusive && byValue.has(option.value));
  const full = most !== null && most > 1 && chosen.length >= most && !excluded;

  const choose = (option: Option, on: boolean) => {
    if (!several) onInput(option.value);
    else if (!on) onInput(chosen.filter((choice) => choiceValue(choice) !== option.value));
    else if (option.exclusive) onInput([option.value]);
    else {
      const exclusive = new Set(options.filter((each) => each.exclusive).map((each) => each.value));
      onInput([...chosen.filter((choice) => !exclusive.has(choiceValue(choice))), option.value]);
    }
  };
  const specify = (option: Option, other: string) => {
    const choice: Choice = other === '' ? option.value : { value: option.value, other };
    onInput(several ? chosen.map((each) => (choiceValue(each) === option.value ? choice : each)) : choice);
  };

  const { display, columns, searchable } = question.settings;
  const listId = `${props.id}-options`;
  const list = (
    <div id={listId} class={`choices ${display} columns-${columns}`}>
      {(searchable ? search.found : options).map((option) => {
        const on = byValue.has(option.value);
        const id = `${props.id}-${option.code}`;
        return (
          <div key={option.code} class={`option${on && option.other ? ' wide' : ''}`}>
            <label class="choice">
              <input
                id={id}
                type={several ? 'checkbox' : 'radio'}
                name={props.id}
                value={option.value}
                checked={on}
                disabled={full && !on && !option.exclusive}
                aria-invalid={several && invalid ? true : undefined}
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
            {on && option.other && (
              <OtherText
                id={`${id}-other`}
                label={labels.other_label ?? messages.other}
                language={props.session.languageOf(
                  labels.other_label === null || view.texts.has('other_label'),
                )}
                value={otherText(byValue.get(option.value))}
                onInput={(other) => specify(option, other)}
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
