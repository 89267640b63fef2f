/**
 * How long a figure takes on half a million responses in memory: `node --import tsx bench/distribution-kernel.ts`.
 * Median of many runs, in milliseconds.
 */
import { parseArgs } from 'node:util';
import { ColumnCatalog } from '../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../src/domain/dataset/dataset.ts';
import { readFilter } from '../src/domain/dataset/filter/filter.ts';
import type { ResponseState } from '../src/domain/responses/response-row.ts';
import { selectRows } from '../src/domain/dataset/filter/select-rows.ts';
import { PLAIN_PAGE, PLAIN_SURVEY, type SurveyDefinition } from '../src/domain/survey/definition.ts';
import { computeDistribution } from '../src/domain/statistics/distribution.ts';
import { question } from './support/question.ts';
import { randomNumbers } from '../src/lib/seeded-random.ts';

const { values: flags } = parseArgs({ options: { rows: { type: 'string', default: '500000' } } });
const ROWS = Number(flags.rows);
const RUNS = 31;

const questions = [
  question(1, 'single_choice', 'Q1', 6),
  question(2, 'multiple_choice', 'Q2', 12),
  question(3, 'number', 'age'),
  question(4, 'slider', 'amount'),
  question(5, 'nps', 'nps'),
];
const definition: SurveyDefinition = {
  surveyId: 1,
  version: 1,
  name: 'Bench',
  description: null,
  pages: [{ id: 1, title: null, description: null, logic: null, ...PLAIN_PAGE, retired: false, questions }],
  ...PLAIN_SURVEY,
};

const next = randomNumbers(1);
const pick = (count: number) => Math.floor(next() * count);
const answer: Record<string, () => string | number | string[] | null> = {
  Q1: () => (next() < 0.05 ? null : String(1 + pick(6))),
  Q2: () => Array.from({ length: 12 }, (_, index) => String(index + 1)).filter(() => next() < 0.25),
  age: () => 16 + pick(80),
  amount: () => next() * 1_000,
  nps: () => pick(11),
};

const catalog = new ColumnCatalog(definition);
const dataset = new Dataset(catalog);
function* responses(): Generator<ResponseState> {
  for (let id = 1; id <= ROWS; id++) {
    const status = next() < 0.8 ? 'complete' : 'partial';
    yield { responseId: id, status, isTest: false, isDeleted: false, hasConfirmedFlags: false };
  }
}
const statesBegan = performance.now();
dataset.addResponses(responses());
console.log(`states of ${ROWS} rows built in ${(performance.now() - statesBegan).toFixed(0)} ms`);
for (const { code } of questions) {
  const make = answer[code];
  if (!make) continue;
  const ids = Float64Array.from({ length: ROWS }, (_, index) => index + 1);
  const answers = Array.from({ length: ROWS }, make);
  const began = performance.now();
  const load = dataset.beginLoad([code]);
  load.add(ids, [answers]);
  load.finish();
  console.log(`${code} loaded in ${(performance.now() - began).toFixed(0)} ms`);
}
console.log(`${(dataset.bytes / 1e6).toFixed(1)} MB in columns\n`);

const weights = Float64Array.from({ length: ROWS }, () => 0.5 + next());
const filter = readFilter(
  { Q1: ['1', '2', '3'], age: [...Array(30).keys()].map((index) => index + 20) },
  catalog,
);
const ranges = readFilter(
  {
    conditions: [
      { left: { code: 'age' }, operator: 'between', right: [20, 49] },
      { left: { code: 'Q2' }, operator: 'includes_any', right: ['1', '5'] },
    ],
  },
  catalog,
);
if (!filter.ok || !ranges.ok) throw new Error('the filter does not compile');

function measure(name: string, run: () => unknown): void {
  for (let warm = 0; warm < 10; warm++) run();
  const times = Array.from({ length: RUNS }, () => {
    const began = performance.now();
    run();
    return performance.now() - began;
  });
  times.sort((a, b) => a - b);
  console.log(`${(times[RUNS >> 1] ?? NaN).toFixed(2).padStart(8)} ms  ${name}`);
}

const figure = (code: string, options: { filter?: typeof filter.filter; weighted?: boolean } = {}) => {
  const entry = catalog.find(code);
  if (!entry) throw new Error(code);
  const rows = selectRows(dataset, { filter: options.filter });
  return computeDistribution(dataset, entry, { rows, weights: options.weighted ? weights : null });
};

measure('rows that count', () => selectRows(dataset));
measure('single choice', () => figure('Q1'));
measure('single choice, weighted', () => figure('Q1', { weighted: true }));
measure('single choice, filter of two conditions (choice, list of numbers)', () =>
  figure('Q1', { filter: filter.filter }),
);
measure('single choice, filter of two conditions (range, multiple)', () =>
  figure('Q1', { filter: ranges.filter }),
);
measure('single choice, filter and weight', () => figure('Q1', { filter: ranges.filter, weighted: true }));
measure('multiple choice, 12 options', () => figure('Q2'));
measure('one option of it', () => figure('Q2_3'));
measure('age (80 values) with statistics', () => figure('age'));
measure('age, weighted', () => figure('age', { weighted: true }));
measure('nps', () => figure('nps'));
measure('amount (all different) with statistics', () => figure('amount'));
measure('amount, weighted', () => figure('amount', { weighted: true }));
