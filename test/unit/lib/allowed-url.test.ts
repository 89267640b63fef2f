import { expect, it } from 'vitest';
import { normalizeAllowedUrl } from '../../../src/lib/urls.ts';

const ORIGINS = ['https://canvass.example', 'http://localhost:3000', 'https://research.example/canvass'];

it.each([
  ['https://canvass.example', 'https://canvass.example/'],
  ['https://canvass.example/a?b=1#c', 'https://canvass.example/a?b=1#c'],
  ['HTTPS://Canvass.Example:443/a', 'https://canvass.example/a'],
  ['https:canvass.example/a', 'https://canvass.example/a'],
  ['https:\\\\canvass.example\\a', 'https://canvass.example/a'],
  ['http://localhost:3000/a\r\nSet-Cookie: b', 'http://localhost:3000/aSet-Cookie:%20b'],
  ['https://canvass.example/ä?ö', 'https://canvass.example/%C3%A4?%C3%B6'],
  ['https://research.example/elsewhere', 'https://research.example/elsewhere'],
])('accepts %j as browsers parse it', (text, href) => {
  expect(normalizeAllowedUrl(text, ORIGINS)).toBe(href);
});

it.each([
  '',
  '/done',
  '//evil.example',
  'https://evil.example',
  'https://canvass.example.evil.example',
  'https://canvass.example@evil.example',
  'https://evil.example\\@canvass.example',
  'https://user@canvass.example',
  'https://:secret@canvass.example',
  'http://canvass.example',
  'https://canvass.example:8443',
  'http://localhost',
  'javascript:alert(1)',
  'data:text/html,a',
  'ftp://canvass.example',
  'blob:https://canvass.example/a',
])('rejects %j', (text) => {
  expect(normalizeAllowedUrl(text, ORIGINS)).toBeNull();
});

it('returns no URL without allowed origins', () => {
  expect(normalizeAllowedUrl('https://canvass.example', [])).toBeNull();
  expect(normalizeAllowedUrl('null', ['null', ''])).toBeNull();
});
