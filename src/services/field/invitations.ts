import type { SurveyScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import {
  evaluateSendingState,
  type InvitationStatus,
  REMINDABLE_STATUSES,
} from '../../domain/invitations/invitation-status.ts';
import { withReleasedAnswers } from '../../domain/invitations/answered-counts.ts';
import {
  messagesFor,
  optionalValue,
  optionalVariables,
  templateProblems,
} from '../../domain/invitations/messages.ts';
import type { InviteeInput } from '../../domain/import/respondent-row.ts';
import { surveySettingsOf, surveyStatusAt } from '../../domain/survey/survey-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { formatCount, unknownObject } from '../../lib/error-messages.ts';
import { conflict, type ErrorDetail, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { getTimeZone } from '../../lib/time-zone.ts';
import { requireItem, requireValue } from '../../lib/require-value.ts';
import type { IdPage } from '../../repositories/list-queries.ts';
import type { NewCampaign, ScheduledCampaignRow, WaitingCampaignRow } from '../../repositories/campaigns.ts';
import type {
  DistributionRow,
  InvitationRow,
  InvitationSearch,
  LinkSummaryRow,
} from '../../repositories/invitations.ts';
import type { LinkRow } from '../../repositories/links.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';
import { lockSurvey } from '../surveys/survey-lock.ts';
import { classifyInvitees, findInvitees, type Invitee, type InviteeRow, readInvitees } from './invitees.ts';
import { enqueueCampaign } from './campaigns.ts';

const TOKEN_CHARACTERS = 20;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How far ahead invitations can be scheduled. */
export const MAX_AHEAD_DAYS = 90;
const ROWS_PER_STATEMENT = 5_000;

/** Creates new respondents and updates changed ones. Sets the respondent of each row. */
async function writePeople({
  repositories: { respondentImports },
  scope,
  invitees,
  now,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  invitees: readonly Invitee[];
  now: Date;
}): Promise<void> {
  const created = invitees.filter((one) => one.writing === 'create');
  for (let start = 0; start < created.length; start += ROWS_PER_STATEMENT) {
    const part = created.slice(start, start + ROWS_PER_STATEMENT);
    const ids = await respondentImports.insertMany(
      scope,
      part.map(({ person }) => person),
      now,
    );
    for (const [index, { row }] of part.entries())
      row.respondentId = requireItem(ids, index, 'new respondent');
  }
  const changed = invitees.filter((one) => one.writing === 'update');
  for (let start = 0; start < changed.length; start += ROWS_PER_STATEMENT) {
    const part = changed.slice(start, start + ROWS_PER_STATEMENT);
    const ids = part.map(respondentIdOf);
    await respondentImports.updateMany({
      inWorkspace: scope,
      respondentIds: ids,
      respondents: part.map(({ person }) => person),
      now,
    });
  }
}

/** The respondent exists: found, or created before. */
const respondentIdOf = ({ row }: Invitee): number =>
  requireValue(row.respondentId, 'respondent of an invitee');

/** Creates the invitations and sets them on the rows. Returns the ids of those that receive an email. */
async function writeInvitations({
  repositories: { invitations },
  ids,
  scope,
  linkId,
  invitees,
}: {
  repositories: Repositories;
  ids: Ids;
  scope: SurveyScope;
  linkId: number;
  invitees: readonly Invitee[];
}): Promise<number[]> {
  const tokens = ids.token(2 * TOKEN_CHARACTERS * invitees.length);
  const tokenAt = (index: number) => tokens.slice(index * TOKEN_CHARACTERS, (index + 1) * TOKEN_CHARACTERS);
  const queued: number[] = [];
  for (let start = 0; start < invitees.length; start += ROWS_PER_STATEMENT) {
    const part = invitees.slice(start, start + ROWS_PER_STATEMENT);
    const respondents = part.map((invitee, index) => ({
      respondentId: respondentIdOf(invitee),
      token: tokenAt(2 * (start + index)),
      optOutToken: tokenAt(2 * (start + index) + 1),
      status: invitee.row.outcome === 'suppressed' ? ('suppressed' as const) : ('queued' as const),
    }));
    const created = await invitations.createMany(scope, linkId, respondents);
    for (const invitee of part) {
      const { row } = invitee;
      row.invitationId = created.get(respondentIdOf(invitee)) ?? null;
      if (row.outcome === 'queued' && row.invitationId !== null) queued.push(row.invitationId);
    }
  }
  return queued;
}

const MAX_DETAILS = 20;

interface Reminder {
  afterDays: number;
  /** undefined: the same as the invitation's. */
  subject?: string | undefined;
  message?: string | undefined;
}

interface InviteRequest {
  linkId: number;
  people: { respondents: readonly InviteeInput[] } | { respondentIds: readonly number[] };
  /** Empty subject or message: the default in the language of each recipient. */
  subject: string;
  message: string;
  reminders: readonly Reminder[];
  /** null: at once. */
  sendAt: Date | null;
  dryRun: boolean;
  requestId: string;
}

export interface InviteResult {
  /** Before variables are replaced; default texts are in the survey's language. */
  texts: { subject: string; message: string };
  campaignId: number | null;
  /** null: nothing to send now, or a dry run. */
  jobId: number | null;
  rows: InviteeRow[];
  notes: string[];
}

interface ResendRequest {
  respondentIds: readonly number[] | null;
  only: 'not_started' | 'partial' | null;
  subject: string | undefined;
  message: string | undefined;
  /** null: at once. */
  sendAt: Date | null;
  dryRun: boolean;
  requestId: string;
}

/** Invitations to surveys by email, and their progress. */
export class InvitationService {
  constructor(
    private readonly store: Store,
    /** How emails are delivered. */
    readonly delivery: 'smtp' | 'outbox',
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Creates respondents and invitations with personal links; a job sends the emails. */
  async invite(scope: SurveyScope, request: InviteRequest): Promise<InviteResult> {
    checkTemplates([
      { at: '', ...request },
      ...request.reminders.map((reminder, index) => ({ at: `reminders[${index}].`, ...reminder })),
    ]);
    this.checkSendingTime(request.sendAt);
    const people =
      'respondents' in request.people ? readInvitees(request.people.respondents) : request.people;
    const invited = await this.store.transactionOrDryRun(
      request.dryRun,
      async (repositories): Promise<InviteResult> => {
        const survey = await lockSurvey(repositories, scope);
        await this.requireOpenForInvitations({ repositories, scope, survey, linkId: request.linkId });
        await repositories.respondentImports.lockWorkspace(scope);
        const { rows, invitees } =
          'respondentIds' in people
            ? await findInvitees({
                repositories,
                scope,
                linkId: request.linkId,
                respondentIds: people.respondentIds,
              })
            : {
                rows: people.rows,
                invitees: await classifyInvitees({
                  repositories,
                  scope,
                  linkId: request.linkId,
                  ...people,
                }),
              };
        const notes = findNotes(request, invitees);
        const { messages } = messagesFor(surveySettingsOf(survey.survey_settings).default_language);
        const texts = {
          subject: request.subject || messages.default_subject,
          message: request.message || messages.default_message,
        };
        await writePeople({ repositories, scope, invitees, now: this.clock.now() });
        const queued = await writeInvitations({
          repositories,
          ids: this.ids,
          scope,
          linkId: request.linkId,
          invitees,
        });
        if (queued.length === 0) return { campaignId: null, jobId: null, texts, rows, notes };
        const { campaignId, jobId } = await this.createCampaign({
          repositories,
          scope,
          campaign: {
            linkId: request.linkId,
            kind: 'invitation',
            subject: request.subject,
            message: request.message,
            requestId: request.requestId,
            sendAt: request.sendAt,
          },
          invitationIds: queued,
        });
        for (const { afterDays, subject, message } of request.reminders) {
          await repositories.campaigns.create({
            ...ownerOf(scope),
            linkId: request.linkId,
            kind: 'reminder',
            reminderOf: { campaignId, afterDays },
            subject: subject ?? request.subject,
            message: message ?? request.message,
            requestId: request.requestId,
            // Reminders count their days from the invitation.
            sendAt: null,
          });
        }
        await recordInvitationAudit({
          repositories,
          by: scope,
          action: 'invited',
          details: {
            count: queued.length,
            reminders: request.reminders.length,
            ...(request.sendAt !== null && { send_at: request.sendAt.toISOString() }),
          },
        });
        return { campaignId, jobId, texts, rows, notes };
      },
    );
    return request.dryRun
      ? { ...invited, campaignId: null, jobId: null, rows: invited.rows.map(withoutNewIds) }
      : invited;
  }

  /** Sends the latest or a new email to respondents who have not completed the survey. */
  async resend(
    scope: SurveyScope,
    linkId: number,
    request: ResendRequest,
  ): Promise<{ queued: number; campaignId: number | null; jobId: number | null }> {
    const { only, respondentIds } = request;
    checkTemplates([{ at: '', subject: request.subject, message: request.message }]);
    this.checkSendingTime(request.sendAt);
    const sent = await this.store.transactionOrDryRun(request.dryRun, async (repositories) => {
      const survey = await lockSurvey(repositories, scope);
      if ((await repositories.links.find(scope, linkId, this.clock.now())) === null) throw notFound('link');
      await this.requireOpenForInvitations({ repositories, scope, survey, linkId });
      const latest = await repositories.campaigns.findLatest(scope.surveyId, linkId);
      if (latest === null)
        throw conflict('nobody_invited', 'No one has been invited through this link yet; use POST …/invite');
      if (respondentIds !== null) await requireInvited(repositories, linkId, respondentIds);
      const statuses: readonly InvitationStatus[] =
        only === 'partial'
          ? ['started']
          : only === 'not_started'
            ? ['kept', 'sent', 'opened']
            : REMINDABLE_STATUSES;
      const chosen = await repositories.invitations.listUnanswered({
        inSurvey: scope,
        linkId,
        statuses,
        respondentIds,
      });
      if (chosen.length === 0) return { queued: 0, campaignId: null, jobId: null };
      const { campaignId, jobId } = await this.createCampaign({
        repositories,
        scope,
        campaign: {
          linkId,
          kind: 'resend',
          subject: request.subject ?? latest.subject,
          message: request.message ?? latest.message,
          requestId: request.requestId,
          sendAt: request.sendAt,
        },
        invitationIds: chosen,
      });
      await recordInvitationAudit({
        repositories,
        by: scope,
        action: 'invitations_resent',
        details: {
          count: chosen.length,
          ...(request.sendAt !== null && { send_at: request.sendAt.toISOString() }),
        },
      });
      return { queued: chosen.length, campaignId, jobId };
    });
    return request.dryRun ? { ...sent, campaignId: null, jobId: null } : sent;
  }

  /** Returns the campaigns whose time has not come, the next first. */
  listScheduled(scope: SurveyScope): Promise<ScheduledCampaignRow[]> {
    return this.store.read.campaigns.listScheduled(scope, this.clock.now());
  }

  /** Returns the campaigns whose due emails cannot be sent at the moment, and why. */
  listWaiting(scope: SurveyScope): Promise<WaitingCampaignRow[]> {
    return this.store.read.campaigns.listWaiting(scope);
  }

  /** Cancels a campaign before its time. Throws 404 if it does not exist, 409 if it is sent already. */
  async cancelScheduled(scope: SurveyScope, campaignId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const campaign = await repositories.campaigns.lock(scope, campaignId);
      if (campaign?.send_at == null) throw notFound('scheduled invitation');
      if (campaign.finished_at !== null || campaign.job_id !== null)
        throw conflict('already_sent', 'The invitations are being sent, or were sent or canceled already');
      const count = await repositories.mails.cancelWaiting(campaignId, 'not sent: canceled before its time');
      await repositories.campaigns.finish(campaignId);
      await recordInvitationAudit({
        repositories,
        by: scope,
        action: 'invitations_canceled',
        details: { count },
      });
    });
  }

  /** Throws 400 for a time in the past or too far ahead. */
  private checkSendingTime(sendAt: Date | null): void {
    if (sendAt === null) return;
    const now = this.clock.now();
    const given = sendAt.toISOString();
    if (sendAt <= now) throw invalid('send_at', `${given} is in the past; it must be a time in the future`);
    if (sendAt.getTime() > now.getTime() + MAX_AHEAD_DAYS * DAY_MS)
      throw invalid('send_at', `${given} is too far ahead; at most ${MAX_AHEAD_DAYS} days are allowed`);
  }

  list(
    scope: SurveyScope,
    search: InvitationSearch,
    page: IdPage,
  ): Promise<{ found: InvitationRow[]; total: number }> {
    return this.store.read.invitations.list(scope, search, page);
  }

  /** Counts the invitations by link and status. Those of an anonymous survey count answers as domain/invitations/answered-counts.ts releases them. */
  async listLinkSummaries(scope: SurveyScope): Promise<LinkSummaryRow[]> {
    const rows = await this.store.read.invitations.listLinkSummaries(scope);
    return rows.map((row) => this.releaseAnswers(row));
  }

  private releaseAnswers<Row extends LinkSummaryRow>(row: Row): Row {
    if (row.day_zone === null) return row;
    const today = getTimeZone(row.day_zone).dayOf(this.clock.now().getTime());
    return { ...row, ...withReleasedAnswers(row, row.answered_days ?? [], today) };
  }

  async listDistributions(
    scope: WorkspaceScope,
    search: { surveyId: number | null; waveId: number | null },
    page: IdPage,
  ): Promise<{ found: DistributionRow[]; total: number }> {
    const { found, total } = await this.store.read.invitations.listDistributions(scope, search, page);
    return { found: found.map((row) => this.releaseAnswers(row)), total };
  }

  /** Records a bounce that arrived after the email was accepted. */
  async bounce(scope: SurveyScope, invitationId: number, reason: string): Promise<void> {
    await this.store.transaction(async (repositories) => {
      if (!(await repositories.invitations.bounce(scope, invitationId, reason))) throw notFound('invitation');
      await repositories.audit.record({
        by: scope,
        action: 'invitation.bounced',
        objectType: 'invitation',
        objectId: invitationId,
      });
    });
  }

  /** Throws 409 if the link is closed, so that no one is invited to it. */
  private async requireOpenForInvitations({
    repositories,
    scope,
    survey,
    linkId,
  }: {
    repositories: Repositories;
    scope: SurveyScope;
    survey: SurveyRow;
    linkId: number;
  }): Promise<void> {
    const link: LinkRow | null = await repositories.links.find(scope, linkId, this.clock.now());
    if (link === null)
      throw invalid('link_id', unknownObject({ kind: 'link', idOrCode: linkId, scope: 'in this survey' }));
    if (link.link_type === 'panel')
      throw invalid('link_id', 'is a panel link, whose respondents come from their panel; use an open link');
    const wave = link.wave_id === null ? null : await repositories.waves.find(scope, link.wave_id);
    const sendingState = evaluateSendingState(
      {
        surveyStatus: surveyStatusAt(survey.survey_status, survey.survey_settings, this.clock.now()),
        linkState: link.link_state,
        isLinkDeleted: false,
        expiresAt: link.expires_at,
        waveStart: wave?.wave_start_date ?? null,
        waveEnd: wave?.wave_end_date ?? null,
      },
      this.clock.now(),
    );
    // Respondents can be invited before a wave starts; the emails wait.
    if (sendingState.state === 'open' || sendingState.code === 'wave_not_open') return;
    throw conflict(sendingState.code, `Invitations cannot be sent now: ${sendingState.reason}`);
  }

  private async createCampaign({
    repositories,
    scope,
    campaign,
    invitationIds,
  }: {
    repositories: Repositories;
    scope: SurveyScope;
    campaign: Pick<NewCampaign, 'linkId' | 'kind' | 'subject' | 'message' | 'requestId' | 'sendAt'>;
    invitationIds: readonly number[];
  }): Promise<{ campaignId: number; jobId: number | null }> {
    const campaignId = await repositories.campaigns.create({
      ...ownerOf(scope),
      ...campaign,
      reminderOf: null,
    });
    for (let start = 0; start < invitationIds.length; start += ROWS_PER_STATEMENT)
      await repositories.mails.createMany(
        campaignId,
        invitationIds.slice(start, start + ROWS_PER_STATEMENT),
        campaign.sendAt,
      );
    // ScheduledCampaigns starts the job when the time has come.
    if (campaign.sendAt !== null) return { campaignId, jobId: null };
    const jobId = await enqueueCampaign(repositories, {
      campaignId,
      organization_id: scope.organizationId,
      created_by: scope.userId,
      survey_id: scope.surveyId,
      request_id: campaign.requestId,
    });
    return { campaignId, jobId };
  }
}

/** In a dry run, no new respondents exist. */
const withoutNewIds = (row: InviteeRow): InviteeRow => ({
  ...row,
  respondentId: row.isNew ? null : row.respondentId,
  invitationId: null,
});

const ownerOf = ({ organizationId, surveyId, userId }: SurveyScope) => ({
  organizationId,
  surveyId,
  createdBy: userId,
});

/** Throws 400 for each text with unknown variables or other problems. `at`: path of the texts in the request. */
export function checkTemplates(
  texts: readonly { at: string; subject?: string | undefined; message?: string | undefined }[],
): void {
  const details: ErrorDetail[] = texts.flatMap(({ at, ...texts }) =>
    (['subject', 'message'] as const).flatMap((field) =>
      templateProblems(texts[field] ?? '', field).map((message) => ({ field: at + field, message })),
    ),
  );
  if (details.length > 0) throw invalidFields(details);
}

async function requireInvited(
  { invitations }: Repositories,
  linkId: number,
  respondentIds: readonly number[],
): Promise<void> {
  const invited = await invitations.filterInvited(linkId, respondentIds);
  const unknown = respondentIds.flatMap((id, index) => (invited.has(id) ? [] : [{ id, index }]));
  if (unknown.length === 0) return;
  throw invalidFields(
    unknown.slice(0, MAX_DETAILS).map(({ id, index }) => ({
      field: `respondent_ids[${index}]`,
      message: `respondent ${id} was not invited through this link`,
    })),
  );
}

/** Names the variables that are empty for some of the recipients. */
function findNotes({ subject, message, reminders }: InviteRequest, invitees: readonly Invitee[]): string[] {
  const texts = [subject, message, ...reminders.flatMap((one) => [one.subject ?? '', one.message ?? ''])];
  const queued = invitees.filter(({ row }) => row.outcome === 'queued');
  return optionalVariables(texts).flatMap((variable) => {
    const { length: count } = queued.filter(({ values }) => optionalValue(variable, values).trim() === '');
    return count === 0 ? [] : `{{${variable}}} is empty for ${formatCount(count, 'respondent')}`;
  });
}

const recordInvitationAudit = ({
  repositories: { audit },
  by,
  action,
  details,
}: {
  repositories: Repositories;
  by: SurveyScope;
  action: string;
  details: Record<string, unknown>;
}): Promise<void> =>
  audit.record({ by, action: `survey.${action}`, objectType: 'survey', objectId: by.surveyId, details });
