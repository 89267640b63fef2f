import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type TextStyle,
  type Line,
  type LineLimits,
  layoutLines,
} from '../../../../src/exporters/pdf/text-layout.ts';
import { Typefaces } from '../../../../src/exporters/pdf/typefaces.ts';

const typefaces = new Typefaces();
const style: TextStyle = { size: 12, color: '#000000', bold: false, italic: false };
const set = (text: string, room: Partial<LineLimits> = {}): Line[] =>
  layoutLines([{ text, style }], { width: 200, rightToLeft: false, ...room }, typefaces);
const seen = (line: Line | undefined) => (line?.runs ?? []).map(({ text }) => text).join('');

const WORDS = [
  'coffee',
  'größer',
  'Насколько',
  'رضاك',
  'מרוצים',
  '您对我们的服务',
  '45%',
  '(a)',
  'x'.repeat(90),
  '—',
];
const someText = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 25 })
  .map((words) => words.join(' '));

describe('lines of text', () => {
  it('are never wider than the available width, for any text', () => {
    fc.assert(
      fc.property(someText, fc.integer({ min: 60, max: 400 }), fc.boolean(), (text, width, rightToLeft) => {
        for (const line of set(text, { width, rightToLeft }))
          expect(line.width).toBeLessThanOrEqual(width + 0.01);
        for (const line of set(text, { width, rightToLeft, maxLines: 2 })) {
          expect(line.width).toBeLessThanOrEqual(width + 0.01);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('lose only spaces at their ends', () => {
    const letters = (text: string) => [...text.replace(/\s/g, '')].sort().join('');
    fc.assert(
      fc.property(someText, (text) => {
        expect(letters(set(text).map(seen).join(''))).toBe(letters(text));
      }),
      { numRuns: 60 },
    );
  });

  it('break after words and hyphens, and between Chinese characters except before a full stop', () => {
    expect(set('one two', { width: 30 }).map(seen)).toEqual(['one', 'two']);
    expect(set('well-known', { width: 45 }).map(seen)).toEqual(['well-', 'known']);
    expect(set('您对我们的服务。', { width: 12 * 7 }).map(seen)).toEqual(['您对我们的服', '务。']);
    expect(set('a\nb\r\nc').map(seen)).toEqual(['a', 'b', 'c']);
  });

  it('end with an ellipsis if text is cut', () => {
    const lines = set('one two three four five six seven eight nine ten', { width: 80, maxLines: 2 });
    expect(lines).toHaveLength(2);
    expect(seen(lines[1])).toMatch(/…$/);
  });

  it('are reordered visually, line by line', () => {
    const [line] = set('قهوة Coffee طيبة');
    expect(line!.runs.map(({ text }) => text.trim()).filter((text) => text !== '')).toEqual([
      'طيبة',
      'Coffee',
      'قهوة',
    ]);
    const [first, second] = set('قهوة طيبة', { width: 30 });
    expect([seen(first), seen(second)]).toEqual(['قهوة', 'طيبة']);
  });

  it.each([
    ['English first, with قهوة in it', true, false],
    ['NPS لعام 2026', true, true],
    ['NPS لعام 2026', false, false],
    ['قهوة and much English behind it', false, true],
    ['45%', true, false],
  ])('show %s, in a right-to-left report: %s, right-to-left: %s', (text, rightToLeft, expected) => {
    expect(set(text, { rightToLeft, width: 999 })[0]!.rightToLeft).toBe(expected);
  });

  it('keep a sign before its number in right-to-left text', () => {
    const [line] = set('+0.30 منذ الموجة', { rightToLeft: true });
    expect(seen(line).replace(/\u200e/g, '')).toMatch(/\+0\.30$/);
  });

  it('contain no control characters, lone surrogates or empty lines', () => {
    expect(set('a\u0000\u0007b\ud800').map(seen)).toEqual(['ab\ufffd']);
    expect(set('').map(({ width }) => width)).toEqual([0]);
  });
});
