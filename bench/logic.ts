import type { StoredAnswers } from '../src/domain/questions/answers/codec.ts';
import {
  PLAIN_PAGE,
  PLAIN_SURVEY,
  type Question,
  type SurveyDefinition,
} from '../src/domain/survey/definition.ts';
import { UNKNOWN_ORDER } from '../src/domain/survey/blocks.ts';
import { prepareDefinition } from '../src/domain/survey/logic/prepare-definition.ts';
import { questionSettingsSchemas } from '../src/domain/questions/registry.ts';
import { renderSurvey, type RenderContext } from '../src/domain/survey/logic/render-survey.ts';
import { amount, type Figure } from './support/figure.ts';
import { interleaved, median, medianRatio, measureMs } from './support/rounds.ts';

const ROUNDS = 11;
const WALKS = 500;
const QUESTIONS = 50;

/** Two conditions on the previous question show each question, so all 100 are evaluated. */
function onePage(): SurveyDefinition {
  const questions = Array.from({ length: QUESTIONS }, (_, index): Question => {
    const before = { type: 'question' as const, code: `Q${index}` };
    const display = {
      connector: 'and' as const,
      conditions: [
        { left: before, operator: 'in' as const, right: ['1', '2', '3'] },
        { left: before, operator: 'not_equals' as const, right: '9' },
      ],
    };
    const own = {
      connector: 'or' as const,
      conditions: [
        { left: { type: 'hidden' as const, code: 'source' }, operator: 'equals' as const, right: 'mail' },
        { left: { type: 'hidden' as const, code: 'source' }, operator: 'starts_with' as const, right: 'pan' },
      ],
    };
    return {
      id: index + 1,
      pageId: 1,
      type: 'single_choice',
      text: `Question ${index + 1}, after {{Q${index}}}`,
      code: `Q${index + 1}`,
      required: true,
      settings: questionSettingsSchemas.single_choice.parse({
        shuffle: 'random',
        logic: { display: index === 0 ? own : display },
      }),
      options: ['1', '2', '3', '4', '5'].map((value, index) => ({
        code: index + 1,
        value,
        label: `Option ${value}`,
        order: index + 1,
        image: null,
        exclusive: false,
        other: false,
        anchor: false,
        missing: false,
        retired: false,
      })),
      retired: false,
    };
  });
  const page = {
    id: 1,
    title: 'One page',
    description: null,
    logic: null,
    ...PLAIN_PAGE,
    retired: false,
    questions,
  };
  return {
    surveyId: 1,
    version: 1,
    name: 'Fifty questions',
    description: null,
    pages: [page],
    ...PLAIN_SURVEY,
  };
}

/** Evaluates and renders a page of 50 questions with 100 conditions; the limit is 1 ms. */
export async function logic(): Promise<Figure[]> {
  const prepared = prepareDefinition(onePage());
  const answers: StoredAnswers = Object.fromEntries(
    Array.from({ length: QUESTIONS }, (_, index) => [`Q${index + 1}`, String((index % 3) + 1)]),
  );
  const context: RenderContext = {
    hidden: new Map([['source', 'panel']]),
    respondent: null,
    previous: {},
    ...UNKNOWN_ORDER,
    seed: 'bench',
    language: null,
  };
  if (renderSurvey(prepared, answers, context).shown.size !== QUESTIONS)
    throw new Error('Not every condition held');
  const { ours, limit } = await interleaved(ROUNDS, {
    ours: () =>
      measureMs(() => {
        for (let count = 0; count < WALKS; count += 1) renderSurvey(prepared, answers, context);
      }),
    limit: () => WALKS,
  });
  return [
    {
      what: 'A page of 50 questions with 100 conditions, shuffled and piped',
      ours: amount((median(ours) * 1000) / WALKS, 'µs'),
      yardstick: amount(1_000, 'µs'),
      against: 'the limit',
      ratio: medianRatio(ours, limit),
      target: { atMost: 0.5 },
    },
  ];
}
