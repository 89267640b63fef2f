import { Store } from '../src/repositories/store.ts';
import { ColumnSnapshotService } from '../src/services/datasets/column-snapshots.ts';
import { downloadResponses } from './support/download.ts';
import { amount, type Figure, withinLimit } from './support/figure.ts';
import { interleaved, median, medianRatio } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { publishWideSurvey } from './support/wide-survey.ts';

const ROUNDS = 1;
const FEW = 5_000;
const MANY = 50_000;
const FORMATS = ['csv', 'spss', 'xlsx'] as const;

/** All 700 columns of a survey of 300 questions in each format: the time per response must not grow with their number. */
export async function wideExports(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const few = await publishWideSurvey(testBed, api, FEW);
  const many = await publishWideSurvey(testBed, api, MANY);
  // As the job does after responses arrived.
  for (const surveyId of [few, many])
    await new ColumnSnapshotService(new Store(testBed.db)).build({
      surveyId,
      signal: new AbortController().signal,
    });
  const delays: number[] = [];
  const microsecondsPerRow = (surveyId: number, format: string, responses: number) => async () => {
    const { milliseconds, strain } = await downloadResponses(testBed, api, surveyId, { format });
    delays.push(strain.delayP99Ms);
    return (milliseconds * 1_000) / responses;
  };
  const figures: Figure[] = [];
  for (const format of FORMATS) {
    const times = await interleaved(ROUNDS, {
      few: microsecondsPerRow(few, format, FEW),
      many: microsecondsPerRow(many, format, MANY),
    });
    const rate = (times: readonly number[]) => amount(1_000_000 / median(times), 'rows/s');
    figures.push({
      what: `Export of ${MANY.toLocaleString('en')} x 700 as ${format}`,
      ours: rate(times.many),
      yardstick: rate(times.few),
      against: `of ${FEW.toLocaleString('en')}`,
      ratio: medianRatio(times.few, times.many),
      target: { atLeast: 0.8 },
    });
  }
  return [
    ...figures,
    withinLimit(
      "Delay of the server's event loop during exports of 700 columns (p99)",
      amount(median(delays), 'ms'),
      50,
    ),
  ];
}
