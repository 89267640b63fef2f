import { describe, expect, it } from 'vitest';
import { choosePalette, hasOppositeEnds } from '../../../../../src/domain/charts/drawing/palette.ts';

describe('the ends of a scale', () => {
  it.each([
    ['Strongly disagree', 'Strongly agree'],
    ['Very satisfied', 'Very dissatisfied'],
    ['1 · Very unlikely', '7 · Very likely'],
    ['Very Inaccurate', 'Very Accurate'],
    ['Very poor', 'Excellent'],
    ['Much worse', 'Much better'],
    ["I don't agree", 'I agree'],
    ['Stimme überhaupt nicht zu', 'Stimme voll und ganz zu'],
    ['Sehr unzufrieden', 'Sehr zufrieden'],
    ['Pas du tout d’accord', 'Tout à fait d’accord'],
    ['Très insatisfait', 'Très satisfait'],
    ['Totalmente en desacuerdo', 'Totalmente de acuerdo'],
    ['Molto insoddisfatto', 'Molto soddisfatto'],
  ])('%s and %s are opposites', (first, last) => {
    expect(hasOppositeEnds([first, 'Between', last])).toBe(true);
  });

  it.each([
    ['In high school', 'Graduate degree'],
    ['Never', 'Always'],
    ['Not at all important', 'Very important'],
    ['18–24', '65 and older'],
    ['Less than 1,000 €', 'More than 5,000 €'],
    ['1', '5'],
    ['No waiting', 'Long waiting'],
  ])('%s and %s are amounts', (first, last) => {
    expect(hasOppositeEnds([first, 'Between', last])).toBe(false);
  });

  it('decide only about ordered answers', () => {
    expect(choosePalette('nominal', ['Bad', 'Good'])).toBe('categorical');
    expect(choosePalette('ordinal', ['Bad', 'Good'])).toBe('diverging');
    expect(choosePalette('scale', [])).toBe('sequential');
  });
});
