import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../../src/domain/survey/questions/safe-pattern.ts';

function matches(source: string, text: string): boolean {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.pattern.matches(text);
}

/** Patterns of the supported language over a small alphabet, so that texts match often. */
const pattern = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '^', '$', ''),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
      .map(([part, times]) => `(${part})${times}`),
  ),
})).pattern;

describe("an author's pattern", () => {
  it('accepts the syntax of the native engine', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '\n', 'é', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        const compiled = compilePattern(source);
        if (!compiled.ok) return;
        expect(compiled.pattern.matches(given)).toBe(new RegExp(`^(?:${source})$`, 'u').test(given));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['[A-Z]{2}\\d{4}', 'AB1234', true],
    ['[A-Z]{2}\\d{4}', 'AB12345', false],
    ['^\\p{L}+$', 'Жуков', true],
    ['[\\w\\]-]+', 'a]-b', true],
    ['\\u{1F600}|\\x41', 'A', true],
    ['\\uD83D\\uDE00', '😀', true],
    ['(?<year>\\d{4})(?:-\\d\\d)?', '2024-05', true],
    ['.', '😀', true],
    ['a|b|', '', true],
  ])('%s on %j is %s', (source, text, expected) => expect(matches(source, text)).toBe(expected));

  it.each([
    ['(a', 'is not a regular expression'],
    ['a{2,1}', 'is not a regular expression'],
    ['', 'must not be empty'],
    ['(a)\\1', 'back-references'],
    ['(?<x>a)\\k<x>', 'back-references'],
    ['(?=a)a', 'look-ahead'],
    ['(?<!a)b', 'look-behind'],
    ['\\bword\\b', '\\b'],
    ['(a{100}){100}', 'must have at most'],
    ['a'.repeat(201), 'at most 200 characters'],
    ['('.repeat(60) + ')'.repeat(60), 'must have at most 50 levels'],
  ])('%s is rejected: %s', (source, message) => {
    const compiled = compilePattern(source);
    expect(compiled).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
  });

  it.each(['(a+)+$', '(a|a)*b', '\\d*\\d*\\d*\\d*\\d*\\d*x', '(a*)*b', '(.*)*(.*)*x'])(
    '%s takes time linear in the text',
    (source) => {
      // A backtracking engine would not come back from these texts within a lifetime.
      expect(matches(source, `${'a'.repeat(2_000)}!`)).toBe(false);
      expect(matches(source, `${'1'.repeat(2_000)}!`)).toBe(false);
    },
  );
});
