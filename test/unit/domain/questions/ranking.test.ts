import { describe, expect, it } from 'vitest';
import { cellCodecFor } from '../../../../src/domain/questions/registry.ts';
import { question } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const rankingQuestion = question('ranking', {
  options: ['1', '2', '3', '4'],
  settings: { min_ranked: 2, max_ranked: 3 },
});

describe('a ranking', () => {
  it.each([
    ['values, best first', ['3', '1'], ['3', '1']],
    ['numbers for numeric values', [3, 1, 4], ['3', '1', '4']],
    ['an empty list', [], null],
  ])('accepts %s', (_, input, stored) => accepts(rankingQuestion, input, stored));

  it.each([
    ['a repeated option', ['3', '3'], '[1]', 'option "3" is ranked twice'],
    ['an unknown option', ['3', '7'], '[1]', '"7" is not an option'],
    ['too few', ['3'], '', 'must have at least 2 ranked options, not 1'],
    ['too many', ['1', '2', '3', '4'], '', 'must have at most 3 ranked options, not 4'],
    ['more than all options', ['1', '2', '3', '4', '1'], '', 'must have at most 4 options, not 5'],
    ['ranks keyed by option', { '1': 2, '2': 1 }, '', 'must be a list of option values, best first'],
    ['a bare value', '1', '', 'must be a list'],
    ['an object in the list', [{ value: '1' }, '2'], '[0]', 'not an object'],
  ])('rejects %s', (_, input, field, message) => refuses(rankingQuestion, input, field, message));

  it('has a rank column per option', () => {
    const codec = cellCodecFor(rankingQuestion);
    expect(
      codec.columns(rankingQuestion).map(({ columnCode, type, measure }) => [columnCode, type, measure]),
    ).toEqual([
      ['Q1_1', 'rank', 'ordinal'],
      ['Q1_2', 'rank', 'ordinal'],
      ['Q1_3', 'rank', 'ordinal'],
      ['Q1_4', 'rank', 'ordinal'],
    ]);
    expect(codec.toCells(rankingQuestion, ['3', '1'])).toEqual([2, null, 1, null]);
    expect(codec.toCells(rankingQuestion, null)).toEqual([null, null, null, null]);
  });

  it.each([
    ['two ranks exchanged', { Q1_1: 1, Q1_3: '2' }, ['1', '3']],
    ['a rank added', { Q1_4: 3 }, ['3', '1', '4']],
    ['the last rank removed, below the minimum number', { Q1_1: null }, ['3']],
    ['all ranks removed', { Q1_1: null, Q1_3: null }, null],
  ])('accepts the edit: %s', (_, changes, stored) => edits(rankingQuestion, ['3', '1'], changes, stored));

  it.each([
    ['a rank in use', { Q1_1: 1 }, 'Q1_3', 'rank 1 is also given to option "1"'],
    ['a gap between ranks', { Q1_3: null }, 'Q1', 'leaves rank 1 empty'],
    ['a rank beyond the options', { Q1_4: 5 }, 'Q1_4', 'must be a rank from 1 to 4'],
    ['rank 0', { Q1_4: 0 }, 'Q1_4', 'must be a rank from 1 to 4'],
    ['half a rank', { Q1_4: 2.5 }, 'Q1_4', 'must be a rank'],
  ])('rejects the edit: %s', (_, changes, field, message) =>
    edits(rankingQuestion, ['3', '1'], changes, { field, message }),
  );
});
