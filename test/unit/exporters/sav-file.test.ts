import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeSav } from '../../../src/exporters/sav/sav-file.ts';
import {
  type SavCell,
  type SavFile,
  SavReport,
  type SavVariable,
} from '../../../src/exporters/sav/sav-layout.ts';
import { readSav } from '../../support/sav-reader.ts';

const empty: SavFile = {
  variables: [],
  fileLabel: '',
  createdAt: new Date('2026-03-07T08:09:10Z'),
  caseCount: null,
  weight: null,
  responseSets: [],
};
const age: SavVariable = { name: 'age', label: 'Age', measure: 'scale', type: 'number' };
const text = (widthBytes: number, more: Partial<SavVariable> = {}): SavVariable =>
  ({ name: 'open', label: null, measure: 'nominal', ...more, type: 'string', widthBytes }) as SavVariable;

async function* inChunks(rows: SavCell[][], size: number): AsyncGenerator<SavCell[][]> {
  for (let i = 0; i < rows.length; i += size) yield await Promise.resolve(rows.slice(i, i + size));
}

async function createSav(file: Partial<SavFile>, rows: SavCell[][], chunkRows = 3) {
  const report = new SavReport();
  const parts: Buffer[] = [];
  for await (const part of writeSav({ ...empty, ...file }, inChunks(rows, chunkRows), report))
    parts.push(part);
  const bytes = Buffer.concat(parts);
  return { bytes, parts, read: readSav(bytes), report: report.listLines() };
}

it('the header has the byte layout of the format', async () => {
  const file = { variables: [age], fileLabel: 'Кофе', caseCount: 2, weight: 'age' };
  const { bytes } = await createSav(file, [[30], [40]]);
  expect(bytes.toString('latin1', 0, 31)).toBe('$FL2@(#) SPSS DATA FILE Canvass');
  const fields = [64, 68, 72, 76, 80].map((at) => bytes.readInt32LE(at));
  expect(fields).toEqual([2, 1, 1, 1, 2]);
  expect(bytes.readDoubleLE(84)).toBe(100);
  expect(bytes.toString('latin1', 92, 109)).toBe('07 Mar 2608:09:10');
  expect(bytes.toString('utf8', 109, 173).trimEnd()).toBe('Кофе');
  expect(bytes.readInt32LE(176)).toBe(2);
});

it('writes a small integer as one byte, another number as eight more, and pads the last block with zeros', async () => {
  const { bytes } = await createSav({ variables: [age] }, [[-99], [151], [152], [0.5], [null], [-0]]);
  const data = bytes.subarray(bytes.length - 32);
  expect([...data.subarray(0, 8)]).toEqual([1, 251, 253, 253, 255, 253, 0, 0]);
  const literals = [8, 16, 24].map((at) => data.readDoubleLE(at));
  expect(literals).toEqual([152, 0.5, -0]);
});

it('round-trips names, labels and formats of variables', async () => {
  const variables: SavVariable[] = [
    {
      name: 'Q1',
      label: 'Wie oft? Как часто? 何回？',
      measure: 'ordinal',
      type: 'number',
      valueLabels: [
        [1, 'nie'],
        [2, 'часто ☕'],
        [2, 'said twice'],
      ],
      missing: [98, 99],
    },
    { ...age, missingRange: { low: 900, high: 999 }, missing: [-1], decimals: 2 },
    text(8, { name: 'kurz', valueLabels: [['ä', 'Umlaut']], missing: ['-'] }),
    text(64, { name: 'lang', valueLabels: [['länger als acht', 'lang']], missing: ['n/a', 'none'] }),
    { name: 'day', label: null, measure: 'scale', type: 'date' },
    { name: 'moment', label: null, measure: 'scale', type: 'datetime' },
    { name: 'clock', label: null, measure: 'scale', type: 'time' },
    text(400, { name: 'very_long_name_of_a_very_long_text' }),
  ];
  const { read, report } = await createSav({ variables, weight: 'age' }, []);
  expect(report).toEqual([]);
  const seen = read.variables.map(({ name, label, width, measure }) => [name, label, width, measure]);
  expect(seen).toEqual([
    ['Q1', 'Wie oft? Как часто? 何回？', 0, 2],
    ['age', 'Age', 0, 3],
    ['kurz', null, 8, 1],
    ['lang', null, 64, 1],
    ['day', null, 0, 3],
    ['moment', null, 0, 3],
    ['clock', null, 0, 3],
    ['very_long_name_of_a_very_long_text', null, 400, 1],
  ]);
  expect(read.variables.map(({ format }) => [format.type, format.width, format.decimals])).toEqual([
    [5, 8, 0],
    [5, 8, 2],
    [1, 8, 0],
    [1, 64, 0],
    [20, 11, 0],
    [22, 20, 0],
    [21, 8, 0],
    [1, 255, 0],
  ]);
  expect(read.variables.slice(0, 4).map(({ labels }) => labels)).toEqual([
    [
      [1, 'nie'],
      [2, 'часто ☕'],
    ],
    [],
    [['ä', 'Umlaut']],
    [['länger als acht', 'lang']],
  ]);
  expect(read.variables.slice(0, 4).map(({ missing }) => missing)).toEqual([
    { count: 2, values: [98, 99] },
    { count: -3, values: [900, 999, -1] },
    { count: 1, values: ['-'] },
    { count: 2, values: ['n/a', 'none'] },
  ]);
  expect([read.weight, read.caseCount, read.extensions.get(20)?.toString()]).toEqual(['age', -1, 'UTF-8']);
});

it('sets refer to their variables by short names', async () => {
  const variables = ['Q2_1', 'a_much_longer_code'].map((name) => ({ ...age, name }));
  const members = variables.map(({ name }) => name);
  const responseSets = [
    { name: 'Q2', label: 'Знаете?', variables: members, countedValue: 1 },
    { name: 'kinds', label: '', variables: members, countedValue: null },
    { name: 'alone', label: '', variables: ['Q2_1'], countedValue: 1 },
  ];
  const { read, report } = await createSav({ variables, responseSets }, []);
  const text = '$Q2=D1 1 13 Знаете? q2_1 v1\n$kinds=C 0  q2_1 v1\n';
  expect(read.extensions.get(7)?.toString('utf8')).toBe(text);
  expect(report).toEqual([{ loss: 'set_left_out', name: 'alone', count: 1 }]);
});

it('cuts a text that is too long between characters and reports it', async () => {
  const variables: SavVariable[] = [
    text(5, { name: 'a b', label: 'ж'.repeat(200) }),
    { ...age, valueLabels: [[1, '漢'.repeat(50)]], missing: [1, 2, 3, 4, 5] },
  ];
  const rows = [
    ['жжж', 'many'],
    ['a☕☕', '7'],
    ['fits', 1 / 0],
  ];
  const { read, report } = await createSav({ variables, fileLabel: 'é'.repeat(40) }, rows);
  expect(read.rows).toEqual([
    ['жж', null],
    ['a☕', 7],
    ['fits', null],
  ]);
  expect(read.variables[0]!.label).toBe(`${'ж'.repeat(126)}…`);
  expect(read.variables[1]!.labels).toEqual([[1, `${'漢'.repeat(39)}…`]]);
  expect(read.fileLabel).toBe('é'.repeat(32));
  expect(report).toEqual([
    { loss: 'variable_label_cut', name: 'a b', count: 1 },
    { loss: 'name_changed', name: 'a b', count: 1 },
    { loss: 'file_label_cut', name: '', count: 1 },
    { loss: 'missing_value_left_out', name: 'age', count: 2 },
    { loss: 'value_label_cut', name: 'age', count: 1 },
    { loss: 'text_cut', name: 'a b', count: 2 },
    { loss: 'cell_unreadable', name: 'age', count: 2 },
  ]);
});

describe('labels that are too long', () => {
  const labelsOf = async (labels: { label: string; labelEnding?: string }[]) => {
    const variables = labels.map((label, i) => ({ ...age, ...label, name: `Q${i + 1}` }));
    return (await createSav({ variables }, [])).read.variables.map(({ label }) => label!);
  };
  const bytes = (text: string) => Buffer.byteLength(text);

  it('cut the end of the question and keep the option', async () => {
    const question = 'Which of these drinks, жаркий день, do you like? '.repeat(8).trim();
    const endings = ['Tea', 'お茶 🍵', 'x'.repeat(150)].map((option) => ` – ${option}`);
    const labels = await labelsOf(
      endings.map((labelEnding) => ({ label: question + labelEnding, labelEnding })),
    );
    labels.forEach((label, i) => {
      const [start, ...rest] = label.split('…');
      expect(rest).toEqual([endings[i]]);
      expect(question.startsWith(start!)).toBe(true);
      // Two bytes of a character and the space before it may be left over.
      expect(bytes(label)).toBeLessThanOrEqual(255);
      expect(bytes(label)).toBeGreaterThan(250);
    });
  });

  it('keep both ends of a long ending and differ despite common parts', async () => {
    const pads = ['one', 'two'].map((word) => 'row '.repeat(100) + word + ' option'.repeat(100));
    const endings = [`${'row '.repeat(80)} – A`, `${'row '.repeat(80)} – B`, ...pads];
    const labels = await labelsOf(
      endings.map((labelEnding) => ({ label: `Question ${labelEnding}`, labelEnding })),
    );
    expect(new Set(labels).size).toBe(4);
    expect(labels[0]).toMatch(/^row row .*….* – A$/);
    expect(labels[1]).toMatch(/^row row .*….* – B$/);
    expect(labels[2]).toMatch(/^Q3: Question row .*…[a-z ]* option$/);
    expect(labels[3]).toMatch(/^Q4: Question row .*…[a-z ]* option$/);
    expect(Math.max(...labels.map(bytes))).toBeLessThanOrEqual(255);
  });

  it('of values keep what distinguishes them', async () => {
    const valueLabels: [number, string][] = [
      [1, `${'I agree with everything in the statement above '.repeat(3)}and would sign it`],
      [2, `${'I agree with everything in the statement above '.repeat(3)}but would not sign it`],
      [3, `A${'b'.repeat(150)}`],
      [4, 'short'],
    ];
    const { read, report } = await createSav({ variables: [{ ...age, valueLabels }] }, []);
    const labels = read.variables[0]!.labels.map(([, label]) => label);
    expect(new Set(labels).size).toBe(4);
    expect(labels[0]).toMatch(/^I agree .*….* and would sign it$/);
    expect(labels[1]).toMatch(/^I agree .*….* but would not sign it$/);
    expect(labels.slice(2)).toEqual([`A${'b'.repeat(116)}…`, 'short']);
    expect(Math.max(...labels.map(bytes))).toBeLessThanOrEqual(120);
    expect(report).toEqual([{ loss: 'value_label_cut', name: 'age', count: 3 }]);
  });
});

it('dates are seconds since 1582 in any machine time zone; invalid ones are missing and reported', async () => {
  const variables: SavVariable[] = [{ ...age, type: 'datetime' }];
  const { read, report } = await createSav({ variables }, [['1970-01-02T00:01'], ['soon'], ['']]);
  expect(read.rows).toEqual([[12_219_379_200 + 86_460], [null], [null]]);
  expect(report).toEqual([{ loss: 'cell_unreadable', name: 'age', count: 1 }]);
});

it('rejects a weight or set of an unknown variable', async () => {
  await expect(createSav({ variables: [age], weight: 'w' }, [])).rejects.toThrow('no variable w');
  await expect(createSav({ variables: [text(5)], weight: 'open' }, [])).rejects.toThrow('is a string');
});

it('emits a chunk before requesting the next', async () => {
  const rows = Array.from({ length: 100 }, (_, i) => [i + 0.5]);
  const { parts, read } = await createSav({ variables: [age], caseCount: 100 }, rows, 10);
  expect(parts.length).toBeGreaterThanOrEqual(10);
  expect(read.rows).toEqual(rows);
  expect(read.extensions.get(16)?.readBigInt64LE(8)).toBe(100n);
});

it('writes a text of 32,767 bytes whole, and cuts a longer one between characters', async () => {
  const whole = `${'ж漢☕'.repeat(4095)}the end`;
  const almost = 'x'.repeat(32_766);
  const { read, report } = await createSav({ variables: [text(32_767)] }, [[whole], [`${almost}ж`], ['x']]);
  expect(Buffer.byteLength(whole)).toBe(32_767);
  expect(read.rows).toEqual([[whole], [almost], ['x']]);
  expect(report).toEqual([{ loss: 'text_cut', name: 'open', count: 1 }]);
});

it.each(['👩‍👩‍👧', 'e\u0301', '🇩🇪', '👍🏽', '\u1112\u1161\u11ab'])(
  'does not cut within the character %s',
  async (character) => {
    const before = 'ä'.repeat(150);
    const bytes = Buffer.byteLength(before + character);
    const tooNarrow = Array.from({ length: Buffer.byteLength(character) }, (_, i) => bytes - i - 1);
    for (const width of tooNarrow) {
      const { read } = await createSav({ variables: [text(width)] }, [[`${before}${character}z`]]);
      expect(read.rows).toEqual([[before]]);
    }
  },
);

it('round-trips any data', async () => {
  const anyNumber = fc.option(fc.oneof(fc.integer({ min: -200, max: 300 }), fc.double({ noNaN: true })));
  const finite = anyNumber.filter((value) => value === null || Number.isFinite(value));
  const anyText = fc
    .string({ unit: 'grapheme', maxLength: 300 })
    .map((value) => value.replace(/[ \0]+$/, ''));
  const widths = fc.constantFrom(1, 7, 8, 9, 16, 252, 255, 256, 504, 505, 1024, 4096);
  const tables = fc.array(fc.option(widths), { minLength: 1, maxLength: 8 }).chain((columns) => {
    const row = fc.tuple(...columns.map((width) => (width === null ? finite : anyText)));
    return fc.record({
      columns: fc.constant(columns),
      rows: fc.array(row, { maxLength: 20 }),
      chunk: fc.integer({ min: 1, max: 9 }),
    });
  });
  await fc.assert(
    fc.asyncProperty(tables, async ({ columns, rows, chunk }) => {
      const variables = columns.map((width, i): SavVariable => {
        const name = i % 2 === 0 ? `Q${i}` : `a_longer_code_${i}`;
        return width === null ? { ...age, name } : text(width, { name });
      });
      const { read } = await createSav({ variables }, rows, chunk);
      expect(read.variables.map(({ name }) => name)).toEqual(variables.map(({ name }) => name));
      const expected = rows.map((row) =>
        row.map((cell, i) => (typeof cell === 'string' ? beginning(cell, columns[i]!) : cell)),
      );
      expect(read.rows).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

/** Character by character: the slow way of cutting. */
function beginning(value: string, maxBytes: number): string {
  let kept = '';
  for (const { segment: character } of new Intl.Segmenter().segment(value)) {
    if (Buffer.byteLength(kept + character) > maxBytes) break;
    kept += character;
  }
  return kept.replace(/ +$/, '');
}
