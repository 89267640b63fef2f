import type { OperandSoFar } from '../../domain/quota/condition-truth.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OpenResponseRow } from '../../repositories/responses.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import { secondsBetween } from './begun-response.ts';
import type { Entrance } from './entrances.ts';
import { invitedBy, noteStep } from './invitation-steps.ts';
import { inQuotas, type QuotaPlaces } from './quota-places.ts';
import { overQuota, type Verdict } from './verdict.ts';

/** What is written when a response that was begun comes to its end, by whichever way. */
export class ResponseEndings {
  private readonly quotas: QuotaPlaces;
  private readonly clock: Clock;

  constructor(quotas: QuotaPlaces, clock: Clock) {
    this.quotas = quotas;
    this.clock = clock;
  }

  /** One that would be complete takes its places in the quotas of its wave, or is over one of them. */
  async judgedByQuotas(
    repositories: Repositories,
    { surveyId }: Entrance,
    response: OpenResponseRow,
    verdict: Verdict,
    operandOf: OperandSoFar,
  ): Promise<Verdict> {
    const inThem = inQuotas(surveyId, response);
    if (verdict.status !== 'complete' || inThem === null) return verdict;
    const { isOver, cellIds } = await this.quotas.atEnd(repositories, inThem, operandOf);
    return isOver ? overQuota(cellIds, verdict.quality) : { ...verdict, quotaCells: cellIds };
  }

  async write(
    repositories: Repositories,
    entrance: Entrance,
    response: OpenResponseRow,
    verdict: Verdict,
  ): Promise<OpenResponseRow> {
    const { surveyId } = entrance;
    const completedAt = this.clock.now();
    const invited = invitedBy(entrance);
    if (invited !== null) await noteStep(repositories, invited, verdict.status);
    const inThem = inQuotas(surveyId, response);
    if (verdict.status !== 'complete' && inThem !== null) await this.quotas.giveBack(repositories, inThem);
    await repositories.responses.finish(surveyId, response.response_id, {
      ...verdict,
      answers: response.answers,
      completedAt,
      durationSeconds: secondsBetween(response.started_at, completedAt),
      lastPageId: response.last_page_id,
    });
    return {
      ...response,
      response_status: verdict.status,
      status_reason: verdict.statusReason,
    };
  }
}
