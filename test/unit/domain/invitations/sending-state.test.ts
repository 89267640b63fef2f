import { expect, it } from 'vitest';
import {
  type CampaignTarget,
  evaluateSendingState,
  retryAfterSeconds,
} from '../../../../src/domain/invitations/invitation-status.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const [BEFORE, AFTER] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)];
const OPEN: CampaignTarget = {
  surveyStatus: 2,
  linkState: 'active',
  isLinkDeleted: false,
  expiresAt: null,
  waveStart: null,
  waveEnd: null,
};

it.each<[string, Partial<CampaignTarget>]>([
  ['open', {}],
  ['open', { expiresAt: AFTER, waveStart: NOW, waveEnd: AFTER }],
  ['survey_not_published', { surveyStatus: 1 }],
  ['survey_closed', { surveyStatus: 3 }],
  ['survey_closed', { surveyStatus: 0 }],
  ['link_deleted', { isLinkDeleted: true }],
  ['link_expired', { expiresAt: NOW }],
  ['wave_ended', { waveEnd: NOW }],
  ['wave_ended', { waveEnd: BEFORE, linkState: 'paused' }],
  ['wave_not_open', { waveStart: AFTER }],
  ['link_paused', { linkState: 'paused' }],
])('returns the sending state %s for %j', (expected, way) => {
  const door = evaluateSendingState({ ...OPEN, ...way }, NOW);
  expect('code' in door ? door.code : door.state).toBe(expected);
});

it('waits only for states that can open again', () => {
  expect(evaluateSendingState({ ...OPEN, linkState: 'paused' }, NOW).state).toBe('waiting');
  expect(evaluateSendingState({ ...OPEN, waveStart: AFTER }, NOW).state).toBe('waiting');
  expect(evaluateSendingState({ ...OPEN, surveyStatus: 3 }, NOW).state).toBe('closed');
});

it('increases the delay of a deferred email with each attempt, up to a limit', () => {
  const waits = Array.from({ length: 7 }, (_, attempts) => retryAfterSeconds(attempts));
  expect(waits).toEqual([60, 300, 1_800, 7_200, 21_600, null, null]);
});
