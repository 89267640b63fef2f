import { PLAIN_PAGE, PLAIN_SURVEY } from '../src/domain/survey/definition.ts';
import { ColumnCatalog } from '../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../src/domain/dataset/dataset.ts';
import { readFilter } from '../src/domain/dataset/filter/filter.ts';
import type { ResponseState } from '../src/domain/responses/response-row.ts';
import { selectRows } from '../src/domain/dataset/filter/select-rows.ts';
import { computeCrosstabs } from '../src/domain/statistics/crosstab/crosstab.ts';
import { computeDistribution } from '../src/domain/statistics/distribution.ts';
import type { DuckDb } from './support/duckdb.ts';
import { openDuckDb } from './support/duckdb.ts';
import type { Figure } from './support/figure.ts';
import { SkippedBenchmarkError } from './support/skipped-benchmark.ts';
import { question } from './support/question.ts';
import { randomNumbers } from '../src/lib/seeded-random.ts';
import { interleaved, medianRatio, medianTime, measureMs } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';

const RESPONSES = 1_000_000;
const ROUNDS = 31;

/** A million responses in memory, and their values as numbers. */
function responses(seed: number) {
  const next = randomNumbers(seed);
  const among = (count: number, skipped: number) =>
    Float64Array.from({ length: RESPONSES }, () => (next() < skipped ? NaN : 1 + Math.floor(next() * count)));
  const values = {
    region: among(6, 0.03),
    rating: among(7, 0.05),
    age: Float64Array.from({ length: RESPONSES }, () => 16 + Math.floor(next() * 70)),
    weight: Float64Array.from({ length: RESPONSES }, () => Number((0.3 + 2 * next()).toFixed(3))),
  };
  const questions = [
    question(1, 'single_choice', 'region', 6),
    question(2, 'single_choice', 'rating', 7),
    question(3, 'number', 'age'),
    question(4, 'number', 'weight'),
  ];
  const page = {
    id: 1,
    title: null,
    description: null,
    logic: null,
    ...PLAIN_PAGE,
    retired: false,
    questions,
  };
  const catalog = new ColumnCatalog({
    surveyId: 1,
    version: 1,
    name: 'Bench',
    description: null,
    pages: [page],
    ...PLAIN_SURVEY,
  });
  const dataset = new Dataset(catalog, RESPONSES);
  function* states(): Generator<ResponseState> {
    for (let responseId = 1; responseId <= RESPONSES; responseId++) {
      yield { responseId, status: 'complete', isTest: false, isDeleted: false, hasConfirmedFlags: false };
    }
  }
  dataset.addResponses(states());
  const load = dataset.beginLoad(Object.keys(values));
  const stored = (code: keyof typeof values, text: boolean) =>
    Array.from(values[code], (value) => (Number.isNaN(value) ? null : text ? String(value) : value));
  load.add(dataset.responseIds.subarray(0, RESPONSES), [
    stored('region', true),
    stored('rating', true),
    stored('age', false),
    stored('weight', false),
  ]);
  load.finish();
  return { dataset, catalog, values };
}

type Made = ReturnType<typeof responses>;

function found(catalog: ColumnCatalog, code: string) {
  const entry = catalog.find(code);
  if (!entry) throw new Error(code);
  return entry;
}

const FILTER = { left: { code: 'age' }, operator: 'between', right: [25, 54] };

/** The whole table of a request: selected responses, percents, bases, chi-square and letters. */
function ours({ dataset, catalog }: Made) {
  const weightColumn = dataset.column('weight');
  if (weightColumn.kind !== 'numeric') throw new Error('weight is a number');
  const selected = (filtered: boolean) => {
    const filter = filtered ? readFilter(FILTER, catalog) : null;
    if (filter !== null && !filter.ok) throw new Error('the filter does not compile');
    return selectRows(dataset, filter === null ? {} : { filter: filter.filter });
  };
  const table = (filtered: boolean, weighted: boolean) => {
    const mask = selected(filtered);
    const work = computeCrosstabs(
      dataset,
      {
        rows: [[found(catalog, 'rating')]],
        columns: [[found(catalog, 'region')]],
        nets: [],
        base: 'answering',
        statistics: new Set([
          'column_percent',
          'row_percent',
          'total_percent',
          'chi_square',
          'letters',
          'means',
        ]),
        minBase: 30,
        correction: 'none',
      },
      { mask, weights: weighted ? weightColumn.values : null },
    );
    while (!work.next().done);
    dataset.releaseMask(mask);
  };
  return {
    distribution: () => computeDistribution(dataset, found(catalog, 'rating'), { rows: selected(false) }),
    plain: () => table(false, false),
    weighted: () => table(false, true),
    filtered: () => table(true, false),
    both: () => table(true, true),
  };
}

const WHERE = 'WHERE age BETWEEN 25 AND 54';
const WEIGHTED = 'SELECT rating, region, count(*), sum(weight), sum(weight * weight) FROM r';
const BY_BOTH = 'GROUP BY rating, region';
/** `threads` of DuckDB; null: its default, one per processor. */
const FIGURES = [
  ['distribution', 'A distribution', 'SELECT rating, count(*) FROM r GROUP BY rating', null],
  ['plain', 'A crosstab, 7 x 6', `SELECT rating, region, count(*) FROM r ${BY_BOTH}`, null],
  ['weighted', 'A weighted crosstab', `${WEIGHTED} ${BY_BOTH}`, null],
  ['filtered', 'A filtered crosstab', `SELECT rating, region, count(*) FROM r ${WHERE} ${BY_BOTH}`, 1],
  ['both', 'A filtered and weighted crosstab', `${WEIGHTED} ${WHERE} ${BY_BOTH}`, 1],
] as const;

async function compared(duck: DuckDb, fixture: Made): Promise<Figure[]> {
  const run = ours(fixture);
  const figures: Figure[] = [];
  for (const [name, what, sql, threads] of FIGURES) {
    await duck.rows(threads === null ? 'RESET threads' : `SET threads = ${threads}`);
    const [[used] = []] = await duck.rows("SELECT current_setting('threads')");
    const reached = await interleaved(ROUNDS, {
      ours: () => measureMs(run[name]),
      duck: () => measureMs(() => duck.rows(sql)),
    });
    figures.push({
      what: `${what} of ${RESPONSES.toLocaleString('en')} responses in memory, on one thread (speed-up)`,
      ours: medianTime(reached.ours),
      yardstick: medianTime(reached.duck),
      against: `DuckDB ${duck.version} on ${String(used)} ${String(used) === '1' ? 'thread' : 'threads'}`,
      ratio: medianRatio(reached.duck, reached.ours),
      target: { atLeast: 1 },
    });
  }
  return figures;
}

/** Figures over a million responses in memory, on one thread, against DuckDB in the same process. */
export async function crosstabs({ seed }: TestBed): Promise<Figure[]> {
  const fixture = responses(seed);
  const { region, rating, age, weight } = fixture.values;
  const duck = await openDuckDb([
    { name: 'region', type: 'TINYINT', values: region },
    { name: 'rating', type: 'TINYINT', values: rating },
    { name: 'age', type: 'INTEGER', values: age },
    { name: 'weight', type: 'DOUBLE', values: weight },
  ]);
  if (duck === null)
    throw new SkippedBenchmarkError('DuckDB is not installed (npm install --no-save @duckdb/node-api)');
  try {
    return await compared(duck, fixture);
  } finally {
    duck.close();
  }
}
