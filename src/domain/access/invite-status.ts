/** The status of an invite link that was not revoked; only an active link admits new members. */
export const INVITE_STATUSES = ['active', 'used_up', 'expired'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

/** Returns the status at a given time. An expired link is `expired`, even if it is also used up. */
export function inviteStatusAt(
  link: { invite_max_uses: number | null; invite_uses: number; expires_at: Date | null },
  now: Date,
): InviteStatus {
  if (link.expires_at !== null && link.expires_at <= now) return 'expired';
  if (link.invite_max_uses !== null && link.invite_uses >= link.invite_max_uses) return 'used_up';
  return 'active';
}
