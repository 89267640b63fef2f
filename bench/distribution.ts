import { bigFiveSurvey } from '../seeds/demo/big-five.ts';
import { ColumnCatalog } from '../src/domain/dataset/column-catalog.ts';
import { selectRows } from '../src/domain/dataset/filter/select-rows.ts';
import { computeDistribution as figureOf } from '../src/domain/statistics/distribution.ts';
import { Store } from '../src/repositories/store.ts';
import { DatasetService } from '../src/services/datasets/datasets.ts';
import { FigureService } from '../src/services/figures/figures.ts';
import { short, type Figure } from './support/figure.ts';
import { interleaved, medianRatio, medianTime, measureMs } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { bigFiveAnswers, fillSurvey, publishSurvey } from '../test/support/served-surveys.ts';

const RESPONSES = 500_000;
const ROUNDS = 15;
const CACHE_BYTES = 512 * 1024 * 1024;
const GROUP_BY = `SELECT answers ->> ? AS value, count(*) FROM responses
  WHERE survey_id = ? AND response_status = 'complete' AND deleted_at IS NULL GROUP BY 1`;

/** A question's figure over half a million responses: from the dataset in memory, and by PostgreSQL from the JSON rows. */
export async function distribution(testBed: TestBed): Promise<Figure[]> {
  const { surveyId } = await publishSurvey(testBed, await testBed.api(), bigFiveSurvey());
  await fillSurvey(testBed, surveyId, RESPONSES, bigFiveAnswers(testBed.seed));

  const store = new Store(testBed.db);
  const datasets = new DatasetService(store, CACHE_BYTES);
  const service = new FigureService(datasets);
  const scope = { userId: 0, organizationId: 0, workspaceId: 0, role: 'owner', surveyId } as const;
  const request = {
    status: ['complete'],
    filter: undefined,
    includeTest: true,
    weightColumn: null,
    base: 'answering',
  } as const;
  const cold = await measureMs(() => service.computeDistribution({ scope, columnCode: 'A1', request }));
  console.log(`    (the first request, which loads the dataset: ${short(cold)} ms)`);

  const many = `${RESPONSES.toLocaleString('en')} responses`;
  const figures: Figure[] = [];
  for (const [code, what] of [
    ['A1', 'a scale with its statistics'],
    ['education', 'a single choice'],
  ] as const) {
    const loadCodes = (known: ColumnCatalog) => known.find(code)!.loadCodes;
    const { dataset, catalog } = await datasets.open(surveyId, loadCodes);
    const { warm, alone, postgres } = await interleaved(ROUNDS, {
      warm: () => measureMs(() => service.computeDistribution({ scope, columnCode: code, request })),
      alone: () =>
        measureMs(() =>
          figureOf(dataset, catalog.find(code)!, { ...request, rows: selectRows(dataset, request) }),
        ),
      postgres: () => measureMs(() => testBed.db.raw(GROUP_BY, [code, surveyId])),
    });
    const against = (name: string, ours: number[]): Figure => ({
      what: name,
      ours: medianTime(ours),
      yardstick: medianTime(postgres),
      against: 'GROUP BY on JSONB',
      ratio: medianRatio(postgres, ours),
      target: { atLeast: 100 },
    });
    figures.push(
      against(`Figure of ${what} over ${many}, with the check for new responses (speed-up)`, warm),
      against('The same, without this check', alone),
    );
  }
  return figures;
}
