import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../src/domain/questions/safe-pattern.ts';

function matches(source: string, text: string): boolean {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.pattern.matches(text);
}

/** Patterns of the supported language over a small alphabet, so that texts match often. */
const pattern = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '^',
      '$',
      '',
      '\\s',
      '\\S',
      '[\\s\\S]',
      '[^\\W1]',
      '[]',
      '[^]',
      '\\p{L}',
      '[\\P{L}b]',
      '[a-]',
      '[+--]',
      '\\u0061',
      '[\\x61-\\u{1F600}]',
      '\\n',
      '[\\b\\]]',
      '\\cJ',
      '\\/',
      '\\.',
    ),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
      .map(([part, times]) => `(${part})${times}`),
  ),
})).pattern;

describe("an author's pattern", () => {
  it('accepts the syntax of the native engine', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        'b',
        '1',
        '\n',
        'é',
        '😀',
        '\r',
        '\u2028',
        '\u00a0',
        '-',
        '/',
        '.',
        ']',
        '\b',
      ),
      maxLength: 6,
    });
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
    ['\\p{Script=Greek}+', 'αβγ', true],
    ['\\p{Lowercase_Letter}', 'A', false],
    ['[\\uD83D\\uDE00]', '😀', true],
    ['[a-c\\-e]+', 'b-e', true],
    ['a{0}(?:){5}', '', true],
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
      // A backtracking engine needs more than a lifetime for these texts.
      expect(matches(source, `${'a'.repeat(2_000)}!`)).toBe(false);
      expect(matches(source, `${'1'.repeat(2_000)}!`)).toBe(false);
    },
  );

  it.each(['[A-Z]{2}\\d{4}', '(?:red|green)-\\w+', '^[^@]+@[a-z]{1,8}\\.org$', '\\p{Lu}?x*'])(
    '%s has examples that match',
    (source) => {
      const compiled = compilePattern(source);
      if (!compiled.ok) throw new Error(compiled.message);
      const random = fc
        .sample(fc.double({ min: 0, max: 0.999, noNaN: true }), { numRuns: 5_000, seed: 1 })
        .values();
      const examples = Array.from({ length: 20 }, () =>
        compiled.pattern.example(() => random.next().value ?? 0),
      );
      for (const example of examples) expect(example).toMatch(new RegExp(`^(?:${source})$`, 'u'));
    },
  );
});
