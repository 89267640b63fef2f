import { describe, expect, it } from 'vitest';
import { joinTypedList, splitTypedList } from '../../../../src/web/studio/client/data/typed-list.ts';

describe('several numbers that an author types', () => {
  it.each([
    ['1, 2, 3', null, ['1', '2', '3']],
    ['1,2,3', null, ['1', '2', '3']],
    ['5,10,15', null, ['5', '10', '15']],
    ['1,500; 2,500', null, ['1,500', '2,500']],
    ['1,500, 2,500', null, ['1,500', '2,500']],
    ['12,5; 13,5', null, ['12,5', '13,5']],
    ['1500,', null, ['1500']],
    ['1,500;', null, ['1,500']],
    ['3,7', 0, ['3', '7']],
    ['18', null, ['18']],
    [' ', null, []],
  ])('%s with %s decimals is a list of %j', (text, decimals, values) =>
    expect(splitTypedList(text, decimals)).toEqual({ values, problem: null }),
  );

  it.each([
    ['1,500', null],
    ['1,2', null],
    ['12,5', null],
    ['100,200,300', null],
    ['1,500,2,500', null],
    ['٢,٥٠٠', null],
    ['1,500', 0],
  ])('%s with %s decimals can be one number too and is not guessed', (text, decimals) => {
    const several = text.split(',').join('; ');
    expect(splitTypedList(text, decimals)).toEqual({
      values: [],
      problem: `“${text}” can be one number or several. Separate several with semicolons (${several}), or enter one without commas.`,
    });
  });
});

describe('several texts that an author types', () => {
  it.each([
    ['Berlin,Hamburg, Köln', ['Berlin', 'Hamburg', 'Köln']],
    ['Smith, John; Doe, Jane', ['Smith, John', 'Doe, Jane']],
    ['1,500', ['1', '500']],
  ])('%s', (text, values) => expect(splitTypedList(text, 'text')).toEqual({ values, problem: null }));

  it.each([[['a', 'b']], [['Smith, John', 'Doe, Jane']], [['Smith, John']], [['1.5', '2.5']]])(
    'are shown so that they are read again: %j',
    (values) => expect(splitTypedList(joinTypedList(values), 'text').values).toEqual(values),
  );
});
