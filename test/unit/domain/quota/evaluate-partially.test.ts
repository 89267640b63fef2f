import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluatePartially, type PartialOperandOf } from '../../../../src/domain/quota/allocate-cells.ts';
import type { Comparison, Condition, Operand } from '../../../../src/domain/questions/condition.ts';

const is = (code: string, right: string): Comparison => ({
  left: { type: 'question', code },
  operator: 'equals',
  right,
});
const all = (...conditions: Condition[]): Condition => ({ connector: 'and', conditions });
const any = (...conditions: Condition[]): Condition => ({ connector: 'or', conditions });

/** null: skipped; absent: not answered yet. */
const knowing =
  (answers: Record<string, string | null>): PartialOperandOf =>
  ({ code }) => {
    const answer = answers[code];
    if (answer === undefined) return undefined;
    return answer === null ? null : { kind: 'choice', values: [answer] };
  };

describe('a condition during the interview', () => {
  test.each<[string, Condition, Record<string, string | null>, boolean | null]>([
    ['is undecided before its question is answered', is('Q1', '1'), {}, null],
    ['is true after a matching answer', is('Q1', '1'), { Q1: '1' }, true],
    ['is false after another answer', is('Q1', '1'), { Q1: '2' }, false],
    ['is false if the question was skipped', is('Q1', '1'), { Q1: null }, false],
    ['with "and" is undecided with one answer', all(is('Q1', '1'), is('Q2', '1')), { Q1: '1' }, null],
    ['with "and" is false if one part is false', all(is('Q1', '1'), is('Q2', '1')), { Q2: '2' }, false],
    ['with "or" is true if one part is true', any(is('Q1', '1'), is('Q2', '1')), { Q2: '1' }, true],
    ['with "or" is undecided if one part is false', any(is('Q1', '1'), is('Q2', '1')), { Q2: '2' }, null],
    ['without parts is true for everyone', all(), {}, true],
    ['without parts, nested, is undecided', all(all(), is('Q1', '1')), {}, null],
    [
      'with "not answered" is true if the question was skipped',
      { ...is('Q1', '1'), operator: 'not_answered', right: undefined },
      { Q1: null },
      true,
    ],
  ])('%s', (_, condition, answers, expected) => {
    expect(evaluatePartially(condition, knowing(answers))).toBe(expected);
  });

  const codes = ['Q1', 'Q2', 'Q3'];
  const values = ['1', '2'];
  const condition = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(fc.constantFrom(...codes), fc.constantFrom(...values)).map(([code, value]) => is(code, value)),
      fc.record({
        connector: fc.constantFrom('and' as const, 'or' as const),
        conditions: fc.array(tie('tree'), { maxLength: 3 }),
      }),
    ),
  })).tree;

  test('is decided only if no later answer can change it', () => {
    const answers = fc.dictionary(fc.constantFrom(...codes), fc.constantFrom(...values), {
      noNullPrototype: true,
    });
    const rest = fc.record(Object.fromEntries(codes.map((code) => [code, fc.constantFrom(...values, null)])));
    fc.assert(
      fc.property(condition, answers, rest, (tree, soFar, later) => {
        const now = evaluatePartially(tree, knowing(soFar));
        const atEnd = evaluatePartially(
          tree,
          knowing({ ...(later as Record<string, string | null>), ...soFar }),
        );
        expect(atEnd).not.toBeNull();
        if (now !== null) expect(atEnd).toBe(now);
      }),
    );
  });

  test('reads no more operands once decided', () => {
    const readCodes: string[] = [];
    const lookUp = ({ code }: Comparison['left']): Operand => {
      readCodes.push(code);
      return { kind: 'choice', values: ['1'] };
    };
    expect(evaluatePartially(any(is('Q1', '1'), is('Q2', '1')), lookUp)).toBe(true);
    expect(readCodes).toEqual(['Q1']);
  });
});
