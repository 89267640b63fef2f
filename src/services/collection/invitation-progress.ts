import type { ResponseStatus } from '../../domain/dataset/response-row.ts';
import { statusesBefore } from '../../domain/invitations/invitation-status.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { ResolvedLink } from './link-resolver.ts';

/** The invitation through whose link a response came. */
export interface InvitationRef {
  invitationId: number;
  isAnonymous: boolean;
}

export const invitationOf = ({ invitation, settings }: ResolvedLink): InvitationRef | null =>
  invitation && { invitationId: invitation.invitationId, isAnonymous: settings.anonymous };

/**
 * Records the progress of an invitation, in the transaction that writes its response. An anonymous survey records
 * only that the invitation was answered, so that no reminder is sent: neither the time nor whether the respondent
 * started or was screened out.
 */
export async function recordInvitationStatus(
  { invitations }: Repositories,
  { invitationId, isAnonymous }: InvitationRef,
  status: ResponseStatus,
): Promise<void> {
  const hasEnded = status !== 'partial';
  if (isAnonymous && !hasEnded) return;
  const step = status === 'complete' || isAnonymous ? 'completed' : 'started';
  await invitations.recordInvitationStatus([invitationId], step, { isTimed: !isAnonymous, hasEnded });
}

/** Records that the respondent opened the survey, once. */
export async function recordInvitationOpened(
  store: Store,
  { invitation, settings }: ResolvedLink,
): Promise<void> {
  if (invitation === null || settings.anonymous) return;
  if (!statusesBefore('opened').includes(invitation.status)) return;
  await store.read.invitations.recordInvitationStatus([invitation.invitationId], 'opened', {
    isTimed: true,
    hasEnded: false,
  });
}

/** Locks the invitation until the transaction ends. Returns whether one of its responses has ended. */
export async function lockInvitation(
  { invitations }: Repositories,
  { invitation }: ResolvedLink,
): Promise<boolean> {
  if (invitation === null) return false;
  return (await invitations.lockEnded([invitation.invitationId])).has(invitation.invitationId);
}
