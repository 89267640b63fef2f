import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PartialOperandOf, evaluatePartially } from '../../../../src/domain/quota/evaluate-partially.ts';
import type { Operand } from '../../../../src/domain/survey/logic/compare.ts';
import type { Comparison, Condition } from '../../../../src/domain/survey/logic/condition.ts';

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

describe('a condition while answers are coming in', () => {
  test.each<[string, Condition, Record<string, string | null>, boolean | null]>([
    ['is open before its question is answered', is('Q1', '1'), {}, null],
    ['holds once it is', is('Q1', '1'), { Q1: '1' }, true],
    ['fails with another answer', is('Q1', '1'), { Q1: '2' }, false],
    ['fails for who skipped it', is('Q1', '1'), { Q1: null }, false],
    ['of two is open with one', all(is('Q1', '1'), is('Q2', '1')), { Q1: '1' }, null],
    ['of two fails with one that fails', all(is('Q1', '1'), is('Q2', '1')), { Q2: '2' }, false],
    ['of either holds with one that holds', any(is('Q1', '1'), is('Q2', '1')), { Q2: '1' }, true],
    ['of either is open with one that fails', any(is('Q1', '1'), is('Q2', '1')), { Q2: '2' }, null],
    ['of nothing holds for everybody', all(), {}, true],
    ['of nothing among others decides nothing', all(all(), is('Q1', '1')), {}, null],
    [
      'about nobody’s answer is certain when it is given',
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

  test('is certain only of what no later answer can change', () => {
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

  test('asks nothing more once it is decided', () => {
    const asked: string[] = [];
    const lookUp = ({ code }: Comparison['left']): Operand => {
      asked.push(code);
      return { kind: 'choice', values: ['1'] };
    };
    expect(evaluatePartially(any(is('Q1', '1'), is('Q2', '1')), lookUp)).toBe(true);
    expect(asked).toEqual(['Q1']);
  });
});
