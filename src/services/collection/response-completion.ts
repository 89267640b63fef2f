import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import type { PartialOperandOf } from '../../domain/quota/allocate-cells.ts';
import type { RespondentContext, SurveyEnd, SurveyPath } from '../../domain/survey/logic/evaluate-logic.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { previousAnswersIn } from '../../domain/survey/previous-codes.ts';
import { validateAnswers } from '../../domain/survey/validate-answers.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, gone, invalidFields, notFound } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { OpenResponseRow } from '../../repositories/responses.ts';
import type { CollectionQuality, EndedResponse } from './collection-quality.ts';
import {
  type CompletionOutcome,
  OVER_QUOTA,
  overQuotaOutcome,
  type QuotaReservations,
  quotaResponseOf,
} from './quota-reservations.ts';
import { invitationOf, recordInvitationStatus, type ResolvedLink } from './link-resolver.ts';
import type { PanelEntries } from './panel-entries.ts';
import { type LinkAvailability, quotaFull } from './link-reservations.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a token opens its response after the response was last saved. */
const RESPONSE_TOKEN_DAYS = 30;

/** Throws 410 when the response was last saved so long ago that its token has expired. */
function requireCurrentToken({ updated_at: savedAt }: OpenResponseRow, now: Date): void {
  if (now.getTime() - savedAt.getTime() <= RESPONSE_TOKEN_DAYS * DAY_MS) return;
  throw gone(
    'response_expired',
    `This response was last saved more than ${RESPONSE_TOKEN_DAYS} days ago and can no longer be opened`,
  );
}

/** Returns the response. Throws 404 if it does not exist or came through another link, 410 if its token has expired. */
export function requireResponseOfLink(
  link: ResolvedLink,
  response: OpenResponseRow | null,
  now: Date,
): OpenResponseRow {
  const isOurs = response?.link_id === link.linkId && response.is_preview === link.isPreview;
  if (response === null || !isOurs) throw notFound('response');
  requireCurrentToken(response, now);
  return response;
}

/** Locks the response until the transaction ends. Throws 404 like `requireResponseOfLink`. */
export const lockResponse = async (
  { responses }: Repositories,
  link: ResolvedLink,
  { responseToken, now }: { responseToken: string; now: Date },
): Promise<OpenResponseRow> =>
  requireResponseOfLink(link, await responses.lockByToken(link.surveyId, responseToken), now);

export function requirePartial(response: OpenResponseRow): void {
  if (response.response_status === 'partial') return;
  throw conflict(
    'response_ended',
    `This response is ${response.response_status} and can no longer be changed`,
  );
}

/** Leaves out answers to retired questions: the author of a preview may have changed the draft between two pages. */
export function withoutRetiredQuestions(prepared: PreparedDefinition, answers: StoredAnswers): StoredAnswers {
  const live = Object.entries(answers).filter(([code]) => prepared.byCode.get(code)?.retired === false);
  return Object.fromEntries(live);
}

/** Never negative: clocks are sometimes set back. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / 1000);

/** null: the exact start was removed, because the response to an anonymous survey was in progress for long. */
export const secondsSinceStart = (
  { started_at, day_zone, has_exact_times }: OpenResponseRow,
  at: Date,
): number | null => (day_zone === null || has_exact_times ? secondsBetween(started_at, at) : null);

/** What determines the survey of a response besides its answers. */
export const backgroundOf = (
  { respondent, isPreview }: ResolvedLink,
  {
    hidden,
    submission_id: submissionId,
    response_token: token,
    presentation,
    answers,
  }: Pick<OpenResponseRow, 'hidden' | 'submission_id' | 'response_token' | 'presentation' | 'answers'>,
): RespondentContext => ({
  hidden: new Map(Object.entries(hidden ?? {})),
  respondent,
  previous: previousAnswersIn(answers),
  seed: submissionId ?? token,
  arms: presentation?.arms ?? {},
  awaitsArms: !isPreview,
});

/** Returns the valid answers. Throws 400 with every problem. */
export function requireValidAnswers({
  prepared,
  answers,
  mode,
  background,
}: {
  prepared: PreparedDefinition;
  answers: unknown;
  mode: 'complete' | 'partial';
  background: RespondentContext;
}): { answers: StoredAnswers; end: SurveyEnd | null; path: SurveyPath | null } {
  const result = validateAnswers(prepared, answers, { mode, context: background });
  if (!result.ok) throw invalidFields(result.problems);
  return result;
}

/** Writes the end of a partial response, whatever ends it. */
export class ResponseCompletion {
  constructor(
    private readonly quotaReservations: QuotaReservations,
    private readonly panelEntries: PanelEntries,
    private readonly clock: Clock,
  ) {}

  /** Assigns a complete response to the quota cells of its wave, or makes it over quota. */
  async applyQuotas({
    repositories,
    resolvedLink: { surveyId },
    response,
    outcome,
    operandOf,
  }: {
    repositories: Repositories;
    resolvedLink: ResolvedLink;
    response: OpenResponseRow;
    outcome: CompletionOutcome;
    operandOf: PartialOperandOf;
  }): Promise<CompletionOutcome> {
    const quotaResponse = quotaResponseOf(surveyId, response);
    if (outcome.status !== 'complete' || quotaResponse === null) return outcome;
    const { isOver, cellIds } = await this.quotaReservations.assignForCompletion(
      repositories,
      quotaResponse,
      operandOf,
    );
    return isOver ? overQuotaOutcome(cellIds, outcome.quality) : { ...outcome, quotaCells: cellIds };
  }

  async finish({
    repositories,
    link,
    response,
    outcome,
  }: {
    repositories: Repositories;
    link: ResolvedLink;
    response: OpenResponseRow;
    outcome: CompletionOutcome;
  }): Promise<OpenResponseRow> {
    const { surveyId } = link;
    const completedAt = this.clock.now();
    const invited = invitationOf(link);
    if (invited !== null) await recordInvitationStatus(repositories, invited, outcome.status);
    const quotaResponse = quotaResponseOf(surveyId, response);
    if (outcome.status !== 'complete' && quotaResponse !== null)
      await this.quotaReservations.release(repositories, quotaResponse);
    await repositories.responses.finish(surveyId, response.response_id, {
      ...outcome,
      answers: response.answers,
      completedAt,
      durationSeconds: secondsSinceStart(response, completedAt),
      lastPageId: response.last_page_id,
      presentation: response.presentation,
    });
    await this.panelEntries.checkExit(repositories, link, {
      responseId: response.response_id,
      externalId: response.external_id,
    });
    return {
      ...response,
      response_status: outcome.status,
      status_reason: outcome.statusReason,
    };
  }
}

/** A response that has reached its end and is not written yet. */
interface FinishedResponse extends Pick<EndedResponse, 'durationSeconds' | 'identity'> {
  link: ResolvedLink;
  prepared: PreparedDefinition;
  answers: StoredAnswers;
  /** The skip that ended the response. */
  end: SurveyEnd | null;
}

export function outcomeOf(end: SurveyEnd | null): CompletionOutcome {
  const isOut = end?.kind === 'screened_out';
  return {
    status: isOut ? 'screened_out' : 'complete',
    statusReason: isOut ? 'screen_out' : null,
    endReason: end?.reason ?? null,
    quality: null,
    quotaCells: null,
  };
}

/** Evaluates the end of a response: screening out by a skip comes before the quality checks. */
export async function evaluateResponse(
  repositories: Repositories,
  checks: CollectionQuality,
  { link, prepared, end, ...finished }: FinishedResponse,
): Promise<CompletionOutcome> {
  const outcome = outcomeOf(end);
  if (outcome.status === 'screened_out' || link.isPreview) return outcome;
  const ended = { ...finished, definition: prepared.definition };
  const { screenedOut, quality } = await checks.evaluate(repositories, link, ended);
  return screenedOut
    ? { ...outcome, status: 'screened_out', statusReason: 'quality', endReason: null, quality }
    : { ...outcome, quality };
}

/**
 * Also checks the link's quota, which may have filled up after the reservation expired. Throws 409 while other
 * reservations may still expire.
 */
export async function evaluateWithLinkQuota({
  repositories,
  checks,
  finished,
  readAvailability,
}: {
  repositories: Repositories;
  checks: CollectionQuality;
  finished: FinishedResponse;
  readAvailability: () => Promise<LinkAvailability>;
}): Promise<CompletionOutcome> {
  const outcome = await evaluateResponse(repositories, checks, finished);
  if (outcome.status !== 'complete') return outcome;
  const left = await readAvailability();
  if (left === 'reserved_by_others') throw quotaFull();
  return left === 'yes' ? outcome : { ...OVER_QUOTA, quality: outcome.quality };
}
