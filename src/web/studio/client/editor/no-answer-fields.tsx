import { useId } from 'preact/hooks';
import { texts } from '../../texts.ts';
import { readTypedNumber } from '../data/typed-number.ts';
import {
  type NoAnswer,
  noAnswersOf,
  proposeNoAnswer,
  type Reason,
  REASONS,
} from '../question-types/no-answers.ts';
import type { QuestionSettings } from '../question-types/question-type.ts';

const words = texts.editor.noAnswers;

/** The reasons that respondents can give instead of an answer, each with its code and its text. */
export function NoAnswerFields({
  settings,
  problemAt,
  onChange,
}: {
  settings: QuestionSettings;
  /** Message of the API at a field of the request. */
  problemAt: (field: string, name: string) => string | null;
  onChange: (choices: readonly NoAnswer[]) => void;
}) {
  const chosen = noAnswersOf(settings);
  const change = (reason: Reason, changes: Partial<NoAnswer>) =>
    onChange(chosen.map((each) => (each.reason === reason ? { ...each, ...changes } : each)));
  const offer = (reason: Reason, isOffered: boolean) => {
    const others = chosen.filter((each) => each.reason !== reason);
    const added = isOffered ? [...others, proposeNoAnswer(reason, null)] : others;
    onChange(REASONS.flatMap((each) => added.filter((choice) => choice.reason === each)));
  };
  return (
    <fieldset class="no-answer-fields">
      <legend>{words.title}</legend>
      <p class="hint">{words.hint}</p>
      {REASONS.map((reason) => {
        const index = chosen.findIndex((each) => each.reason === reason);
        const choice = chosen[index];
        const at = (name: string, label: string) =>
          index < 0 ? null : problemAt(`question_settings.no_answers[${index}].${name}`, label);
        return (
          <div key={reason} class="no-answer-row">
            <label class="check">
              <input
                type="checkbox"
                checked={choice !== undefined}
                onChange={(event) => offer(reason, event.currentTarget.checked)}
              />
              <span>{words.reasons[reason]}</span>
            </label>
            {choice !== undefined && (
              <>
                <Input
                  label={words.code}
                  context={words.reasons[reason]}
                  value={String(choice.code)}
                  problem={at('code', words.code)}
                  isNumber
                  onInput={(text) => change(reason, { code: readTypedNumber(text, 0).value ?? text })}
                />
                <Input
                  label={words.label}
                  context={words.reasons[reason]}
                  value={choice.label ?? ''}
                  placeholder={words.reasons[reason]}
                  problem={at('label', words.label)}
                  onInput={(text) => change(reason, { label: text.trim() === '' ? null : text })}
                />
              </>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

function Input({
  label,
  context,
  value,
  placeholder = '',
  problem,
  isNumber = false,
  onInput,
}: {
  label: string;
  /** The reason that the input belongs to, for people who do not see the row. */
  context: string;
  value: string;
  placeholder?: string;
  problem: string | null;
  isNumber?: boolean;
  onInput: (text: string) => void;
}) {
  const id = useId();
  return (
    <div class="labeled">
      <label for={id}>
        {label}
        <span class="visually-hidden">: {context}</span>
      </label>
      <input
        id={id}
        class="field"
        inputMode={isNumber ? 'decimal' : 'text'}
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        aria-invalid={problem !== null}
        {...(problem === null ? {} : { 'aria-describedby': `${id}-problem` })}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {problem !== null && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
