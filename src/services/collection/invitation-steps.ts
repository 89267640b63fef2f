import type { ResponseStatus } from '../../domain/dataset/response-row.ts';
import { statusesBefore } from '../../domain/invitations/invitation-status.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { Entrance } from './entrances.ts';

/** Whose address a response came through. */
export interface Invited {
  invitationId: number;
  isAnonymous: boolean;
}

export const invitedBy = ({ invitation, settings }: Entrance): Invited | null =>
  invitation && { invitationId: invitation.invitationId, isAnonymous: settings.anonymous };

/**
 * A response of somebody invited was written, in the transaction that writes it. Of an anonymous survey nobody learns more than that it
 * was answered, so that nobody is reminded who did: not when, and not whether they began or were screened out.
 */
export async function noteStep(
  { invitationSteps }: Repositories,
  { invitationId, isAnonymous }: Invited,
  status: ResponseStatus,
): Promise<void> {
  const hasEnded = status !== 'partial';
  if (isAnonymous && !hasEnded) return;
  const step = status === 'complete' || isAnonymous ? 'completed' : 'started';
  await invitationSteps.recordInvitationStatus([invitationId], step, { isTimed: !isAnonymous, hasEnded });
}

/** The survey was looked at. Written once. */
export async function noteOpened(store: Store, { invitation, settings }: Entrance): Promise<void> {
  if (invitation === null || settings.anonymous) return;
  if (!statusesBefore('opened').includes(invitation.status)) return;
  await store.read.invitationSteps.recordInvitationStatus([invitation.invitationId], 'opened', {
    isTimed: true,
    hasEnded: false,
  });
}

/** Holds the invitation until the transaction ends; true: a response of it has come to its end already. */
export async function lockInvitation(
  { invitationSteps }: Repositories,
  { invitation }: Entrance,
): Promise<boolean> {
  if (invitation === null) return false;
  return (await invitationSteps.lockEnded([invitation.invitationId])).has(invitation.invitationId);
}
