import { operandsSoFar } from '../../domain/quota/operands-so-far.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { resumePageId, submitPage } from '../../domain/survey/submit-page.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalid, invalidFields } from '../../lib/errors.ts';
import type { OpenResponseRow } from '../../repositories/responses.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { again } from './again.ts';
import {
  askedStill,
  checked,
  backgroundOf,
  lockBegun,
  ofEntrance,
  refuseEnded,
  secondsBetween,
} from './begun-response.ts';
import { checkFiles } from './check-files.ts';
import type { CollectionQuality } from './collection-quality.ts';
import type { Entrance, Entrances } from './entrances.ts';
import { lockInvitation } from './invitation-steps.ts';
import { type LinkPlaces, quotaFull } from './link-places.ts';
import { inQuotas, type QuotaPlaces } from './quota-places.ts';
import type { ResponseEndings } from './response-endings.ts';
import { judgeWithQuota, verdictOf } from './response-verdict.ts';
import { OVER_QUOTA, overQuota } from './verdict.ts';

/** What comes with a page. */
export interface PageInput {
  answers: unknown;
  pageId: number | null;
  /** How long the page was looked at, by the client's own account. */
  pageSeconds: number | null;
}

/** Where a response stands, for its respondent. */
export interface Progress {
  entrance: Entrance;
  /** The version that it was begun in. */
  prepared: PreparedDefinition;
  response: OpenResponseRow;
  /** null: nothing is left to ask. */
  nextPageId: number | null;
}

/** A response that has begun and not ended; locked until the transaction of `repositories` ends. */
interface BegunResponse {
  repositories: Repositories;
  entrance: Entrance;
  response: OpenResponseRow;
  prepared: PreparedDefinition;
}

/** A response goes on that was begun (submissions.ts), page by page, to its end. */
export class CollectionService {
  private readonly store: Store;
  private readonly entrances: Entrances;
  private readonly quality: CollectionQuality;
  private readonly places: LinkPlaces;
  private readonly quotas: QuotaPlaces;
  private readonly endings: ResponseEndings;
  private readonly clock: Clock;

  constructor(
    store: Store,
    entrances: Entrances,
    quality: CollectionQuality,
    places: LinkPlaces,
    quotas: QuotaPlaces,
    endings: ResponseEndings,
    clock: Clock,
  ) {
    this.store = store;
    this.entrances = entrances;
    this.quality = quality;
    this.places = places;
    this.quotas = quotas;
    this.endings = endings;
    this.clock = clock;
  }

  /**
   * Saves answers of a response that has begun; those given before and not now stay. With a page that page is handed in: it is judged
   * as complete, and a skip on it, or a quota that it decides, may end the response there and then.
   */
  save(linkToken: string, responseToken: string, input: PageInput): Promise<Progress> {
    return again(() => this.saveNow(linkToken, responseToken, input));
  }

  private async saveNow(linkToken: string, responseToken: string, input: PageInput): Promise<Progress> {
    const entrance = await this.entrances.comeBack(linkToken);
    return this.store.transaction(async (repositories) => {
      const isAnswered = await lockInvitation(repositories, entrance);
      const hasPlace = await this.places.keep(repositories, entrance, responseToken);
      const response = await lockBegun(repositories, entrance, responseToken);
      const prepared = await this.entrances.prepared(entrance, response.survey_version, repositories);
      // The reply that said so was lost: it is given again.
      if (response.response_status === 'screened_out') {
        return { entrance, prepared, response, nextPageId: null };
      }
      refuseEnded(response);
      this.entrances.refuseLate(response);
      if (
        isAnswered ||
        (!hasPlace && !(await this.places.regain(repositories, entrance, response.response_id)))
      ) {
        const ended = await this.endings.write(repositories, entrance, response, OVER_QUOTA);
        return { entrance, prepared, response: ended, nextPageId: null };
      }
      const { pageId, pageSeconds } = input;
      if (pageId !== null && !prepared.positions.pageIndexById.has(pageId)) {
        throw invalid('page_id', `"${pageId}" is no page of this survey`);
      }
      const background = backgroundOf(entrance, response.hidden);
      const given = checked(prepared, input.answers, 'partial', background).answers;
      await checkFiles(repositories, entrance.surveyId, response.response_id, prepared, given);
      const answers = { ...askedStill(prepared, response.answers), ...given };
      const saved = { ...response, answers, last_page_id: pageId ?? response.last_page_id };
      const page = pageId === null ? null : submitPage(prepared, answers, pageId, background);
      if (page !== null && page.problems.length > 0) throw invalidFields(page.problems);
      if (pageId !== null && pageSeconds !== null) {
        const timed = { pageId, claimedSeconds: pageSeconds };
        await this.quality.notePageTime(repositories, entrance.surveyId, response.response_id, timed);
      }
      if (page?.end?.kind === 'screened_out') {
        const screenedOut = { ...saved, answers: page.answers };
        await this.places.release(repositories, entrance, responseToken);
        const ended = await this.endings.write(repositories, entrance, screenedOut, verdictOf(page.end));
        return { entrance, prepared, response: ended, nextPageId: null };
      }
      const inThem = inQuotas(entrance.surveyId, response);
      if (inThem !== null && page === null) await this.quotas.keep(repositories, inThem);
      if (inThem !== null && page !== null) {
        const operandOf = operandsSoFar(prepared, page.answers, background, pageId);
        const turnedAway = await this.quotas.atPage(repositories, inThem, operandOf);
        if (turnedAway !== null) {
          await this.places.release(repositories, entrance, responseToken);
          const ended = await this.endings.write(repositories, entrance, saved, overQuota(turnedAway));
          return { entrance, prepared, response: ended, nextPageId: null };
        }
      }
      await repositories.responses.saveAnswers(entrance.surveyId, response.response_id, given, pageId);
      const nextPageId =
        page === null ? resumePageId(prepared, answers, saved.last_page_id, background) : page.nextPageId;
      return { entrance, prepared, response: saved, nextPageId };
    });
  }

  /** For going on where it was left, here or elsewhere; a response that has ended says how. */
  async resume(linkToken: string, responseToken: string): Promise<Progress> {
    const entrance = await this.entrances.comeBack(linkToken);
    const found = await this.store.read.responses.findByToken(entrance.surveyId, responseToken);
    const response = ofEntrance(entrance, found);
    const prepared = await this.entrances.prepared(entrance, response.survey_version);
    const answers = askedStill(prepared, response.answers);
    const isOpen = response.response_status === 'partial';
    if (isOpen) this.entrances.refuseLate(response);
    return {
      entrance,
      prepared,
      response: { ...response, answers },
      nextPageId: isOpen
        ? resumePageId(prepared, answers, response.last_page_id, backgroundOf(entrance, response.hidden))
        : null,
    };
  }

  /** Whatever else a respondent may do to a response of theirs that has begun and not ended. */
  async withBegun<T>(
    linkToken: string,
    responseToken: string,
    work: (begun: BegunResponse) => Promise<T>,
  ): Promise<T> {
    const entrance = await this.entrances.comeBack(linkToken);
    return this.store.transaction(async (repositories) => {
      const hasPlace = await this.places.keep(repositories, entrance, responseToken);
      const response = await lockBegun(repositories, entrance, responseToken);
      refuseEnded(response);
      this.entrances.refuseLate(response);
      if (!hasPlace && !(await this.places.regain(repositories, entrance, response.response_id)))
        throw quotaFull();
      const inThem = inQuotas(entrance.surveyId, response);
      if (inThem !== null) await this.quotas.keep(repositories, inThem);
      const prepared = await this.entrances.prepared(entrance, response.survey_version, repositories);
      return work({ repositories, entrance, response, prepared });
    });
  }

  /** Ends a response: everything that was saved, and what comes with the call, is judged as a whole. */
  complete(
    linkToken: string,
    responseToken: string,
    input: { answers: unknown },
  ): Promise<{ entrance: Entrance; response: OpenResponseRow }> {
    return again(() => this.completeNow(linkToken, responseToken, input));
  }

  private async completeNow(
    linkToken: string,
    responseToken: string,
    input: { answers: unknown },
  ): Promise<{ entrance: Entrance; response: OpenResponseRow }> {
    const entrance = await this.entrances.comeBack(linkToken);
    return this.store.transaction(async (repositories) => {
      const isAnswered = await lockInvitation(repositories, entrance);
      const placeLeft = await this.places.atEnd(repositories, entrance, responseToken);
      const response = await lockBegun(repositories, entrance, responseToken);
      // The reply to the first call was lost: it is given again.
      if (response.response_status !== 'partial') return { entrance, response };
      this.entrances.refuseLate(response);
      const prepared = await this.entrances.prepared(entrance, response.survey_version, repositories);
      const background = backgroundOf(entrance, response.hidden);
      const added = checked(prepared, input.answers, 'partial', background).answers;
      const all = { ...askedStill(prepared, response.answers), ...added };
      const { answers, end } = checked(prepared, all, 'complete', background);
      await checkFiles(repositories, entrance.surveyId, response.response_id, prepared, answers);
      await this.quality.refuseDuplicate(repositories, entrance, response);
      const durationSeconds = secondsBetween(response.started_at, this.clock.now());
      const identity = { responseId: response.response_id };
      const finished = { entrance, prepared, answers, end, durationSeconds, identity };
      // Begun twice, on two devices: the first to end counts.
      const verdict = isAnswered
        ? OVER_QUOTA
        : await judgeWithQuota(repositories, this.quality, finished, placeLeft);
      const operandOf = operandsSoFar(prepared, answers, background, null);
      const judged = await this.endings.judgedByQuotas(repositories, entrance, response, verdict, operandOf);
      return {
        entrance,
        response: await this.endings.write(repositories, entrance, { ...response, answers }, judged),
      };
    });
  }
}
