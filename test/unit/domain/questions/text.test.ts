import { describe, expect, it } from 'vitest';
import { cellCodecFor, codecFor } from '../../../../src/domain/questions/registry.ts';
import { question } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const open = question('text', { settings: { min_length: 2, max_length: 10 } });
const email = question('text', { settings: { format: 'email' } });
const url = question('text', { settings: { format: 'url' } });
const phone = question('text', { settings: { format: 'phone' } });
const postcode = question('text', { settings: { format: 'regex', pattern: '[A-Z]{1,2}\\d{1,4}' } });
const evil = question('text', { settings: { format: 'regex', pattern: '(a+)+b' } });

describe('an open text', () => {
  it.each([
    ['typed text, with inner spaces', ' hello ', ' hello '],
    ['decomposed letters in normalized form', 'Cafe\u0301', 'Café'],
    ['line ends of a form in normalized form', 'a\r\nb', 'a\nb'],
    ['ten emoji as ten characters', '😀'.repeat(10), '😀'.repeat(10)],
    ['white space as no answer', ' \n\t ', null],
    ['an empty string as no answer', '', null],
  ])('accepts %s', (_, input, stored) => accepts(open, input, stored));

  it.each([
    ['a number', 42, 'must be a text, not 42'],
    ['an object', { $ne: 1 }, 'must be a text, not an object'],
    ['a list', ['a'], 'must be a text, not a list'],
    ['true', true, 'must be a text, not true'],
    ['NUL', 'ab\u0000', 'NUL'],
    ['half a surrogate pair', 'ab\udc00', 'surrogate'],
    ['a text below the minimum length', 'a', 'must have at least 2 characters, not 1'],
    ['a text above the maximum length', 'a'.repeat(11), 'must have at most 10 characters, not 11'],
  ])('rejects %s', (_, input, message) => refuses(open, input, '', message));

  it('may be shorter when a researcher edits it, but not longer', () => {
    edits(open, 'hello', { Q1: 'a' }, 'a');
    edits(open, 'hello', { Q1: '' }, null);
    edits(open, 'hello', { Q1: 'a'.repeat(11) }, { field: 'Q1', message: 'at most 10' });
    edits(open, 'hello', { Q1: 5 }, { field: 'Q1', message: 'must be a text' });
  });

  it('has one text column', () => {
    expect(cellCodecFor(open).columns(open)).toMatchObject([
      { columnCode: 'Q1', type: 'text', editable: true },
    ]);
  });
});

describe('a text with a format', () => {
  it.each(['name@example.org', 'a.b+c@sub.example.co.uk', 'имя@пример.рф'])(
    'accepts the address %s',
    (input) => accepts(email, input, input),
  );
  it.each([
    'name',
    'name@',
    '@example.org',
    'a@b',
    'a b@example.org',
    'a@@example.org',
    'a@example..org',
    '.a@b.org',
    'a@-b.org',
    'x'.repeat(250) + '@b.org',
    'a@b.org\nBcc: c@d.org',
  ])('rejects the address %j', (input) => refuses(email, input, '', 'an email address'));
  it.each(['https://example.org', 'HTTP://example.org/a?b=c#d'])('accepts the URL %s', (input) =>
    accepts(url, input, input),
  );
  it.each([
    'example.org',
    'javascript:alert(1)',
    'ftp://example.org',
    'https://',
    'https://a b.org',
    'https:\\\\a.org',
  ])('rejects the link %s', (input) => refuses(url, input, '', 'a web address'));
  it.each(['+49 30 123456', '(030) 123-456', '12345'])('accepts the number %s', (input) =>
    accepts(phone, input, input),
  );
  it.each(['1234', '+1234567890123456', 'call me 12345', '++4912345'])('rejects the number %s', (input) =>
    refuses(phone, input, '', 'a telephone number'),
  );

  it('trims the trailing space that phone keyboards add', () => {
    expect(codecFor(email).read(email, 'name@example.org ')).toEqual({
      ok: true,
      answer: 'name@example.org',
    });
  });

  it("matches the whole text with the author's pattern", () => {
    accepts(postcode, 'AB12', 'AB12');
    refuses(postcode, 'AB12x', '', 'does not match the pattern [A-Z]{1,2}\\d{1,4}');
  });

  it('is fast for a pattern and text that hang a backtracking engine', () => {
    refuses(evil, 'a'.repeat(2_000), '', 'does not match');
  });
});
