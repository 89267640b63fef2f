import { expect, test } from 'vitest';
import { marked, unmarked } from '../../../../src/domain/quality/manual-flag.ts';
import type { StoredFlag } from '../../../../src/domain/quality/quality-flag.ts';

const speeder: StoredFlag = {
  check: 'speeder',
  severity: 'high',
  metric: 'duration_seconds',
  value: 10,
  threshold: 60,
  column_codes: [],
};

test('a mark is one more flag, set once, and taken away without the others', () => {
  const once = marked({ flags: [speeder] }, 'Same voice twice')!;
  expect(once.flags.map(({ check, value }) => [check, value])).toEqual([
    ['speeder', 10],
    ['manual', 'Same voice twice'],
  ]);
  expect(marked(once, 'again')).toBeNull();
  expect(unmarked(once)).toEqual({ flags: [speeder] });
  expect(unmarked(marked(null, null))).toBeNull();
  expect(unmarked({ flags: [speeder] })).toBeUndefined();
  expect(unmarked(null)).toBeUndefined();
});
