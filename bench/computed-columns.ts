import { ColumnCatalog } from '../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../src/domain/dataset/dataset.ts';
import type { ResponseState } from '../src/domain/responses/response-row.ts';
import { deriveColumn } from '../src/domain/derived/derive-column.ts';
import { computedForm, type ComputedType } from '../src/domain/transforms/computed.ts';
import {
  PLAIN_PAGE,
  PLAIN_SURVEY,
  type Question,
  type QuestionType,
} from '../src/domain/survey/definition.ts';
import { questionSettingsSchemas } from '../src/domain/questions/registry.ts';
import type { Figure } from './support/figure.ts';
import { interleaved, medianRatio, medianTime, measureMs } from './support/rounds.ts';

const ROWS = 1_000_000;
const ROUNDS = 7;
const CITIES = ['Berlin', 'Paris', 'Roma', 'Wien', 'Praha'];

function question(id: number, type: QuestionType, code: string, options = 0): Question {
  return {
    id,
    pageId: 1,
    type,
    text: code,
    code,
    required: false,
    settings: questionSettingsSchemas[type].parse({}),
    options: Array.from({ length: options }, (_, index) => ({
      code: index + 1,
      value: String(index + 1),
      label: `Option ${index + 1}`,
      order: index,
      image: null,
      exclusive: false,
      other: false,
      anchor: false,
      missing: false,
      retired: false,
    })),
    retired: false,
  } as Question;
}

function* responses(): Generator<ResponseState> {
  for (let id = 1; id <= ROWS; id++)
    yield { responseId: id, status: 'complete', isTest: false, isDeleted: false, hasConfirmedFlags: false };
}

/** A choice of six, an age, and a city; every twentieth answer is missing. */
function oneMillion(): Dataset {
  const questions = [
    question(1, 'single_choice', 'Q1', 6),
    question(2, 'number', 'age'),
    question(3, 'text', 'city'),
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
  const survey = {
    surveyId: 1,
    version: 1,
    name: 'Bench',
    description: null,
    pages: [page],
    ...PLAIN_SURVEY,
  };
  const dataset = new Dataset(new ColumnCatalog(survey), ROWS);
  dataset.addResponses(responses());
  const load = dataset.beginLoad(['Q1', 'age', 'city']);
  const ids = Float64Array.from({ length: ROWS }, (_, index) => index + 1);
  const answers = <T>(make: (index: number) => T) =>
    Array.from({ length: ROWS }, (_, index) => (index % 20 === 19 ? null : make((index * 7_919) % 10_007)));
  load.add(ids, [
    answers((mixed) => String(1 + (mixed % 6))),
    answers((mixed) => 16 + (mixed % 80)),
    answers((mixed) => CITIES[mixed % 5]!),
  ]);
  load.finish();
  return dataset;
}

function computed(dataset: Dataset, expression: string, type: ComputedType): Float64Array | Uint32Array {
  const spec = {
    columnCode: 'X',
    label: 'X',
    questionId: null,
    source: 'derived' as const,
    editable: false,
    retired: false,
    ...computedForm(type, false),
  };
  const definition = { kind: 'computed' as const, expression, type };
  const derived = { columnId: 1, version: 1, spec, definition, sources: [] };
  const work = deriveColumn(dataset, {
    spec,
    loadCodes: [],
    origin: { kind: 'derived', derived, missingSources: [] },
  });
  let step = work.next();
  while (!step.done) step = work.next();
  const column = step.value;
  if (column.kind === 'binary') return column.source.words;
  if (column.kind !== 'numeric') throw new Error('no numbers');
  return column.values;
}

interface Sources {
  codes: Int16Array | Int32Array;
  ages: Float64Array;
  cities: readonly (string | null)[];
}

/** An expression and the equivalent hand-written code for one row. */
const CASES: { expression: string; type: ComputedType; row: (sources: Sources, row: number) => number }[] = [
  {
    expression: '(Q1 * 10 + age) / 2',
    type: 'number',
    row: ({ codes, ages }, row) => (codes[row]! < 0 ? NaN : ((codes[row]! + 1) * 10 + ages[row]!) / 2),
  },
  {
    expression: 'if(Q1 >= 4 and age > 30, age * 2, Q1)',
    type: 'number',
    row({ codes, ages }, row) {
      const code = codes[row]! < 0 ? NaN : codes[row]! + 1;
      const age = ages[row]!;
      return Number.isNaN(code) || Number.isNaN(age) ? NaN : code >= 4 && age > 30 ? age * 2 : code;
    },
  },
  {
    expression: 'case(age < 30, 1, age < 45, 2, age < 60, 3, true, 4)',
    type: 'number',
    row({ ages }, row) {
      const age = ages[row]!;
      return Number.isNaN(age) ? NaN : age < 30 ? 1 : age < 45 ? 2 : age < 60 ? 3 : 4;
    },
  },
  {
    expression: "city = 'Roma' or city = 'Wien'",
    type: 'boolean',
    row({ cities }, row) {
      const city = cities[row];
      return city == null ? NaN : Number(city === 'Roma' || city === 'Wien');
    },
  },
];

/** Hand-written: a loop over the arrays that fills values and states as a column has them. */
function byHand(sources: Sources, row: (typeof CASES)[number]['row']): Float64Array {
  const values = new Float64Array(ROWS).fill(NaN);
  const states = new Uint8Array(ROWS).fill(2);
  for (let index = 0; index < ROWS; index++) {
    const value = row(sources, index);
    if (Number.isNaN(value)) states[index] = 1;
    else {
      values[index] = value;
      states[index] = 0;
    }
  }
  return values;
}

/** A computed column over a million responses against a hand-written loop. */
export async function computedColumns(): Promise<Figure[]> {
  const dataset = oneMillion();
  const [q1, age, city] = ['Q1', 'age', 'city'].map((code) => dataset.column(code));
  if (q1?.kind !== 'categorical' || age?.kind !== 'numeric' || city?.kind !== 'text')
    throw new Error('the columns are of other kinds');
  const sources = { codes: q1.indices, ages: age.values, cities: city.texts };
  const figures: Figure[] = [];
  for (const { expression, type, row } of CASES) {
    const output = computed(dataset, expression, type);
    const expected = byHand(sources, row);
    for (let index = 0; index < ROWS; index += 997) {
      const both = Number.isNaN(expected[index]!)
        ? type === 'boolean' || Number.isNaN(output[index]!)
        : output[index] === expected[index];
      if (!both)
        throw new Error(`${expression} is ${output[index]} in row ${index}, by hand ${expected[index]}`);
    }
    const { ours, hand } = await interleaved(ROUNDS, {
      ours: () => measureMs(() => computed(dataset, expression, type)),
      hand: () => measureMs(() => byHand(sources, row)),
    });
    figures.push({
      what: `\`${expression}\` over 1,000,000 responses`,
      ours: medianTime(ours),
      yardstick: medianTime(hand),
      against: 'a loop written by hand',
      ratio: medianRatio(ours, hand),
      target: { atMost: 5 },
    });
  }
  return figures;
}
