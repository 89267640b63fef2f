import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { resumePageId, submitPage } from '../../domain/survey/submit-page.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, invalid, invalidFields } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { OpenResponseRow, WrittenResponse } from '../../repositories/responses.ts';
import type { Repositories, Store } from '../../repositories/store.ts';
import {
  askedStill,
  checked,
  backgroundOf,
  lockBegun,
  ofEntrance,
  refuseEnded,
  secondsBetween,
} from './begun-response.ts';
import { checkFiles, filesWithoutResponse } from './check-files.ts';
import type { Claim, CollectionQuality } from './collection-quality.ts';
import { alreadyAnswered, type Entrance, type Entrances } from './entrances.ts';
import { invitedBy, lockInvitation, noteOpened, noteStep } from './invitation-steps.ts';
import { holdsPlaces, type LinkPlaces, quotaFull } from './link-places.ts';
import type { OpenedMoments } from './opened-moments.ts';
import { judge, judgeWithQuota, OVER_QUOTA, type Verdict, verdictOf } from './response-verdict.ts';
import type { ResponseWriter } from './response-writer.ts';

const TOKEN_CHARACTERS = 32;

export interface Submission extends Claim {
  submissionId: string | null;
  answers: unknown;
  status: 'complete' | 'partial';
  language: string | null;
  hidden: Record<string, string> | null;
  /** The words of collection/opened-moments.ts that came with the survey. */
  opened: string | null;
}

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

/** An answer comes in: through a link, from a respondent whom nobody knows. */
export class CollectionService {
  private readonly store: Store;
  private readonly writer: ResponseWriter;
  private readonly entrances: Entrances;
  private readonly quality: CollectionQuality;
  private readonly places: LinkPlaces;
  private readonly openedMoments: OpenedMoments;
  private readonly clock: Clock;
  private readonly ids: Ids;

  constructor(
    store: Store,
    writer: ResponseWriter,
    entrances: Entrances,
    quality: CollectionQuality,
    places: LinkPlaces,
    openedMoments: OpenedMoments,
    clock: Clock,
    ids: Ids,
  ) {
    this.store = store;
    this.writer = writer;
    this.entrances = entrances;
    this.quality = quality;
    this.places = places;
    this.openedMoments = openedMoments;
    this.clock = clock;
    this.ids = ids;
  }

  /** What a new respondent is asked: the newest published version, or through a preview the draft. */
  async open(
    linkToken: string,
  ): Promise<{ entrance: Entrance; prepared: PreparedDefinition; opened: string }> {
    const { entrance, prepared } = await this.enter(linkToken);
    if (entrance.invitation?.hasEnded === true) throw alreadyAnswered();
    await noteOpened(this.store, entrance);
    return { entrance, prepared, opened: this.openedMoments.make(entrance.surveyId) };
  }

  /** A whole response, or the beginning of one. Its submission_id makes a retry harmless: the first result is given again. */
  async submit(
    linkToken: string,
    submission: Submission,
  ): Promise<{ entrance: Entrance; written: WrittenResponse }> {
    const { entrance, prepared } = await this.enter(linkToken);
    if (entrance.linkType === 'panel' && submission.externalId === null) {
      throw invalid('external_id', 'is required: this link belongs to a panel');
    }
    const { kept, unique } = this.quality.admit(entrance, submission);
    const background = backgroundOf(entrance, submission.hidden);
    const { answers, end } = checked(prepared, submission.answers, submission.status, background);
    const files = filesWithoutResponse(prepared, answers);
    if (files.length > 0) throw invalidFields(files);
    const now = this.clock.now();
    const opened = this.openedMoments.read(entrance.surveyId, submission.opened);
    const isEnded = submission.status === 'complete';
    const durationSeconds = isEnded && opened !== null ? secondsBetween(opened, now) : null;
    const verdict = !isEnded
      ? BEGUN
      : await judge(this.store.read, this.quality, {
          entrance,
          prepared,
          answers,
          end,
          durationSeconds,
          identity: kept,
        });
    const written = await this.writer.write(
      {
        surveyId: entrance.surveyId,
        submissionId: submission.submissionId,
        responseToken: this.ids.token(TOKEN_CHARACTERS),
        ...verdict,
        isPreview: entrance.isPreview,
        surveyVersion: prepared.definition.version,
        linkId: entrance.linkId,
        waveId: entrance.waveId,
        respondentId: entrance.respondent?.respondentId ?? null,
        ...kept,
        language: submission.language,
        lastPageId: null,
        startedAt: opened ?? now,
        completedAt: isEnded ? now : null,
        durationSeconds,
        answers,
        hidden: submission.hidden,
      },
      entrance.limit === null ? null : { linkId: entrance.linkId!, holds: holdsPlaces(entrance) },
      unique,
      invitedBy(entrance),
    );
    // Another link's respondent chose the same name: theirs is not shown.
    if (written.link_id !== entrance.linkId || written.is_preview !== entrance.isPreview) {
      throw conflict(
        'submission_id_taken',
        `submission_id "${submission.submissionId}" is already used in this survey`,
      );
    }
    return { entrance, written };
  }

  /**
   * Saves answers of a response that has begun; those given before and not now stay. With a page that page is handed in: it is judged
   * as complete, and a skip on it may screen the respondent out there and then.
   */
  async save(linkToken: string, responseToken: string, input: PageInput): Promise<Progress> {
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
        const ended = await this.end(repositories, entrance, response, OVER_QUOTA);
        return { entrance, prepared, response: ended, nextPageId: null };
      }
      const { pageId, pageSeconds } = input;
      if (pageId !== null && !prepared.places.pageIndexById.has(pageId)) {
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
        const ended = await this.end(repositories, entrance, screenedOut, verdictOf(page.end));
        return { entrance, prepared, response: ended, nextPageId: null };
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
      const prepared = await this.entrances.prepared(entrance, response.survey_version, repositories);
      return work({ repositories, entrance, response, prepared });
    });
  }

  /** Ends a response: everything that was saved, and what comes with the call, is judged as a whole. */
  async complete(
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
      return {
        entrance,
        response: await this.end(repositories, entrance, { ...response, answers }, verdict),
      };
    });
  }

  private async enter(linkToken: string): Promise<{ entrance: Entrance; prepared: PreparedDefinition }> {
    const entrance = await this.entrances.enter(linkToken);
    return { entrance, prepared: await this.entrances.prepared(entrance) };
  }

  private async end(
    repositories: Repositories,
    entrance: Entrance,
    response: OpenResponseRow,
    verdict: Verdict,
  ): Promise<OpenResponseRow> {
    const completedAt = this.clock.now();
    const invited = invitedBy(entrance);
    if (invited !== null) await noteStep(repositories, invited, verdict.status);
    await repositories.responses.finish(entrance.surveyId, response.response_id, {
      ...verdict,
      answers: response.answers,
      completedAt,
      durationSeconds: secondsBetween(response.started_at, completedAt),
      lastPageId: response.last_page_id,
    });
    return {
      ...response,
      response_status: verdict.status,
      status_reason: verdict.statusReason,
      status_message: verdict.statusMessage,
    };
  }
}

const BEGUN = { status: 'partial', statusReason: null, statusMessage: null, quality: null } as const;
