import { expandPageTranslations } from '../../domain/survey/loops.ts';
import { respondentDefinition, type SurveyDefinition } from '../../domain/survey/definition.ts';
import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import type { PreparedDefinition, RespondentProfile } from '../../domain/survey/prepared-definition.ts';
import {
  respondentTitle,
  type SurveySettings,
  surveySettingsOf,
} from '../../domain/survey/survey-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isValidSignature, signText } from '../../lib/secrets.ts';
import type { Store } from '../../repositories/store.ts';
import { collectsFingerprint } from './collection-quality.ts';
import {
  type LinkResolver,
  publicLinkType,
  recordInvitationOpened,
  type ResolvedLink,
  respondentFactsFor,
} from './link-resolver.ts';
import type { LinkReservations } from './link-reservations.ts';
import { type EntryClaim, entryRefused, type PanelEntries } from './panel-entries.ts';
import type { PreviousAnswers } from './previous-answers.ts';

type ClosedReason =
  | 'not_found'
  | 'closed'
  | 'paused'
  | 'full'
  | 'expired'
  | 'wave_not_open'
  | 'wave_ended'
  | 'already_answered'
  | SignatureReason;

/** The panel did not sign the entry, or not as it has to. */
type SignatureReason = 'signature_missing' | 'signature_invalid' | 'signature_expired' | 'signature_used';

/** The page at a respondent's address. */
export type RespondentPage =
  | {
      definition: SurveyDefinition;
      linkToken: string;
      linkType: ResolvedLink['linkType'];
      isPreview: boolean;
      /** The opening time, signed by OpenedAtTokens. */
      opened: string;
      /** The survey checks for several responses from one device. */
      collectsDeviceId: boolean;
      settings: SurveySettings;
      /** The facts about the invited respondent that the survey refers to. */
      respondent: RespondentProfile | null;
      /** Earlier answers of the respondent to which the survey refers. */
      previous: StoredAnswers;
      /** Started responses may continue, but no new one can start, for this reason. null: the link is open. */
      closedReason: ClosedReason | null;
    }
  | {
      definition: null;
      settings: SurveySettings;
      closedReason: ClosedReason;
      /** For the reason `wave_not_open`: the opening time. */
      opensAt: Date | null;
    };

const WITHOUT_CONTENT = { version: 0, name: '', description: null, pages: [] };

const REASONS = new Map<string, ClosedReason>([
  ['link_paused', 'paused'],
  ['link_expired', 'expired'],
  ['link_deleted', 'expired'],
  ['survey_closed', 'closed'],
  ['wave_not_open', 'wave_not_open'],
  ['wave_ended', 'wave_ended'],
  ['quota_full', 'full'],
  ['already_answered', 'already_answered'],
  ['not_found', 'not_found'],
  ['signature_missing', 'signature_missing'],
  ['signature_invalid', 'signature_invalid'],
  ['signature_expired', 'signature_expired'],
  ['signature_used', 'signature_used'],
]);

function closedReasonOf(error: unknown): ClosedReason {
  const reason = error instanceof AppError ? REASONS.get(error.code) : undefined;
  if (reason === undefined) throw error;
  return reason;
}

/** Resolves addresses that are opened in a browser; errors become pages too. */
export class RespondentPageService {
  constructor(
    private readonly store: Store,
    private readonly linkResolver: LinkResolver,
    private readonly linkReservations: LinkReservations,
    private readonly openedAtTokens: OpenedAtTokens,
    private readonly panelEntries: PanelEntries,
    private readonly previousAnswers: PreviousAnswers,
    private readonly clock: Clock,
  ) {}

  /** `address`: the token of a link or preview, or the slug of a link. */
  async open(address: string, claim: EntryClaim): Promise<RespondentPage> {
    const token = await this.linkResolver.findTokenOf(address);
    if (token === null) {
      return { definition: null, closedReason: 'not_found', settings: surveySettingsOf({}), opensAt: null };
    }
    let closedReason: ClosedReason | null;
    let refusal: ClosedReason | null = null;
    let link: ResolvedLink;
    try {
      link = await this.linkResolver.resolveForStart(token);
      closedReason =
        link.invitation?.hasEnded === true ? 'already_answered' : await this.findFullReason(link);
      if (closedReason === null) await recordInvitationOpened(this.store, link);
      if (closedReason === null) refusal = await this.findEntryRefusal(link, claim);
    } catch (error) {
      closedReason = closedReasonOf(error);
      // No response has started yet, so the questions are not revealed.
      if (closedReason === 'wave_not_open')
        return {
          definition: null,
          closedReason,
          ...(await this.linkResolver.describeClosedLink(token)),
        };
      try {
        link = await this.linkResolver.resolveForResume(token);
      } catch (resumeError) {
        return {
          definition: null,
          closedReason: closedReasonOf(resumeError),
          ...(await this.linkResolver.describeClosedLink(token)),
        };
      }
    }
    const prepared = await this.linkResolver.loadDefinition(link);
    const { definition: published } = prepared;
    const { isPreview } = link;
    const settings = {
      ...link.settings,
      translations: expandPageTranslations(link.settings.translations, published),
    };
    const definition = { ...published, name: respondentTitle(published.name, settings) };
    return {
      // Questions are not revealed to a refused visitor. A browser that has started a response fetches the survey with its token.
      definition: refusal === null ? respondentDefinition(definition) : { ...definition, ...WITHOUT_CONTENT },
      linkToken: token,
      linkType: publicLinkType(link),
      isPreview,
      opened: this.openedAtTokens.create(link.surveyId, link.signing === null ? null : claim.signature),
      collectsDeviceId: collectsFingerprint(link),
      settings,
      respondent: respondentFactsFor(link, definition),
      previous:
        closedReason === null && refusal === null ? await this.findPrevious(link, prepared, claim) : {},
      closedReason: refusal ?? closedReason,
    };
  }

  private async findPrevious(
    link: ResolvedLink,
    prepared: PreparedDefinition,
    claim: EntryClaim,
  ): Promise<StoredAnswers> {
    const { mismatch, signature } = await this.panelEntries.verify(link, claim, null);
    const { answers } = await this.previousAnswers.find(link, prepared, {
      panelMember: mismatch === null && signature !== null ? claim.externalId : null,
      before: this.clock.now(),
    });
    return answers;
  }

  private async findEntryRefusal(link: ResolvedLink, claim: EntryClaim): Promise<ClosedReason | null> {
    const { mismatch } = await this.panelEntries.verify(link, claim, null);
    if (mismatch === null) return null;
    // A page with a used signature is mostly that of the respondent who used it; starting another response is recorded.
    if (mismatch !== 'used') await this.panelEntries.recordEntryMismatch(link, mismatch, claim.externalId);
    return link.signing?.isRequired === true ? closedReasonOf(entryRefused(mismatch)) : null;
  }

  /** A survey that has all its responses is closed; a full link may be one of several. */
  private async findFullReason(link: ResolvedLink): Promise<ClosedReason | null> {
    const full = await this.linkReservations.findFullLimit(this.store.read, link);
    return full === null ? null : full === 'survey' ? 'closed' : 'full';
  }
}

const PURPOSE = 'survey-opened';
const TOKEN_PATTERN = /^(\d{12,14})-([A-Za-z0-9_-]{22})$/;
const openingText = (surveyId: number, ms: number | string, signature: string | null): string =>
  `${surveyId} ${ms}${signature === null ? '' : ` ${signature.toLowerCase()}`}`;

/** An older page says nothing about how long answering took. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Signed times at which a survey was opened. A response is stored with the first request, but its duration starts
 * when the survey is opened. Nothing is stored.
 */
export class OpenedAtTokens {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  /** `signature`: the signature of a panel with which it was opened. */
  create(surveyId: number, signature: string | null = null): string {
    const ms = this.clock.now().getTime();
    return `${ms}-${signText(this.secret, PURPOSE, openingText(surveyId, ms, signature))}`;
  }

  /** Returns the time, at most a day ago; null if the token is invalid, or of another survey or signature of a panel. */
  verify(surveyId: number, opened: string | null, signature: string | null = null): Date | null {
    const [, ms, ownSignature] = TOKEN_PATTERN.exec(opened ?? '') ?? [];
    if (
      ms === undefined ||
      !isValidSignature(ownSignature ?? '', {
        secret: this.secret,
        purpose: PURPOSE,
        text: openingText(surveyId, ms, signature),
      })
    )
      return null;
    const nowMs = this.clock.now().getTime();
    return new Date(Math.min(nowMs, Math.max(Number(ms), nowMs - MAX_AGE_MS)));
  }
}
