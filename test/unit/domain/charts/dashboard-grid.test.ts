import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layOutElements } from '../../../../src/domain/dashboards/dashboard.ts';

const at = (x: number, y: number, w: number, h: number) => ({
  type: 'bar' as const,
  position: { x, y, w, h },
});
const anywhere = { type: 'bar' as const, position: null };

describe('elements on the grid of a page', () => {
  test('keep their positions; empty rows are removed', () => {
    expect(layOutElements([at(0, 3, 6, 2), at(6, 3, 6, 4), at(0, 20, 12, 1)])).toEqual([
      { x: 0, y: 0, w: 6, h: 2 },
      { x: 6, y: 0, w: 6, h: 4 },
      { x: 0, y: 4, w: 12, h: 1 },
    ]);
  });

  test('without a position are placed side by side in their default size', () => {
    const kpi = { type: 'kpi' as const, position: null };
    expect(layOutElements([kpi, kpi, anywhere, anywhere])).toEqual([
      { x: 0, y: 0, w: 3, h: 3 },
      { x: 3, y: 0, w: 3, h: 3 },
      { x: 6, y: 0, w: 6, h: 6 },
      { x: 0, y: 6, w: 6, h: 6 },
    ]);
  });

  test('never overlap or exceed the grid for any requested positions', () => {
    const position = fc.option(
      fc.record({
        x: fc.nat(15),
        y: fc.nat(30),
        w: fc.integer({ min: 1, max: 14 }),
        h: fc.integer({ min: 1, max: 9 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(position, { maxLength: 12 }), (positions) => {
        const indices = layOutElements(positions.map((one) => ({ type: 'bar', position: one })));
        indices.forEach((a, index) => {
          expect(a.x + a.w).toBeLessThanOrEqual(12);
          for (const b of indices.slice(index + 1)) {
            const apart = a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;
            expect(apart).toBe(true);
          }
        });
      }),
    );
  });
});
