import { isDeepStrictEqual } from 'node:util';
import { Store } from '../src/repositories/store.ts';
import { DatasetService } from '../src/services/datasets/datasets.ts';
import { SealingService } from '../src/services/datasets/segments/sealing.ts';
import { FigureService } from '../src/services/figures/figures.ts';
import { short, type Figure } from './support/figure.ts';
import { median, timed } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';
import { fillSurvey, publishSurvey } from './support/surveys.ts';

/** `BENCH_MANY=1000000` for what the project promises; a million rows take some minutes to write. */
const RESPONSES = Number(process.env.BENCH_MANY ?? 200_000);
const ROUNDS = 5;
const CACHE_BYTES = 1024 * 1024 * 1024;
const CODES = Array.from({ length: 60 }, (_, index) => `Q${index + 1}`);
const OPTIONS = ['1', '2', '3', '4', '5', '6', '7'];

const SURVEY = {
  format: 'canvass.survey',
  version: 1,
  survey: {
    survey_name: 'Sixty questions',
    pages: [
      {
        questions: CODES.map((question_code) => ({
          question_type: 'single_choice',
          question_code,
          question_text: `${question_code}?`,
          options: OPTIONS.map((value) => ({ option_label: value, option_value: value })),
        })),
      },
    ],
  },
};

/** The first figure of a survey after a start: from sealed columns, from JSON rows, and a later one for comparison. */
export async function coldStart(stage: Stage): Promise<Figure[]> {
  const { surveyId } = await publishSurvey(stage, await stage.api(), SURVEY);
  const items = CODES.map((code, index) => `'${code}', (1 + (n * ${2 * index + 7} + n / 11) % 7)::text`);
  // A function takes a hundred arguments at most.
  const halves = [items.slice(0, 30), items.slice(30)].map(
    (half) => `jsonb_build_object(${half.join(', ')})`,
  );
  await fillSurvey(stage, surveyId, RESPONSES, halves.join(' || '));

  const store = new Store(stage.db);
  const scope = { userId: 0, organizationId: 0, workspaceId: 0, role: 'owner', surveyId } as const;
  const request = {
    status: ['complete'],
    filter: undefined,
    includeTest: true,
    weightColumn: null,
    base: 'answering',
  } as const;
  const started = () => new FigureService(new DatasetService(store, CACHE_BYTES));
  const first = async (code: string) => {
    const service = started();
    return { service, ms: await timed(() => service.distribution(scope, code, request)) };
  };

  const fromRows: number[] = [];
  const right = await started().distribution(scope, 'Q7', request);
  for (let round = 0; round < 2; round += 1) fromRows.push((await first('Q7')).ms);
  const sealing = await timed(() => new SealingService(store).seal(surveyId, new AbortController().signal));
  const { rows } = await stage.db.raw<{ rows: { bytes: number }[] }>(
    'SELECT sum(length(data))::float8 AS bytes FROM response_segments WHERE survey_id = ?',
    [surveyId],
  );
  console.log(
    `    (sealing took ${short(sealing)} ms in the background, and ${short(rows[0]!.bytes / 1e6)} MB)`,
  );
  if (!isDeepStrictEqual(await started().distribution(scope, 'Q7', request), right))
    throw new Error('The figure from sealed columns is another');

  const [cold, next, warm]: number[][] = [[], [], []];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { service, ms } = await first('Q7');
    cold!.push(ms);
    next!.push(await timed(() => service.distribution(scope, 'Q8', request)));
    for (let again = 0; again < 5; again += 1)
      warm!.push(await timed(() => service.distribution(scope, 'Q7', request)));
  }
  const whole = new DatasetService(store, CACHE_BYTES);
  const all = await timed(async () => {
    ({ bytes } = (await whole.open(surveyId, () => CODES)).dataset);
  });
  const many = `${RESPONSES.toLocaleString('en')} x ${CODES.length}`;
  return [
    {
      what: `the first figure on ${many} after a start: times faster from sealed columns than from JSON rows`,
      ours: `${short(median(cold!))} ms`,
      yardstick: `${short(median(fromRows))} ms`,
      ratio: median(fromRows) / median(cold!),
      target: { atLeast: 20 },
    },
    {
      what: 'the same, against that figure again, the look for newer responses included',
      ours: `${short(median(cold!))} ms`,
      yardstick: `${short(median(warm!))} ms`,
      ratio: median(cold!) / median(warm!),
      target: { atMost: 10 },
    },
    {
      what: 'the next question’s first figure, against a figure again',
      ours: `${short(median(next!))} ms`,
      yardstick: `${short(median(warm!))} ms`,
      ratio: median(next!) / median(warm!),
      target: { atMost: 10 },
    },
    {
      what: `all ${many} in memory, in MB to 150 MB for each million (read in ${short(all)} ms)`,
      ours: `${short(bytes / 1e6)} MB`,
      yardstick: `${short((150 * RESPONSES) / 1e6)} MB`,
      ratio: bytes / ((150e6 * RESPONSES) / 1e6),
      target: { atMost: 1 },
    },
  ];
}
