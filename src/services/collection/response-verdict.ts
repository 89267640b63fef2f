import type { StoredAnswers } from '../../domain/answers/codec.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { SurveyEnd } from '../../domain/survey/logic/evaluate-logic.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { CollectionQuality, EndedResponse } from './collection-quality.ts';
import type { Entrance } from './entrances.ts';
import { type PlaceLeft, quotaFull } from './link-places.ts';
import { OVER_QUOTA, type Verdict } from './verdict.ts';

/** A response that has come to its end, before it is written. */
export interface FinishedResponse extends Pick<EndedResponse, 'durationSeconds' | 'identity'> {
  entrance: Entrance;
  prepared: PreparedDefinition;
  answers: StoredAnswers;
  /** The skip that ended it. */
  end: SurveyEnd | null;
}

export function verdictOf(end: SurveyEnd | null): Verdict {
  const isOut = end?.kind === 'screened_out';
  return {
    status: isOut ? 'screened_out' : 'complete',
    statusReason: isOut ? 'screen_out' : null,
    endReason: end?.reason ?? null,
    quality: null,
    quotaCells: null,
  };
}

/** A skip's word goes first, then what the quality checks say. */
export async function judge(
  repositories: Repositories,
  checks: CollectionQuality,
  { entrance, prepared, end, ...finished }: FinishedResponse,
): Promise<Verdict> {
  const verdict = verdictOf(end);
  if (verdict.status === 'screened_out' || entrance.isPreview) return verdict;
  const ended = { ...finished, definition: prepared.definition };
  const { screenedOut, quality } = await checks.judge(repositories, entrance, ended);
  return screenedOut
    ? { ...verdict, status: 'screened_out', statusReason: 'quality', endReason: null, quality }
    : { ...verdict, quality };
}

/** Whoever gave a place back may find it taken at the end. Throws 409 while it may become free again. */
export async function judgeWithQuota(
  repositories: Repositories,
  checks: CollectionQuality,
  finished: FinishedResponse,
  placeLeft: () => Promise<PlaceLeft>,
): Promise<Verdict> {
  const verdict = await judge(repositories, checks, finished);
  if (verdict.status !== 'complete') return verdict;
  const left = await placeLeft();
  if (left === 'held_by_others') throw quotaFull();
  return left === 'yes' ? verdict : { ...OVER_QUOTA, quality: verdict.quality };
}
