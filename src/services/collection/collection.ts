import { retryOnSerializationFailure } from '../../db/transactions.ts';
import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import { createPartialOperands } from '../../domain/quota/allocate-cells.ts';
import type { RespondentContext } from '../../domain/survey/logic/evaluate-logic.ts';
import { presentationOf, presentationUntil } from '../../domain/survey/logic/presentation.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import {
  draftPath,
  removeHiddenAnswers,
  resumeAt,
  submitPage,
} from '../../domain/survey/validate-answers.ts';
import { unknownObject } from '../../lib/error-messages.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalid, invalidFields } from '../../lib/errors.ts';
import type { OpenResponseRow } from '../../repositories/responses.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import {
  backgroundOf,
  evaluateWithLinkQuota,
  lockResponse,
  outcomeOf,
  requirePartial,
  requireResponseOfLink,
  requireValidAnswers,
  type ResponseCompletion,
  secondsSinceStart,
  withoutRetiredQuestions,
} from './response-completion.ts';
import { type ArmAssignments, assignsArms } from './arm-assignments.ts';
import { checkFiles } from './uploaded-files.ts';
import type { CollectionQuality } from './collection-quality.ts';
import { type LinkResolver, lockInvitation, type ResolvedLink } from './link-resolver.ts';
import { type LinkReservations, quotaFull } from './link-reservations.ts';
import {
  OVER_QUOTA,
  overQuotaOutcome,
  type QuotaReservations,
  quotaResponseOf,
} from './quota-reservations.ts';

/** The input of a saved page. */
export interface PageInput {
  answers: unknown;
  pageId: number | null;
  /** Time spent on the page, in seconds, as the client reports it. */
  pageSeconds: number | null;
}

/** The progress of a response, as its respondent sees it. */
export interface Progress {
  link: ResolvedLink;
  /** The version in which the response was started. */
  prepared: PreparedDefinition;
  response: OpenResponseRow;
  /** null: no page is left. */
  nextPageId: number | null;
  /** The arms that are assigned, by block_id. */
  arms: Readonly<Record<string, string>>;
  /** The answers of an earlier response that it carries. */
  previous?: Readonly<StoredAnswers>;
}

/** A response that was started and has not ended, locked until the transaction of `repositories` ends. */
interface PartialResponse {
  repositories: Repositories;
  link: ResolvedLink;
  response: OpenResponseRow;
  prepared: PreparedDefinition;
}

/** Returns the answers to write: those that were given, and earlier ones that lost options. */
function changedAnswers(before: StoredAnswers, after: StoredAnswers, given: StoredAnswers): StoredAnswers {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([code, answer]) =>
        Object.hasOwn(given, code) || JSON.stringify(answer) !== JSON.stringify(before[code]),
    ),
  );
}

const withoutContents = (response: OpenResponseRow): OpenResponseRow => ({
  ...response,
  submission_id: null,
  answers: {},
  last_page_id: null,
  language: null,
  hidden: null,
});

/** Ends the transaction of a response that is complete, except for parts that depend on arms. */
class AwaitedArms extends Error {
  constructor(
    readonly surveyId: number,
    readonly prepared: PreparedDefinition,
    readonly answers: StoredAnswers,
    readonly background: RespondentContext,
  ) {
    super('The response waits for an arm');
  }
}

/** How long after the last save the times of a response to an anonymous survey are exact, so that its duration can be measured. */
const EXACT_TIMES_MS = 24 * 60 * 60 * 1000;

/** Continues and completes responses that were started in submissions.ts. */
export class CollectionService {
  constructor(
    private readonly store: Store,
    private readonly linkResolver: LinkResolver,
    private readonly quality: CollectionQuality,
    private readonly linkReservations: LinkReservations,
    private readonly quotaReservations: QuotaReservations,
    private readonly completion: ResponseCompletion,
    private readonly armAssignments: ArmAssignments,
    private readonly clock: Clock,
  ) {}

  /**
   * Saves answers of a partial response and keeps earlier answers that are not sent again, except those to questions
   * that the answers now hide. With a page id, the page is submitted: it is validated as complete, and a skip or a full quota may end the response.
   */
  async save(linkToken: string, responseToken: string, input: PageInput): Promise<Progress> {
    return this.withArms(
      await retryOnSerializationFailure(() => this.saveOnce(linkToken, responseToken, input)),
    );
  }

  /** Assigns the arms of the blocks to which the response has come, and returns the page that follows. */
  private async withArms(progress: Progress): Promise<Progress> {
    const { link, prepared, response } = progress;
    const { last_page_id: lastPageId, answers } = response;
    if (response.response_status !== 'partial' || link.isPreview || !assignsArms(prepared.definition))
      return progress;
    const { result, context } = await this.armAssignments.assignAlong(
      { surveyId: link.surveyId, responseToken: response.response_token },
      backgroundOf(link, response),
      (context) => resumeAt(prepared, answers, { lastPageId, context }),
    );
    return { ...progress, nextPageId: progress.nextPageId ?? result.pageId, arms: context.arms };
  }

  private async saveOnce(linkToken: string, responseToken: string, input: PageInput): Promise<Progress> {
    const link = await this.linkResolver.resolveForResume(linkToken);
    return this.store.transaction(async (repositories) => {
      const isAnswered = await lockInvitation(repositories, link);
      const expired = await this.linkReservations.renew(repositories, link, responseToken);
      const response = await lockResponse(repositories, link, { responseToken, now: this.clock.now() });
      const prepared = await this.linkResolver.loadDefinition(link, response.survey_version, repositories);
      // The earlier reply was lost; it is repeated.
      if (response.response_status === 'screened_out') {
        return { link, prepared, response, nextPageId: null, arms: {} };
      }
      requirePartial(response);
      this.linkResolver.requireWaveWithinGrace(response);
      const { response_id: responseId } = response;
      if (
        isAnswered ||
        !(await this.linkReservations.reacquire({ repositories, link, responseId, expired }))
      ) {
        const ended = await this.completion.finish({ repositories, link, response, outcome: OVER_QUOTA });
        return { link, prepared, response: ended, nextPageId: null, arms: {} };
      }
      const { pageId, pageSeconds } = input;
      if (pageId !== null && !prepared.positions.pageIndexById.has(pageId)) {
        throw invalid('page_id', unknownObject({ kind: 'page', idOrCode: pageId, scope: 'in this survey' }));
      }
      const background = backgroundOf(link, response);
      const given = requireValidAnswers({
        prepared,
        answers: input.answers,
        mode: 'partial',
        background,
      }).answers;
      await checkFiles({
        repositories,
        surveyId: link.surveyId,
        responseId: response.response_id,
        prepared,
        answers: given,
      });
      const before = withoutRetiredQuestions(prepared, response.answers);
      const shown = removeHiddenAnswers(prepared, { ...before, ...given }, background);
      // Without a page, answers can come before the answers on which they depend.
      const answers = input.pageId === null ? { ...shown, ...given } : shown;
      const page = pageId === null ? null : submitPage(prepared, answers, { pageId, context: background });
      const presentation =
        page === null
          ? response.presentation
          : presentationUntil(prepared.definition, page.path, pageId, background);
      const saved = {
        ...response,
        answers: { ...answers, ...background.previous },
        last_page_id: pageId ?? response.last_page_id,
        presentation,
      };
      if (page !== null && page.problems.length > 0) throw invalidFields(page.problems);
      if (pageId !== null && pageSeconds !== null) {
        const timed = { pageId, claimedSeconds: pageSeconds };
        await this.quality.recordPageTime({
          repositories,
          surveyId: link.surveyId,
          responseId: response.response_id,
          page: timed,
        });
      }
      if (page?.end?.kind === 'screened_out') {
        const screenedOut = { ...saved, answers: page.path.answers };
        await this.linkReservations.release(repositories, link, responseToken);
        const ended = await this.completion.finish({
          repositories,
          link,
          response: screenedOut,
          outcome: outcomeOf(page.end),
        });
        return { link, prepared, response: ended, nextPageId: null, arms: {} };
      }
      const quotaResponse = quotaResponseOf(link.surveyId, response);
      if (quotaResponse !== null && page === null)
        await this.quotaReservations.renew(repositories, quotaResponse);
      if (quotaResponse !== null && page !== null) {
        const operandOf = createPartialOperands({
          preparedDefinition: prepared,
          answers: page.path.answers,
          context: background,
          positions: page.path.positions,
          submittedPageId: pageId,
        });
        const turnedAway = await this.quotaReservations.reserveForPage(
          repositories,
          quotaResponse,
          operandOf,
        );
        if (turnedAway !== null) {
          await this.linkReservations.release(repositories, link, responseToken);
          const ended = await this.completion.finish({
            repositories,
            link,
            response: saved,
            outcome: overQuotaOutcome(turnedAway),
          });
          return { link, prepared, response: ended, nextPageId: null, arms: {} };
        }
      }
      await repositories.responses.saveAnswers({
        surveyId: link.surveyId,
        responseId: response.response_id,
        answers: changedAnswers(before, answers, given),
        removed: Object.keys(before).filter((code) => !Object.hasOwn(answers, code)),
        lastPageId: pageId,
        presentation,
      });
      if (assignsArms(prepared.definition) && !link.isPreview)
        await this.armAssignments.renew(
          repositories,
          { surveyId: link.surveyId, responseToken },
          prepared.definition,
          background.arms,
        );
      const nextPageId =
        page === null
          ? resumeAt(prepared, answers, { lastPageId: saved.last_page_id, context: background }).pageId
          : page.nextPageId;
      return { link, prepared, response: saved, nextPageId, arms: background.arms };
    });
  }

  /**
   * Returns the progress, so that the respondent can continue. A response that has ended returns its outcome without
   * answers.
   */
  async resume(linkToken: string, responseToken: string): Promise<Progress> {
    const link = await this.linkResolver.resolveForResume(linkToken);
    const found = await this.store.read.responses.findByToken(link.surveyId, responseToken);
    const response = requireResponseOfLink(link, found, this.clock.now());
    const prepared = await this.linkResolver.loadDefinition(link, response.survey_version);
    // The token of an ended response shows how it ended, not what was answered.
    if (response.response_status !== 'partial')
      return { link, prepared, response: withoutContents(response), nextPageId: null, arms: {} };
    this.linkResolver.requireWaveWithinGrace(response);
    const answers = withoutRetiredQuestions(prepared, response.answers);
    const context = backgroundOf(link, response);
    return this.withArms({
      link,
      prepared,
      response: { ...response, answers },
      nextPageId: resumeAt(prepared, answers, { lastPageId: response.last_page_id, context }).pageId,
      arms: context.arms,
      previous: context.previous,
    });
  }

  /** Runs `work` on a partial response of the respondent, in one transaction. */
  async withPartialResponse<T>(
    linkToken: string,
    responseToken: string,
    work: (response: PartialResponse) => Promise<T>,
  ): Promise<T> {
    const link = await this.linkResolver.resolveForResume(linkToken);
    return this.store.transaction(async (repositories) => {
      const expired = await this.linkReservations.renew(repositories, link, responseToken);
      const response = await lockResponse(repositories, link, { responseToken, now: this.clock.now() });
      requirePartial(response);
      this.linkResolver.requireWaveWithinGrace(response);
      const { response_id: responseId } = response;
      if (!(await this.linkReservations.reacquire({ repositories, link, responseId, expired })))
        throw quotaFull();
      const quotaResponse = quotaResponseOf(link.surveyId, response);
      if (quotaResponse !== null) await this.quotaReservations.renew(repositories, quotaResponse);
      const prepared = await this.linkResolver.loadDefinition(link, response.survey_version, repositories);
      return work({ repositories, link: link, response, prepared });
    });
  }

  /**
   * Rounds the times of abandoned responses to anonymous surveys to the day, as those of ended responses. Safe in several processes at once.
   */
  async roundAbandonedTimes(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - EXACT_TIMES_MS);
    await this.store.read.responses.roundAbandoned(before);
  }

  /** Ends a response: validates all saved answers together with those of the call. */
  complete(
    linkToken: string,
    responseToken: string,
    input: { answers: unknown },
  ): Promise<{ link: ResolvedLink; response: OpenResponseRow }> {
    return retryOnSerializationFailure(async () => {
      try {
        return await this.completeOnce(linkToken, responseToken, input);
      } catch (error) {
        if (!(error instanceof AwaitedArms)) throw error;
        // Only clients that do not submit each page come here. The transaction has ended, so that no lock of a block is waited for in it.
        await this.armAssignments.assignAlong(
          { surveyId: error.surveyId, responseToken },
          error.background,
          (context) => draftPath(error.prepared, error.answers, context),
        );
        return await this.completeOnce(linkToken, responseToken, input);
      }
    });
  }

  private async completeOnce(
    linkToken: string,
    responseToken: string,
    input: { answers: unknown },
  ): Promise<{ link: ResolvedLink; response: OpenResponseRow }> {
    const link = await this.linkResolver.resolveForResume(linkToken);
    return this.store.transaction(async (repositories) => {
      const isAnswered = await lockInvitation(repositories, link);
      const readAvailability = await this.linkReservations.lockForCompletion(
        repositories,
        link,
        responseToken,
      );
      const response = await lockResponse(repositories, link, { responseToken, now: this.clock.now() });
      // The reply to the first call was lost; it is repeated.
      if (response.response_status !== 'partial') return { link, response };
      this.linkResolver.requireWaveWithinGrace(response);
      const prepared = await this.linkResolver.loadDefinition(link, response.survey_version, repositories);
      const background = backgroundOf(link, response);
      const added = requireValidAnswers({
        prepared,
        answers: input.answers,
        mode: 'partial',
        background,
      }).answers;
      const all = { ...withoutRetiredQuestions(prepared, response.answers), ...added };
      const { answers, end, path } = requireValidAnswers({
        prepared,
        answers: all,
        mode: 'complete',
        background,
      });
      if (path !== null && path.awaited !== null)
        throw new AwaitedArms(link.surveyId, prepared, all, background);
      await checkFiles({
        repositories,
        surveyId: link.surveyId,
        responseId: response.response_id,
        prepared,
        answers,
      });
      await this.quality.refuseDuplicate(repositories, link, response);
      const durationSeconds = secondsSinceStart(response, this.clock.now());
      const identity = { responseId: response.response_id };
      const finished = { link, prepared, answers, end, durationSeconds, identity };
      // Started on two devices: only the first to end counts.
      const outcome = isAnswered
        ? OVER_QUOTA
        : await evaluateWithLinkQuota({ repositories, checks: this.quality, finished, readAvailability });
      const operandOf = createPartialOperands({
        preparedDefinition: prepared,
        answers,
        context: background,
        submittedPageId: null,
      });
      const completion = await this.completion.applyQuotas({
        repositories,
        resolvedLink: link,
        response,
        outcome,
        operandOf,
      });
      return {
        link,
        response: await this.completion.finish({
          repositories,
          link,
          response: {
            ...response,
            answers,
            presentation:
              path === null ? null : presentationOf(prepared.definition, path, background.seed ?? ''),
          },
          outcome: completion,
        }),
      };
    });
  }
}
