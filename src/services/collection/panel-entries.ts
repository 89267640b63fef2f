import type { EntryMismatch, PanelMismatch } from '../../domain/survey/panel-checks.ts';
import type { Clock } from '../../lib/clock.ts';
import { type AppError, forbidden, gone } from '../../lib/errors.ts';
import {
  isSameSignature,
  SIGNATURE_CLOCK_SKEW_SECONDS,
  SIGNATURE_MAX_AGE_SECONDS,
  signPanelEntry,
  signPanelExit,
} from '../../lib/panel-signature.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { ResolvedLink } from './link-resolver.ts';

/** What the address of a link tells of the panel member. */
export interface EntryClaim {
  externalId: string | null;
  /** Seconds since 1970, as the panel wrote them. */
  signedAt: string | null;
  signature: string | null;
}

export interface VerifiedEntry {
  mismatch: EntryMismatch | null;
  /** The signature in lower case, if it is that of the panel; it can have been used before. */
  signature: string | null;
}

const NOT_CHECKED: VerifiedEntry = { mismatch: null, signature: null };
const SIGNED_AT = /^\d{1,12}$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a mismatch is listed; its count remains. */
const LISTED_DAYS = 30;

/** Signed entries of panel members, and entries and exits that do not match. Links without a key and without the setting cost nothing. */
export class PanelEntries {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** `openedAt`: when the page was opened with this signature, if that is proved; the age of the signature counts until then. */
  async verify(link: ResolvedLink, claim: EntryClaim, openedAt: Date | null): Promise<VerifiedEntry> {
    if (link.signing === null) return NOT_CHECKED;
    const { externalId, signedAt, signature } = claim;
    const { key, linkToken } = link.signing;
    if (externalId === null || signedAt === null || signature === null)
      return { mismatch: 'missing', signature: null };
    if (key === null) return { mismatch: 'no_key', signature: null };
    const expected = signPanelEntry(key, { linkToken, externalId, signedAt });
    if (!SIGNED_AT.test(signedAt) || !isSameSignature(expected, signature))
      return { mismatch: 'invalid', signature: null };
    if (await this.store.read.linkSignatures.isUsed(keyOf(link), expected))
      return { mismatch: 'used', signature: expected };
    const ageSeconds = ((openedAt ?? this.clock.now()).getTime() - Number(signedAt) * 1000) / 1000;
    const isCurrent = ageSeconds <= SIGNATURE_MAX_AGE_SECONDS && ageSeconds >= -SIGNATURE_CLOCK_SKEW_SECONDS;
    return { mismatch: isCurrent ? null : 'expired', signature: expected };
  }

  async recordEntryMismatch(
    link: ResolvedLink,
    reason: EntryMismatch,
    externalId: string | null,
  ): Promise<void> {
    const mismatch = { direction: 'entry', reason, externalId, responseId: null } as const;
    await this.store.transaction((repositories) => this.record(repositories, link, mismatch));
  }

  /** Compares the end of a response with its entry, in the transaction that ends it or after it. */
  async checkExit(
    repositories: Repositories,
    link: ResolvedLink,
    { responseId, externalId }: { responseId: number; externalId: string | null },
  ): Promise<void> {
    if (link.signing === null) return;
    const { surveyId } = link;
    if (!(await repositories.linkSignatures.hasEntry(surveyId, responseId)))
      await this.record(repositories, link, {
        direction: 'exit',
        reason: 'without_entry',
        externalId,
        responseId,
      });
    if (externalId === null) return;
    const others = await repositories.responseQuality.countWithKey(
      { surveyId, duplicateKey: 'external_id', value: externalId },
      { ended: true, exceptResponseId: responseId },
    );
    if (others > 0)
      await this.record(repositories, link, {
        direction: 'exit',
        reason: 'repeated',
        externalId,
        responseId,
      });
  }

  /** Deletes mismatches from the lists when they are old. */
  async deleteOldMismatches(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LISTED_DAYS * DAY_MS);
    await this.store.read.linkSignatures.deleteMismatchesBefore(before);
  }

  private async record(
    { linkSignatures }: Repositories,
    link: ResolvedLink,
    mismatch: PanelMismatch & { externalId: string | null; responseId: number | null },
  ): Promise<void> {
    const now = this.clock.now();
    const occurredAt = link.settings.anonymous ? new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS) : now;
    await linkSignatures.recordMismatch(keyOf(link), { ...mismatch, occurredAt });
  }
}

const keyOf = ({ surveyId, linkId }: ResolvedLink) => ({
  surveyId,
  linkId: requireValue(linkId, 'link of a panel'),
});

/** Returns the error of a refused entry. */
export function entryRefused(reason: EntryMismatch): AppError {
  switch (reason) {
    case 'missing':
      return forbidden(
        'This link requires external_id, signed_at and signature, which the panel adds to it',
        'signature_missing',
      );
    case 'invalid':
    case 'no_key':
      return forbidden(
        'The signature does not match the link, the external_id and signed_at; open the survey from the panel again',
        'signature_invalid',
      );
    case 'expired':
      return gone(
        'signature_expired',
        `The signature is older than ${SIGNATURE_MAX_AGE_SECONDS / 60} minutes, or its time is in the future; open the survey from the panel again`,
      );
    case 'used':
      return gone('signature_used', 'The signature has started a response; each works once');
  }
}

/** Returns the function that signs the exit of a response. Without a key, signatures are empty. `now`: the time of the signature. */
export function exitSignerOf({ signing }: ResolvedLink, now: Date) {
  const signedAt = Math.floor(now.getTime() / 1000);
  const key = signing?.key ?? null;
  return (exit: { externalId: string; status: string }) => ({
    signedAt,
    signature:
      key === null || signing === null
        ? ''
        : signPanelExit(key, { ...exit, linkToken: signing.linkToken, signedAt }),
  });
}
