import type { StoredAnswers } from '../../domain/answers/codec.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { SurveyEnd } from '../../domain/survey/logic/evaluate-logic.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { CollectionQuality, EndedResponse } from './collection-quality.ts';
import type { ResolvedLink } from './link-resolver.ts';
import { type LinkAvailability, quotaFull } from './link-reservations.ts';
import { OVER_QUOTA, type CompletionOutcome } from './completion-outcome.ts';

/** A response that has reached its end and is not written yet. */
export interface FinishedResponse extends Pick<EndedResponse, 'durationSeconds' | 'identity'> {
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

/**
 * Also checks the link's quota, which may have filled up after the reservation expired. Throws 409 while other
 * reservations may still expire.
 */
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
