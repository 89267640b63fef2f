import type { ResponsePatch } from '../../../domain/dataset/response-patch.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import { QuotaRecount } from '../../field/quotas.ts';

/** Recounts the quotas of the survey's waves after a change of data. Costs one query if the survey has no quotas. */
export class QuotaRecounter {
  private waves: Promise<number[]> | null = null;
  private codes: ReadonlySet<string> | null = null;
  private recount: QuotaRecount | null = null;

  constructor(
    private readonly repositories: Repositories,
    private readonly surveyId: number,
    private readonly clock: Clock,
  ) {}

  /** Writes locked responses and reassigns them to their quota cells. */
  async recountAround(
    rows: readonly { responseId: number; after: ResponsePatch }[],
    write: () => Promise<void>,
  ): Promise<void> {
    const waves = await this.listWavesWithQuotas();
    if (waves.length === 0) return write();
    this.codes ??= await this.repositories.quotas.listQuestionCodes(this.surveyId);
    const affectedRows = rows.filter(({ after }) => this.affectsQuotas(after));
    if (affectedRows.length === 0) return write();
    await this.recountResponses(
      affectedRows.map(({ responseId }) => responseId),
      write,
    );
  }

  /** Does the same for all responses restored by undoing a change. */
  async recountAroundUndo(changeId: number, write: () => Promise<void>): Promise<void> {
    if ((await this.listWavesWithQuotas()).length === 0) return write();
    const ids = await this.repositories.dataChanges.responsesOf(this.surveyId, changeId);
    await this.repositories.quotas.lockCountedResponses(this.surveyId, ids);
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
 * Locks all responses of a change in advance if the survey has quotas: a transaction that holds a wave must not wait for a response (see
 * repositories/quota-reservations.ts).
 */
export async function lockForQuotas(
  { quotas }: Repositories,
  surveyId: number,
  responseIds: () => Promise<readonly number[]>,
): Promise<void> {
  if ((await quotas.listWavesWithQuotas(surveyId)).length === 0) return;
  await quotas.lockCountedResponses(surveyId, await responseIds());
}
