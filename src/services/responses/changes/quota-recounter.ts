import type { ResponsePatch } from '../../../domain/dataset/edits/response-patch.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import { QuotaRecount } from '../../field/quota-recount.ts';

/** What a change of data does to the quotas of the survey's waves. Of a survey without quotas one look is all that it costs. */
export class QuotaRecounter {
  private readonly repositories: Repositories;
  private readonly surveyId: number;
  private readonly clock: Clock;
  private waves: Promise<number[]> | null = null;
  private codes: ReadonlySet<string> | null = null;
  private recount: QuotaRecount | null = null;

  constructor(repositories: Repositories, surveyId: number, clock: Clock) {
    this.repositories = repositories;
    this.surveyId = surveyId;
    this.clock = clock;
  }

  /** Writes responses that the transaction holds, and puts them into their cells. */
  async recountAround(
    rows: readonly { responseId: number; after: ResponsePatch }[],
    write: () => Promise<void>,
  ): Promise<void> {
    const waves = await this.listWavesWithQuotas();
    if (waves.length === 0) return write();
    this.codes ??= await this.repositories.quotas.listQuestionCodes(this.surveyId);
    const concerned = rows.filter(({ after }) => this.affectsQuotas(after));
    if (concerned.length === 0) return write();
    await this.recountResponses(
      concerned.map(({ responseId }) => responseId),
      write,
    );
  }

  /** The same for all that is put back when a change is undone. */
  async recountAroundUndo(changeId: number, write: () => Promise<void>): Promise<void> {
    if ((await this.listWavesWithQuotas()).length === 0) return write();
    const ids = await this.repositories.dataChanges.responsesOf(this.surveyId, changeId);
    await this.repositories.quotaRecounts.lockResponses(this.surveyId, ids);
    await this.recountResponses(ids, write);
  }

  private async recountResponses(responseIds: readonly number[], write: () => Promise<void>): Promise<void> {
    this.recount ??= await QuotaRecount.open(
      this.repositories,
      this.surveyId,
      await this.listWavesWithQuotas(),
      this.clock,
    );
    await write();
    await this.recount.recountResponses(responseIds);
  }

  private affectsQuotas({ status, deletedAt, answers = {} }: ResponsePatch): boolean {
    return (
      status !== undefined ||
      deletedAt !== undefined ||
      Object.keys(answers).some((code) => this.codes!.has(code))
    );
  }

  private listWavesWithQuotas(): Promise<number[]> {
    this.waves ??= this.repositories.quotas.listWavesWithQuotas(this.surveyId);
    return this.waves;
  }
}

/**
 * Holds all responses that a change is about to touch piece by piece, where quotas are counted: whoever holds a wave waits for no
 * response (see repositories/quota-reservations.ts).
 */
export async function lockForQuotas(
  { quotas, quotaRecounts }: Repositories,
  surveyId: number,
  responseIds: () => Promise<readonly number[]>,
): Promise<void> {
  if ((await quotas.listWavesWithQuotas(surveyId)).length === 0) return;
  await quotaRecounts.lockResponses(surveyId, await responseIds());
}
