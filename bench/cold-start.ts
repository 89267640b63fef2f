import { isDeepStrictEqual } from 'node:util';
import { Store } from '../src/repositories/store.ts';
import { DatasetService } from '../src/services/datasets/datasets.ts';
import { ColumnSnapshotService } from '../src/services/datasets/column-snapshots.ts';
import { FigureService } from '../src/services/figures/figures.ts';
import { short, type Figure } from './support/figure.ts';
import { median, measureMs } from './support/rounds.ts';
import { SIXTY_CODES, sixtyQuestions } from './support/sixty-questions.ts';
import type { TestBed } from './support/test-bed.ts';

const ROUNDS = 5;
const CACHE_BYTES = 1024 * 1024 * 1024;

/** The first figure of a survey after a start: from column snapshots, from JSON rows, and a later one for comparison. */
export async function coldStart(testBed: TestBed): Promise<Figure[]> {
  const responses = testBed.many;
  const { surveyId } = await sixtyQuestions(testBed, await testBed.api(), responses);

  const store = new Store(testBed.db);
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
    return {
      service,
      ms: await measureMs(() => service.computeDistribution({ scope, columnCode: code, request })),
    };
  };

  const fromRows: number[] = [];
  const right = await started().computeDistribution({ scope, columnCode: 'Q7', request });
  for (let round = 0; round < 2; round += 1) fromRows.push((await first('Q7')).ms);
  const building = await measureMs(() =>
    new ColumnSnapshotService(store).build({ surveyId, signal: new AbortController().signal }),
  );
  const { rows } = await testBed.db.raw<{ rows: { bytes: number }[] }>(
    'SELECT sum(length(data))::float8 AS bytes FROM response_segments WHERE survey_id = ?',
    [surveyId],
  );
  console.log(
    `    (building the snapshot took ${short(building)} ms in the background, and ${short(rows[0]!.bytes / 1e6)} MB)`,
  );
  if (!isDeepStrictEqual(await started().computeDistribution({ scope, columnCode: 'Q7', request }), right))
    throw new Error('The figure from column snapshots is wrong');

  const [cold, next, warm]: number[][] = [[], [], []];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { service, ms } = await first('Q7');
    cold!.push(ms);
    next!.push(await measureMs(() => service.computeDistribution({ scope, columnCode: 'Q8', request })));
    for (let repetition = 0; repetition < 5; repetition += 1)
      warm!.push(await measureMs(() => service.computeDistribution({ scope, columnCode: 'Q7', request })));
  }
  const datasets = new DatasetService(store, CACHE_BYTES);
  const all = await measureMs(async () => {
    ({ bytes } = (await datasets.open(surveyId, () => SIXTY_CODES)).dataset);
  });
  const many = `${responses.toLocaleString('en')} x ${SIXTY_CODES.length}`;
  return [
    {
      what: `First figure of ${many} after a start, from column snapshots (speed-up)`,
      ours: `${short(median(cold!))} ms`,
      yardstick: `${short(median(fromRows))} ms`,
      ratio: median(fromRows) / median(cold!),
      target: { atLeast: 20 },
      inList: `for the first figure of a survey with ${responses.toLocaleString('en')} responses after a start`,
    },
    {
      what: 'The same, compared with its next request, with the check for new responses',
      ours: `${short(median(cold!))} ms`,
      yardstick: `${short(median(warm!))} ms`,
      ratio: median(cold!) / median(warm!),
      target: { atMost: 10 },
    },
    {
      what: 'First figure of the next question, compared with a repeated figure',
      ours: `${short(median(next!))} ms`,
      yardstick: `${short(median(warm!))} ms`,
      ratio: median(next!) / median(warm!),
      target: { atMost: 10 },
    },
    {
      what: `Memory of ${many}, compared with 150 MB per million responses (read in ${short(all)} ms)`,
      ours: `${short(bytes / 1e6)} MB`,
      yardstick: `${short((150 * responses) / 1e6)} MB`,
      ratio: bytes / ((150e6 * responses) / 1e6),
      target: { atMost: 1 },
    },
  ];
}
