import type { ComponentChildren } from 'preact';
import type { Question } from '../../../domain/survey/definition.ts';
import type { QuestionView } from '../../../domain/survey/logic/render-survey.ts';
import { ChoiceField } from './fields/choice-field.tsx';
import { DateField } from './fields/date-field.tsx';
import { DropdownField } from './fields/dropdown-field.tsx';
import type { FieldProps } from './fields/field-props.ts';
import { FileField } from './fields/file-field.tsx';
import { MatrixField } from './fields/matrix-field.tsx';
import { NumberField } from './fields/number-field.tsx';
import { PointsField } from './fields/points-field.tsx';
import { RankingField } from './fields/ranking-field.tsx';
import { SliderField } from './fields/slider-field.tsx';
import { TextField } from './fields/text-field.tsx';
import { isEmptyInput } from './validate-answer.ts';
import { questionHint } from './hints.ts';
import type { Session } from './session.ts';

/** Types with a single control have a label; all others are groups with a legend. */
const SINGLE_CONTROL_TYPES: ReadonlySet<Question['type']> = new Set([
  'text',
  'number',
  'dropdown',
  'date',
  'slider',
]);
const RADIO_GROUP_TYPES: ReadonlySet<Question['type']> = new Set(['single_choice', 'scale', 'nps']);
/** Types whose controls cannot be cleared. */
const CLEARABLE_TYPES: ReadonlySet<Question['type']> = new Set([
  'single_choice',
  'scale',
  'nps',
  'slider',
  'matrix',
]);

export function QuestionBlock({ session, view }: { session: Session; view: QuestionView }) {
  const { question } = view;
  const { messages } = session;
  const { code } = question;
  const input = session.draft.inputs[code];
  const problem = session.problems.get(code) ?? null;
  const hint = questionHint(view, messages);
  const descriptionIds = [
    view.description === null ? [] : `${code}-description`,
    hint === null ? [] : `${code}-hint`,
    problem === null ? [] : `${code}-problem`,
  ].flat();
  const describedBy = descriptionIds.length === 0 ? undefined : descriptionIds.join(' ');
  const field: FieldProps = {
    view,
    input,
    onInput: (next) => session.setInput(code, next),
    messages,
    id: `field-${code}`,
    describedBy,
    invalid: problem !== null,
    session,
  };
  const questionLanguage = session.languageOf(view.texts.has('question_text'));
  const isGroup = !SINGLE_CONTROL_TYPES.has(question.type);
  const text = (
    <>
      <span class="text" {...questionLanguage}>
        {view.text}
      </span>
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
        <p
          class="description"
          id={`${code}-description`}
          {...session.languageOf(view.texts.has('description'))}
        >
          {view.description}
        </p>
      )}
      {hint !== null && (
        <p class="hint" id={`${code}-hint`}>
          {hint}
        </p>
      )}
      <Field {...field} />
      {CLEARABLE_TYPES.has(question.type) && !isEmptyInput(input) && (
        <button type="button" class="plain clear" onClick={() => field.onInput(null)}>
          {messages.clear}
          <span class="visually-hidden">
            : <span {...questionLanguage}>{view.text}</span>
          </span>
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
  if (!isGroup) {
    return (
      <div class={className} data-code={code}>
        <label class="question-text" for={field.id}>
          {text}
        </label>
        {body}
      </div>
    );
  }
  return (
    <Group view={view} class={className} describedBy={describedBy} invalid={problem !== null}>
      <legend class="question-text">{text}</legend>
      {body}
    </Group>
  );
}

function Group({
  view: { question },
  class: className,
  describedBy,
  invalid,
  children,
}: {
  view: QuestionView;
  class: string;
  describedBy: string | undefined;
  invalid: boolean;
  children: ComponentChildren;
}) {
  // ARIA allows aria-required and aria-invalid on a radiogroup, but not on other groups.
  const radioGroupProps = RADIO_GROUP_TYPES.has(question.type)
    ? ({ role: 'radiogroup', 'aria-required': question.required, 'aria-invalid': invalid } as const)
    : {};
  return (
    <fieldset class={className} data-code={question.code} aria-describedby={describedBy} {...radioGroupProps}>
      {children}
    </fieldset>
  );
}

function Field(props: FieldProps) {
  switch (props.view.question.type) {
    case 'single_choice':
    case 'multiple_choice':
      return <ChoiceField {...props} />;
    case 'dropdown':
      return <DropdownField {...props} />;
    case 'text':
      return <TextField {...props} />;
    case 'number':
      return <NumberField {...props} />;
    case 'scale':
    case 'nps':
      return <PointsField {...props} />;
    case 'slider':
      return <SliderField {...props} />;
    case 'matrix':
      return <MatrixField {...props} />;
    case 'ranking':
      return <RankingField {...props} />;
    case 'date':
      return <DateField {...props} />;
    case 'file_upload':
      return <FileField {...props} />;
  }
}
