import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUp } from '../../../../src/domain/questions/types/constant-sum.ts';
import {
  cellCodecFor,
  codecFor,
  questionSettingsSchemas,
  typeOf,
} from '../../../../src/domain/questions/registry.ts';
import { textsIn } from '../../../../src/domain/questions/localize.ts';
import { question } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const options = ['1', '2', '3', { value: 'gone', code: 9, retired: true }];
const points = question('constant_sum', { options: options.map((each) => (each === '3' ? 'three' : each)) });
const thirds = question('constant_sum', { options, settings: { decimals: 2 } });
const atMost = question('constant_sum', { options, settings: { total_rule: 'at_most' } });
const bounded = question('constant_sum', { options, settings: { min: 10, max: 50 } });

describe('a constant sum', () => {
  it.each([
    ['numbers that add up', { '1': 40, '2': 60, '3': 0 }, { '1': 40, '2': 60, '3': 0 }],
    ['numeric texts', { '1': '40', '2': '60' }, { '1': 40, '2': 60, '3': 0 }],
    ['empty items as 0', { '1': 100, '2': null, '3': '' }, { '1': 100, '2': 0, '3': 0 }],
    ['no numbers as no answer', { '1': null, '2': '' }, null],
    ['an empty object as no answer', {}, null],
    ['null', null, null],
  ])('accepts %s', (_, input, stored) => accepts(points, input, stored));

  it.each([
    ['too little', { '1': 40, '2': 40 }, '', 'must add up to 100, not 80'],
    ['too much', { '1': 90, '2': 20 }, '', 'must add up to 100, not 110'],
    ['zeros only', { '1': 0 }, '', 'must add up to 100, not 0'],
    [
      'an option_value as key',
      { three: 100 },
      '',
      '"three" is not an option_code of Q1; accepted: "1", "2", "3"',
    ],
    ['a key of Object.prototype', { constructor: 100 }, '', '"constructor" is not an option_code'],
    ['a retired option', { '1': 50, '9': 50 }, '9', 'option "9" is no longer offered'],
    ['a negative number', { '1': -10, '2': 110 }, '1', 'must be between 0 and 100, not -10'],
    ['more than the total', { '1': 110 }, '1', 'must be between 0 and 100, not 110'],
    ['a fraction', { '1': 99.5, '2': 0.5 }, '1', 'must be a whole number, not 99.5'],
    ['a text', { '1': 'all' }, '1', 'must be a number, not "all"'],
    ['a list', [40, 60], '', 'must be an object of option codes'],
    ['a number', 100, '', 'must be an object of option codes'],
  ])('rejects %s', (_, input, field, message) => refuses(points, input, field, message));

  it('adds decimals without binary floating-point error', () => {
    expect(0.1 + 0.2).not.toBe(0.3);
    expect(addUp([0.1, 0.2], 1)).toBe(0.3);
    expect(addUp([33.33, 33.33, 33.34], 2)).toBe(100);
    accepts(thirds, { '1': 33.33, '2': 33.33, '3': 33.34 }, { '1': 33.33, '2': 33.33, '3': 33.34 });
    refuses(thirds, { '1': 33.33, '2': 33.33, '3': 33.33 }, '', 'must add up to 100, not 99.99');
    const tenths = question('constant_sum', { options, settings: { total: 0.3, decimals: 1 } });
    accepts(tenths, { '1': 0.1, '2': 0.2 }, { '1': 0.1, '2': 0.2, '3': 0 });
  });

  it('counts in units up to the largest total', () => {
    const money = question('constant_sum', { options, settings: { total: 1e9, decimals: 4 } });
    const whole = { '1': 333_333_333.3333, '2': 666_666_666.6667, '3': 0 };
    accepts(money, whole, whole);
    refuses(money, { ...whole, '3': 0.0001 }, '', 'must add up to 1000000000, not 1000000000.0001');
  });

  it('adds any whole numbers exactly', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1e10 })),
        fc.integer({ min: 0, max: 4 }),
        (units, decimals) => {
          const sum = units.reduce((total, value) => total + value, 0);
          expect(
            addUp(
              units.map((value) => value / 10 ** decimals),
              decimals,
            ),
          ).toBe(sum / 10 ** decimals);
        },
      ),
      { seed: 20_261_124 },
    );
  });

  it('can add up to less if the rule is at_most', () => {
    accepts(atMost, { '1': 20 }, { '1': 20, '2': 0, '3': 0 });
    accepts(atMost, { '1': 0 }, { '1': 0, '2': 0, '3': 0 });
    refuses(atMost, { '1': 60, '2': 41 }, '', 'must add up to at most 100, not 101');
  });

  it('has bounds for each item, also for an empty one', () => {
    accepts(bounded, { '1': 50, '2': 40, '3': 10 }, { '1': 50, '2': 40, '3': 10 });
    refuses(bounded, { '1': 60, '2': 30, '3': 10 }, '1', 'must be between 10 and 50, not 60');
    refuses(bounded, { '1': 50, '2': 50 }, '3', 'must be at least 10, not 0');
  });

  it('can be saved before it adds up, but not with a wrong number', () => {
    const draft = (input: unknown) => codecFor(points).read(points, input, 'draft');
    expect(draft({ '1': 30 })).toEqual({ ok: true, answer: { '1': 30, '2': 0, '3': 0 } });
    expect(draft({ '1': 'x' })).toMatchObject({ ok: false });
  });

  it('asks for the offered items only, and drops a maximum with which they cannot reach the total', () => {
    const codec = codecFor(bounded);
    expect(codec.read(bounded, { '1': 100 }, 'draft')).toMatchObject({ ok: true });
    const answer = { '1': 40, '2': 50, '3': 10 };
    expect(codec.withoutOptions(bounded, answer, new Set(['2', '3']))).toEqual({ '1': 40 });
    expect(codec.withoutOptions(bounded, answer, new Set(['1', '2', '3']))).toBeNull();
    const left = codec.withOfferedOptions(bounded, bounded.options.slice(0, 1));
    expect(codec.read(left, { '1': 100 })).toEqual({ ok: true, answer: { '1': 100 } });
    expect(codec.read(left, { '1': 40 })).toMatchObject({ ok: false });
    const enough = codec.withOfferedOptions(bounded, bounded.options.slice(0, 2));
    expect(codec.read(enough, { '1': 60, '2': 40 })).toMatchObject({ ok: false });
  });

  it('has a numeric column per item', () => {
    const codec = cellCodecFor(points);
    expect(
      codec
        .columns(points)
        .map(({ columnCode, type, measure, label, retired }) => [columnCode, type, measure, label, retired]),
    ).toEqual([
      ['Q1_1', 'number', 'scale', 'A constant_sum question – Option 1', false],
      ['Q1_2', 'number', 'scale', 'A constant_sum question – Option 2', false],
      ['Q1_3', 'number', 'scale', 'A constant_sum question – Option three', false],
      ['Q1_9', 'number', 'scale', 'A constant_sum question – Option gone', true],
    ]);
    expect(codec.toCells(points, { '1': 40, '2': 60, '3': 0 })).toEqual([40, 60, 0, null]);
    expect(codec.toCells(points, null)).toEqual([null, null, null, null]);
    expect(codec.toCells(points, undefined)).toEqual([null, null, null, null]);
  });

  const before = { '1': 40, '2': 60, '3': 0 };

  it.each([
    ['two numbers that balance', { Q1_1: 50, Q1_2: '50' }, { '1': 50, '2': 50, '3': 0 }],
    ['a number removed that is 0', { Q1_3: null }, { '1': 40, '2': 60 }],
    ['a number of a retired option', { Q1_1: 30, Q1_9: 10 }, { '1': 30, '2': 60, '3': 0, '9': 10 }],
    ['all numbers removed', { Q1_1: null, Q1_2: null, Q1_3: '' }, null],
  ])('accepts the edit: %s', (_, changes, stored) => edits(points, before, changes, stored));

  it.each([
    [
      'another sum',
      { Q1_1: 50 },
      'Q1',
      'must add up to 100, not 110; set the numbers of the question together',
    ],
    ['a number below 0', { Q1_1: -1 }, 'Q1_1', 'must be between 0 and 100, not -1'],
    ['a column of another question', { Q2_1: 5 }, 'Q2_1', 'is not a column of question Q1'],
  ])('rejects the edit: %s', (_, changes, field, message) =>
    edits(points, before, changes, { field, message }),
  );

  it('counts empty cells of an imported answer as 0', () => {
    edits(points, undefined, { Q1_1: 100, Q1_2: null }, { '1': 100, '2': 0, '3': 0 });
    edits(points, undefined, { Q1_1: null }, null);
  });
});

describe('a constant sum in texts and conditions', () => {
  const answer = { '1': 0, '2': 75, '3': 25 };
  const codec = codecFor(points);

  it('is piped with its labels, or the codes of items with more than 0', () => {
    const texts = textsIn({ options: { '2': 'Zwei' } });
    expect(codec.pipedText(points, answer, texts, 'de')).toBe('Option 1: 0; Zwei: 75; Option three: 25');
    expect(codec.pipedCode(points, answer)).toBe('2,3');
  });

  it('is compared by item, and as a whole by the items with more than 0', () => {
    expect(codec.operand(points, answer, '2')).toEqual({ kind: 'number', value: 75 });
    expect(codec.operand(points, answer, '1')).toEqual({ kind: 'number', value: 0 });
    expect(codec.operand(points, answer, '9')).toBeNull();
    expect(codec.operand(points, answer, 'constructor')).toBeNull();
    expect(codec.operand(points, answer, undefined)).toEqual({ kind: 'choice', values: ['2', 'three'] });
  });

  it('knows which comparisons no answer satisfies', () => {
    const { comparison } = typeOf(points);
    const left = { type: 'question', code: 'Q1', row_code: '1' } as const;
    expect(comparison.isSatisfiable(points, [{ left, operator: 'gt', right: 100 }])).toBe(false);
    expect(comparison.isSatisfiable(points, [{ left, operator: 'gte', right: 100 }])).toBe(true);
    expect(comparison.isSatisfiable(points, [{ left, operator: 'equals', right: 0.5 }])).toBe(false);
  });
});

describe('the settings of a constant sum', () => {
  const type = typeOf({ type: 'constant_sum' });
  const parse = (input: object) => questionSettingsSchemas.constant_sum.parse(input);

  it.each([
    [{ total: 0.5 }, 'total', '0.5 needs more than 0 decimals'],
    [{ min: 2.25, decimals: 1 }, 'min', '2.25 needs more than 1 decimals'],
    [{ max: 120 }, 'max', 'must be at most total (100), not 120'],
    [{ min: 120 }, 'min', 'must be at most total (100), not 120'],
  ])('%j has a problem at %s', (input, field, message) => {
    expect(type.settingsProblems(parse(input))).toEqual([{ field, message }]);
  });

  it.each([
    [{ total: 0 }],
    [{ total: -1 }],
    [{ min: -1 }],
    [{ decimals: 5 }],
    [{ min: 30, max: 20 }],
    [{ total: 2e9 }],
  ])('%j is not valid', (input) =>
    expect(questionSettingsSchemas.constant_sum.safeParse(input).success).toBe(false),
  );

  it.each([
    [{ min: 40 }, 'min', 'min must be at most 33 for 3 items that must add up to 100, not 40'],
    [{ max: 30 }, 'max', 'max must be at least 34 for 3 items that must add up to 100, not 30'],
    [{ max: 33.3, decimals: 1 }, 'max', 'max must be at least 33.4 for 3 items'],
  ])('%j is impossible with three items', (input, field, message) => {
    const live = points.options.slice(0, 3);
    expect(type.options!.problems(parse(input), live)).toEqual([
      { field, message: expect.stringContaining(message) as string },
    ]);
    expect(type.options!.problems(parse({ min: 33, max: 34 }), live)).toEqual([]);
    expect(type.options!.problems(parse({ max: 10, total_rule: 'at_most' }), live)).toEqual([]);
  });

  it('keep their total once there are answers', () => {
    const other = question('constant_sum', { options, settings: { total: 10 } });
    expect(type.frozenChanges(points, other)).toEqual([
      { field: 'question_settings.total', message: 'cannot be changed: answers add up to 100' },
    ]);
    expect(type.frozenChanges(points, bounded)).toEqual([]);
  });
});
