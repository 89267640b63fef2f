import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MarkupRemover } from '../../../../src/domain/chat/answer-stream.ts';

function plain(parts: readonly string[]): string {
  const text = new MarkupRemover();
  return parts.map((part) => text.push(part)).join('') + text.end();
}

describe("a model's reply becomes plain text:", () => {
  test.each([
    ['Half of them, p < 0.05 and 3 <4, a<1.', 'Half of them, p < 0.05 and 3 <4, a<1.'],
    ['A **bold** word [1] and (this)!', 'A **bold** word [1] and (this)!'],
    ['<b>Bold</b> text', 'Bold text'],
    ['a <script>alert(1)</script> b', 'a alert(1) b'],
    ['<img src=x onerror=alert(1)>Fine', 'Fine'],
    ['<img src="//evil.example/?q=1" ', 'img src="(link removed)" '],
    ['<<b>script>alert(1)</script>', '< script>alert(1)'],
    ['<!-- <b> hidden --> shown', ' shown'],
    ['![chart](https://evil.example/p.png?q=secret) seen', 'chart seen'],
    ['![](https://evil.example/p.png)', ''],
    ['![chart][1]\n\n[1]: https://evil.example/p.png', 'chart\n\n[1]: (link removed)'],
    ['See [the report](https://evil.example/a_(b)) now', 'See the report now'],
    ['See [the report](/api/surveys/1).', 'See the report.'],
    ['[x](javascript:alert(1))', 'x'],
    ['[![alt](https://a.example/i.png)](https://b.example)', 'alt'],
    ['Go to https://evil.example/x, now', 'Go to (link removed), now'],
    ['Go to www.evil.example.', 'Go to (link removed).'],
    ['<https://evil.example>', ''],
    ['(//evil.example/x)', '((link removed))'],
    ['http:<b></b>//evil.example', 'http: (link removed)'],
    ['w<b></b>ww.evil.example', 'w ww.evil.example'],
    ['[broken](https://evil.example/ never closed', 'broken'],
  ])('%s', (given, expected) => {
    expect(plain([given])).toBe(expected);
  });

  test('with the same result for any chunking', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '[',
      ']',
      '(',
      ')',
      '!',
      '<b>',
      '![a](',
      'https://e.example',
      'www.',
      ' ',
      'x',
      '.',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        expect(plain([...text])).toBe(plain([text]));
        expect(plain(pieces)).toBe(plain([text]));
      }),
    );
  });

  test('without anything that a page could parse as a tag, image, link or address', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '[',
      ']',
      '(',
      ')',
      '!',
      '/',
      ':',
      '<b>',
      '<img ',
      '![a](',
      '](',
      'http',
      '://',
      '//',
      'w',
      'ww.',
      'e.example',
      ' ',
      'x',
      '.',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = plain([pieces.join('')]);
        expect(text).not.toMatch(/<[A-Za-z/!?]/);
        expect(text).not.toMatch(/\]\(|!\[|https?:\/\/\w|\bwww\.\w/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('also with an unclosed construct', () => {
    for (const unit of ['[', '![', '<a', '[a](', '(((', 'https://a['])
      expect(plain([unit.repeat(24_000 / unit.length)])).not.toMatch(/<[a-z]|\]\(|!\[/);
  });
});
