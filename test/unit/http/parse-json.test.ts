import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/http/parse-json.ts';
import { AppError } from '../../../src/lib/errors.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

/** What the parser says of the text, or "accepted". */
function verdict(bytes: Buffer): string {
  try {
    parseJson(bytes);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.kind).toBe('invalid');
    return error.message;
  }
}

describe('a JSON body', () => {
  it('equals the result of JSON.parse for harmless text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        const harmless = !/__proto__|constructor|prototype|\\u|\d{200}|[eE]\+?\d{3}/.test(text);
        if (harmless) expect(parse(text)).toEqual(JSON.parse(text));
        else expect(verdict(Buffer.from(text))).toBeTypeOf('string');
      }),
      { numRuns: 500 },
    );
  });

  it('of arbitrary bytes is parsed or rejected without another error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(verdict(Buffer.from(bytes))).toBeTypeOf('string');
      }),
      { numRuns: 1_000 },
    );
  });

  it('of broken JSON is parsed or rejected without another error', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '\\u',
      'd800',
      '0',
      '1e999',
      'null',
      '__proto__',
      'é',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(verdict(Buffer.from(pieces.join('')))).toBeTypeOf('string');
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['an overlong encoding', [0x22, 0xc0, 0x80, 0x22]],
    ['a surrogate as bytes', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a truncated sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
  ])('with %s is not valid UTF-8', (_name, bytes) => {
    expect(verdict(Buffer.from(bytes))).toContain('not valid UTF-8');
  });

  it.each([
    ['{"a":"x\\u0000"}', 'a: contains the character NUL'],
    ['{"a":["ok",{"b":"\\u0000"}]}', 'a[1].b: contains the character NUL'],
    ['{"a\\u0000":1}', 'contains the character NUL'],
    ['{"a":"\\ud800"}', 'a: contains a lone surrogate'],
    ['{"a":"\\udc00\\ud800"}', 'a: contains a lone surrogate'],
    ['{"\\ud83d":1}', 'contains a lone surrogate'],
    ['{"a":1e400}', 'a: must be a finite number'],
    ['{"a":-1E+400}', 'a: must be a finite number'],
    [`{"a":1${'0'.repeat(400)}}`, 'a: must be a finite number'],
    [`[1${'0'.repeat(250)}e99]`, '[0]: must be a finite number'],
    ['{"__proto__":{"admin":true}}', '__proto__: is not a known field'],
    ['{"\\u005f_proto__":1}', '__proto__: is not a known field'],
    ['{"a":{"b":[{"constructor":1}]}}', 'a.b[0].constructor: is not a known field'],
    ['{"prototype" : 1}', 'prototype: is not a known field'],
    ['{"a":1', 'not valid JSON'],
    ["{'a':1}", 'not valid JSON'],
    ['\ufeff{}', 'not valid JSON'],
    ['{"a":NaN}', 'not valid JSON'],
    ['{"a":"raw \0"}', 'not valid JSON'],
  ])('rejects %s', (text, message) => {
    expect(verdict(Buffer.from(text))).toContain(message);
  });

  it.each([
    ['{"a":"\\ud83d\\ude00 \\u00e9"}', { a: '😀 é' }],
    ['{"a":"__proto__","b":"constructor"}', { a: '__proto__', b: 'constructor' }],
    ['{"a":1e300,"b":1e-400}', { a: 1e300, b: 0 }],
    [`{"a":"${'['.repeat(5_000)}"}`, { a: '['.repeat(5_000) }],
    [`{"a":"\\\\\\"${'{'.repeat(100)}"}`, { a: `\\"${'{'.repeat(100)}` }],
  ])('%.60s is accepted', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it('is accepted with 64 levels and rejected with more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(verdict(Buffer.from(nested(64)))).toBe('accepted');
    expect(verdict(Buffer.from(nested(65)))).toContain('must have at most 64 levels');
    expect(verdict(Buffer.from(nested(5_000)))).toContain('must have at most 64 levels');
    expect(verdict(Buffer.from('{"a":'.repeat(500_000)))).toContain('must have at most 64 levels');
  });

  it('does not modify Object.prototype', () => {
    verdict(Buffer.from('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
