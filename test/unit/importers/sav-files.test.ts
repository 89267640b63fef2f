import { describe, expect, test } from 'vitest';
import { buildSav, withLengths } from '../../support/build-sav.ts';
import { planSav } from '../../support/plan-sav.ts';

const variables = [
  { name: 'N1', labels: [[1, 'one']] as [number, string][], missing: [-9] },
  { name: 'S1', width: 20 },
];
const rows = [
  [1, 'text'],
  [-9, null],
  [null, '  x'],
  [151, 'b'],
  [1e-11, 'a'],
];

describe('a file', () => {
  const variants = [false, true].flatMap((bigEndian) => [
    { bigEndian, compression: 'none' as const },
    ...[100, 0, 50, -20, 3.5].map((bias) => ({ bigEndian, compression: 'bytecode' as const, bias })),
  ]);
  test.each(variants)('built as %j has the same content', async (variant) => {
    const { rows: cells, file } = await planSav(buildSav({ variables, rows, ...variant }));
    expect(cells).toEqual(rows);
    expect(file.columns.map(({ header }) => header)).toEqual(['N1', 'S1']);
    expect(file.columns[0]!.variable).toMatchObject({ missing: [-9], valueLabels: [[1, 'one']] });
  });

  test('without long names, case count and machine records is read', async () => {
    const old = buildSav({ variables, rows, caseCount: -1, codePage: null, encoding: null });
    expect((await planSav(old)).rows).toEqual(rows);
  });

  test('has a weight, and notes on documents and attributes, which are not imported', async () => {
    const { file, notes } = await planSav(
      buildSav({
        variables,
        rows,
        weight: 0,
        documents: ['First line', 'second line'],
        extensions: [
          [17, "$@Version('1'\n)source('panel'\n'b'\n)timezone('Asia/Seoul'\n)"],
          [18, "N1:$@Role('0'\n)/S1:note('a (b) / c'\n)fit('1'\n)"],
        ],
      }),
    );
    expect(file).toMatchObject({ weight: 'N1', timeZone: 'Asia/Seoul' });
    expect(notes).toEqual([
      'The file has 2 lines of documents, which are not imported: First line second line',
      'The file has attributes, which are not imported: source',
      'Attributes of variables are not imported: those of S1',
      expect.stringContaining('N1 weights the cases'),
    ]);
  });

  test.each(['timezone(', "timezone('a", "timezone('a'\n", '((((', "a:b('c'\n)/", ':::///'])(
    'with the broken attributes %j is read without them',
    async (broken) => {
      const extensions: [number, string][] = [
        [17, broken],
        [18, broken],
      ];
      const { file, rows: cells } = await planSav(buildSav({ variables, rows, extensions }));
      expect(file.timeZone).toBeNull();
      expect(cells).toEqual(rows);
    },
  );

  test('keeps labels and missing values of long texts, which records 21 and 22 declare', async () => {
    const extensions: [number, Buffer][] = [
      [
        21,
        Buffer.concat([
          withLengths('S1'),
          withLengths(20, 2),
          withLengths('refused   ', 'Refused', 'ABCDEFGHIJ1', 'First'),
        ]),
      ],
      [22, Buffer.concat([withLengths('S1'), Buffer.from([1]), withLengths(8), Buffer.from('refused ')])],
    ];
    const cells = [
      [1, 'refused'],
      [2, 'ABCDEFGHIJ1'],
      [3, 'ABCDEFGH'],
    ];
    const { column } = await planSav(buildSav({ variables, rows: cells, extensions }));
    const { question, cells: converted } = column('S1');
    expect(question!.options).toEqual([
      { option_label: 'Refused', option_value: 'refused', option_missing: true },
      { option_label: 'First', option_value: 'ABCDEFGHIJ1' },
      { option_label: 'ABCDEFGH', option_value: 'ABCDEFGH' },
    ]);
    expect(converted).toEqual(['refused', 'ABCDEFGHIJ1', 'ABCDEFGH']);
  });

  test('with lowest, highest and system-missing bounds has the range', async () => {
    const lowest = -1.7976931348623155e308;
    for (const [low, high, missing] of [
      [lowest, 0, [-5, 0]],
      [90, Number.MAX_VALUE, [90, 1e300]],
      [-Number.MAX_VALUE, 0, [-5]],
    ] as const) {
      const built = buildSav({
        variables: [{ name: 'N1', missingRange: [low, high] }],
        rows: [...missing, 50].map((value) => [value]),
      });
      expect((await planSav(built)).column('N1').cells).toEqual([...missing.map(() => null), 50]);
    }
  });
});

describe('a multiple-response set', () => {
  const yesNo: [number, string][] = [
    [0, 'No'],
    [1, 'Chosen tea'],
  ];
  const members = [
    { name: 'TEA', label: 'Drinks tea', labels: yesNo, missing: [9] },
    {
      name: 'COF',
      longName: 'coffee_long',
      label: 'Drinks coffee',
      labels: [[1, 'Coffee!']] as [number, string][],
    },
  ];
  const answers = [
    [1, 0],
    [0, 1],
    [9, 0],
  ];
  const planSet = (subtype: number, line: string) =>
    planSav(buildSav({ variables: members, rows: answers, extensions: [[subtype, line]] }));

  test.each([
    [7, '$drinks=D1 1 6 Drinks tea cof\n', 'Drinks', ['Drinks tea', 'Drinks coffee']],
    [19, '$drinks=E 1 1 1 6 Drinks tea cof\n', 'Drinks', ['Chosen tea', 'Coffee!']],
    [19, '$drinks=E 11 1 1 0  tea cof\n', 'Drinks tea', ['Chosen tea', 'Coffee!']],
    [7, '$drinks=D1 1 6 Drinks TEA coffee_long\n', 'Drinks', ['Drinks tea', 'Drinks coffee']],
  ])('in record %i as %j has its labels', async (subtype, line, text, labels) => {
    const { plan } = await planSet(subtype, line);
    const [variable] = plan.variables;
    if (variable === undefined || !('question' in variable)) throw new Error('no question');
    expect(variable.question.question_text).toBe(text);
    const expected =
      text === 'Drinks' && line.includes('=D')
        ? labels.map((label) => label.replace(/^Drinks /, ''))
        : labels;
    expect(variable.question.options.map(({ option_label: label }) => label)).toEqual(expected);
  });

  test('keeps the value labels and missing values of its variables for exports', async () => {
    const { plan, column } = await planSet(7, '$drinks=D1 1 6 Drinks tea cof\n');
    expect(plan.variables[0]).toMatchObject({
      question: {
        question_settings: {
          variable: {
            members: [
              {
                name: 'TEA',
                value_labels: [
                  { value: 0, label: 'No' },
                  { value: 1, label: 'Chosen tea' },
                ],
                missing: [9],
              },
              { name: 'coffee_long', value_labels: [{ value: 1, label: 'Coffee!' }] },
            ],
          },
        },
      },
    });
    expect(column('TEA').cells).toEqual([1, 0, null]);
  });
});
