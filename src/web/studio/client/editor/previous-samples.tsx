import { previousNamesIn } from '../../../../domain/survey/logic/referenced-values.ts';
import { readPreviousCode } from '../../../../domain/survey/previous-codes.ts';
import { previousTexts } from '../../texts/previous.ts';
import { studioTypeOf } from '../question-types/registry.ts';
import type { EditorQuestion } from './editor-content.ts';
import { textInWords } from './piping/pipes.ts';
import type { SurveyContent } from './survey-content.ts';

/** Sample answers as JSON, by codes such as `previous.Q3`. */
export type Samples = Readonly<Record<string, string>>;

/** The questions of the earlier survey to whose answers the survey refers, of types for which one value is an answer. */
export function sampledQuestions(content: SurveyContent): EditorQuestion[] {
  if (content.previousQuestions.length === 0) return [];
  const used = previousNamesIn([content.pages, content.blocks, content.listQuestions()]);
  return content.previousQuestions.filter(
    (question) =>
      used.has(readPreviousCode(question.question_code) ?? '') &&
      studioTypeOf(question).comparison.parts === null,
  );
}

/** Returns the answer of one value as JSON. */
function sampleOf(question: EditorQuestion, value: string): string {
  const { value: control, operators } = studioTypeOf(question).comparison.whole(question);
  if (control.kind === 'number') return JSON.stringify(Number(value));
  return JSON.stringify(operators.includes('includes_all') ? [value] : value);
}

/** Chooses what the respondent of a preview has answered before. */
export function SampleFields({
  questions,
  samples,
  onChange,
}: {
  questions: readonly EditorQuestion[];
  samples: Samples;
  onChange: (samples: Samples) => void;
}) {
  const change = (question: EditorQuestion, value: string) => {
    const others = Object.entries(samples).filter(([code]) => code !== question.question_code);
    const own = value === '' ? [] : [[question.question_code, sampleOf(question, value)] as const];
    onChange(Object.fromEntries([...others, ...own]));
  };
  return (
    <>
      {questions.map((question) => {
        const name = textInWords(question.question_text, questions) || question.question_code;
        const field = {
          class: 'field preview-arm',
          'aria-label': previousTexts.sample(name),
        };
        if (question.options.length === 0)
          return (
            <input
              key={question.question_code}
              {...field}
              placeholder={previousTexts.noSample(name)}
              onChange={({ currentTarget }) => change(question, currentTarget.value.trim())}
            />
          );
        return (
          <select
            key={question.question_code}
            {...field}
            onChange={({ currentTarget }) => change(question, currentTarget.value)}
          >
            <option value="">{previousTexts.noSample(name)}</option>
            {question.options.map(({ option_value: value, option_label: label }) => (
              <option key={value} value={value}>
                {`${name}: ${textInWords(label, questions)}`}
              </option>
            ))}
          </select>
        );
      })}
    </>
  );
}
