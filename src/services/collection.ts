import type { StoredAnswers } from '../domain/answers/codec.ts';
import type { HiddenValues } from '../domain/survey/display.ts';
import { resumePageId } from '../domain/survey/submit-page.ts';
import type { PreparedDefinition } from '../domain/survey/prepared-definition.ts';
import { validateAnswers } from '../domain/survey/validate-answers.ts';
import type { Clock } from '../lib/clock.ts';
import { coalesce } from '../lib/coalesce.ts';
import { conflict, gone, invalid, invalidFields, notFound } from '../lib/errors.ts';
import type { Ids } from '../lib/ids.ts';
import type { OpenLinkRow } from '../repositories/open-links.ts';
import type { OpenResponseRow, WrittenResponse } from '../repositories/responses.ts';
import type { Repositories, Store } from '../repositories/store.ts';
import { checkFiles, filesWithoutResponse } from './check-files.ts';
import type { PreparedDefinitions } from './prepared-definitions.ts';
import type { ResponseWriter } from './response-writer.ts';

const ACTIVE = 2;
/** After a survey closes, those who had started may still finish. */
const GRACE_MS = 60 * 60 * 1000;
const TOKEN_CHARACTERS = 32;

export interface Submission {
  submissionId: string | null;
  answers: unknown;
  status: 'complete' | 'partial';
  language: string | null;
  externalId: string | null;
  hidden: Record<string, string> | null;
}

/** Where a response stands after a page was saved. */
export interface Progress {
  response: OpenResponseRow;
  /** null: nothing is left to ask. */
  nextPageId: number | null;
}

/** A response that has begun and not ended; locked until the transaction of `repositories` ends. */
interface BegunResponse {
  repositories: Repositories;
  link: OpenLinkRow;
  response: OpenResponseRow;
  prepared: PreparedDefinition;
}

/** An answer comes in: through a link, from a respondent whom nobody knows. */
export class CollectionService {
  private readonly store: Store;
  private readonly writer: ResponseWriter;
  private readonly definitions: PreparedDefinitions;
  private readonly clock: Clock;
  private readonly ids: Ids;
  private readonly linkByToken: (token: string) => Promise<OpenLinkRow | undefined>;

  constructor(
    store: Store,
    writer: ResponseWriter,
    definitions: PreparedDefinitions,
    clock: Clock,
    ids: Ids,
  ) {
    this.store = store;
    this.writer = writer;
    this.definitions = definitions;
    this.clock = clock;
    this.ids = ids;
    this.linkByToken = coalesce((tokens) => store.read.openLinks.byTokens(tokens));
  }

  /** What a new respondent is asked: the newest published version. */
  async open(linkToken: string): Promise<{ link: OpenLinkRow; prepared: PreparedDefinition }> {
    const link = await this.openLink(linkToken);
    return { link, prepared: await this.definitions.published(link.survey_id, link.published_version!) };
  }

  /** A whole response, or the beginning of one. Its submission_id makes a retry harmless: the first result is given again. */
  async submit(linkToken: string, submission: Submission): Promise<WrittenResponse> {
    const { link, prepared } = await this.open(linkToken);
    if (link.link_type === 'panel' && submission.externalId === null) {
      throw invalid('external_id', 'is required: this link belongs to a panel');
    }
    const hidden = hiddenValues(submission.hidden);
    const answers = checked(prepared, submission.answers, submission.status, hidden);
    const files = filesWithoutResponse(prepared, answers);
    if (files.length > 0) throw invalidFields(files);
    const now = this.clock.now();
    const written = await this.writer.write(
      {
        surveyId: link.survey_id,
        submissionId: submission.submissionId,
        responseToken: this.ids.token(TOKEN_CHARACTERS),
        status: submission.status,
        statusReason: null,
        surveyVersion: prepared.definition.version,
        linkId: link.link_id,
        waveId: link.wave_id,
        externalId: submission.externalId,
        language: submission.language,
        lastPageId: null,
        startedAt: now,
        completedAt: submission.status === 'complete' ? now : null,
        durationSeconds: null,
        answers,
        hidden: submission.hidden,
      },
      limitOf(link),
    );
    // Another link's respondent chose the same name: theirs is not shown.
    if (written.link_id !== link.link_id) {
      throw conflict(
        'submission_id_taken',
        `submission_id "${submission.submissionId}" is already used in this survey`,
      );
    }
    return written;
  }

  /** Saves a page of a response that has begun; answers given before and not now stay. */
  async save(
    linkToken: string,
    responseToken: string,
    input: { answers: unknown; pageId: number | null },
  ): Promise<Progress> {
    const link = await this.startedLink(linkToken);
    return this.store.transaction(async (repositories) => {
      const response = await repositories.responses.lockByToken(link.survey_id, responseToken);
      const prepared = await this.preparedFor(link, response);
      if (input.pageId !== null && !prepared.pages.some(({ page }) => page.id === input.pageId)) {
        throw invalid('page_id', `"${input.pageId}" is no page of this survey`);
      }
      const answers = checked(prepared, input.answers, 'partial', hiddenValues(response!.hidden));
      await checkFiles(repositories, link.survey_id, response!.response_id, prepared, answers);
      await repositories.responses.saveAnswers(link.survey_id, response!.response_id, answers, input.pageId);
      const saved = { ...response!, answers: { ...response!.answers, ...answers } };
      return {
        response: saved,
        nextPageId: resumePageId(prepared, saved.answers, input.pageId, hiddenValues(saved.hidden)),
      };
    });
  }

  /** Whatever else a respondent may do to a response of theirs that has begun and not ended. */
  async withBegun<T>(
    linkToken: string,
    responseToken: string,
    work: (begun: BegunResponse) => Promise<T>,
  ): Promise<T> {
    const link = await this.startedLink(linkToken);
    return this.store.transaction(async (repositories) => {
      const response = await repositories.responses.lockByToken(link.survey_id, responseToken);
      const prepared = await this.preparedFor(link, response);
      return work({ repositories, link, response: response!, prepared });
    });
  }

  /** Ends a response: everything that was saved, and what comes with the call, is judged as a whole. */
  async complete(
    linkToken: string,
    responseToken: string,
    input: { answers: unknown },
  ): Promise<OpenResponseRow> {
    const link = await this.startedLink(linkToken);
    return this.store.transaction(async (repositories) => {
      const limit = limitOf(link);
      if (limit !== null) await repositories.openLinks.lock([link.link_id]);
      const response = await repositories.responses.lockByToken(link.survey_id, responseToken);
      // The reply to the first call was lost: it is given again.
      if (response?.link_id === link.link_id && response.response_status === 'complete') return response;
      const prepared = await this.preparedFor(link, response);
      const { response_id: responseId, started_at: startedAt } = response!;
      if (
        limit !== null &&
        (await repositories.responses.completesOfLink(link.survey_id, link.link_id)) >= limit
      ) {
        throw conflict('quota_full', 'This link has all the responses it may have');
      }
      const hidden = hiddenValues(response!.hidden);
      const added = checked(prepared, input.answers, 'partial', hidden);
      const answers = checked(prepared, { ...response!.answers, ...added }, 'complete', hidden);
      await checkFiles(repositories, link.survey_id, responseId, prepared, answers);
      const completedAt = this.clock.now();
      const durationSeconds = Math.max(0, (completedAt.getTime() - startedAt.getTime()) / 1000);
      await repositories.responses.finish(link.survey_id, responseId, {
        answers,
        completedAt,
        durationSeconds,
      });
      return { ...response!, response_status: 'complete', answers };
    });
  }

  private async openLink(linkToken: string): Promise<OpenLinkRow> {
    const link = await this.linkByToken(linkToken);
    if (link === undefined || link.published_version === null) throw notFound('survey link');
    if (link.link_state === 'paused') throw conflict('link_paused', 'This link is paused');
    if (link.expires_at !== null && link.expires_at <= this.clock.now())
      throw gone('link_expired', 'This link has expired');
    if (link.survey_status !== ACTIVE) throw surveyClosed();
    return link;
  }

  /** Pausing, expiry and a short while after closing do not cut off who had started. */
  private async startedLink(linkToken: string): Promise<OpenLinkRow> {
    const link = await this.linkByToken(linkToken);
    if (link === undefined || link.published_version === null) throw notFound('survey link');
    const closedForMs = link.closed_at === null ? 0 : this.clock.now().getTime() - link.closed_at.getTime();
    if (link.survey_status !== ACTIVE && closedForMs > GRACE_MS) throw surveyClosed();
    return link;
  }

  /** The version in which the response was started; refuses a response of another link, and one that has ended. */
  private async preparedFor(
    link: OpenLinkRow,
    response: OpenResponseRow | null,
  ): Promise<PreparedDefinition> {
    if (response === null || response.link_id !== link.link_id) throw notFound('response');
    if (response.response_status !== 'partial') {
      throw conflict(
        'response_ended',
        `This response is ${response.response_status} and can no longer be changed`,
      );
    }
    return this.definitions.published(link.survey_id, response.survey_version);
  }
}

const surveyClosed = () => conflict('survey_closed', 'This survey no longer takes responses');

/** A unique link is for one complete response, whatever else was set. */
const limitOf = (link: OpenLinkRow): number | null => (link.link_type === 'unique' ? 1 : link.link_quota);

const hiddenValues = (hidden: Record<string, string> | null): HiddenValues =>
  new Map(Object.entries(hidden ?? {}));

function checked(
  prepared: PreparedDefinition,
  answers: unknown,
  mode: 'complete' | 'partial',
  hidden: HiddenValues,
): StoredAnswers {
  const result = validateAnswers(prepared, answers, mode, hidden);
  if (!result.ok) throw invalidFields(result.problems);
  return result.answers;
}
