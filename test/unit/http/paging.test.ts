import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idParam, paginateItems, pagingQuery, sortParam } from '../../../src/http/paging.ts';
import type { ListPage } from '../../../src/http/reply.ts';
import { AppError } from '../../../src/lib/errors.ts';

const getId = (n: number) => n;

describe('a page of a list', () => {
  it('is the whole list, up to a thousand items, by default', () => {
    const items = Array.from({ length: 1_001 }, (_, index) => index);
    expect(paginateItems(items.slice(1), getId, {})).toMatchObject({
      limit: 1_000,
      total: 1_000,
      nextCursor: null,
    });
    const cut = paginateItems(items, getId, {});
    expect(cut.items).toHaveLength(1_000);
    expect(paginateItems(items, getId, { cursor: cut.nextCursor! }).items).toEqual([1_000]);
  });

  it('followed by cursors gives every item once, in order, for any page size', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer(), { maxLength: 40 }),
        fc.integer({ min: 1, max: 50 }),
        (items, limit) => {
          const seen: number[] = [];
          let cursor: string | null = null;
          do {
            const page: ListPage<number> = paginateItems(items, getId, {
              limit,
              ...(cursor === null ? {} : { cursor }),
            });
            expect(page.total).toBe(items.length);
            seen.push(...page.items);
            cursor = page.nextCursor;
          } while (cursor !== null);
          expect(seen).toEqual(items);
        },
      ),
    );
  });

  it('by number gives the same as by cursor', () => {
    const items = [5, 3, 8, 1, 9];
    expect([1, 2, 3, 4].map((page) => paginateItems(items, getId, { limit: 2, page }).items)).toEqual([
      [5, 3],
      [8, 1],
      [9],
      [],
    ]);
  });

  it('neither repeats nor omits items when others are added or deleted', () => {
    const first = paginateItems([1, 2, 3, 4], getId, { limit: 2 });
    expect(paginateItems([0, 2, 2.5, 3, 4], getId, { limit: 2, cursor: first.nextCursor! }).items).toEqual([
      2.5, 3,
    ]);
  });

  it.each(['', 'nonsense', '!!!', 'MTAwMA'])('rejects the foreign cursor %j', (cursor) => {
    expect(() => paginateItems([1, 2], getId, { cursor })).toThrow(AppError);
  });

  it('rejects a cursor together with a page', () => {
    expect(() => paginateItems([1], getId, { cursor: 'MQ', page: 1 })).toThrow(
      /page: cannot be used with cursor/,
    );
  });
});

describe('query parameters', () => {
  const query = z.strictObject({
    ...pagingQuery,
    id: idParam.optional(),
    sort: sortParam(['name', 'age']).optional(),
  });
  const accepted = (input: object) => query.safeParse(input).success;

  it('accept only positive integers within bounds', () => {
    expect(query.parse({ id: '42', limit: '1000', page: '3' })).toEqual({ id: 42, limit: 1_000, page: 3 });
    for (const id of ['0', '-1', '1.5', '0x1', '1e3', '', ' 1', '٣', '1234567890123456', 'Infinity'])
      expect(accepted({ id }), id).toBe(false);
    for (const limit of ['0', '1001', '-1', '1.0', '']) expect(accepted({ limit }), limit).toBe(false);
  });

  it('sort by an allowed field in either direction', () => {
    expect(query.parse({ sort: '-age' }).sort).toEqual({ field: 'age', descending: true });
    for (const sort of ['constructor', '__proto__', '--age', 'age desc', 'name,age', ''])
      expect(accepted({ sort }), sort).toBe(false);
  });
});
