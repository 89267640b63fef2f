import type { StoredAnswers } from '../../domain/answers/codec.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { SurveyEnd } from '../../domain/survey/logic/evaluate-logic.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { CollectionQuality, EndedResponse } from './collection-quality.ts';
import type { ResolvedLink } from './link-resolver.ts';
import { type LinkAvailability, quotaFull } from './link-reservations.ts';
import { OVER_QUOTA, type CompletionOutcome } from './completion-outcome.ts';

/** A response that has come to its end, before it is written. */
export interface FinishedResponse extends Pick<EndedResponse, 'durationSeconds' | 'identity'> {
  link: ResolvedLink;
  prepared: PreparedDefinition;
  answers: StoredAnswers;
  /** The skip that ended it. */
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

/** A skip's word goes first, then what the quality checks say. */
export async function evaluateResponse(
  repositories: Repositories,
  checks: CollectionQuality,
  { link: link, prepared, end, ...finished }: FinishedResponse,
): Promise<CompletionOutcome> {
  const outcome = outcomeOf(end);
  if (outcome.status === 'screened_out' || link.isPreview) return outcome;
  const ended = { ...finished, definition: prepared.definition };
  const { screenedOut, quality } = await checks.evaluate(repositories, link, ended);
  return screenedOut
    ? { ...outcome, status: 'screened_out', statusReason: 'quality', endReason: null, quality }
    : { ...outcome, quality };
}

/** Whoever gave a place back may find it taken at the end. Throws 409 while it may become free again. */
export async function evaluateWithLinkQuota(
  repositories: Repositories,
  checks: CollectionQuality,
  finished: FinishedResponse,
  readAvailability: () => Promise<LinkAvailability>,
): Promise<CompletionOutcome> {
  const outcome = await evaluateResponse(repositories, checks, finished);
  if (outcome.status !== 'complete') return outcome;
  const left = await readAvailability();
  if (left === 'held_by_others') throw quotaFull();
  return left === 'yes' ? outcome : { ...OVER_QUOTA, quality: outcome.quality };
}
