import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inMatchingOrder } from '../../../src/http/build-router.ts';

const segment = fc.constantFrom('a', 'b', 'links', ':id', ':userId');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);

it('puts literal segments before parameters, at every depth', () => {
  const ordered = inMatchingOrder(
    ['/s/:id', '/s/:id/links', '/s/links', '/s/links/:id', '/s/links/batch', '/s'].map((each) => ({
      path: each,
    })),
  );
  expect(ordered.map((route) => route.path)).toEqual([
    '/s',
    '/s/links',
    '/s/links/batch',
    '/s/links/:id',
    '/s/:id',
    '/s/:id/links',
  ]);
});

it('never puts a path after one that would match its requests', () => {
  const takes = (pattern: string, literal: string) => {
    const [left, right] = [pattern.split('/'), literal.split('/')];
    return left.length === right.length && left.every((part, i) => part.startsWith(':') || part === right[i]);
  };
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
      const ordered = inMatchingOrder(paths.map((each) => ({ path: each }))).map((route) => route.path);
      expect([...ordered].sort()).toEqual([...paths].sort());
      ordered.forEach((later, index) => {
        for (const earlier of ordered.slice(0, index)) {
          const shadowed = takes(earlier, later) && !takes(later, earlier);
          // A mixed pair (`/a/:x`, `/:x/b`) overlaps without one taking all of the other.
          expect(shadowed, `${later} behind ${earlier}`).toBe(false);
        }
      });
    }),
  );
});
