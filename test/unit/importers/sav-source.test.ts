import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SourceCell, SourceFile } from '../../../src/domain/import/source-file.ts';
import { writeSav } from '../../../src/exporters/sav/sav-file.ts';
import { type SavCell, type SavFile, SavReport } from '../../../src/exporters/sav/sav-layout.ts';
import { byteFileFromBuffer } from '../../../src/importers/byte-file.ts';
import { openSav } from '../../../src/importers/sav/sav-source.ts';
import { AppError } from '../../../src/lib/errors.ts';
import { planSav } from '../../support/plan-sav.ts';

const longText = 'ж漢☕'.repeat(200);
const file: SavFile = {
  variables: [
    {
      name: 'Q1',
      label: 'Как часто? 何回？',
      measure: 'ordinal',
      type: 'number',
      valueLabels: [
        [1, 'никогда'],
        [99, 'keine Angabe'],
      ],
      missing: [99],
    },
    { name: 'a_very_long_code_1', label: 'Tea', measure: 'nominal', type: 'number' },
    { name: 'V1', label: 'Coffee', measure: 'nominal', type: 'number', missingRange: { low: -9, high: -1 } },
    { name: 'open', label: 'Warum?', measure: 'nominal', type: 'string', widthBytes: 4096 },
    {
      name: 'lang',
      label: null,
      measure: 'nominal',
      type: 'string',
      widthBytes: 16,
      valueLabels: [['pt-BR-Brasil', 'Português']],
      missing: ['xx'],
    },
    { name: 'day', label: null, measure: 'scale', type: 'date' },
    { name: 'moment', label: null, measure: 'scale', type: 'datetime' },
    { name: 'weight', label: null, measure: 'scale', type: 'number', decimals: 2 },
  ],
  fileLabel: 'Кофе 2026',
  createdAt: new Date('2026-03-07T08:09:10Z'),
  caseCount: null,
  weight: 'weight',
  responseSets: [{ name: 'Q2', label: 'Знаете?', variables: ['a_very_long_code_1', 'V1'], countedValue: 1 }],
};
const rows: SavCell[][] = [
  [1, 1, 0, longText, 'pt-BR-Brasil', '2026-02-28', '2026-02-28T23:59', 0.5],
  [2, 0, 1, 'short', 'de', null, null, 2.5],
  [99, 1, null, null, 'xx', '1999-12-31', '1999-12-31T00:00', 1 / 3],
];

async function createSav(): Promise<Buffer> {
  const parts: Buffer[] = [];
  async function* once() {
    yield await Promise.resolve(rows);
  }
  for await (const part of writeSav(file, once(), new SavReport())) parts.push(part);
  return Buffer.concat(parts);
}

async function cellsOf(source: SourceFile): Promise<SourceCell[][]> {
  const all: SourceCell[][] = [];
  for await (const part of source.rows()) all.push(...part.map(({ cells }) => [...cells]));
  return all;
}

let ours: Buffer;
beforeAll(async () => {
  ours = await createSav();
});

test('round-trips files of the SAV writer', async () => {
  const source = await openSav(byteFileFromBuffer(ours));
  expect(source).toMatchObject({ fileLabel: 'Кофе 2026', weight: 'weight', notes: [] });
  expect(source.sets).toEqual([
    {
      name: 'Q2',
      label: 'Знаете?',
      variables: ['a_very_long_code_1', 'V1'],
      countedValue: '1',
      labelsAre: 'variables',
    },
  ]);
  const [q1, tea, v1, open, lang] = source.columns;
  expect(q1).toMatchObject({ header: 'Q1', label: 'Как часто? 何回？' });
  expect(q1!.variable).toMatchObject({ kind: 'number', measure: 'ordinal', missing: [99] });
  expect(q1!.variable!.valueLabels).toEqual([
    [1, 'никогда'],
    [99, 'keine Angabe'],
  ]);
  expect(tea).toMatchObject({ header: 'a_very_long_code_1', label: 'Tea' });
  expect(v1!.variable!.missingRange).toEqual({ low: -9, high: -1 });
  expect(open!.variable!.kind).toBe('string');
  expect(lang!.variable).toMatchObject({ valueLabels: [['pt-BR-Brasil', 'Português']], missing: ['xx'] });
  expect(await cellsOf(source)).toEqual([
    [1, 1, 0, longText, 'pt-BR-Brasil', '2026-02-28', '2026-02-28T23:59:00', 0.5],
    [2, 0, 1, 'short', 'de', null, null, 2.5],
    [99, 1, null, null, 'xx', '1999-12-31', '1999-12-31T00:00:00', 1 / 3],
  ]);
  expect(await cellsOf(source), 'it can be read again').toHaveLength(3);
});

describe('a hostile file is rejected with a message', () => {
  async function outcome(bytes: Buffer): Promise<'read' | AppError> {
    try {
      await cellsOf(await openSav(byteFileFromBuffer(bytes)));
      return 'read';
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  test('when truncated anywhere', async () => {
    for (let length = 0; length < ours.length; length += 37) {
      const result = await outcome(ours.subarray(0, length));
      // Between two blocks of the data nothing tells that more should come: the file does not say how many cases it has.
      if (result !== 'read') expect(result.kind).toBe('invalid');
      else expect(length).toBeGreaterThan(1_500);
    }
  });

  test('or read, with any byte changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(ours.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const bytes = Buffer.from(ours);
          for (const [at, value] of changes) bytes[at] = value;
          const result = await outcome(bytes);
          expect(result === 'read' || result.kind === 'invalid').toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('with absurd counts', async () => {
    // The first variable record stands behind the header: its width, label, missing values.
    for (const [at, value] of [
      [176 + 4, 70_000],
      [176 + 8, 1],
      [176 + 12, -4],
    ] as const) {
      const bytes = Buffer.from(ours);
      bytes.writeInt32LE(value, at);
      if (at === 176 + 8) bytes.writeInt32LE(2_000_000_000, 176 + 32);
      expect(await outcome(bytes)).toMatchObject({ kind: 'invalid' });
    }
  });
});

const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-read-sav-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const has = (program: string, ...settings: string[]) => spawnSync(program, settings).status === 0;
const isCi = process.env.CI === 'true';

const PSPP = 'pspp';
const hasPspp = has(PSPP, '--version');
test.skipIf(!hasPspp && !isCi)(
  `reads files of PSPP, uncompressed, bytecode and zlib${hasPspp ? '' : ' (pspp is not installed)'}`,
  async () => {
    const saved = ['COMPRESSED', 'UNCOMPRESSED', 'ZCOMPRESSED'];
    const syntax = `DATA LIST FREE /Q1 (F4.0) a_long_variable_name (F8.2) s1 (A8) s2 (A300) d (DATE11) c1 (F1.0) c2 (F1.0).
BEGIN DATA
1 1.5 "ab" "Привет" 28-FEB-2026 1 0
99 . "zz" "x" . 0 .
END DATA.
VARIABLE LABELS Q1 'Как часто?'.
VALUE LABELS Q1 1 'никогда' 99 'na' /s2 'x' 'the x'.
MISSING VALUES Q1 (99) a_long_variable_name (LO THRU -5) s1 ('zz').
VARIABLE LEVEL Q1 (ORDINAL).
MRSETS /MDGROUP NAME=$drinks LABEL='What do you drink' VARIABLES=c1 c2 VALUE=1.
${saved.map((how) => `SAVE OUTFILE='${folder}/${how}.sav' /${how}.`).join('\n')}
`;
    writeFileSync(path.join(folder, 'make.sps'), syntax);
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const run = spawnSync(PSPP, ['make.sps'], { cwd: folder, env, encoding: 'utf8' });
    expect(run.status, run.stdout + run.stderr).toBe(0);
    for (const how of saved) {
      const source = await openSav(byteFileFromBuffer(readFileSync(path.join(folder, `${how}.sav`))));
      expect(source.columns.map(({ header }) => header)).toEqual([
        'Q1',
        'a_long_variable_name',
        's1',
        's2',
        'd',
        'c1',
        'c2',
      ]);
      expect(source.columns[0]).toMatchObject({
        label: 'Как часто?',
        variable: { measure: 'ordinal', missing: [99], format: { type: 5, width: 4, decimals: 0 } },
      });
      expect(source.columns[1]!.variable!.missingRange).toMatchObject({ high: -5 });
      expect(source.columns[3]!.variable!.valueLabels).toEqual([['x', 'the x']]);
      expect(source.sets).toEqual([
        {
          name: 'drinks',
          label: 'What do you drink',
          variables: ['c1', 'c2'],
          countedValue: '1',
          labelsAre: 'variables',
        },
      ]);
      expect(await cellsOf(source)).toEqual([
        [1, 1.5, 'ab', 'Привет', '2026-02-28', 1, 0],
        [99, null, 'zz', 'x', null, 0, null],
      ]);
    }
  },
);

const R = 'Rscript';
const hasHaven = has(R, '-e', 'library(haven)');
test.skipIf(!hasHaven && !isCi)(
  `reads files of R haven with every compression${hasHaven ? '' : ' (haven is not installed)'}`,
  async () => {
    const script = `library(haven)
d <- data.frame(Q1 = labelled_spss(c(1, NA, 99), c(a = 1, na = 99), na_values = 99, label = "Frage"), x = c(1/3, 2, NA),
  s = c("ü", "", strrep("漢", 300)), day = as.Date(c("2026-02-28", NA, "1600-01-01")), stringsAsFactors = FALSE)
for (k in c("byte", "none", "zsav")) write_sav(d, paste0(k, ".sav"), compress = k)`;
    writeFileSync(path.join(folder, 'make.R'), script);
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const run = spawnSync(R, ['make.R'], { cwd: folder, env, encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    for (const how of ['byte', 'none', 'zsav']) {
      const source = await openSav(byteFileFromBuffer(readFileSync(path.join(folder, `${how}.sav`))));
      expect(source.columns[0]).toMatchObject({ label: 'Frage', variable: { missing: [99] } });
      expect(await cellsOf(source)).toEqual([
        [1, 1 / 3, 'ü', '2026-02-28'],
        [null, 2, null, null],
        [99, null, '漢'.repeat(300), '1600-01-01'],
      ]);
    }
  },
);

test.skipIf(!hasHaven && !isCi)(
  `reads texts beyond the limit of SPSS as haven writes them${hasHaven ? '' : ' (haven is not installed)'}`,
  async () => {
    // ReadStat writes the width in five digits.
    const script = `haven::write_sav(data.frame(x = 1:2, t = c(strrep("ab", 20000), "short"), z = 3:4), "beyond.sav")`;
    const run = spawnSync(R, ['-e', script], { cwd: folder, encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    const source = await openSav(byteFileFromBuffer(readFileSync(path.join(folder, 'beyond.sav'))));
    expect(source.columns.map(({ header }) => header)).toEqual(['x', 't', 'z']);
    expect(await cellsOf(source)).toEqual([
      [1, 'ab'.repeat(20_000), 3],
      [2, 'short', 4],
    ]);
  },
);

test('keeps the longest texts of a .sav whole', async () => {
  const long: SavFile = {
    ...file,
    variables: [{ name: 'open', label: null, measure: 'nominal', type: 'string', widthBytes: 32_767 }],
    weight: null,
    responseSets: [],
  };
  const parts: Buffer[] = [];
  async function* once() {
    yield await Promise.resolve([['x'.repeat(32_767)]]);
  }
  for await (const part of writeSav(long, once(), new SavReport())) parts.push(part);
  const { column, rows: cells } = await planSav(Buffer.concat(parts));
  expect(cells).toEqual([['x'.repeat(32_767)]]);
  expect(column('open').notes).toBe('');
  expect(column('open').cells).toEqual(['x'.repeat(32_767)]);
});
