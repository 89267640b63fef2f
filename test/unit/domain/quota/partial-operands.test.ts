import { expect, test } from 'vitest';
import {
  createPartialOperands,
  matchQuotas,
  retainCells,
} from '../../../../src/domain/quota/allocate-cells.ts';
import { matchExistingCells } from '../../../../src/domain/quota/quota.ts';
import { NO_RESPONDENT_CONTEXT } from '../../../../src/domain/survey/logic/evaluate-logic.ts';
import { prepareDefinition } from '../../../../src/domain/survey/logic/prepare-definition.ts';
import { page, question, survey } from '../../../support/survey-builder.ts';

const PREPARED = prepareDefinition(
  survey(
    page(question('single_choice')),
    page(question('single_choice'), question('matrix')),
    page(question('text', { retired: true }), question('text')),
  ),
);
const questionOperand = (code: string, row_code?: string) => ({ type: 'question', code, row_code }) as const;
const soFar = (answers: Record<string, never>, handedIn: number | null) =>
  createPartialOperands({
    preparedDefinition: PREPARED,
    answers,
    context: NO_RESPONDENT_CONTEXT,
    submittedPageId: handedIn,
  });

test.each([
  [
    'returns an answer wherever its question is',
    { Q2: '1' },
    1,
    questionOperand('Q2'),
    { kind: 'choice', values: ['1'] },
  ],
  ['returns null for a skipped question on a submitted page', { Q1: null }, 1, questionOperand('Q1'), null],
  ['returns undefined for a question on a later page', {}, 1, questionOperand('Q2'), undefined],
  [
    'returns undefined for an unanswered row of a started matrix',
    { Q3: { r1: '1' } },
    1,
    questionOperand('Q3', 'r2'),
    undefined,
  ],
  ['returns null for any unanswered question at the end', {}, null, questionOperand('Q5'), null],
  ['returns null for a retired question', {}, 1, questionOperand('Q4'), null],
  ['returns null for a question outside the version', {}, 1, questionOperand('Q9'), null],
  ['returns null for a name inherited from Object.prototype', {}, null, questionOperand('constructor'), null],
  [
    'returns null for a hidden value missing from the link',
    {},
    1,
    { type: 'hidden', code: 'source' } as const,
    null,
  ],
])('partial operands: %s', (_, answers, handedIn, left, expected) => {
  expect(soFar(answers as Record<string, never>, handedIn)(left)).toEqual(expected);
});

const cell = (cellId: number, code: string, right: string) => ({
  cellId,
  label: `Cell ${cellId}`,
  target: 1,
  condition: { left: questionOperand(code), operator: 'equals' as const, right },
});
const QUOTAS = [
  { quotaId: 1, name: 'Q', mode: 'hard' as const, cells: [cell(1, 'Q1', '1'), cell(2, 'Q2', '1')] },
];

test('a reservation is kept while the response can match, and needed if a cell matches without one', () => {
  const at = (answers: object, reservedIds: number[]) =>
    retainCells(matchQuotas(QUOTAS, soFar(answers as Record<string, never>, 1)), new Set(reservedIds));
  expect(at({ Q1: '1' }, [])).toEqual({ kept: [], isWanting: true });
  expect(at({ Q1: '1' }, [1])).toEqual({ kept: [1], isWanting: false });
  // Not decided yet.
  expect(at({ Q1: '2' }, [2])).toEqual({ kept: [2], isWanting: false });
  expect(at({ Q1: '2' }, [1])).toEqual({ kept: [], isWanting: false });
});

test('existing cells are matched by quota name and condition', () => {
  const [one, two] = QUOTAS[0]!.cells;
  const next = [
    {
      name: 'q',
      mode: 'soft' as const,
      cells: [
        { ...two!, target: 9 },
        { ...one!, condition: cell(0, 'Q1', '2').condition },
      ],
    },
  ];
  const known = matchExistingCells(next, QUOTAS);
  expect(known.sameCells).toBe(false);
  expect(known.quotas[0]!.quotaId).toBe(1);
  expect(known.quotas[0]!.cells.map(({ cellId }) => cellId)).toEqual([2, null]);
  expect(matchExistingCells(QUOTAS, QUOTAS).sameCells).toBe(true);
  expect(matchExistingCells([{ ...QUOTAS[0]!, name: 'Another' }], QUOTAS).quotas[0]).toMatchObject({
    quotaId: null,
    cells: [{ cellId: null }, { cellId: null }],
  });
  expect(matchExistingCells([], QUOTAS).sameCells).toBe(false);
});
