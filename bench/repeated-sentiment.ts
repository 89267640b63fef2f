import { z } from 'zod';
import type { Figure } from './support/figure.ts';
import { median, medianTime, measureMs } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { call, fillSurvey, publishSurvey } from '../test/support/served-surveys.ts';

const ANSWERS = 10_000;
const SURVEYS = 3;
const REPETITIONS = 5;

const SURVEY = {
  format: 'canvass.survey',
  version: 1,
  survey: {
    survey_name: 'An open question',
    pages: [{ questions: [{ question_type: 'text', question_code: 'why', question_text: 'Why?' }] }],
  },
};
const ANSWER_SQL = `(ARRAY['The app crashes all the time','Great service, I love it','Too expensive for what it offers',
  'Delivery was late and nobody answered','It does what it should','Not bad, could be faster'])[1 + n % 6] || ' (' || n || ')'`;

const surveyReply = z.object({
  data: z.object({ pages: z.array(z.object({ questions: z.array(z.object({ question_id: z.int() })) })) }),
});
const sentimentReply = z.object({
  data: z.object({ credits_used: z.int(), results: z.array(z.unknown()) }),
});

/** Sentiment of 10,000 answers over HTTP: the first request, and the same request again. */
export async function repeatedSentiment(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const [first, repeated]: [number[], number[]] = [[], []];
  for (let round = 0; round < SURVEYS; round += 1) {
    const { surveyId } = await publishSurvey(testBed, api, SURVEY);
    await fillSurvey(testBed, surveyId, ANSWERS, `jsonb_build_object('why', ${ANSWER_SQL})`);
    const { data } = surveyReply.parse(await call(testBed, api, 'GET', `/api/surveys/${surveyId}`));
    const questionId = data.pages[0]!.questions[0]!.question_id;
    // Loads the rows into memory, so that only the text analysis is compared.
    await call(testBed, api, 'GET', `/api/responses/${surveyId}/distribution/why`);
    const ask = async () => {
      const path = `/api/responses/${surveyId}/ai/sentiment`;
      const reply = sentimentReply.parse(await call(testBed, api, 'POST', path, { question_id: questionId }));
      if (reply.data.results.length !== ANSWERS) throw new Error('Not every answer was read');
      return reply.data.credits_used;
    };
    let paid = 0;
    first.push(await measureMs(async () => void (paid = await ask())));
    if (paid === 0) throw new Error('The first request cost no credits');
    for (let time = 0; time < REPETITIONS; time += 1)
      repeated.push(
        await measureMs(async () => {
          if ((await ask()) !== 0) throw new Error('The repeated request cost credits');
        }),
      );
  }
  return [
    {
      what: `Sentiment of ${ANSWERS.toLocaleString('en')} answers over HTTP, repeated request, free of charge`,
      ours: medianTime(repeated),
      yardstick: medianTime(first),
      against: 'the first request',
      ratio: median(repeated) / median(first),
      target: { atMost: 0.05 },
    },
  ];
}
