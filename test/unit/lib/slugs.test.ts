import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { createSlug, findFreeSlug, MAX_SLUG_LENGTH, isSlug } from '../../../src/lib/slugs.ts';

test.each([
  ['Brand tracker 2026', 'brand-tracker-2026'],
  ['  Käufer & Märkte!  ', 'kaufer-markte'],
  ['Straße, Ærø, Łódź', 'strasse-aero-lodz'],
  ["What's new?", 'whats-new'],
  ['Удовлетворённость', 'dashboard'],
  ['---', 'dashboard'],
  [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
])('%j has the slug %j', (name, slug) => expect(createSlug(name, 'dashboard')).toBe(slug));

it('gives one stable slug for any name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const slug = createSlug(name, 'dashboard');
      expect(isSlug(slug)).toBe(true);
      expect(slug.length).toBeLessThanOrEqual(MAX_SLUG_LENGTH);
    }),
  );
});

it('gives the first free number to a slug in use, within its length', () => {
  const taken = new Set(['a', 'a-2', 'a-4']);
  expect(findFreeSlug('a', (slug) => taken.has(slug))).toBe('a-3');
  expect(findFreeSlug('b', (slug) => taken.has(slug))).toBe('b');
  const long = `${'a'.repeat(77)}-bc`;
  const numbered = findFreeSlug(long, (slug) => slug === long);
  expect(numbered).toBe(`${'a'.repeat(77)}-2`);
});
