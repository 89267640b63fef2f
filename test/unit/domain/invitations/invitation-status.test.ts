import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  nextInvitationStatus,
  INVITATION_STATUSES,
  type InvitationStatus,
  responseRate,
  statusesBefore,
} from '../../../../src/domain/invitations/invitation-status.ts';

const WAY = ['queued', 'kept', 'sent', 'opened', 'started', 'completed'];
const happening = fc.constantFrom(...INVITATION_STATUSES);

describe('the status of an invitation', () => {
  it('only moves forward for events in any order, and never leaves a final state', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 20 }), (events) => {
        let status: InvitationStatus = 'queued';
        for (const event of events) {
          const next = nextInvitationStatus(status, event);
          if (next === status) continue;
          expect(next).toBe(event);
          expect(WAY).toContain(status);
          expect(status).not.toBe('completed');
          if (WAY.includes(next)) expect(WAY.indexOf(next)).toBeGreaterThan(WAY.indexOf(status));
          status = next;
        }
      }),
    );
  });

  it('ends at the furthest step without errors, for steps in any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(WAY as InvitationStatus[], { minLength: 1 }), (steps) => {
        const last = steps.reduce<InvitationStatus>(nextInvitationStatus, 'queued');
        expect(WAY.indexOf(last)).toBe(Math.max(...steps.map((step) => WAY.indexOf(step))));
      }),
    );
  });

  it('has no cycles: a status never follows itself', () => {
    const comesBefore = (one: InvitationStatus, other: InvitationStatus, seen = new Set<string>()): boolean =>
      statusesBefore(other).some(
        (earlier) => earlier === one || (!seen.has(earlier) && comesBefore(one, earlier, seen.add(earlier))),
      );
    for (const status of INVITATION_STATUSES) expect(comesBefore(status, status)).toBe(false);
  });

  it.each([
    ['completed', 'bounced'],
    ['started', 'bounced'],
    ['sent', 'failed'],
    ['sent', 'kept'],
    ['sent', 'suppressed'],
    ['bounced', 'completed'],
    ['opted_out', 'started'],
  ] as const)('remains %s after a late %s', (status, late) => {
    expect(nextInvitationStatus(status, late)).toBe(status);
  });

  it('counts completes as a share of delivered invitations', () => {
    const none = Object.fromEntries(INVITATION_STATUSES.map((status) => [status, 0])) as Record<
      InvitationStatus,
      number
    >;
    expect(responseRate(none)).toBeNull();
    expect(responseRate({ ...none, queued: 5, suppressed: 3 })).toBeNull();
    expect(responseRate({ ...none, kept: 3, completed: 1 })).toBe(25);
    expect(responseRate({ ...none, sent: 1, opened: 1, completed: 1, bounced: 7 })).toBe(33.3);
  });
});
