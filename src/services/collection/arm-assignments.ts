import { type Block, leastFilledArm } from '../../domain/survey/blocks.ts';
import type { RespondentContext } from '../../domain/survey/logic/evaluate-logic.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { Clock } from '../../lib/clock.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { RESERVATION_TTL_SECONDS } from './link-reservations.ts';

/** Whether the server assigns the arm of one of the survey's blocks. */
export const assignsArms = ({ blocks }: SurveyDefinition): boolean =>
  blocks.some(
    ({ assignment, arms, retired }) => !retired && arms.length > 0 && assignment === 'least_filled',
  );

/** Assigns the least filled arms of blocks. Each assignment is a short transaction of its own, so that it waits for nothing else. */
export class ArmAssignments {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * Assigns arms until `evaluate`, which evaluates the survey in a context, names no block that waits for one. Returns its last result, and
   * the context with the arms that were assigned.
   */
  async assignAlong<T extends { awaitedBlock: Block | null }>(
    response: { surveyId: number; responseToken: string },
    context: RespondentContext,
    evaluate: (context: RespondentContext) => T,
  ): Promise<{ result: T; context: RespondentContext }> {
    let current = context;
    let result = evaluate(current);
    while (result.awaitedBlock !== null) {
      const { awaitedBlock: block } = result;
      const arm = await this.assign(response, block, current.seed ?? response.responseToken);
      current = { ...current, arms: { ...current.arms, [block.id]: arm } };
      result = evaluate(current);
    }
    return { result, context: current };
  }

  /** Returns the arm of the block for the response, which keeps it. */
  private assign(
    { surveyId, responseToken }: { surveyId: number; responseToken: string },
    block: Block,
    seed: string,
  ): Promise<string> {
    const key = { surveyId, blockId: block.id };
    return this.store.transaction(async ({ armAssignments }) => {
      await armAssignments.lockBlock(key);
      const reserved = await armAssignments.findReserved(key, responseToken);
      if (reserved !== null) return reserved;
      const counts = await armAssignments.countArms(key, this.clock.now());
      const arm = requireValue(leastFilledArm(block, counts, seed), 'arm');
      await armAssignments.reserve(surveyId, responseToken, {
        arms: { [block.id]: arm },
        until: this.expiry(),
      });
      await armAssignments.saveArm(key, responseToken, arm);
      return arm;
    });
  }

  /** Extends the reservations of an interview in progress. */
  async renew(
    { armAssignments }: Repositories,
    { surveyId, responseToken }: { surveyId: number; responseToken: string },
    { blocks }: SurveyDefinition,
    arms: Readonly<Record<string, string>>,
  ): Promise<void> {
    const isCounted = (blockId: string) =>
      blocks.some(({ id, assignment }) => String(id) === blockId && assignment === 'least_filled');
    const counted = Object.fromEntries(Object.entries(arms).filter(([blockId]) => isCounted(blockId)));
    await armAssignments.reserve(surveyId, responseToken, { arms: counted, until: this.expiry() });
  }

  release(surveyId: number, responseToken: string): Promise<void> {
    return this.store.read.armAssignments.release(surveyId, responseToken);
  }

  private expiry(): Date {
    return new Date(this.clock.now().getTime() + RESERVATION_TTL_SECONDS * 1000);
  }
}
