import { type Block, leastFilledArm, leastFilledItems } from '../../domain/survey/blocks.ts';
import type { RespondentContext } from '../../domain/survey/logic/evaluate-logic.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { AwaitedBlocks } from '../../domain/survey/prepared-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { RESERVATION_TTL_SECONDS } from './link-reservations.ts';

/** Whether the server assigns the arm of one of the survey's blocks, or the items of a loop. */
export const assignsArms = ({ blocks }: SurveyDefinition): boolean =>
  blocks.some(
    ({ assignment, arms, item, retired }) =>
      !retired && (arms.length > 0 || item !== undefined) && assignment === 'least_filled',
  );

/** Assigns the least filled arms of blocks, and the least filled items of loops. Each assignment is a separate short transaction, so that it waits for nothing else. */
export class ArmAssignments {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * Assigns arms and items until `evaluate`, which evaluates the survey in a context, waits for none. Returns its last result, and the context
   * with what was assigned.
   */
  async assignAlong<T extends { awaited: AwaitedBlocks | null }>(
    response: { surveyId: number; responseToken: string },
    context: RespondentContext,
    evaluate: (context: RespondentContext) => T,
  ): Promise<{ result: T; context: RespondentContext }> {
    let current = context;
    let result = evaluate(current);
    while (result.awaited !== null) {
      const seed = current.seed ?? response.responseToken;
      const block = requireValue(result.awaited.blocks[0], 'awaited block');
      const assigned =
        block.item === undefined
          ? { [block.id]: await this.assign(response, block, seed) }
          : await this.assignItems(response, result.awaited, { seed, arms: current.arms });
      current = { ...current, arms: { ...current.arms, ...assigned } };
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
      await armAssignments.saveArms(surveyId, responseToken, { [block.id]: arm });
      return arm;
    });
  }

  /**
   * Returns the least filled items of a loop for the response, which keeps them, with their places among the response's items, by block_id.
   * All at once, so that the items differ by one respondent at most.
   */
  private assignItems(
    { surveyId, responseToken }: { surveyId: number; responseToken: string },
    { blocks: items, count }: AwaitedBlocks,
    { seed, arms }: Pick<RespondentContext, 'arms'> & { seed: string },
  ): Promise<Record<string, string>> {
    const blockIds = items.map(({ id }) => id);
    const loopId = requireValue(items[0]?.parentId, 'loop');
    return this.store.transaction(async ({ armAssignments }) => {
      await armAssignments.lockBlock({ surveyId, blockId: loopId });
      const assigned = await armAssignments.findReservedItems({ surveyId, blockIds }, responseToken);
      const counts = await armAssignments.countItems({ surveyId, blockIds }, this.clock.now());
      const left = blockIds.filter((id) => !Object.hasOwn(assigned, String(id)));
      const places = Object.values({ ...arms, ...assigned })
        .map(Number)
        .filter(Number.isInteger);
      const missing = Math.max(0, count - Object.keys(assigned).length);
      for (const blockId of leastFilledItems(left, counts, seed).slice(0, missing)) {
        const place = Math.max(0, ...places) + 1;
        places.push(place);
        assigned[blockId] = String(place);
      }
      await armAssignments.reserve(surveyId, responseToken, { arms: assigned, until: this.expiry() });
      await armAssignments.saveArms(surveyId, responseToken, assigned);
      return assigned;
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
