import { retryOnSerializationFailure } from '../../db/transactions.ts';
import type { StoredAnswers } from '../../domain/answers/codec.ts';
import { allAnswersEqual, originalAnswers } from '../../domain/dataset/response-row.ts';
import { createPartialOperands } from '../../domain/quota/allocate-cells.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { addressNetwork } from '../../lib/address-network.ts';
import { alreadyUsed, requiredField } from '../../lib/error-messages.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, invalid, invalidFields } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { WrittenResponse } from '../../repositories/responses.ts';
import type { Store } from '../../repositories/store.ts';
import {
  backgroundOf,
  evaluateResponse,
  requireValidAnswers,
  secondsBetween,
} from './response-completion.ts';
import { problemsOfFilesBeforeStart } from './uploaded-files.ts';
import type { RespondentDetails, CollectionQuality } from './collection-quality.ts';
import {
  alreadyAnswered,
  invitationOf,
  type LinkResolver,
  recordInvitationOpened,
  type ResolvedLink,
} from './link-resolver.ts';
import { limitsOf } from './link-reservations.ts';
import type { OpenedAtTokens } from './respondent-pages.ts';
import type { ClientSecrets } from './response-tokens.ts';
import type { ResponseWriter } from './response-writer.ts';

const TOKEN_CHARACTERS = 32;

export interface Submission extends RespondentDetails {
  submissionId: string | null;
  /** Random text of the client, the same for every attempt to send this submission. */
  clientSecret: string | null;
  answers: unknown;
  status: 'complete' | 'partial';
  language: string | null;
  hidden: Record<string, string> | null;
  /** The token of collection/opened-at-tokens.ts that came with the survey. */
  opened: string | null;
}

export interface SubmissionResult {
  link: ResolvedLink;
  written: WrittenResponse;
  /**
   * Whether this client created the response, now or in an earlier request: only then may it receive the response's
   * token. The submission_id is no proof, since authors and viewers of the survey can read it.
   */
  isFirstSender: boolean;
}

/** Starts and submits responses of anonymous respondents through a link. collection.ts continues them. */
export class SubmissionService {
  constructor(
    private readonly store: Store,
    private readonly writer: ResponseWriter,
    private readonly linkResolver: LinkResolver,
    private readonly quality: CollectionQuality,
    private readonly openedAtTokens: OpenedAtTokens,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly clientSecrets: ClientSecrets,
  ) {}

  /** Returns the definition for a new respondent: the newest published version, or the draft for a preview. */
  async openSurvey(
    linkToken: string,
  ): Promise<{ link: ResolvedLink; prepared: PreparedDefinition; opened: string }> {
    const { link, prepared } = await this.resolveLink(linkToken);
    if (link.invitation?.hasEnded === true) throw alreadyAnswered();
    await recordInvitationOpened(this.store, link);
    return { link, prepared, opened: this.openedAtTokens.create(link.surveyId) };
  }

  /**
   * Stores a complete response or starts a partial one. Repeating a submission writes nothing and returns the stored
   * response. Throws 409 `submission_id_taken` if another submission has this submission_id.
   */
  submit(linkToken: string, submission: Submission): Promise<SubmissionResult> {
    return retryOnSerializationFailure(() => this.submitOnce(linkToken, submission));
  }

  private async submitOnce(linkToken: string, submission: Submission): Promise<SubmissionResult> {
    const { link, prepared } = await this.resolveLink(linkToken);
    if (link.linkType === 'panel' && submission.externalId === null) {
      throw invalid('external_id', requiredField('for a link of a panel'));
    }
    const { details, duplicateRules: unique } = this.quality.admit(link, submission);
    const background = backgroundOf(link, submission.hidden);
    const { answers, end } = requireValidAnswers({
      prepared,
      answers: submission.answers,
      mode: submission.status,
      background,
    });
    const files = problemsOfFilesBeforeStart(prepared, answers);
    if (files.length > 0) throw invalidFields(files);
    const now = this.clock.now();
    const opened = this.openedAtTokens.verify(link.surveyId, submission.opened);
    const isEnded = submission.status === 'complete';
    const durationSeconds = isEnded && opened !== null ? secondsBetween(opened, now) : null;
    const outcome = !isEnded
      ? STARTED
      : await evaluateResponse(this.store.read, this.quality, {
          link: link,
          prepared,
          answers,
          end,
          durationSeconds,
          identity: details,
        });
    const { submissionId, clientSecret } = submission;
    const proof = { surveyId: link.surveyId, submissionId, clientSecret };
    const written = await this.writer.write(
      {
        surveyId: link.surveyId,
        submissionId: submission.submissionId,
        responseToken: this.ids.token(TOKEN_CHARACTERS),
        clientSecretHash: this.clientSecrets.hash(proof),
        ...outcome,
        isPreview: link.isPreview,
        surveyVersion: prepared.definition.version,
        linkId: link.linkId,
        waveId: link.waveId,
        respondentId: link.respondent?.respondentId ?? null,
        ...details,
        language: submission.language,
        lastPageId: null,
        startedAt: opened ?? now,
        completedAt: isEnded ? now : null,
        durationSeconds,
        answers,
        hidden: submission.hidden,
      },
      {
        limits: limitsOf(link),
        network: addressNetwork(submission.address),
        duplicateRules: unique,
        invitation: invitationOf(link),
        wave:
          outcome.status !== 'complete' || link.waveId === null || link.quotaRevision === 0
            ? null
            : {
                waveId: link.waveId,
                operandOf: createPartialOperands({
                  preparedDefinition: prepared,
                  answers,
                  context: background,
                  submittedPageId: null,
                }),
              },
      },
    );
    const isFirstSender = written.created || this.clientSecrets.isValid(proof, written);
    // Someone else used the same submission_id; that response is not revealed.
    if (
      written.link_id !== link.linkId ||
      written.is_preview !== link.isPreview ||
      !(written.created || (await this.isRepeated({ link, submission, answers, written, isFirstSender })))
    ) {
      throw conflict(
        'submission_id_taken',
        `submission_id ${alreadyUsed(submission.submissionId, 'another response of this survey')}`,
      );
    }
    return { link: link, written, isFirstSender };
  }

  /**
   * Whether the stored response is of the same submission: with the same secret or both without, and with the same answers. A response that
   * its sender has continued since the start has others.
   */
  private async isRepeated({
    link: { surveyId },
    submission,
    answers,
    written,
    isFirstSender,
  }: {
    link: ResolvedLink;
    submission: Submission;
    answers: StoredAnswers;
    written: WrittenResponse;
    isFirstSender: boolean;
  }): Promise<boolean> {
    if (!isFirstSender && (written.client_secret_hash !== null || submission.clientSecret !== null))
      return false;
    if (isFirstSender && submission.status === 'partial') return true;
    const stored = await this.store.read.responses.findAnswers(surveyId, written.response_id);
    return allAnswersEqual(originalAnswers(stored), answers);
  }

  private async resolveLink(
    linkToken: string,
  ): Promise<{ link: ResolvedLink; prepared: PreparedDefinition }> {
    const link = await this.linkResolver.resolveForStart(linkToken);
    return { link, prepared: await this.linkResolver.loadDefinition(link) };
  }
}

const STARTED = {
  status: 'partial',
  statusReason: null,
  endReason: null,
  quality: null,
  quotaCells: null,
} as const;
