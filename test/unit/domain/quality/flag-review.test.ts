import { describe, expect, it } from 'vitest';
import {
  flagIdentity,
  listFlaggedChecks,
  mergeFoundFlags,
  type QualityCheck,
  type QualityFlag,
  qualityStatus,
  ReviewCounts,
  reviewFlags,
  type StoredFlag,
} from '../../../../src/domain/responses/quality-flag.ts';

const flag = (check: QualityFlag['check'], changes: Partial<StoredFlag> = {}): StoredFlag => ({
  check,
  severity: 'low',
  metric: 'a metric',
  value: 1,
  threshold: 2,
  column_codes: [],
  ...changes,
});
const at = new Date('2026-03-01T10:00:00Z');
const word = { reviewed_by: 7, reviewed_at: at.toISOString() };
const confirmed = { review: 'confirmed', ...word } as const;
const dismissed = { review: 'dismissed', ...word } as const;
const ran = (...checks: QualityCheck[]) => new Set(checks);

describe('a response', () => {
  it.each([
    ['without a status', null, []],
    ['pending', 'pending', [{}]],
    ['pending', 'pending', [{}, dismissed]],
    ['confirmed', 'confirmed', [{}, confirmed, dismissed]],
    ['dismissed', 'dismissed', [dismissed, dismissed]],
  ] as const)('is %s with these flags (%#)', (_what, status, states) => {
    expect(qualityStatus({ flags: states.map((state) => flag('speeder', state)) })).toBe(status);
  });

  it('is described by its checks, without duplicates, sorted by name', () => {
    const flags = [flag('speeder'), flag('duplicate'), flag('speeder', { metric: 'another' })];
    expect(listFlaggedChecks({ flags })).toBe('duplicate;speeder');
    expect(listFlaggedChecks({ flags: [] })).toBeNull();
    expect(listFlaggedChecks(null)).toBeNull();
    expect(qualityStatus(null)).toBeNull();
  });
});

describe('rerunning checks', () => {
  it('replaces the pending flags of the checks that ran and keeps the others', () => {
    const before = { flags: [flag('speeder', { value: 5 }), flag('duplicate'), flag('manual')] };
    const found = [flag('speeder', { value: 6 }), flag('speeder', { metric: 'new' })];
    expect(mergeFoundFlags(before, found, ran('speeder'))).toEqual({
      flags: [flag('duplicate'), flag('manual'), ...found],
    });
    expect(mergeFoundFlags(before, [], ran('speeder', 'duplicate'))).toEqual({ flags: [flag('manual')] });
    expect(mergeFoundFlags({ flags: [flag('speeder')] }, [], ran('speeder'))).toBeNull();
    expect(mergeFoundFlags(null, [], ran('speeder'))).toBeNull();
  });

  it('keeps reviewed flags, with new values if they are found again', () => {
    const before = { flags: [flag('speeder', { value: 5, ...confirmed }), flag('duplicate', dismissed)] };
    expect(mergeFoundFlags(before, [flag('speeder', { value: 6 })], ran('speeder', 'duplicate'))).toEqual({
      flags: [flag('speeder', { value: 6, ...confirmed }), flag('duplicate', dismissed)],
    });
  });

  it('distinguishes flags only by check, metric and columns', () => {
    const one = flag('straightliner', { column_codes: ['A', 'B'] });
    expect(flagIdentity({ ...one, value: 9, threshold: 8, severity: 'high' })).toBe(flagIdentity(one));
    for (const other of [{ column_codes: ['A'] }, { metric: 'x' }, { check: 'speeder' as const }]) {
      expect(flagIdentity({ ...one, ...other })).not.toBe(flagIdentity(one));
    }
  });
});

describe('a flag review', () => {
  const review = { state: 'confirmed', userId: 7, at } as const;
  const both = { flags: [flag('speeder'), flag('duplicate')] };

  it('applies to every flag, or to those of one check', () => {
    expect(reviewFlags(both, null, review)).toEqual({
      flags: [flag('speeder', confirmed), flag('duplicate', confirmed)],
    });
    expect(reviewFlags(both, 'duplicate', review)).toEqual({
      flags: [flag('speeder'), flag('duplicate', confirmed)],
    });
    expect(reviewFlags(both, 'open_end', review)).toBeNull();
  });

  it('keeps the first reviewer with the same decision', () => {
    expect(reviewFlags({ flags: [flag('speeder', confirmed)] }, null, { ...review, userId: 8 })).toBeNull();
  });

  it('can be changed or withdrawn later', () => {
    const kept = { flags: [flag('speeder', confirmed)] };
    expect(reviewFlags(kept, null, { ...review, state: 'dismissed', userId: 8 })).toEqual({
      flags: [flag('speeder', { ...dismissed, reviewed_by: 8 })],
    });
    expect(reviewFlags(kept, null, { ...review, state: 'pending' })).toEqual({ flags: [flag('speeder')] });
  });

  it('is counted by response status and by check', () => {
    const counts = new ReviewCounts();
    counts.add({ flags: [flag('speeder', confirmed), flag('speeder', { metric: 'b' }), flag('manual')] });
    counts.add({ flags: [flag('speeder', dismissed)] });
    counts.add({ flags: [] });
    expect(counts).toMatchObject({ flagged: 2, responses: { pending: 0, confirmed: 1, dismissed: 1 } });
    expect(counts.checks.get('speeder')).toEqual({
      responses: 2,
      flags: { pending: 1, confirmed: 1, dismissed: 1 },
    });
    expect(counts.checks.get('manual')).toMatchObject({ responses: 1, flags: { pending: 1 } });
    expect(counts.checks.get('duplicate')!.responses).toBe(0);
  });
});
