import type { ResponseStatus } from '../../domain/responses/response-row.ts';
import { type InvitationStatus, statusesBefore } from '../../domain/invitations/invitation-status.ts';
import { dayZoneOf } from '../../domain/survey/anonymous-times.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { RespondentProfile } from '../../domain/survey/prepared-definition.ts';
import { pickReferencedProfile } from '../../domain/survey/logic/referenced-values.ts';
import { prepareDefinition } from '../../domain/survey/logic/prepare-definition.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { type QualitySettings, qualitySettingsOf } from '../../domain/survey/quality-settings.ts';
import {
  closingTimeOf,
  type Redirects,
  type SurveySettings,
  surveySettingsOf,
  surveyStatusAt,
} from '../../domain/survey/survey-settings.ts';
import { linkLimit, SURVEY_STATUS, waveStatusOf } from '../../domain/survey/status.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SigningKeys } from './signing-keys.ts';
import { coalesceCalls } from '../../lib/concurrency.ts';
import { conflict, gone, notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import { isSlug } from '../../lib/slugs.ts';
import type { OpenLinkRow } from '../../repositories/links.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { OpenResponseRow } from '../../repositories/responses.ts';
import type { Store } from '../../repositories/store.ts';
import type {
  DefinitionSource,
  DraftDefinitionCache,
  PreparedDefinitionCache,
  PreviewTokens,
} from '../surveys/survey-definitions.ts';

/**
 * Responses that have started may still be completed for this long after the survey closes, the wave ends or the link
 * is deleted.
 */
const GRACE_MS = 60 * 60 * 1000;

/** Format of link and preview tokens; others are not looked up. */
const TOKEN = /^[A-Za-z0-9_-]{8,64}$/;

/** The survey link or author's preview through which a respondent answers. */
export interface ResolvedLink {
  surveyId: number;
  /** null: a preview. */
  linkId: number | null;
  linkType: OpenLinkRow['link_type'];
  isPreview: boolean;
  /** The survey accepts no new responses; responses in progress can be finished within the grace period. */
  isClosed: boolean;
  /** The wave of a response that starts now; a started response has its own. */
  waveId: number | null;
  /** Revision of that wave's quotas; 0: it has none. */
  quotaRevision: number;
  /** Maximum number of complete responses through the link. */
  limit: number | null;
  /** Maximum number of complete responses of the survey. */
  surveyLimit: number | null;
  redirects: Redirects;
  /** Signatures of a panel; null: none are checked. `key` null: none is valid. */
  signing: { isRequired: boolean; key: string | null; linkToken: string } | null;
  settings: SurveySettings;
  qualitySettings: QualitySettings;
  /** The link is personal to an invited respondent: only one response may end through it. */
  invitation: { invitationId: number; status: InvitationStatus; hasEnded: boolean } | null;
  /** The respondent; null: the link is shared, or the survey is anonymous. */
  respondent: (RespondentProfile & { respondentId: number }) | null;
  /** The version for responses that start now: a published version, or the draft's revision for a preview. */
  version: number;
}

/** Shared by all requests that asked for the token at the same time. */
interface FoundLink {
  row: OpenLinkRow;
  /** null: no version is published. */
  resolved: ResolvedLink | null;
}

/**
 * Resolves the token of a survey address. A respondent has no organization, so only the token identifies the survey.
 */
export class LinkResolver {
  private readonly linkByToken: (token: string) => Promise<FoundLink | undefined>;
  private readonly preparedDrafts = new WeakMap<SurveyDefinition, PreparedDefinition>();

  constructor(
    private readonly store: Store,
    private readonly definitions: PreparedDefinitionCache,
    private readonly drafts: DraftDefinitionCache,
    private readonly previews: PreviewTokens,
    private readonly signingKeys: SigningKeys,
    private readonly clock: Clock,
  ) {
    this.linkByToken = coalesceCalls(async (tokens) => {
      const rows = await store.detached(() => store.read.links.findOpenByTokens(tokens, this.readTimes()));
      return new Map([...rows].map(([token, row]) => [token, { row, resolved: this.toResolvedLink(row) }]));
    });
  }

  /** Returns the token that the last part of a survey's address stands for: itself, or that of the link with this slug. null: neither. */
  async findTokenOf(address: string): Promise<string | null> {
    const slug = address.toLowerCase();
    // Tokens have capital letters and no hyphens, but for a few.
    const canBeSlug = (slug === address || address.includes('-')) && isSlug(slug);
    if (!canBeSlug) return TOKEN.test(address) ? address : null;
    // The token of another link can be chosen as a slug, and must not lead elsewhere.
    if (this.previews.verify(address) !== null || (await this.linkByToken(address)) !== undefined)
      return address;
    return this.store.read.links.findTokenBySlug(slug);
  }

  /** Resolves a token for starting a response. Throws 404, 409 or 410 if the link is not open. */
  async resolveForStart(token: string): Promise<ResolvedLink> {
    const preview = await this.resolvePreview(token);
    if (preview !== null) return preview;
    const { row: link, resolved } = await this.findLink(token);
    if (link.deleted_at !== null) throw linkDeleted();
    if (link.link_state === 'paused') throw conflict('link_paused', 'This link is paused');
    if (link.expires_at !== null && link.expires_at <= this.clock.now())
      throw gone('link_expired', 'This link has expired');
    if (surveyStatusAt(link.survey_status, link.survey_settings, this.clock.now()) !== SURVEY_STATUS.active)
      throw surveyClosed();
    requireOpenWave(link, this.clock.now());
    return resolved;
  }

  /**
   * Resolves a token for resuming a response: pausing and expiry do not apply, and closing only after the grace
   * period.
   */
  async resolveForResume(token: string): Promise<ResolvedLink> {
    const preview = await this.resolvePreview(token);
    if (preview !== null) return preview;
    const { row: link, resolved } = await this.findLink(token);
    if (this.isGraceOver(link.deleted_at)) throw linkDeleted();
    if (link.survey_status !== SURVEY_STATUS.active && this.isGraceOver(link.closed_at)) throw surveyClosed();
    if (this.isGraceOver(closingTimeOf(link.survey_settings))) throw surveyClosed();
    const status = surveyStatusAt(link.survey_status, link.survey_settings, this.clock.now());
    return { ...resolved, isClosed: status !== SURVEY_STATUS.active || link.deleted_at !== null };
  }

  /**
   * Throws 409 if the wave of a partial response ended longer ago than the grace period, even if another wave is
   * open.
   */
  requireWaveWithinGrace({ wave_end_date: end }: Pick<OpenResponseRow, 'wave_end_date'>): void {
    if (this.isGraceOver(end)) throw waveEnded();
  }

  /**
   * Returns the definition of a version; a preview always shows the current draft. `from`: the repositories of an
   * open transaction.
   */
  async loadDefinition(
    resolved: ResolvedLink,
    version = resolved.version,
    from?: DefinitionSource,
  ): Promise<PreparedDefinition> {
    if (!resolved.isPreview) return this.definitions.loadPublished(resolved.surveyId, version, from);
    const definition = await this.drafts.loadAt(resolved.surveyId, resolved.version, from);
    const prepared = this.preparedDrafts.get(definition) ?? prepareDefinition(definition);
    this.preparedDrafts.set(definition, prepared);
    return prepared;
  }

  /** Returns what to show at a closed link: the survey's texts and, for a scheduled wave, the opening time. */
  async describeClosedLink(token: string): Promise<{ settings: SurveySettings; opensAt: Date | null }> {
    const row = (await this.linkByToken(token))?.row;
    const start = row?.wave_start_date ?? null;
    return {
      settings: surveySettingsOf(row?.survey_settings ?? {}),
      opensAt: start !== null && start > this.clock.now() ? start : null,
    };
  }

  private isGraceOver(since: Date | null): boolean {
    return since !== null && since < this.readTimes().recently;
  }

  private readTimes(): { now: Date; recently: Date } {
    const now = this.clock.now();
    return { now, recently: new Date(now.getTime() - GRACE_MS) };
  }

  private async findLink(token: string): Promise<{ row: OpenLinkRow; resolved: ResolvedLink }> {
    const found = await this.linkByToken(token);
    if (found === undefined || found.resolved === null) throw notFound('survey link');
    return { row: found.row, resolved: found.resolved };
  }

  private async resolvePreview(token: string): Promise<ResolvedLink | null> {
    const read = this.previews.verify(token);
    if (read === null) return null;
    const survey = await this.store.read.surveys.findState(read.surveyId);
    if (survey === null) throw notFound('survey link');
    if (read.expired) throw gone('link_expired', 'This preview has expired; make a new one');
    return {
      surveyId: survey.survey_id,
      linkId: null,
      linkType: 'open',
      isPreview: true,
      isClosed: false,
      waveId: null,
      quotaRevision: 0,
      limit: null,
      surveyLimit: null,
      redirects: {},
      signing: null,
      invitation: null,
      respondent: null,
      settings: surveySettingsOf((await this.store.read.surveys.findShownSettings(read.surveyId)) ?? {}),
      qualitySettings: qualitySettingsOf(survey.quality_settings),
      version: survey.revision,
    };
  }

  /** Returns null if no version is published. */
  private toResolvedLink(link: OpenLinkRow): ResolvedLink | null {
    if (link.published_version === null) return null;
    const settings = surveySettingsOf(link.survey_settings);
    return {
      surveyId: link.survey_id,
      linkId: link.link_id,
      linkType: link.link_type,
      isPreview: false,
      isClosed: false,
      waveId: link.wave_id,
      quotaRevision: link.quota_revision,
      // A unique link takes one complete response itself; invited respondents have personal links.
      limit:
        link.invitation !== null && link.link_type === 'unique'
          ? null
          : linkLimit(link.link_type, link.link_quota),
      surveyLimit: settings.response_limit,
      redirects: link.redirects,
      signing: this.signingOf(link),
      invitation: link.invitation && {
        invitationId: link.invitation.invitation_id,
        status: link.invitation.invitation_status,
        hasEnded: link.invitation.has_ended,
      },
      respondent: settings.anonymous ? null : respondentOf(link),
      settings,
      qualitySettings: qualitySettingsOf(link.quality_settings),
      version: link.published_version,
    };
  }

  private signingOf(link: OpenLinkRow): ResolvedLink['signing'] {
    const { requires_signature: isRequired, signing_key: encrypted } = link;
    if (encrypted === null && !isRequired) return null;
    return { isRequired, key: this.signingKeys.decrypt(link.link_id, encrypted), linkToken: link.link_token };
  }
}

/** A link that belongs to an invitation is shown as a unique link. */
export const publicLinkType = ({ linkType, invitation }: ResolvedLink): ResolvedLink['linkType'] =>
  invitation === null ? linkType : 'unique';

/** Returns the respondent facts that the definition refers to; others are not sent to the browser. */
export const respondentFactsFor = (
  { respondent, settings }: ResolvedLink,
  definition: SurveyDefinition,
): RespondentProfile | null =>
  respondent && pickReferencedProfile(respondent, [definition.pages, settings.translations, definition.name]);

const linkDeleted = () => gone('link_deleted', 'This link is no longer in use');
export const alreadyAnswered = () =>
  conflict('already_answered', 'This invitation has been answered; it is for one response');
const surveyClosed = () => conflict('survey_closed', 'This survey is closed');
const waveEnded = () =>
  conflict('wave_ended', 'The wave of this survey has ended, and no longer takes responses');

function requireOpenWave(link: OpenLinkRow, now: Date): void {
  if (link.wave_id === null) return;
  const status = waveStatusOf({ start: link.wave_start_date, end: link.wave_end_date }, now);
  if (status === 'ended') throw waveEnded();
  if (status !== 'scheduled') return;
  const opensAt = requireValue(link.wave_start_date, 'start of a scheduled wave');
  throw conflict(
    'wave_not_open',
    `This survey is not open yet: it opens on ${formatOpeningTime(opensAt, surveySettingsOf(link.survey_settings).timezone)}`,
  );
}

/** `3 March 2026 at 09:00 (Europe/Berlin)`. */
function formatOpeningTime(date: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
  return `${format.format(date)} (${timeZone})`;
}

function respondentOf({ invitation }: OpenLinkRow): ResolvedLink['respondent'] {
  const person = invitation?.respondent ?? null;
  if (person === null) return null;
  const { respondent_id: respondentId, respondent_name: name, attributes } = person;
  return { respondentId, name, attributes };
}

/** The invitation through whose link a response came. */
export interface InvitationRef {
  invitationId: number;
  /** The time zone of an anonymous survey; null: the survey is not anonymous. */
  dayZone: string | null;
}

export const invitationOf = ({ invitation, settings }: ResolvedLink): InvitationRef | null =>
  invitation && {
    invitationId: invitation.invitationId,
    dayZone: dayZoneOf(settings),
  };

/** Whether the link of a response would reveal who answered an anonymous survey: it belongs to one person. */
export const hidesLink = ({ invitation, linkType, settings }: ResolvedLink): boolean =>
  settings.anonymous && (invitation !== null || linkType === 'unique');

/**
 * Records the progress of an invitation, in the transaction that writes its response. An anonymous survey records
 * only that the invitation was answered and on which day: its status stays the same, and no reminder is sent.
 */
export async function recordInvitationStatus(
  { invitations }: Repositories,
  { invitationId, dayZone }: InvitationRef,
  status: ResponseStatus,
): Promise<void> {
  const hasEnded = status !== 'partial';
  if (dayZone !== null) {
    if (hasEnded) await invitations.recordAnonymousAnswer(invitationId, dayZone);
    return;
  }
  const step = status === 'complete' ? 'completed' : 'started';
  await invitations.recordInvitationStatus([invitationId], step, { hasEnded });
}

/** Records that the respondent opened the survey, once. */
export async function recordInvitationOpened(
  store: Store,
  { invitation, settings }: ResolvedLink,
): Promise<void> {
  if (invitation === null || settings.anonymous) return;
  if (!statusesBefore('opened').includes(invitation.status)) return;
  await store.read.invitations.recordInvitationStatus([invitation.invitationId], 'opened', {
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
