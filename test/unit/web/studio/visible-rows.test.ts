import { describe, expect, it } from 'vitest';
import { pagesOfRows } from '../../../../src/web/studio/client/responses/use-grid-rows.ts';
import { visibleRows } from '../../../../src/web/studio/client/responses/visible-rows.ts';

const viewport = { height: 600, rowHeight: 40 };

describe('visible rows', () => {
  it('are few, whatever the number of rows', () => {
    const { start, end, scrollHeight } = visibleRows({ ...viewport, scrollTop: 4_000_000 }, 200_000);
    expect(scrollHeight).toBe(8_000_000);
    expect(start).toBeLessThanOrEqual(100_000);
    expect(end).toBeGreaterThanOrEqual(100_015);
    expect(end - start).toBeLessThan(40);
  });

  it('stay within the list', () => {
    const { start, end } = visibleRows({ ...viewport, scrollTop: 0 }, 3);
    expect([start, end]).toEqual([0, 3]);
    expect(visibleRows({ ...viewport, scrollTop: 0 }, 0)).toMatchObject({
      start: 0,
      end: 0,
      scrollHeight: 0,
    });
  });

  it('reach the last row of a list that is higher than a browser can lay out', () => {
    const count = 1_000_000;
    const { scrollHeight } = visibleRows({ ...viewport, scrollTop: 0 }, count);
    expect(scrollHeight).toBeLessThan(17_000_000);
    const scrollTop = scrollHeight - viewport.height;
    const { start, end, topOf } = visibleRows({ ...viewport, scrollTop }, count);
    expect(end).toBe(count);
    expect(start).toBeGreaterThan(count - 40);
    expect(topOf(count - 1) + viewport.rowHeight).toBeCloseTo(scrollHeight, 3);
  });

  it.each([0, 123_456, 7_000_000.5, 14_999_400])('are placed where the viewport is at %d px', (scrollTop) => {
    const { start, end, topOf } = visibleRows({ ...viewport, scrollTop }, 1_000_000);
    expect(topOf(start)).toBeLessThanOrEqual(scrollTop);
    expect(topOf(end - 1) + viewport.rowHeight).toBeGreaterThanOrEqual(scrollTop + viewport.height - 1);
    expect(topOf(start + 1) - topOf(start)).toBeCloseTo(40, 6);
  });

  it('need one page, or two across an edge', () => {
    expect(pagesOfRows(0, 30)).toEqual([1]);
    expect(pagesOfRows(190, 230)).toEqual([1, 2]);
    expect(pagesOfRows(999_980, 1_000_000)).toEqual([5_000]);
  });
});
