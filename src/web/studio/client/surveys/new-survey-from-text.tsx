import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Field, TextAreaField } from '../../../shared/client/fields.tsx';
import { Form } from '../../../shared/client/form.tsx';
import { ApiError } from '../../../shared/client/api.ts';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import type { QuestionType } from '../question-types/question-type.ts';
import { studioTypeOf } from '../question-types/registry.ts';
import { parseSurveyText } from './paste/parse-survey-text.ts';
import {
  type LineKind,
  type ParsedLine,
  type ParsedQuestion,
  possibleTypes,
  takesPoints,
  takesRange,
  TYPES_OF_TEXT,
  understandAs,
} from './paste/parsed-survey.ts';
import { reasonInWords } from './paste/pasted-hints.ts';
import { toSurveyFile } from './paste/pasted-survey-file.ts';

const words = texts.create;

/** What a line can become: a question of a type, another part of the survey, or nothing. */
type LineChoice = QuestionType | Exclude<LineKind, 'question'>;

/** Creates a survey from pasted questions. What is understood is shown beside the text, where each line can become something else. */
export function NewSurveyFromText({
  onCreate,
  back,
}: {
  onCreate: (file: object) => Promise<void>;
  back: ComponentChildren;
}) {
  const [text, setText] = useState('');
  // By the text of the line, so that a choice stays while other lines change.
  const [choices, setChoices] = useState<ReadonlyMap<string, LineChoice>>(new Map());
  const lineTexts = useMemo(() => text.split(/\r\n|\r|\n/).map((line) => line.trim()), [text]);
  const parsed = useMemo(
    () => parseSurveyText(text, new Map([...choices].map(([line, choice]) => [line, kindOf(choice)]))),
    [text, choices],
  );
  const choiceOf = ({ line }: { line: number }) => choices.get(lineTexts[line - 1] ?? '');
  const choose = ({ line }: { line: number }, choice: LineChoice | null) => {
    const changed = new Map(choices);
    const key = lineTexts[line - 1] ?? '';
    if (choice === null) changed.delete(key);
    else changed.set(key, choice);
    setChoices(changed);
  };
  const pages = parsed.pages.map((page) => ({
    lines: page.lines.map((line): ParsedLine => {
      const chosen = choiceOf(line);
      if (line.kind !== 'question') return line;
      const type = possibleTypes(line).find((each) => each === chosen);
      return type === undefined ? line : understandAs(line, type);
    }),
  }));
  const questionCount = pages.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'question').length;
  return (
    <Section title={words.text} about={words.textAbout} action={back}>
      <div class="text-and-questions">
        <div
          class="card"
          onInput={({ target }) => {
            if (target instanceof HTMLTextAreaElement) setText(target.value);
          }}
        >
          <Form
            submit={words.create}
            onSubmit={async (values) => {
              if (questionCount === 0)
                throw new ApiError('rejected', {
                  problems: [{ field: 'questions', message: words.noQuestions }],
                });
              const name = values.get('survey_name')?.trim() ?? '';
              await onCreate(
                toSurveyFile(name === '' ? (parsed.name?.text ?? words.unnamed) : name, pages, parsed.ending),
              );
            }}
          >
            <Field name="survey_name" label={words.surveyName} />
            <TextAreaField
              name="questions"
              label={words.textLabel}
              hint={words.textHint}
              placeholder={words.textExample}
            />
          </Form>
        </div>
        <section class="card understood" aria-label={words.understood}>
          <h2>{words.understood}</h2>
          {questionCount === 0 && <p class="soft">{words.understoodEmpty}</p>}
          {parsed.name !== null && <UnderstoodLines lines={[parsed.name]} onChoose={choose} />}
          {parsed.strayOptionLines.map((line) => (
            <p key={line} class="problem">
              {words.strayOptions(line)}
            </p>
          ))}
          {pages.map(({ lines }, index) => (
            <div key={index}>
              {pages.length > 1 && <h3>{words.page(index + 1)}</h3>}
              <UnderstoodLines lines={lines} onChoose={choose} />
            </div>
          ))}
          {parsed.ending.length > 0 && (
            <div>
              <h3>{words.endPage}</h3>
              <UnderstoodLines lines={parsed.ending} onChoose={choose} />
            </div>
          )}
          {parsed.dropped.length > 0 && (
            <div>
              <h3>{words.dropped}</h3>
              <ul class="understood-lines">
                {parsed.dropped.map((line) => (
                  <li key={line.line}>
                    <s>{line.text}</s>{' '}
                    <button type="button" class="plain" onClick={() => choose(line, null)}>
                      {words.restore}
                      <span class="visually-hidden"> {line.text}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </section>
      </div>
    </Section>
  );
}

const OTHER_KINDS = ['name', 'heading', 'introduction', 'ending'] as const;

const kindOf = (choice: LineChoice): LineKind =>
  [...OTHER_KINDS, 'dropped' as const].find((kind) => kind === choice) ?? 'question';

const UnderstoodLines = ({
  lines,
  onChoose,
}: {
  lines: readonly ParsedLine[];
  onChoose: (line: ParsedLine, choice: LineChoice) => void;
}) => (
  <ul class="understood-lines">
    {lines.map((line) => (
      <UnderstoodLine key={line.line} line={line} onChoose={(choice) => onChoose(line, choice)} />
    ))}
  </ul>
);

function UnderstoodLine({ line, onChoose }: { line: ParsedLine; onChoose: (choice: LineChoice) => void }) {
  const types: readonly QuestionType[] = line.kind === 'question' ? possibleTypes(line) : TYPES_OF_TEXT;
  return (
    <li>
      <p class={line.kind === 'introduction' || line.kind === 'ending' ? 'soft' : 'title'}>
        {line.text}
        {line.kind === 'question' && line.isRequired && <span class="chip">{words.required}</span>}
      </p>
      <div class="line-choice">
        <select
          class="field"
          aria-label={words.type(line.text)}
          value={line.kind === 'question' ? line.type : line.kind}
          onChange={(event) => onChoose(event.currentTarget.value as LineChoice)}
        >
          <optgroup label={words.questionTypes}>
            {types.map((type) => (
              <option key={type} value={type}>
                {studioTypeOf({ question_type: type }).label}
              </option>
            ))}
          </optgroup>
          <optgroup label={words.otherKinds}>
            {OTHER_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {words.kinds[kind]}
              </option>
            ))}
          </optgroup>
        </select>
        <button type="button" class="plain" onClick={() => onChoose('dropped')}>
          {words.leaveOut}
          <span class="visually-hidden"> {line.text}</span>
        </button>
      </div>
      {line.kind === 'question' && <AnswersInWords question={line} />}
    </li>
  );
}

/** The options, rows, points and reasons that the question will have. */
function AnswersInWords({ question }: { question: ParsedQuestion }) {
  const { type, rows, points, range, noAnswers } = question;
  const { options: rules } = studioTypeOf({ question_type: type });
  const labels = points.map(({ point, label }) => `${point} = ${label}`);
  const options = rules?.flags.includes('option_missing')
    ? question.options.map((label) =>
        reasonInWords(label) === null ? label : `${label} (${words.missingOption})`,
      )
    : question.options;
  const lists = [
    [words.rows, rows],
    [rows.length > 0 ? words.columns : null, rules !== null || takesPoints(type) ? options : []],
    [null, takesPoints(type) || (rules !== null && options.length === 0) ? labels : []],
    [words.insteadOfAnswer, noAnswers.map(({ label }) => label)],
  ] as const;
  return (
    <>
      {range !== null && takesRange(type) && <p class="soft">{words.range(range.min, range.max)}</p>}
      {question.isTableProposed && <p class="soft">{words.proposedTable}</p>}
      {lists
        .filter(([, items]) => items.length > 0)
        .map(([title, items], index) => (
          <div key={index}>
            {title !== null && <p class="soft">{title}</p>}
            <ul>
              {items.map((item, order) => (
                <li key={order}>{item}</li>
              ))}
            </ul>
          </div>
        ))}
    </>
  );
}
