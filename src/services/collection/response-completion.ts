import type { PartialOperandOf } from '../../domain/quota/allocate-cells.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OpenResponseRow } from '../../repositories/responses.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import { secondsBetween } from './partial-response.ts';
import type { ResolvedLink } from './link-resolver.ts';
import { invitationOf, recordInvitationStatus } from './invitation-progress.ts';
import { quotaResponseOf, type QuotaReservations } from './quota-reservations.ts';
import { overQuotaOutcome, type CompletionOutcome } from './completion-outcome.ts';

/** Writes the end of a partial response, whatever ends it. */
export class ResponseCompletion {
  constructor(
    private readonly quotaReservations: QuotaReservations,
    private readonly clock: Clock,
  ) {}

  /** Assigns a complete response to the quota cells of its wave, or makes it over quota. */
  async applyQuotas(
    repositories: Repositories,
    { surveyId }: ResolvedLink,
    response: OpenResponseRow,
    outcome: CompletionOutcome,
    operandOf: PartialOperandOf,
  ): Promise<CompletionOutcome> {
    const quotaResponse = quotaResponseOf(surveyId, response);
    if (outcome.status !== 'complete' || quotaResponse === null) return outcome;
    const { isOver, cellIds } = await this.quotaReservations.assignForCompletion(
      repositories,
      quotaResponse,
      operandOf,
    );
    return isOver ? overQuotaOutcome(cellIds, outcome.quality) : { ...outcome, quotaCells: cellIds };
  }

  async finish(
    repositories: Repositories,
    link: ResolvedLink,
    response: OpenResponseRow,
    outcome: CompletionOutcome,
  ): Promise<OpenResponseRow> {
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
      durationSeconds: secondsBetween(response.started_at, completedAt),
      lastPageId: response.last_page_id,
    });
    return {
      ...response,
      response_status: outcome.status,
      status_reason: outcome.statusReason,
    };
  }
}
