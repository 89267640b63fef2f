import { describe, expect, test } from 'vitest';
import { buildSav, spssSeconds } from '../../support/build-sav.ts';
import { planSav } from '../../support/plan-sav.ts';

type Format = [type: number, width: number, decimals: number];
const day = (text: string) => spssSeconds(`${text}T00:00:00Z`);

/** Display format, values in the file, and what they become. */
const CASES: [
  name: string,
  format: Format,
  values: (number | string)[],
  type: string,
  cells: unknown[],
  settings?: object,
][] = [
  ['A', [1, 8, 0], [' 1', 'ab  '], 'text', [' 1', 'ab']],
  ['AHEX', [2, 16, 0], ['ab', 'c'], 'text', ['ab', 'c']],
  ['COMMA', [3, 9, 2], [1234.5, -1], 'number', [1234.5, -1], { decimals: 1 }],
  ['DOLLAR', [4, 9, 2], [1234.25, 0], 'number', [1234.25, 0], { decimals: 2 }],
  ['F', [5, 8, 2], [1 / 3, 1e300], 'number', [1 / 3, 1e300], { decimals: 10 }],
  ['IB', [6, 4, 0], [65_536, -1], 'number', [65_536, -1], { decimals: 0 }],
  ['PIBHEX', [7, 4, 0], [255, 1], 'number', [255, 1]],
  ['P', [8, 4, 0], [123, -123], 'number', [123, -123]],
  ['PIB', [9, 4, 1], [25.5, 1], 'number', [25.5, 1]],
  ['PK', [10, 4, 0], [42, 7], 'number', [42, 7]],
  ['RB', [11, 8, 0], [0.1 + 0.2, -1.5], 'number', [0.1 + 0.2, -1.5]],
  ['RBHEX', [12, 16, 0], [1.2e-11, 1], 'number', [1.2e-11, 1], { decimals: 10 }],
  ['Z', [15, 8, 2], [-3.25, 9], 'number', [-3.25, 9]],
  ['N', [16, 5, 0], [1234, 99], 'number', [1234, 99]],
  ['E', [17, 12, 3], [1.5e10, -2.5e-5], 'number', [1.5e10, -2.5e-5]],
  [
    'DATE',
    [20, 11, 0],
    [day('2024-03-15'), day('1582-10-15')],
    'date',
    ['2024-03-15', '1582-10-15'],
    { precision: 'date' },
  ],
  ['TIME', [21, 8, 0], [30_600, 86_399], 'date', ['08:30:00', '23:59:59'], { precision: 'time' }],
  [
    'DATETIME',
    [22, 20, 0],
    [spssSeconds('2024-03-15T10:15:33Z'), day('1960-01-01')],
    'date',
    ['2024-03-15T10:15:33', '1960-01-01T00:00:00'],
    { precision: 'datetime' },
  ],
  ['ADATE', [23, 10, 0], [day('1776-07-04')], 'date', ['1776-07-04'], { precision: 'date' }],
  ['JDATE', [24, 7, 0], [day('2024-12-31')], 'date', ['2024-12-31'], { precision: 'date' }],
  ['DTIME', [25, 12, 0], [93_600, 10_800], 'number', [93_600, 10_800], { suffix: 'seconds', decimals: 0 }],
  ['WKDAY', [26, 9, 0], [1, 7], 'single_choice', ['1', '7']],
  ['MONTH', [27, 9, 0], [3, 12], 'single_choice', ['3', '12']],
  [
    'MOYR',
    [28, 8, 0],
    [day('2024-03-01'), day('1999-12-01')],
    'date',
    ['2024-03-01', '1999-12-01'],
    { precision: 'month' },
  ],
  [
    'QYR',
    [29, 8, 0],
    [day('2024-01-01'), day('2024-10-01')],
    'date',
    ['2024-01-01', '2024-10-01'],
    { precision: 'date' },
  ],
  ['WKYR', [30, 10, 0], [day('2024-01-08')], 'date', ['2024-01-08'], { precision: 'date' }],
  ['PCT', [31, 8, 1], [12.5, 100], 'number', [12.5, 100], { decimals: 1 }],
  ['DOT', [32, 13, 2], [1234.5, 3], 'number', [1234.5, 3]],
  ['CCA', [33, 9, 2], [1.25], 'number', [1.25]],
  ['CCB', [34, 9, 2], [1.25], 'number', [1.25]],
  ['CCC', [35, 9, 2], [1.25], 'number', [1.25]],
  ['CCD', [36, 9, 2], [1.25], 'number', [1.25]],
  ['CCE', [37, 9, 2], [1.25], 'number', [1.25]],
  ['EDATE', [38, 10, 0], [day('1950-12-24')], 'date', ['1950-12-24'], { precision: 'date' }],
  ['SDATE', [39, 10, 0], [day('2000-02-29')], 'date', ['2000-02-29'], { precision: 'date' }],
  ['MTIME', [40, 8, 0], [330, 3600], 'number', [330, 3600], { suffix: 'seconds' }],
  [
    'YMDHMS',
    [41, 19, 0],
    [spssSeconds('2024-03-15T10:15:33Z')],
    'date',
    ['2024-03-15T10:15:33'],
    { precision: 'datetime' },
  ],
];

describe('a variable with the display format', () => {
  test.each(CASES)('%s (%j) keeps its values', async (_name, format, values, type, cells, settings = {}) => {
    const isText = typeof values[0] === 'string';
    const variables = [{ name: 'V1', format, ...(isText && { width: 8 }) }];
    const { column } = await planSav(buildSav({ variables, rows: values.map((value) => [value]) }));
    const { question, cells: converted } = column('V1');
    expect(question!.question_type).toBe(type);
    expect(question!.question_settings).toMatchObject(settings);
    expect(question!.question_settings).toMatchObject({
      variable: { format: { type: format[0], width: format[1], decimals: format[2] } },
    });
    expect(converted).toEqual(cells);
  });
});

async function planNumbers(format: Format, values: (number | null)[], more: object = {}) {
  const variables = [{ name: 'V1', format, ...more }];
  const { column } = await planSav(buildSav({ variables, rows: values.map((value) => [value]) }));
  return column('V1');
}

describe('MONTH and WKDAY', () => {
  test('have the names that the format shows as labels, below those of the file', async () => {
    const month = await planNumbers([27, 9, 0], [3, 12], { labels: [[12, 'Dezember']] });
    expect(month.question!.options.find(({ option_value: value }) => value === '3')!.option_label).toBe(
      'March',
    );
    expect(month.question!.options.find(({ option_value: value }) => value === '12')!.option_label).toBe(
      'Dezember',
    );
    const weekday = await planNumbers([26, 9, 0], [1]);
    expect(weekday.question!.options[0]!.option_label).toBe('Sunday');
  });

  test('keep numbers that have no name', async () => {
    expect((await planNumbers([27, 9, 0], [3, 13, 2.5])).cells).toEqual(['3', '13', '2.5']);
  });
});

describe('lengths of time', () => {
  test.each([[[30_600, 138_600, 144_000, 27_900]], [[-3600, 60]], [[86_400, 0]], [[3600.25, 100_000.5]]])(
    '%j stay, as numbers of seconds',
    async (values) => {
      const { question, cells, notes } = await planNumbers([21, 8, 0], values);
      expect(question).toMatchObject({ question_type: 'number', question_settings: { suffix: 'seconds' } });
      expect(cells).toEqual(values);
      expect(notes).toContain('lengths of time');
    },
  );

  test('within one day are times of the day, with their seconds', async () => {
    const { question, cells } = await planNumbers([21, 11, 2], [43_870.09, 57_560, 0]);
    expect(question!.question_settings).toMatchObject({ precision: 'time' });
    expect(cells).toEqual(['12:11:10.090', '15:59:20', '00:00:00']);
  });
});

describe('a date variable', () => {
  const odd = 1e15;

  test('loses only the values that no calendar shows, and counts them', async () => {
    const { question, cells, notes } = await planNumbers(
      [22, 20, 0],
      [spssSeconds('2014-09-23T15:59:20Z'), odd, odd],
    );
    expect(question).toMatchObject({ question_type: 'date', question_settings: { precision: 'datetime' } });
    expect(cells).toEqual(['2014-09-23T15:59:20', null, null]);
    expect(notes).toBe('2 cells are not within the years 1 to 9999: they are left out');
  });

  test('is a number if it has no date', async () => {
    const { question, cells, notes } = await planNumbers([20, 11, 0], [odd, 2 * odd]);
    expect(question!.question_type).toBe('number');
    expect(cells).toEqual([odd, 2 * odd]);
    expect(notes).toContain('taken as numbers');
  });

  test('keeps the time of day of its values', async () => {
    const values = [day('2024-03-15') + 37_230.5, day('2024-03-16')];
    const { question, cells, notes } = await planNumbers([20, 11, 0], values);
    expect(question!.question_settings).toMatchObject({ precision: 'datetime' });
    expect(cells).toEqual(['2024-03-15T10:20:30.500', '2024-03-16']);
    expect(notes).toContain('time of day');
  });

  test('reads a value a rounding error beside midnight as the day', async () => {
    const values = [day('2024-03-15') + 1e-5, day('2024-03-16') - 1e-5];
    expect((await planNumbers([20, 11, 0], values)).cells).toEqual(['2024-03-15', '2024-03-16']);
  });

  test('keeps the day of a month that is not its first', async () => {
    const { question, cells } = await planNumbers([28, 8, 0], [day('2024-03-15'), day('2024-04-01')]);
    expect(question!.question_settings).toMatchObject({ precision: 'date' });
    expect(cells).toEqual(['2024-03-15', '2024-04-01']);
  });
});

describe('user-missing values', () => {
  const missingDay = day('1900-01-01');

  test.each([
    ['a list', { missing: [missingDay] }],
    ['a range', { missingRange: [day('1899-01-01'), day('1901-01-01')] }],
    [
      'a range from the lowest and a value',
      { missingRange: [-1.7976931348623155e308, day('1800-01-01')], missing: [missingDay] },
    ],
  ])('of a date, as %s, are missing', async (_name, declared) => {
    const { cells, notes, question } = await planNumbers(
      [20, 11, 0],
      [day('1980-01-01'), missingDay],
      declared,
    );
    expect(cells).toEqual(['1980-01-01', null]);
    expect(notes).toContain('1 cell is user-missing');
    expect(question!.question_settings).toMatchObject({ precision: 'date' });
  });

  test('of a time, a moment and a number are missing', async () => {
    expect((await planNumbers([21, 8, 0], [3600, 359_999], { missing: [359_999] })).cells).toEqual([
      '01:00:00',
      null,
    ]);
    expect((await planNumbers([22, 20, 0], [missingDay, 0], { missing: [missingDay] })).cells[0]).toBeNull();
    expect(
      (await planNumbers([5, 8, 0], [1, 2500], { missingRange: [2000, Number.MAX_VALUE] })).cells,
    ).toEqual([1, null]);
  });

  test('are counted, however many different values the variable has', async () => {
    const values = [...Array.from({ length: 1_500 }, (_, i) => i + 0.5), -9, -9];
    expect((await planNumbers([5, 8, 2], values, { missing: [-9] })).notes).toContain(
      '2 cells are user-missing',
    );
  });

  test('of open questions that are no reasons of respondents are a question of their own, after their question', async () => {
    const income = {
      name: 'INC',
      label: 'Income',
      missing: [-9, -8],
      labels: [
        [-9, 'Interviewer error'],
        [-8, 'Lost'],
      ] as [number, string][],
    };
    const variables = [
      income,
      { name: 'INC_reas', longName: 'INC_reason' },
      { name: 'NOTE', width: 4, missing: ['99'] },
    ];
    const values = Array.from({ length: 1_200 }, (_, i) => [1_000.5 + i, 1, 'x']);
    const { plan, rows, column } = await planSav(
      buildSav({ variables, rows: [...values, [-9, 1, 'a'], [-9, 1, 'b'], [-8, 1, '99'], [null, 1, null]] }),
    );
    expect(column('INC').notes).toBe(
      `only missing values have labels: they are kept for exports; 3 cells are user-missing and taken as not answered: -9 "Interviewer error" (2), -8 "Lost" (1); the reasons are in INC_reason_v2`,
    );
    const [page] = (plan.document as { survey: { pages: [{ questions: { question_code: string }[] }] } })
      .survey.pages;
    // One value without a label says no more than an empty cell.
    expect(page.questions.map(({ question_code: code }) => code)).toEqual([
      'INC',
      'INC_reason_v2',
      'INC_reason',
      'NOTE',
    ]);
    expect(page.questions[1]).toEqual({
      question_code: 'INC_reason_v2',
      question_type: 'single_choice',
      question_text: 'Income (no answer)',
      question_settings: {},
      options: [
        { option_label: 'Interviewer error', option_value: '-9', option_missing: true },
        { option_label: 'Lost', option_value: '-8', option_missing: true },
      ],
    });
    const [reasons] = plan.combinedColumns;
    expect(plan.combinedColumns).toHaveLength(1);
    expect(rows.slice(-5).map((cells) => reasons!.combine(cells))).toEqual([null, '-9', '-9', '-8', null]);
  });

  test('of open questions that are reasons of respondents are reasons of the question', async () => {
    const variables = [
      {
        name: 'INC',
        missing: [97, 98, 99],
        labels: [
          [97, 'Keine Angabe'],
          [98, 'Weiß nicht'],
          [99, 'Trifft nicht zu'],
        ] as [number, string][],
      },
      {
        name: 'NOTE',
        width: 4,
        missing: ['98'],
        labels: [['98', 'prefer not to say']] as [string, string][],
      },
    ];
    const values = Array.from({ length: 1_200 }, (_, i) => [1_000.5 + i, `x${i}`]);
    const { plan, rows } = await planSav(
      buildSav({ variables, rows: [...values, [97, '98'], [98, 'a'], [99, 'b'], [null, null]] }),
    );
    const [page] = (plan.document as { survey: { pages: [{ questions: { question_settings: object }[] }] } })
      .survey.pages;
    expect(page.questions.map(({ question_settings: settings }) => settings)).toMatchObject([
      {
        no_answers: [
          { reason: 'refused', code: 97, label: 'Keine Angabe' },
          { reason: 'dont_know', code: 98, label: 'Weiß nicht' },
          { reason: 'not_applicable', code: 99, label: 'Trifft nicht zu' },
        ],
      },
      { no_answers: [{ reason: 'refused', code: 98, label: 'prefer not to say' }] },
    ]);
    expect(plan.combinedColumns).toHaveLength(0);
    expect(rows.slice(-4)).toEqual([
      [97, '98'],
      [98, 'a'],
      [99, 'b'],
      [null, null],
    ]);
  });

  test('that are all of a variable with labels are flagged options', async () => {
    const labels: [number, string][] = [[-9, 'Refused']];
    const { question, cells } = await planNumbers([5, 8, 0], [-9, -9], { missing: [-9], labels });
    expect(question).toMatchObject({
      question_type: 'single_choice',
      options: [{ option_label: 'Refused', option_value: '-9', option_missing: true }],
    });
    expect(cells).toEqual(['-9', '-9']);
  });

  test('of texts are missing, and flagged options where the texts have labels', async () => {
    const variables = [
      { name: 'NOTE', width: 5, missing: ['99'] },
      {
        name: 'CODE',
        width: 4,
        missing: ['zz'],
        labels: [
          ['a', 'first'],
          ['zz', 'refused'],
        ] as [string, string][],
      },
    ];
    const { column } = await planSav(
      buildSav({
        variables,
        rows: [
          ['aa', 'a'],
          ['99', 'zz'],
        ],
      }),
    );
    expect(column('NOTE').cells).toEqual(['aa', null]);
    expect(column('NOTE').question!.question_settings).toMatchObject({ variable: { missing: ['99'] } });
    expect(column('CODE').cells).toEqual(['a', 'zz']);
    expect(column('CODE').question!.options).toContainEqual({
      option_label: 'refused',
      option_value: 'zz',
      option_missing: true,
    });
  });
});

test('keeps texts that differ in leading spaces apart, and the original texts for exports', async () => {
  const labels: [string, string][] = [
    ['01', 'padded'],
    [' 1', 'right'],
    ['1', 'left'],
  ];
  const variables = [{ name: 'S1', width: 8, labels }];
  const rows = [['01'], [' 1'], ['1'], ['1   '], [null]];
  const { column } = await planSav(buildSav({ variables, rows }));
  const { question, cells } = column('S1');
  expect(question!.options.map(({ option_value: value, option_label: label }) => [value, label])).toEqual([
    ['01', 'padded'],
    ['\u24231', 'right'],
    ['1', 'left'],
  ]);
  expect(cells).toEqual(['01', '\u24231', '1', '1', null]);
  expect(question!.question_settings).toMatchObject({
    variable: { values: [{ option_value: '\u24231', value: ' 1' }] },
  });
});

test('notes labels that are too long to be kept whole', async () => {
  const name = Buffer.from('S1');
  const withLength = (text: string) => {
    const length = Buffer.alloc(4);
    length.writeInt32LE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const [width, count] = [Buffer.alloc(4), Buffer.alloc(4)];
  width.writeInt32LE(12);
  count.writeInt32LE(1);
  const label = `${'a'.repeat(1_000)}b`;
  const labelRecord = Buffer.concat([
    withLength(name.toString()),
    width,
    count,
    withLength('x'.padEnd(12)),
    withLength(label),
  ]);
  const { column } = await planSav(
    buildSav({
      variables: [{ name: 'S1', width: 12, label: 'q'.repeat(10_001) }],
      rows: [['x'], ['x']],
      extensions: [[21, labelRecord]],
    }),
  );
  expect(column('S1').question).toMatchObject({
    question_text: 'q'.repeat(10_000),
    options: [{ option_label: 'a'.repeat(1_000) }],
  });
  expect(column('S1').notes).toBe(
    'has a label of 10001 characters: the first 10000 are kept; has 1 label of more than 1000 characters: the first 1000 are kept',
  );
});

test('keeps the labels of a variable that is no choice', async () => {
  const labels: [number, string][] = [[999, 'skipped']];
  const { question, notes } = await planNumbers([5, 8, 2], [1.23, 999], { missing: [999], labels });
  expect(question).toMatchObject({
    question_type: 'number',
    question_settings: { variable: { value_labels: [{ value: 999, label: 'skipped' }] } },
  });
  expect(notes).toContain('only missing values have labels');
});
