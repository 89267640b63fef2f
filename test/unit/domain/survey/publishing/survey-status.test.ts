import { describe, expect, it } from 'vitest';
import {
  linkStatusOf,
  statusChangeProblem,
  type SurveyStatus,
} from '../../../../../src/domain/survey/status.ts';

describe('survey_status', () => {
  const ALLOWED = new Set(['1 1', '2 2', '3 3', '0 0', '2 3', '3 2']);
  const STATUSES: SurveyStatus[] = [0, 1, 2, 3];
  const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));

  it.each(pairs.filter(([from]) => from !== 0))('validates the change from %i to %i', (from, to) => {
    expect(statusChangeProblem(from, to) === null).toBe(ALLOWED.has(`${from} ${to}`));
  });

  it('names the operation to use instead', () => {
    expect(statusChangeProblem(1, 2)).toContain('publish');
    expect(statusChangeProblem(2, 0)).toContain('DELETE');
  });
});

describe('link_status', () => {
  const now = new Date('2026-01-02T00:00:00Z');
  const open = {
    state: 'active',
    quota: null,
    completeCount: 0,
    expiresAt: null,
    isSurveyFull: false,
    inOpenWave: true,
  } as const;

  it.each([
    ['active', {}, 2],
    ['active', { quota: 5, completeCount: 4 }, 2],
    ['active', { expiresAt: new Date('2026-01-02T00:00:01Z') }, 2],
    ['paused', { state: 'paused' }, 2],
    ['full', { quota: 5, completeCount: 5 }, 2],
    ['full', { quota: 5, completeCount: 6, state: 'paused' }, 2],
    ['full', { isSurveyFull: true }, 2],
    ['closed', { isSurveyFull: true }, 3],
    ['closed', {}, 1],
    ['closed', { inOpenWave: false, quota: 5, completeCount: 5, state: 'paused' }, 2],
    ['closed', { quota: 1, completeCount: 1 }, 3],
    ['expired', { expiresAt: now }, 2],
    ['expired', { expiresAt: new Date('2026-01-01T00:00:00Z') }, 3],
  ] as const)('is %s with %j in a survey of status %i', (expected, link, surveyStatus) => {
    expect(linkStatusOf({ ...open, ...link }, surveyStatus, now)).toBe(expected);
  });
});
