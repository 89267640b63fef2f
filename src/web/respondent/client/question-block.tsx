import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { noAnswerReasonOf } from '../../../domain/columns/no-answer.ts';
import type { QuestionView } from '../../../domain/survey/logic/render-survey.ts';
import { isEmptyInput } from './answers.ts';
import type { FieldModule, FieldProps } from './fields/field-module.ts';
import { NoAnswer } from './fields/no-answer.tsx';
import { fieldOf } from './fields/registry.ts';
import { Formatted } from './formatted.tsx';
import { Media } from './media.tsx';
import { cellsOf } from './screens.ts';
import type { Session } from './session.ts';

export function QuestionBlock({
  session,
  view,
  label,
}: {
  session: Session;
  view: QuestionView;
  /** Replaces the question text, in a table. */
  label?: ComponentChildren;
}) {
  const { question } = view;
  const { messages } = session;
  const { code } = question;
  const module = fieldOf(question);
  const { Field } = module;
  const input = session.draft.inputs[code];
  /** Counts the reasons that were ticked: each empties the controls of the answer, also of what the browser keeps in them. */
  const [emptied, setEmptied] = useState(0);
  const problem = session.problems.get(code) ?? null;
  const hint = module.hint(view, messages);
  const descriptionIds = [
    view.description === null ? [] : `${code}-description`,
    hint === null ? [] : `${code}-hint`,
    problem === null ? [] : `${code}-problem`,
  ].flat();
  const describedBy = descriptionIds.length === 0 ? undefined : descriptionIds.join(' ');
  const props: FieldProps = {
    view,
    input: noAnswerReasonOf(input) === null ? input : undefined,
    onInput: (next) => session.setInput(code, next),
    messages,
    id: `field-${code}`,
    describedBy,
    invalid: problem !== null,
    session,
    cells: cellsOf(view, session.screen?.questions ?? []),
    showCell: (cell, cellLabel) => (
      <QuestionBlock key={cell.question.code} session={session} view={cell} label={cellLabel} />
    ),
  };
  const questionLanguage = session.languageOf(view.texts.has('question_text'));
  /** A statement has blocks. */
  const Text = module.role === 'none' ? 'div' : 'span';
  const text = (
    <>
      <Text class="text" {...questionLanguage}>
        {label ?? (
          <Formatted text={view.text} nodes={view.formatted.get('question_text')} messages={messages} />
        )}
      </Text>
      {question.required && (
        <>
          <span class="star" aria-hidden="true">
            {'\u00a0*'}
          </span>
          <span class="visually-hidden"> ({messages.required})</span>
        </>
      )}
    </>
  );
  const body = (
    <>
      {view.description !== null && (
        <div
          class="description"
          id={`${code}-description`}
          {...session.languageOf(view.texts.has('description'))}
        >
          <Formatted text={view.description} nodes={view.formatted.get('description')} messages={messages} />
        </div>
      )}
      {view.image !== null && (
        <img
          class="question-image"
          src={view.image.url}
          alt={view.image.alt}
          {...session.languageOf(view.texts.has('image_alt'))}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
        />
      )}
      <Media session={session} view={view} />
      {hint !== null && (
        <p class="hint" id={`${code}-hint`}>
          {hint}
        </p>
      )}
      <Field key={emptied} {...props} />
      {question.settings.no_answers.length > 0 && (
        <NoAnswer
          {...props}
          input={input}
          onInput={(next) => {
            setEmptied(emptied + 1);
            props.onInput(next);
          }}
        />
      )}
      {module.needsClearButton && !question.required && (
        <button
          type="button"
          class={isEmptyInput(input) ? 'plain clear unused' : 'plain clear'}
          onClick={() => props.onInput(null)}
        >
          {messages.clear}
          {!isEmptyInput(input) && (
            <span class="visually-hidden">
              : <span {...questionLanguage}>{view.text}</span>
            </span>
          )}
        </button>
      )}
      {problem !== null && (
        <p class="problem" id={`${code}-problem`}>
          {problem}
        </p>
      )}
    </>
  );
  const className = `question type-${question.type}${problem === null ? '' : ' wrong'}`;
  if (module.role === 'control') {
    return (
      <div class={className} data-code={code}>
        <label class="question-text" for={props.id}>
          {text}
        </label>
        {body}
      </div>
    );
  }
  if (module.role === 'none') {
    return (
      <div class={className} data-code={code}>
        <div class="question-text">{text}</div>
        {body}
      </div>
    );
  }
  return (
    <Group
      view={view}
      role={module.role}
      class={className}
      describedBy={describedBy}
      invalid={problem !== null}
    >
      <legend class="question-text">{text}</legend>
      {body}
    </Group>
  );
}

function Group({
  view: { question },
  role,
  class: className,
  describedBy,
  invalid,
  children,
}: {
  view: QuestionView;
  role: Exclude<FieldModule['role'], 'control' | 'none'>;
  class: string;
  describedBy: string | undefined;
  invalid: boolean;
  children: ComponentChildren;
}) {
  const radioGroupProps =
    role === 'radiogroup'
      ? ({ role, 'aria-required': question.required, 'aria-invalid': invalid } as const)
      : {};
  return (
    <fieldset class={className} data-code={question.code} aria-describedby={describedBy} {...radioGroupProps}>
      {children}
    </fieldset>
  );
}
