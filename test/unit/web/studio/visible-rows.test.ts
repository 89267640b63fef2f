import { describe, expect, it } from 'vitest';
import { pageOfRows } from '../../../../src/web/studio/client/responses/use-grid-rows.ts';
import { visibleColumns, visibleRows } from '../../../../src/web/studio/client/responses/visible-rows.ts';

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

  it.each([
    [0, 30],
    [190, 230],
    [11_990, 12_010],
    [119_999, 120_001],
    [999_970, 1_000_000],
  ])('from %d to %d come with one request', (start, end) => {
    const { limit, page } = pageOfRows(start, end);
    expect((page - 1) * limit).toBeLessThanOrEqual(start);
    expect(page * limit).toBeGreaterThanOrEqual(end);
    expect(limit).toBeLessThanOrEqual(1_000);
  });

  it('come with a small request unless they are at the edge of one', () => {
    expect(pageOfRows(0, 30)).toEqual({ limit: 200, page: 1 });
    expect(pageOfRows(999_980, 1_000_000)).toEqual({ limit: 200, page: 5_000 });
  });
});

describe('visible columns', () => {
  const screen = { width: 1_200, columnWidth: 208 };

  it('are few, whatever the number of columns', () => {
    expect(visibleColumns({ ...screen, scrollLeft: 0 }, 500)).toEqual([0, 7]);
    // From right to left the position is negative.
    for (const scrollLeft of [20_800, -20_800])
      expect(visibleColumns({ ...screen, scrollLeft }, 500)).toEqual([95, 107]);
  });

  it('stay within the table', () => {
    expect(visibleColumns({ ...screen, scrollLeft: 0 }, 2)).toEqual([0, 2]);
    expect(visibleColumns({ ...screen, scrollLeft: 400 }, 0)).toEqual([0, 0]);
  });
});
