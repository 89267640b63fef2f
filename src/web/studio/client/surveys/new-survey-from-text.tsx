import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Field, TextAreaField } from '../../../shared/client/fields.tsx';
import { Form } from '../../../shared/client/form.tsx';
import { ApiError } from '../../../shared/client/api.ts';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import {
  type ParsedQuestion,
  parseSurveyText,
  possibleTypes,
  type TextQuestionType,
  toSurveyFile,
} from './parse-survey-text.ts';

/** Creates a survey from pasted questions. What is understood is shown beside the text, where types can be changed. */
export function NewSurveyFromText({
  onCreate,
  back,
}: {
  onCreate: (file: object) => Promise<void>;
  back: ComponentChildren;
}) {
  const [text, setText] = useState('');
  // By the text of the question, so that a choice stays while other lines change.
  const [chosenTypes, setChosenTypes] = useState<ReadonlyMap<string, TextQuestionType>>(new Map());
  const parsed = useMemo(() => parseSurveyText(text), [text]);
  const pages = parsed.pages.map((questions) =>
    questions.map((question) => {
      const chosen = chosenTypes.get(question.text);
      return chosen !== undefined && possibleTypes(question).includes(chosen)
        ? { ...question, type: chosen }
        : question;
    }),
  );
  return (
    <Section title={texts.create.text} about={texts.create.textAbout} action={back}>
      <div class="text-and-questions">
        <div
          class="card"
          onInput={({ target }) => {
            if (target instanceof HTMLTextAreaElement) setText(target.value);
          }}
        >
          <Form
            submit={texts.create.create}
            onSubmit={async (values) => {
              if (pages.length === 0)
                throw new ApiError('rejected', {
                  problems: [{ field: 'questions', message: texts.create.noQuestions }],
                });
              const name = values.get('survey_name')?.trim() ?? '';
              await onCreate(toSurveyFile(name === '' ? texts.create.unnamed : name, pages));
            }}
          >
            <Field name="survey_name" label={texts.create.surveyName} />
            <TextAreaField
              name="questions"
              label={texts.create.textLabel}
              hint={texts.create.textHint}
              placeholder={texts.create.textExample}
            />
          </Form>
        </div>
        <section class="card understood" aria-label={texts.create.understood}>
          <h2>{texts.create.understood}</h2>
          {pages.length === 0 && <p class="soft">{texts.create.understoodEmpty}</p>}
          {parsed.strayOptionLines.map((line) => (
            <p key={line} class="problem">
              {texts.create.strayOptions(line)}
            </p>
          ))}
          {pages.map((questions, index) => (
            <div key={index}>
              {pages.length > 1 && <h3>{texts.create.page(index + 1)}</h3>}
              <ol>
                {questions.map((question) => (
                  <UnderstoodQuestion
                    key={question.line}
                    question={question}
                    onType={(type) => setChosenTypes(new Map(chosenTypes).set(question.text, type))}
                  />
                ))}
              </ol>
            </div>
          ))}
        </section>
      </div>
    </Section>
  );
}

function UnderstoodQuestion({
  question,
  onType,
}: {
  question: ParsedQuestion;
  onType: (type: TextQuestionType) => void;
}) {
  return (
    <li>
      <p class="title">
        {question.text}
        {question.isRequired && <span class="chip">{texts.create.required}</span>}
      </p>
      <select
        class="field"
        aria-label={texts.create.type(question.text)}
        value={question.type}
        onChange={(event) => {
          const type = possibleTypes(question).find((each) => each === event.currentTarget.value);
          if (type !== undefined) onType(type);
        }}
      >
        {possibleTypes(question).map((type) => (
          <option key={type} value={type}>
            {texts.types[type]}
          </option>
        ))}
      </select>
      {question.options.length > 0 && (
        <ul>
          {question.options.map((option, index) => (
            <li key={index}>{option}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
