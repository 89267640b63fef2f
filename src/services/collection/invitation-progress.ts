import type { ResponseStatus } from '../../domain/dataset/response-row.ts';
import { statusesBefore } from '../../domain/invitations/invitation-status.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { ResolvedLink } from './link-resolver.ts';

/** Whose address a response came through. */
export interface InvitationRef {
  invitationId: number;
  isAnonymous: boolean;
}

export const invitationOf = ({ invitation, settings }: ResolvedLink): InvitationRef | null =>
  invitation && { invitationId: invitation.invitationId, isAnonymous: settings.anonymous };

/**
 * A response of somebody invited was written, in the transaction that writes it. Of an anonymous survey nobody learns more than that it
 * was answered, so that nobody is reminded who did: not when, and not whether they began or were screened out.
 */
export async function recordInvitationStatus(
  { invitationProgress }: Repositories,
  { invitationId, isAnonymous }: InvitationRef,
  status: ResponseStatus,
): Promise<void> {
  const hasEnded = status !== 'partial';
  if (isAnonymous && !hasEnded) return;
  const step = status === 'complete' || isAnonymous ? 'completed' : 'started';
  await invitationProgress.recordInvitationStatus([invitationId], step, { isTimed: !isAnonymous, hasEnded });
}

/** The survey was looked at. Written once. */
export async function recordInvitationOpened(
  store: Store,
  { invitation, settings }: ResolvedLink,
): Promise<void> {
  if (invitation === null || settings.anonymous) return;
  if (!statusesBefore('opened').includes(invitation.status)) return;
  await store.read.invitationProgress.recordInvitationStatus([invitation.invitationId], 'opened', {
    isTimed: true,
    hasEnded: false,
  });
}

/** Holds the invitation until the transaction ends; true: a response of it has come to its end already. */
export async function lockInvitation(
  { invitationProgress }: Repositories,
  { invitation }: ResolvedLink,
): Promise<boolean> {
  if (invitation === null) return false;
  return (await invitationProgress.lockEnded([invitation.invitationId])).has(invitation.invitationId);
}
