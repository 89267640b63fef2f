import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Field, TextAreaField } from '../../../shared/client/fields.tsx';
import { Form } from '../../../shared/client/form.tsx';
import { ApiError } from '../../../shared/client/api.ts';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import {
  type LineKind,
  type ParsedLine,
  type ParsedQuestion,
  TYPES_OF_TEXT,
  parseSurveyText,
  possibleTypes,
  takesRange,
} from './paste/parse-survey-text.ts';
import type { PastedType } from './paste/pasted-hints.ts';
import { toSurveyFile } from './paste/pasted-survey-file.ts';

const words = texts.create;

/** What a line can become: a question of a type, a page title, an introduction, or nothing. */
type LineChoice = PastedType | Exclude<LineKind, 'question'>;

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
      return line.kind === 'question' &&
        chosen !== undefined &&
        possibleTypes(line).some((each) => each === chosen)
        ? { ...line, type: chosen as PastedType }
        : line;
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
              await onCreate(toSurveyFile(name === '' ? (parsed.name ?? words.unnamed) : name, pages));
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
          {parsed.name !== null && (
            <p>
              {words.surveyName}: <strong>{parsed.name}</strong>
            </p>
          )}
          {parsed.strayOptionLines.map((line) => (
            <p key={line} class="problem">
              {words.strayOptions(line)}
            </p>
          ))}
          {pages.map(({ lines }, index) => (
            <div key={index}>
              {pages.length > 1 && <h3>{words.page(index + 1)}</h3>}
              <ul class="understood-lines">
                {lines.map((line) => (
                  <UnderstoodLine key={line.line} line={line} onChoose={(choice) => choose(line, choice)} />
                ))}
              </ul>
            </div>
          ))}
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

const kindOf = (choice: LineChoice): LineKind =>
  choice === 'heading' || choice === 'introduction' || choice === 'dropped' ? choice : 'question';

function UnderstoodLine({ line, onChoose }: { line: ParsedLine; onChoose: (choice: LineChoice) => void }) {
  const types: readonly PastedType[] = line.kind === 'question' ? possibleTypes(line) : TYPES_OF_TEXT;
  return (
    <li>
      <p class={line.kind === 'introduction' ? 'soft' : 'title'}>
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
                {texts.types[type]}
              </option>
            ))}
          </optgroup>
          <optgroup label={words.otherKinds}>
            <option value="heading">{words.kinds.heading}</option>
            <option value="introduction">{words.kinds.introduction}</option>
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

/** The options, rows and points that were read. */
function AnswersInWords({ question: { type, options, rows, points, range } }: { question: ParsedQuestion }) {
  const labels = points.map(({ point, label }) => `${point} = ${label}`);
  const lists = [
    ...(rows.length > 0 ? [[words.rows, rows] as const] : []),
    ...(options.length > 0 ? [[rows.length > 0 ? words.columns : null, options] as const] : []),
    ...(labels.length > 0 ? [[null, labels] as const] : []),
  ];
  return (
    <>
      {range !== null && takesRange(type) && <p class="soft">{words.range(range.min, range.max)}</p>}
      {lists.map(([title, items], index) => (
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
