import { expect, test } from 'vitest';
import { splitIntoChunks, MarkupRemover } from '../../../src/domain/chat/answer-stream.ts';
import { NumberSupport } from '../../../src/domain/chat/number-support.ts';
import { parseIntent } from '../../../src/domain/chat/parse-intent.ts';
import { createSlug } from '../../../src/lib/slugs.ts';
import { sanitizeFileName } from '../../../src/domain/files/check-file.ts';
import { titleFileName } from '../../../src/domain/files/title-file-name.ts';
import { isFixedWidth, questionnaireOfText } from '../../../src/domain/import/header-cells.ts';
import type { ColumnSpec } from '../../../src/domain/columns/column-spec.ts';
import { MultiAnswerScan } from '../../../src/domain/import/column-scan.ts';
import { VariableCodes } from '../../../src/domain/import/match-columns.ts';
import { createCellReader } from '../../../src/domain/import/read-cell.ts';
import { findSimilar } from '../../../src/lib/error-messages.ts';
import { recognizeTable } from '../../../src/domain/import/recognize-table.ts';
import { findOpenEndFlags, foldText, SharedTexts } from '../../../src/domain/quality/open-end.ts';
import { splitHeading, splitMarkdown } from '../../../src/domain/reports/split-slides.ts';
import { qualitySettingsOf } from '../../../src/domain/survey/quality-settings.ts';
import { HOSTILE_TEXTS, runWithin } from '../../support/run-within.ts';

const openEnd = qualitySettingsOf({}).open_end;
const LIMESURVEY = ['id', 'submitdate', 'lastpage', 'startlanguage'];
const LIMESURVEY_TEXTS = [
  'id. Response ID',
  'submitdate. Date submitted',
  'lastpage. Last page',
  'startlanguage. S',
];
const QUALTRICS = ['StartDate', 'EndDate', 'Status', 'Progress', 'ResponseId'];

const FUNCTIONS: [name: string, run: (text: string) => unknown][] = [
  [
    'recognizes a plain table',
    (text) =>
      recognizeTable(
        [
          [text, `${text}2`],
          ['1', text],
          ['2', '3'],
        ],
        null,
      ),
  ],
  [
    'recognizes a table below a title',
    (text) =>
      recognizeTable(
        [
          [text, '', ''],
          ['a', 'b', 'c'],
          ['1', '2', '3'],
        ],
        null,
      ),
  ],
  [
    'recognizes an export of SurveyMonkey',
    (text) =>
      recognizeTable(
        [
          ['RespondentID', text, ''],
          ['', text, 'Response'],
          ['1', '2', '3'],
        ],
        null,
      ),
  ],
  [
    'recognizes an export of LimeSurvey',
    (text) => recognizeTable([[...LIMESURVEY, `Q${text}`, `${text}]`, `${text} [a]`]], null),
  ],
  [
    'recognizes an export of LimeSurvey with texts',
    (text) => recognizeTable([[...LIMESURVEY_TEXTS, `Q${text}`, `Q1. ${text} [a]`]], null),
  ],
  [
    'recognizes an export of Qualtrics',
    (text) =>
      recognizeTable(
        [
          [...QUALTRICS, `Q${text}_1`, `Q${text}_2`, `Q${text}`],
          [...QUALTRICS, `${text} - a`, `${text} - b`, text],
          [...QUALTRICS, 'a', 'b', 'c'].map((id) => `{"ImportId":"${id}"}`),
        ],
        null,
      ),
  ],
  ['names the format of a questionnaire', questionnaireOfText],
  ['recognizes lines of equal length', (text) => isFixedWidth([`123${text}`, `123${text}`])],
  ['makes a code of a name', (text) => new VariableCodes().assign(text, 0)],
  ['compares a text', foldText],
  ['flags an open answer', (text) => findOpenEndFlags(text, { columnCode: 'Q1', maxLength: 5_000 }, openEnd)],
  ['counts an open answer', (text) => new SharedTexts('Q1', openEnd).add(text)],
  ['splits the heading from a text', splitHeading],
  ['splits a text over slides', (text) => splitMarkdown(text.slice(0, 20_000))],
  ['makes a file name of a title', (text) => titleFileName(text, 'file')],
  ['sanitizes a file name', sanitizeFileName],
  ['makes the address of a dashboard', (text) => createSlug(text, 'dashboard')],
  ['finds the numbers of a text', (text) => new NumberSupport().addText(text)],
  [
    'finds marked numbers',
    (content) => new NumberSupport().addHistory([{ role: 'assistant', content }] as never),
  ],
  [
    'removes markup from an answer',
    (text) => {
      const remover = new MarkupRemover();
      return remover.push(text) + remover.end();
    },
  ],
  ['splits an answer into chunks', (text) => [...splitIntoChunks(text)].length],
];

test.each(FUNCTIONS)('%s in linear time', (_name, run) => {
  for (const text of HOSTILE_TEXTS) runWithin(10, () => run(text));
});

test('reads a cell of hundreds of thousands of answers in linear time', () => {
  const values = ['Tea', 'Tea, hot', 'Coffee'].map((label, index) => ({
    value: `o${index}`,
    label,
    code: index,
  }));
  const spec = { columnCode: 'Q1', type: 'multiple', values } as unknown as ColumnSpec;
  const read = createCellReader(
    spec,
    { values: 'auto', codesFirst: false },
    {
      decimalMark: null,
      isWhole: false,
    },
  );
  expect(read('Tea, hot, Coffee, Tea')).toEqual({ ok: true, cell: ['o1', 'o2', 'o0'] });
  for (const unit of ['Tea,', 'Tea, hot, ', 'x, ', ', ', '|', '\n'])
    runWithin(10, () => read(unit.repeat(200_000)));
});

test('finds the answers of lists whose parts join in exponentially many ways', () => {
  // Each cell joins one of three parts in each of 14 layers.
  const layers = Array.from({ length: 14 }, (_, layer) => [0, 1, 2].map((part) => `L${layer}P${part}`));
  const cells = Array.from({ length: 30 }, (_, cell) =>
    layers
      .flatMap((parts, layer) => [parts[(cell + (layer % 3 === 0 ? 0 : cell)) % 3]!, `J${layer}`])
      .join(', '),
  );
  const all = [...cells, 'Other', 'Other, Else', 'Else, Other', 'Else'];
  const scan = new MultiAnswerScan(new Map(all.map((cell) => [cell, 3])));
  runWithin(10, () => scan.detect());
});

test('finds similar names among many of the same beginning', () => {
  const codes = Array.from({ length: 40_000 }, (_, index) => `${'a'.repeat(54)}${index}`);
  expect(
    runWithin(10, () => Array.from({ length: 20 }, () => findSimilar(`${'a'.repeat(54)}x`, codes)))[0],
  ).toHaveLength(3);
  expect(findSimilar('a'.repeat(100_000), ['a'])).toEqual([]);
  expect(findSimilar('kitten', ['sitting', 'mitten', 'kitchen', 'kit'])).toEqual(['mitten', 'kitchen']);
});

test('gives thousands of columns with equal names different codes in linear time', () => {
  const codes = new VariableCodes();
  const assigned = runWithin(60, () =>
    Array.from({ length: 50_000 }, (_, column) => codes.assign('Age', column)),
  );
  expect(new Set(assigned).size).toBe(50_000);
  expect(assigned.slice(0, 3)).toEqual(['Age', 'Age_v2', 'Age_v3']);
});

test.each([
  ['# Title\n\nText', { heading: 'Title', rest: 'Text' }],
  ['### Title ###\nText', { heading: 'Title', rest: 'Text' }],
  ['# C#', { heading: 'C#', rest: '' }],
  ['#Title', null],
  ['####### Title', null],
  ['# ##', null],
  ['Text', null],
])('splits the heading from %j', (text, expected) => expect(splitHeading(text)).toEqual(expected));

test('finds the variables of a message of 8,000 characters among those of a large survey once for each different word', () => {
  const variables = Array.from({ length: 20_000 }, (_, i) => ({
    code: `Q${i}`,
    label: `How satisfied are you with the delivery of product ${i} in general?`,
    kind: 'choice' as const,
    options: ['Very satisfied', 'Not satisfied'].map((label, value) => ({ value: String(value), label })),
    parts: [],
    partOf: null,
  }));
  const message = 'satisfaction product delivery colour '.repeat(216);
  expect(runWithin(25, () => parseIntent(message, { variables, hasWaves: false })).kind).toBe('unclear');
});
