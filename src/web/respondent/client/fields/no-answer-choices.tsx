import { noAnswerReasonOf } from '../../../../domain/columns/no-answer.ts';
import type { FieldProps } from './field-module.ts';

/** The reasons that a question offers instead of an answer. At most one is ticked, and an answer unticks it. */
export function NoAnswerChoices({ view, input, onInput, messages, session }: FieldProps) {
  const { question, texts } = view;
  const given = noAnswerReasonOf(input);
  return (
    <div class="no-answer" role="group" aria-label={messages.instead_of_answer}>
      <p class="or" aria-hidden="true">
        {messages.or}
      </p>
      {question.settings.no_answers.map(({ reason, label }) => (
        <label key={reason} class="choice">
          <input
            type="checkbox"
            checked={given === reason}
            onChange={(event) => onInput(event.currentTarget.checked ? { no_answer: reason } : null)}
          />
          <span
            class="label"
            {...(label === null ? {} : session.languageOf(texts.has(reason, 'no_answers')))}
          >
            {texts.entry('no_answers', reason, label) ?? messages[reason]}
          </span>
        </label>
      ))}
    </div>
  );
}
