import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AnsweredDay,
  countReleasedAnswers,
  MIN_RELEASED,
} from '../../../../src/domain/invitations/answered-counts.ts';

const dayAfter = (days: number) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10);

describe('countReleasedAnswers', () => {
  test.each<[string, AnsweredDay[], number]>([
    ['no answers', [], 0],
    ['four of yesterday', [{ day: '2026-01-09', count: 4 }], 0],
    ['five of yesterday', [{ day: '2026-01-09', count: 5 }], 5],
    ['seven of today', [{ day: '2026-01-10', count: 7 }], 0],
    [
      'three and two of earlier days, in any order',
      [
        { day: '2026-01-09', count: 2 },
        { day: '2026-01-03', count: 3 },
      ],
      5,
    ],
    [
      'a batch and one more',
      [
        { day: '2026-01-03', count: 6 },
        { day: '2026-01-09', count: 1 },
      ],
      6,
    ],
  ])('releases of %s', (_, days, released) => {
    expect(countReleasedAnswers(days, '2026-01-10')).toBe(released);
  });

  test('never falls and never rises by fewer than five', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 7 }), { maxLength: 30 }), (counts) => {
        const days = counts.flatMap((count, index) => (count === 0 ? [] : [{ day: dayAfter(index), count }]));
        let before = 0;
        for (let today = 0; today <= counts.length; today += 1) {
          const known = days.filter(({ day }) => day <= dayAfter(today));
          const released = countReleasedAnswers(known, dayAfter(today));
          if (released !== before) expect(released - before).toBeGreaterThanOrEqual(MIN_RELEASED);
          before = released;
        }
      }),
      { seed: 1 },
    );
  });
});
