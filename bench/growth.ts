import { chartConfigSchema } from '../src/domain/charts/registry.ts';
import { selectRows } from '../src/domain/dataset/filter/select-rows.ts';
import { computeCrosstabs } from '../src/domain/statistics/crosstab/crosstab.ts';
import { computeDistribution } from '../src/domain/statistics/distribution.ts';
import { PreparedDefinitionCache, PublishedWordings } from '../src/services/surveys/survey-definitions.ts';
import { Store } from '../src/repositories/store.ts';
import { ChartFigureService } from '../src/services/dashboards/chart-figures.ts';
import type { ChartRequest } from '../src/services/dashboards/resolve-chart.ts';
import { DatasetService } from '../src/services/datasets/datasets.ts';
import { CrosstabService } from '../src/services/figures/crosstabs.ts';
import { FigureService } from '../src/services/figures/figures.ts';
import type { Child } from './support/child.ts';
import { downloadResponses } from './support/download.ts';
import { amount, short, type Figure } from './support/figure.ts';
import { interleaved, median, medianRatio, measureMs } from './support/rounds.ts';
import { SIXTY_CODES, sixtyQuestions, twentyCharts } from './support/sixty-questions.ts';
import type { TestBed } from './support/test-bed.ts';

const SIZES = [10_000, 100_000];
const ROUNDS = 15;
const REPEATS = 10;
const FILE_ROUNDS = 3;
const PAGE_ROWS = 100;
const CACHE_BYTES = 2 * 1024 * 1024 * 1024;
const MILLION_VALUES_A_SECOND = 200;
/** Cost per response may rise: the processor caches are smaller than a million answers. */
const FLAT = 1.25;

const SELECTION = { status: ['complete'], filter: undefined, includeTest: true, weightColumn: null } as const;
const TABLE = {
  nets: [],
  base: 'answering',
  statistics: new Set(['column_percent', 'chi_square', 'letters'] as const),
  minBase: 30,
  correction: 'none',
} as const;

interface Grown {
  responses: number;
  surveyId: number;
}

const count = (responses: number): string => responses.toLocaleString('en');

/** Cost per response of the same work as the number of responses grows. All data are in memory. */
export async function growth(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const sizes = [...new Set([...SIZES.filter((size) => size < testBed.many), testBed.many])];
  const grown: Grown[] = [];
  for (const responses of sizes)
    grown.push({ responses, surveyId: (await sixtyQuestions(testBed, api, responses)).surveyId });
  const store = new Store(testBed.db);
  const datasets = new DatasetService(store, CACHE_BYTES);
  const wordings = new PublishedWordings(store, new PreparedDefinitionCache(store));
  return [
    ...(await values(datasets, grown.at(-1)!)),
    ...(await figures(datasets, wordings, grown)),
    await page(testBed, api, grown),
    await csv(testBed, api, grown),
  ];
}

/** How fast answers are counted: the loops alone, on one core. */
async function values(datasets: DatasetService, { responses, surveyId }: Grown): Promise<Figure[]> {
  const { dataset, catalog } = await datasets.open(surveyId, () => ['Q7', 'Q60']);
  const [q7, q60] = [catalog.find('Q7')!, catalog.find('Q60')!];
  const mask = selectRows(dataset, SELECTION);
  // The cost of tests and letters does not depend on the number of responses.
  const plan = { ...TABLE, statistics: new Set<never>(), rows: [[q7]], columns: [[q60]] };
  const { one, crossed } = await interleaved(ROUNDS, {
    one: () => repeated(() => computeDistribution(dataset, q7, { ...TABLE, rows: mask })),
    crossed: () =>
      repeated(() => {
        const work = computeCrosstabs(dataset, plan, { mask, weights: null });
        while (!work.next().done);
      }),
  });
  const figure = (what: string, answers: number, times: number[]): Figure => {
    const millionsASecond = answers / 1_000 / median(times);
    return {
      what: `${what} of ${count(responses)} responses in memory, on one core`,
      ours: amount(millionsASecond, 'million values/s', `${short(median(times))} ms`),
      yardstick: amount(MILLION_VALUES_A_SECOND, 'million values/s'),
      against: 'the target',
      ratio: millionsASecond / MILLION_VALUES_A_SECOND,
      target: { atLeast: 1 },
    };
  };
  return [
    figure('A distribution', responses, one),
    figure('The counts of a crosstab, 7 x 7,', 2 * responses, crossed),
  ];
}

/** Milliseconds per run, averaged over several runs because one may be too short to measure. */
const repeated = async (run: () => unknown): Promise<number> =>
  (await measureMs(() => {
    for (let time = 0; time < REPEATS; time += 1) run();
  })) / REPEATS;

/** Whole calls of the services, including the check for newer responses. */
async function figures(
  datasets: DatasetService,
  wordings: PublishedWordings,
  grown: readonly Grown[],
): Promise<Figure[]> {
  const scopeOf = ({ surveyId }: Grown) =>
    ({ userId: 0, organizationId: 0, workspaceId: 0, role: 'owner', surveyId }) as const;
  const single = new FigureService(datasets);
  const tables = new CrosstabService(datasets);
  const table = { ...SELECTION, ...TABLE, rows: [['Q7']], columns: [['Q60']] };
  // Nothing is cached: every figure is computed again.
  const charts = new ChartFigureService(datasets, wordings, 0);
  const figures: Figure[] = [];
  for (const [what, run] of [
    [
      'A figure',
      (one: Grown) =>
        single.computeDistribution({
          scope: scopeOf(one),
          columnCode: 'Q7',
          request: { ...SELECTION, base: TABLE.base },
        }),
    ],
    ['A crosstab', (one: Grown) => tables.compute(scopeOf(one), table)],
    ['A dashboard of 20 charts, without a cache,', (one: Grown) => batch(charts, one)],
  ] as const) {
    const times = await bySize(ROUNDS, grown, (one) => measureMs(() => run(one)));
    figures.push(perResponse(what, grown, times));
  }
  return figures;
}

async function batch(service: ChartFigureService, { surveyId }: Grown): Promise<void> {
  const requests = twentyCharts(surveyId).map(({ chart_type, chart_config }): ChartRequest => {
    return { chartType: chart_type, config: chartConfigSchema(chart_type).parse(chart_config), surveyId };
  });
  const settings = new Map([[surveyId, { confidential: false, min_base: 5, dominance_percent: 50 }]]);
  for (const reply of await service.computeBatch(requests, {
    audience: 'member',
    settings,
    isPublishedWording: false,
  }))
    if ('error' in reply) throw new Error(reply.error.message);
}

/** The first page of the grid with all its columns, over HTTP. */
async function page(testBed: TestBed, api: Child, grown: readonly Grown[]): Promise<Figure> {
  const times = await bySize(ROUNDS, grown, ({ surveyId }) =>
    measureMs(async () => {
      const reply = await fetch(`${api.url}/api/responses/${surveyId}/grid?limit=${PAGE_ROWS}`, {
        headers: { 'X-API-Key': testBed.apiKey },
      });
      if (!reply.ok) throw new Error(await reply.text());
      await reply.arrayBuffer();
    }),
  );
  const [few, most] = [grown[0]!, grown.at(-1)!];
  return {
    what: `A page of ${PAGE_ROWS} rows x ${SIXTY_CODES.length} of ${count(most.responses)} responses over HTTP`,
    ours: amount(median(times.at(-1)!), 'ms'),
    yardstick: amount(median(times[0]!), 'ms'),
    against: `of ${count(few.responses)}`,
    ratio: medianRatio(times.at(-1)!, times[0]!),
    target: { atMost: 2 },
  };
}

async function csv(testBed: TestBed, api: Child, grown: readonly Grown[]): Promise<Figure> {
  const times = await bySize(FILE_ROUNDS, grown, async ({ surveyId }) => {
    const { milliseconds } = await downloadResponses(testBed, api, surveyId, { columns: SIXTY_CODES });
    return milliseconds;
  });
  const rates = times.map((of, index) => of.map((ms) => (grown[index]!.responses / ms) * 1_000));
  const { other, at } = neighbour(grown);
  return {
    what: `CSV export of ${count(grown.at(-1)!.responses)} x ${SIXTY_CODES.length} over HTTP`,
    ours: amount(median(rates.at(-1)!), 'rows/s'),
    yardstick: amount(median(rates[at]!), 'rows/s'),
    against: `of ${count(other.responses)}`,
    ratio: medianRatio(rates.at(-1)!, rates[at]!),
    target: { atLeast: 1 / FLAT },
  };
}

/** Parallel to `grown`. Runs alternate, so that neighbours in time are compared. */
async function bySize(
  rounds: number,
  grown: readonly Grown[],
  run: (one: Grown) => Promise<number>,
): Promise<number[][]> {
  const contestants = Object.fromEntries(grown.map((one) => [`${one.responses}`, () => run(one)]));
  const reached = await interleaved(rounds, contestants);
  return grown.map(({ responses }) => reached[`${responses}`]!);
}

/** The next smaller survey: in the smallest, the fixed cost of a request dominates. */
function neighbour(grown: readonly Grown[]): { other: Grown; at: number } {
  const at = Math.max(0, grown.length - 2);
  return { other: grown[at]!, at };
}

function perResponse(what: string, grown: readonly Grown[], times: readonly number[][]): Figure {
  const costs = times.map((of, index) => of.map((ms) => (ms * 1_000_000) / grown[index]!.responses));
  const { other, at } = neighbour(grown);
  const smaller = grown
    .slice(0, -1)
    .map(({ responses }, index) => `${count(responses)} in ${short(median(times[index]!))} ms`);
  return {
    what: `${what} of ${count(grown.at(-1)!.responses)} responses, cost per response`,
    ours: amount(median(costs.at(-1)!), 'ns', `${short(median(times.at(-1)!))} ms in total`),
    yardstick: amount(median(costs[at]!), 'ns', smaller.join(', ')),
    against: `of ${count(other.responses)}`,
    ratio: medianRatio(costs.at(-1)!, costs[at]!),
    target: { atMost: FLAT },
  };
}
