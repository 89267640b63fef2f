import { runToCompletion } from '../src/lib/concurrency.ts';
import { bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import { prepareDefinition } from '../src/domain/survey/logic/prepare-definition.ts';
import { importSurvey } from '../src/domain/survey/survey-import.ts';
import { validateAnswers } from '../src/domain/survey/validate-answers.ts';
import { amount, type Figure } from './support/figure.ts';
import { interleaved, median, medianRatio, measureMs } from './support/rounds.ts';

const ROUNDS = 11;

/** Every real Big Five response validated, against parsing the same bodies' JSON. */
export async function validation(): Promise<Figure[]> {
  const result = runToCompletion(importSurvey(bigFiveSurvey()));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const prepared = prepareDefinition(result.survey.definition);
  const bodies = bigFiveResponses().map(({ answers }) => answers);
  const texts = bodies.map((answers) => JSON.stringify(answers));
  const { ours, parsing } = await interleaved(ROUNDS, {
    ours: () =>
      measureMs(() => bodies.forEach((answers) => validateAnswers(prepared, answers, { mode: 'complete' }))),
    parsing: () => measureMs(() => texts.forEach((text) => void JSON.parse(text))),
  });
  const microseconds = (milliseconds: number[]) =>
    amount((median(milliseconds) * 1000) / bodies.length, 'µs');
  return [
    {
      what: 'Validation of a response of 28 answers',
      ours: microseconds(ours),
      yardstick: microseconds(parsing),
      against: 'JSON.parse of it',
      ratio: medianRatio(ours, parsing),
      target: null,
    },
  ];
}
