import { singleChoiceAnswers } from '../../../../domain/questions/types/single-choice.ts';
import { multipleChoiceAnswers } from '../../../../domain/questions/types/multiple-choice.ts';
import type { OtherChoice } from '../../../../domain/questions/answers/codec.ts';
import { isNoAnswer, isRecord } from '../../../../domain/questions/answers/read-answer.ts';
import type { Option, QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders, type TextLanguage } from '../localization.ts';
import { Formatted } from '../formatted.tsx';
import { Enlarge, OptionSearch } from './option-tools.tsx';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD, selectionCountProblem } from './field-module.ts';

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

/** The text field of an option such as "Other". */
export function OtherText({
  id,
  label,
  language,
  value,
  onInput,
}: {
  id: string;
  label: string;
  /** Language of the label, if it differs from that of the page. */
  language: TextLanguage;
  value: string;
  onInput: (text: string) => void;
}) {
  return (
    <div class="other">
      <label for={id} {...language}>
        {label}
      </label>
      <input
        id={id}
        class="field"
        type="text"
        maxLength={2000}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

/** Options as radio buttons or, for multiple choice, checkboxes. `maxSelections`: null without a limit. */
function ChoiceField({
  isMultiple,
  maxSelections,
  ...props
}: FieldProps<QuestionWithType<'single_choice' | 'multiple_choice'>> & {
  isMultiple: boolean;
  maxSelections: number | null;
}) {
  const { view, input, onInput, messages, invalid } = props;
  const { question, options, labels } = view;
  const chosen = readChoices(input);
  const byValue = new Map(chosen.map((choice) => [choiceValue(choice), choice]));
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
  const list = (shown: readonly Option[]) => (
    <div id={listId} class={`choices ${display} columns-${columns}`}>
      {shown.map((option) => {
        const isChecked = byValue.has(option.value);
        const id = `${props.id}-${option.code}`;
        return (
          <div
            key={option.code}
            class={`option${isChecked && option.other ? ' wide' : ''}${option.image === null ? '' : ' pictured'}`}
          >
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
                <Formatted
                  text={option.label}
                  nodes={view.formatted.get(`options.${option.code}`)}
                  messages={messages}
                />
              </span>
            </label>
            {option.image !== null && display !== 'buttons' && (
              <Enlarge option={option} messages={messages} />
            )}
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
  if (!searchable) return list(options);
  return (
    <OptionSearch
      id={`${props.id}-search`}
      controls={listId}
      options={options}
      isChosen={(option) => byValue.has(option.value)}
      messages={messages}
    >
      {list}
    </OptionSearch>
  );
}

export const singleChoiceField: FieldModuleOf<'single_choice'> = {
  ...PLAIN_FIELD,
  answers: singleChoiceAnswers,
  Field: (props) => <ChoiceField {...props} isMultiple={false} maxSelections={null} />,
  role: 'radiogroup',
  needsClearButton: true,
};

export const multipleChoiceField: FieldModuleOf<'multiple_choice'> = {
  ...PLAIN_FIELD,
  answers: multipleChoiceAnswers,
  Field: (props) => (
    <ChoiceField {...props} isMultiple maxSelections={props.view.question.settings.max_selections} />
  ),
  hint({ question, options }, messages) {
    const { min_selections: min, max_selections: max } = question.settings;
    const requiredMin = min !== null && min > 1 ? min : null;
    if (requiredMin !== null && max !== null) {
      return requiredMin === max
        ? fillPlaceholders(messages.choose_exactly, { n: max })
        : fillPlaceholders(messages.choose_range, { n: requiredMin, m: max });
    }
    if (max !== null && max < options.length) return fillPlaceholders(messages.choose_max, { n: max });
    return requiredMin === null
      ? messages.all_that_apply
      : fillPlaceholders(messages.choose_min, { n: requiredMin });
  },
  submittedInput: (_question, input) => (isNoAnswer(input) ? [] : input),
  problem: ({ settings }, answer, messages) =>
    selectionCountProblem(
      answer,
      [settings.min_selections, messages.select_min],
      [settings.max_selections, messages.select_max],
    ),
};
