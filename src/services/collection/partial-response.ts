import type { StoredAnswers } from '../../domain/answers/codec.ts';
import type { RespondentContext } from '../../domain/survey/logic/respondent-context.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { SurveyEnd } from '../../domain/survey/logic/evaluate-logic.ts';
import { validateAnswers } from '../../domain/survey/validate-answers.ts';
import { conflict, invalidFields, notFound } from '../../lib/errors.ts';
import type { OpenResponseRow } from '../../repositories/responses.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { ResolvedLink } from './link-resolver.ts';

/** Returns the response. Throws 404 if it does not exist or came through another link. */
export function requireResponseOfLink(link: ResolvedLink, response: OpenResponseRow | null): OpenResponseRow {
  const isOurs = response?.link_id === link.linkId && response.is_preview === link.isPreview;
  if (response === null || !isOurs) throw notFound('response');
  return response;
}

/** Locks the response until the transaction ends. Throws 404 like `requireResponseOfLink`. */
export const lockResponse = async (
  { responses }: Repositories,
  link: ResolvedLink,
  responseToken: string,
): Promise<OpenResponseRow> =>
  requireResponseOfLink(link, await responses.lockByToken(link.surveyId, responseToken));

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

export const backgroundOf = (
  { respondent }: ResolvedLink,
  hidden: Record<string, string> | null,
): RespondentContext => ({ hidden: new Map(Object.entries(hidden ?? {})), respondent });

/** Returns the valid answers. Throws 400 with every problem. */
export function requireValidAnswers(
  prepared: PreparedDefinition,
  answers: unknown,
  mode: 'complete' | 'partial',
  background: RespondentContext,
): { answers: StoredAnswers; end: SurveyEnd | null } {
  const result = validateAnswers(prepared, answers, mode, background);
  if (!result.ok) throw invalidFields(result.problems);
  return result;
}
