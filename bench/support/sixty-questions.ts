import type { Child } from './child.ts';
import type { TestBed } from './test-bed.ts';
import {
  pseudoRandomSql,
  fillSurvey,
  type PublishedSurvey,
  publishSurvey,
} from '../../test/support/served-surveys.ts';

const OPTIONS = ['1', '2', '3', '4', '5', '6', '7'];

export const SIXTY_CODES: readonly string[] = Array.from({ length: 60 }, (_, index) => `Q${index + 1}`);

/** Creates a tracker's wave: sixty single choices of seven options, with complete responses. */
export async function sixtyQuestions(
  testBed: TestBed,
  api: Pick<Child, 'url'>,
  responses: number,
): Promise<PublishedSurvey> {
  const published = await publishSurvey(testBed, api, survey());
  const answers = SIXTY_CODES.map(
    (code, index) => `'${code}', ${pseudoRandomSql(testBed.seed, index, OPTIONS.length)}::text`,
  );
  // A function takes a hundred arguments at most.
  const halves = [answers.slice(0, 30), answers.slice(30)];
  const text = halves.map((half) => `jsonb_build_object(${half.join(', ')})`).join(' || ');
  await fillSurvey(testBed, published.surveyId, responses, text);
  return published;
}

const survey = () => ({
  format: 'canvass.survey',
  version: 1,
  survey: {
    survey_name: 'Sixty questions',
    pages: [
      {
        questions: SIXTY_CODES.map((question_code) => ({
          question_type: 'single_choice',
          question_code,
          question_text: `${question_code}?`,
          options: OPTIONS.map((value) => ({ option_label: value, option_value: value })),
        })),
      },
    ],
  },
});

/** Returns twenty charts of a typical dashboard: counts, percents of a crosstab with letters, filters, a key figure. */
export function twentyCharts(
  surveyId: number,
): { chart_type: 'bar' | 'stacked-bar' | 'donut'; chart_config: object }[] {
  const [counted, crossed, filtered] = [
    SIXTY_CODES.slice(0, 10),
    SIXTY_CODES.slice(10, 16),
    SIXTY_CODES.slice(16, 20),
  ];
  return [
    ...counted.map((dimension) => ({ chart_type: 'bar' as const, chart_config: { dimension } })),
    ...crossed.map((dimension) => ({
      chart_type: 'stacked-bar' as const,
      chart_config: { dimension, series: 'Q60', aggregation: 'percent', compare: { letters: true } },
    })),
    ...filtered.map((dimension) => ({
      chart_type: 'donut' as const,
      chart_config: { dimension, filter: { Q59: ['1', '2'] } },
    })),
  ].map(({ chart_type, chart_config }) => ({
    chart_type,
    chart_config: { survey_id: surveyId, ...chart_config },
  }));
}

/** The answers of one respondent; `[<id>]` is replaced by a unique text in every request. */
export const sixtyAnswers = (): string =>
  JSON.stringify({
    submission_id: '[<id>]',
    answers: Object.fromEntries(SIXTY_CODES.map((code, index) => [code, OPTIONS[index % OPTIONS.length]])),
  });
