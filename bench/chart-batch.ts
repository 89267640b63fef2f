import { isDeepStrictEqual } from 'node:util';
import { bigFiveSurvey } from '../seeds/demo/big-five.ts';
import { chartConfigSchema, type FigureChart } from '../src/domain/charts/registry.ts';
import { PreparedDefinitionCache, PublishedWordings } from '../src/services/surveys/survey-definitions.ts';
import { Store } from '../src/repositories/store.ts';
import { ChartFigureService, type ChartReply } from '../src/services/dashboards/chart-figures.ts';
import type { ChartRequest } from '../src/services/dashboards/resolve-chart.ts';
import { DatasetService } from '../src/services/datasets/datasets.ts';
import { amount, short, type Figure } from './support/figure.ts';
import { interleaved, medianRatio, medianTime, quantile, measureMs } from './support/rounds.ts';
import type { Child } from './support/child.ts';
import type { TestBed } from './support/test-bed.ts';
import { bigFiveAnswers, fillSurvey, publishSurvey } from '../test/support/served-surveys.ts';

const RESPONSES = 100_000;
const ROUNDS = 7;
const FEW = 10_000;
const SIZE_ROUNDS = 40;
const CACHE_BYTES = 1024 * 1024 * 1024;

/** An element and the equivalent SQL over the rows. */
interface Drawn {
  type: FigureChart;
  config: object;
  sql: string;
}

const rows = (select: string, where: string, group: string) =>
  `SELECT ${select} FROM responses WHERE survey_id = ? AND response_status = 'complete' AND deleted_at IS NULL${where}${group}`;
const cell = (code: string) => `answers ->> '${code}'`;

function counted(code: string): Drawn {
  return {
    type: 'bar',
    config: { dimension: code },
    sql: rows(`${cell(code)}, count(*)`, '', ' GROUP BY 1'),
  };
}

function crossed(code: string, series: string): Drawn {
  return {
    type: 'stacked-bar',
    config: { dimension: code, series, aggregation: 'percent', compare: { letters: true } },
    sql: rows(`${cell(code)}, ${cell(series)}, count(*)`, '', ' GROUP BY 1, 2'),
  };
}

function meant(code: string, of: string): Drawn {
  return {
    type: 'line',
    config: { dimension: code, aggregation: { function: 'mean', column_code: of } },
    sql: rows(`${cell(code)}, count(*), avg((${cell(of)})::float8)`, '', ' GROUP BY 1'),
  };
}

const filtered = (code: string, gender: string): Drawn => ({
  type: 'donut',
  config: { dimension: code, filter: { gender: [gender] } },
  sql: rows(`${cell(code)}, count(*)`, ` AND ${cell('gender')} = '${gender}'`, ' GROUP BY 1'),
});

const single = (name: string, code: string): Drawn => ({
  type: 'kpi',
  config: { dimension: code, aggregation: name },
  sql: rows(
    name === 'mean'
      ? `avg((${cell(code)})::float8)`
      : `percentile_cont(0.5) WITHIN GROUP (ORDER BY (${cell(code)})::float8)`,
    '',
    '',
  ),
});

const DASHBOARD: readonly Drawn[] = [
  ...['A1', 'C2', 'E3', 'N4', 'O5', 'gender', 'education'].map(counted),
  ...['A2', 'C3', 'E4'].map((code) => crossed(code, 'gender')),
  ...['N5', 'O1'].map((code) => crossed(code, 'education')),
  meant('education', 'age'),
  meant('gender', 'A1'),
  meant('education', 'N1'),
  filtered('A3', '1'),
  filtered('A3', '2'),
  filtered('education', '1'),
  single('mean', 'age'),
  single('median', 'age'),
];

/** Twenty charts of a dashboard, from the dataset in memory and by PostgreSQL from the JSON rows. */
export async function chartBatch(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const surveyId = await filled(testBed, api, RESPONSES);
  const store = new Store(testBed.db);
  const datasets = new DatasetService(store, CACHE_BYTES);
  const wordings = new PublishedWordings(store, new PreparedDefinitionCache(store));
  const uncachedService = new ChartFigureService(datasets, wordings, 0);
  const cachedService = new ChartFigureService(datasets, wordings);
  const charts = elements(surveyId);
  const cold = await measureMs(() => batch(uncachedService, charts));
  console.log(`    (the first batch, which loads the columns: ${short(cold)} ms)`);
  await compareFigures(testBed, await batch(uncachedService, charts), surveyId);

  const bySql = async () => {
    for (const { sql } of DASHBOARD) await testBed.db.raw(sql, [surveyId]);
  };
  const reached = await interleaved(ROUNDS, {
    uncached: () => measureMs(() => batch(uncachedService, charts)),
    cached: () => measureMs(() => batch(cachedService, charts)),
    sql: () => measureMs(bySql),
  });
  const against = (what: string, ours: number[]): Figure => ({
    what: `${DASHBOARD.length} charts over ${RESPONSES.toLocaleString('en')} responses, ${what} (speed-up)`,
    ours: medianTime(ours),
    yardstick: medianTime(reached.sql),
    against: 'SQL over JSONB',
    ratio: medianRatio(reached.sql, ours),
    target: { atLeast: 50 },
  });
  return [
    {
      ...against('without a cache', reached.uncached),
      inList: `for a dashboard of 20 charts over ${RESPONSES.toLocaleString('en')} responses, without a cache`,
    },
    against('unchanged data', reached.cached),
    ...(await bySize(testBed, api)),
  ];
}

/** Cost of a hundred times as many responses. */
async function bySize(testBed: TestBed, api: Child): Promise<Figure[]> {
  const store = new Store(testBed.db);
  const datasets = new DatasetService(store, CACHE_BYTES);
  const wordings = new PublishedWordings(store, new PreparedDefinitionCache(store));
  const few = elements(await filled(testBed, api, FEW));
  const many = elements(await filled(testBed, api, testBed.many));
  const figures: Figure[] = [];
  for (const [what, service, target] of [
    ['without a cache', new ChartFigureService(datasets, wordings, 0), null],
    ['unchanged data', new ChartFigureService(datasets, wordings), { atMost: 10 }],
  ] as const) {
    const reached = await interleaved(SIZE_ROUNDS, {
      few: () => measureMs(() => batch(service, few)),
      many: () => measureMs(() => batch(service, many)),
    });
    const [fast, slow] = [quantile(reached.few, 0.95), quantile(reached.many, 0.95)];
    figures.push({
      what: `The same batch, ${what}, over ${testBed.many.toLocaleString('en')} responses (p95)`,
      ours: amount(slow, 'ms'),
      yardstick: amount(fast, 'ms'),
      against: `over ${FEW.toLocaleString('en')}`,
      ratio: slow / fast,
      target,
    });
  }
  return figures;
}

async function filled(testBed: TestBed, api: Child, count: number): Promise<number> {
  const { surveyId } = await publishSurvey(testBed, api, bigFiveSurvey());
  await fillSurvey(testBed, surveyId, count, bigFiveAnswers(testBed.seed));
  return surveyId;
}

/** As they are stored: read once. */
function elements(surveyId: number): ChartRequest[] {
  return DASHBOARD.map(({ type, config }) => {
    const read = chartConfigSchema(type).parse({ survey_id: surveyId, ...config });
    return { chartType: type, config: read, surveyId };
  });
}

async function batch(service: ChartFigureService, requests: readonly ChartRequest[]): Promise<ChartReply[]> {
  const settings = new Map(
    requests.map(({ surveyId }) => [surveyId!, { confidential: false, min_base: 5, dominance_percent: 50 }]),
  );
  const replies = await service.computeBatch(requests, {
    audience: 'member',
    settings,
    isPublishedWording: false,
  });
  return replies.map((reply) => {
    if ('error' in reply) throw new Error(reply.error.message);
    return reply;
  });
}

/** Both must return the same figures, or their times are not comparable. */
async function compareFigures(
  testBed: TestBed,
  replies: readonly ChartReply[],
  surveyId: number,
): Promise<void> {
  for (const [index, { sql, type, config }] of DASHBOARD.entries()) {
    const reply = replies[index]!;
    if (!('series' in reply)) throw new Error(`${type} has no series`);
    const { rows: found } = await testBed.db.raw<{ rows: Record<string, unknown>[] }>(sql, [surveyId]);
    const expected = found.map((row) => Number(Object.values(row).at(-1))).sort((a, b) => a - b);
    const isCounted = 'series' in config;
    const durations = reply.series
      .flatMap(({ values, counts }) => (isCounted ? counts : values))
      .map(Number)
      .filter((value) => !isCounted || value > 0)
      .sort((a, b) => a - b);
    const rounded = (values: number[]) => values.map((value) => value.toPrecision(9));
    if (!isDeepStrictEqual(rounded(durations), rounded(expected)))
      throw new Error(
        `${type} ${JSON.stringify(config)}: ${durations.join(' ')} is not ${expected.join(' ')}`,
      );
  }
}
