import { expect, test } from 'vitest';
import {
  addManualFlag,
  removeManualFlag,
  type StoredFlag,
} from '../../../../src/domain/responses/quality-flag.ts';

const speeder: StoredFlag = {
  check: 'speeder',
  severity: 'high',
  metric: 'duration_seconds',
  value: 10,
  threshold: 60,
  column_codes: [],
};

test('a manual flag is added once and removed without the others', () => {
  const once = addManualFlag({ flags: [speeder] }, 'Same voice twice')!;
  expect(once.flags.map(({ check, value }) => [check, value])).toEqual([
    ['speeder', 10],
    ['manual', 'Same voice twice'],
  ]);
  expect(addManualFlag(once, 'again')).toBeNull();
  expect(removeManualFlag(once)).toEqual({ flags: [speeder] });
  expect(removeManualFlag(addManualFlag(null, null))).toBeNull();
  expect(removeManualFlag({ flags: [speeder] })).toBeUndefined();
  expect(removeManualFlag(null)).toBeUndefined();
});
