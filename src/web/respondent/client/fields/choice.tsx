import { useState } from 'preact/hooks';
import type { OtherChoice } from '../../../../domain/questions/answers/codec.ts';
import { isNoAnswer, isRecord } from '../../../../domain/questions/answers/read-answer.ts';
import type { Option, QuestionWithType } from '../../../../domain/survey/definition.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { fillPlaceholders, type Messages, type TextLanguage } from '../localization.ts';
import { Formatted } from '../formatted.tsx';
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

/** Ignores case and accents, so that "ile" finds "Île-de-France". */
const foldCase = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

interface OptionSearch {
  /** Options whose label contains the query, and the selected options. */
  found: readonly Option[];
  query: string;
  setQuery: (query: string) => void;
}

/** State of a search box that filters options. */
export function useOptionSearch(
  options: readonly Option[],
  isChosen: (option: Option) => boolean,
): OptionSearch {
  const [query, setQuery] = useState('');
  const foldedQuery = foldCase(query);
  const found = options.filter((option) => foldCase(option.label).includes(foldedQuery) || isChosen(option));
  return { found, query, setQuery };
}

interface SearchBoxProps {
  id: string;
  /** Id of the filtered list. */
  controls: string;
  search: OptionSearch;
  total: number;
  messages: Messages;
}

/** A search box for the options of a question. It announces the number of matches to screen readers. */
export function SearchBox({
  id,
  controls,
  search: { found, query, setQuery },
  total,
  messages,
}: SearchBoxProps) {
  const count = fillPlaceholders(messages.options_found, { n: String(found.length), m: String(total) });
  return (
    <div class="option-search">
      <input
        id={id}
        type="search"
        class="field"
        autocomplete="off"
        aria-label={messages.search_options}
        aria-controls={controls}
        placeholder={messages.search_options}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter would submit the page.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <p class="hint" role="status">
        {query === '' ? '' : count}
      </p>
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
  const search = useOptionSearch(options, (option) => byValue.has(option.value));
  const [enlarged, setEnlarged] = useState<Option | null>(null);
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
              <button
                type="button"
                class="enlarge"
                aria-label={fillPlaceholders(messages.enlarge, { label: option.label })}
                onClick={() => setEnlarged(option)}
              >
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d="M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7" />
                </svg>
              </button>
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
  return (
    <>
      {searchable && (
        <SearchBox
          id={`${props.id}-search`}
          controls={listId}
          search={search}
          total={options.length}
          messages={messages}
        />
      )}
      {list}
      {enlarged !== null && (
        <Dialog title={enlarged.label} onClose={() => setEnlarged(null)}>
          <img class="enlarged" src={enlarged.image ?? ''} alt="" referrerPolicy="no-referrer" />
          <div class="buttons">
            <button type="button" class="button" onClick={() => setEnlarged(null)}>
              {messages.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

export const singleChoiceField: FieldModuleOf<'single_choice'> = {
  ...PLAIN_FIELD,
  Field: (props) => <ChoiceField {...props} isMultiple={false} maxSelections={null} />,
  role: 'radiogroup',
  needsClearButton: true,
};

export const multipleChoiceField: FieldModuleOf<'multiple_choice'> = {
  ...PLAIN_FIELD,
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
