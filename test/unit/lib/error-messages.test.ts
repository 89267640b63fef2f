import { describe, expect, it } from 'vitest';
import {
  alreadyUsed,
  contradictingWorkspaceIds,
  duplicateOf,
  formatMegabytes,
  limitReached,
  duplicateItem,
  mustBe,
  mutuallyExclusive,
  noSuchObject,
  requiredField,
  sizeAtLeast,
  sizeAtMost,
  unknownField,
  unknownObject,
  unknownOrHiddenObject,
  unknownValue,
} from '../../../src/lib/error-messages.ts';

describe('the wording of errors', () => {
  it.each([
    ['a limit in powers of two', formatMegabytes(7.5 * 1024 * 1024), '7.5 MB'],
    ['a small limit', formatMegabytes(256 * 1024), '0.25 MB'],
    ['a limit in powers of ten', formatMegabytes(1_000_000), '1 MB'],
    ['an unknown value', unknownValue('x', 'a question type'), '"x" is not a question type'],
    [
      'an unknown value with a similar one',
      unknownValue('single', 'a question type', { similar: ['single_choice'] }),
      '"single" is not a question type; did you mean "single_choice"?',
    ],
    [
      'an unknown value with similar and accepted ones',
      unknownValue(4, 'a status', { similar: ['1', '2'], accepted: '1, 2' }),
      '4 is not a status; did you mean "1" or "2"? Accepted: 1, 2',
    ],
    [
      'an unknown object',
      unknownObject({ kind: 'question', idOrCode: 7, scope: 'in this survey' }),
      'question 7 does not exist in this survey',
    ],
    [
      'an unknown code with the accepted ones',
      unknownObject({ kind: 'column', idOrCode: 'x', scope: '', alternatives: { accepted: '"a", "b"' } }),
      'column "x" does not exist; accepted: "a", "b"',
    ],
    [
      'an object that may be invisible',
      unknownOrHiddenObject('survey', 7),
      'survey 7 does not exist, or you cannot view it',
    ],
    ['an unknown field', unknownField('x', 'a, b'), '"x" is not a known field; accepted: a, b'],
    ['a missing field', requiredField(), 'is required'],
    ['a conditionally missing field', requiredField('with set_status'), 'is required with set_status'],
    ['a value of the wrong type', mustBe('a number', 'abc'), 'must be a number, not "abc"'],
    ['an undefined value', mustBe('a number', undefined), 'is required'],
    ['an empty list', sizeAtLeast(1, 'option', 0), 'must not be empty'],
    ['a short list', sizeAtLeast(2, 'option', 1), 'must have at least 2 options, not 1'],
    ['a long list', sizeAtMost(1, 'file', 3), 'must have at most 1 file, not 3'],
    ['a list of unknown length', sizeAtMost(3, 'row'), 'must have at most 3 rows'],
    [
      'a limit',
      limitReached({ owner: 'A survey', max: 200, unit: 'page' }),
      'A survey can have at most 200 pages',
    ],
    ['a duplicate', duplicateOf('options[1]', '3'), '"3" is a duplicate of options[1]'],
    ['a repeated item', duplicateItem('page 2'), 'page 2 is listed more than once'],
    [
      'a code of another object',
      alreadyUsed('Q1', 'another question of this survey'),
      '"Q1" is already used by another question of this survey',
    ],
  ])('names %s', (_, message, expected) => {
    expect(message).toBe(expected);
  });

  it('creates errors of a field', () => {
    expect(mutuallyExclusive('count', 'links')).toMatchObject({
      kind: 'invalid',
      message: 'count: cannot be used with links',
    });
    expect(contradictingWorkspaceIds(1, 2).message).toBe('workspace_id: is 1, but the query has 2');
  });

  it('suggests similar codes for a code in the path', () => {
    expect(noSuchObject('column', 'AGF', ['AGE'])).toMatchObject({
      code: 'not_found',
      message: 'No such column: "AGF"; did you mean "AGE"?',
    });
  });
});
