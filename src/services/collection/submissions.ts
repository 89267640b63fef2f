import { retryOnSerializationFailure } from '../../db/transactions.ts';
import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import { allAnswersEqual, originalAnswers } from '../../domain/responses/response-row.ts';
import { createPartialOperands } from '../../domain/quota/allocate-cells.ts';
import { keepHiddenValues, storedHiddenNames } from '../../domain/survey/hidden-values.ts';
import { anonymousResponseId, dayZoneOf, IDS_PER_DAY } from '../../domain/survey/anonymous-times.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { addressNetwork } from '../../lib/address-network.ts';
import { alreadyUsed, requiredField } from '../../lib/error-messages.ts';
import type { RespondentContext } from '../../domain/survey/logic/evaluate-logic.ts';
import { presentationOf } from '../../domain/survey/logic/presentation.ts';
import { resumeAt } from '../../domain/survey/validate-answers.ts';
import type { Clock } from '../../lib/clock.ts';
import { requireValue } from '../../lib/require-value.ts';
import { AppError, conflict, invalid, invalidFields } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { NewResponse, WrittenResponse } from '../../repositories/responses.ts';
import type { Store } from '../../repositories/store.ts';
import {
  backgroundOf,
  evaluateResponse,
  requireValidAnswers,
  secondsBetween,
} from './response-completion.ts';
import { type ArmAssignments, assignsArms } from './arm-assignments.ts';
import { problemsOfFilesBeforeStart } from './uploaded-files.ts';
import type { RespondentDetails, CollectionQuality } from './collection-quality.ts';
import {
  alreadyAnswered,
  hidesLink,
  invitationOf,
  type LinkResolver,
  recordInvitationOpened,
  type ResolvedLink,
} from './link-resolver.ts';
import { limitsOf } from './link-reservations.ts';
import type { OpenedAtTokens } from './respondent-pages.ts';
import type { ClientSecrets } from './response-tokens.ts';
import { type EntryClaim, entryRefused, type PanelEntries } from './panel-entries.ts';
import type { PreviousAnswers } from './previous-answers.ts';
import type { QuotaReservations } from './quota-reservations.ts';
import type { Limits, ResponseWriter } from './response-writer.ts';

const TOKEN_CHARACTERS = 32;

export interface Submission extends RespondentDetails {
  submissionId: string | null;
  /** Random text of the client, the same for every attempt to send this submission. */
  clientSecret: string | null;
  answers: unknown;
  status: 'complete' | 'partial';
  language: string | null;
  hidden: Record<string, string> | null;
  /** The token of OpenedAtTokens that came with the survey. */
  opened: string | null;
  signedAt: string | null;
  signature: string | null;
  /** Sample answers of an earlier response, for previews. */
  previous?: Readonly<Record<string, unknown>> | undefined;
}

export interface SubmissionResult {
  link: ResolvedLink;
  written: WrittenResponse;
  /**
   * Whether this client created the response, now or in an earlier request: only then may it receive the response's
   * token. The submission_id is no proof, since authors and viewers of the survey can read it.
   */
  isFirstSender: boolean;
  /** The arms that are assigned to a response in progress, by block_id. */
  arms: Readonly<Record<string, string>>;
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
    private readonly panelEntries: PanelEntries,
    private readonly quotaReservations: QuotaReservations,
    private readonly armAssignments: ArmAssignments,
    private readonly previousAnswers: PreviousAnswers,
  ) {}

  /** Returns the definition for a new respondent: the newest published version, or the draft for a preview. */
  async openSurvey(
    linkToken: string,
    claim: EntryClaim,
  ): Promise<{ link: ResolvedLink; prepared: PreparedDefinition; opened: string; previous: StoredAnswers }> {
    const { link, prepared } = await this.resolveLink(linkToken);
    if (link.invitation?.hasEnded === true) throw alreadyAnswered();
    const entry = await this.verifyEntry(link, { ...claim, submissionId: null }, null);
    await recordInvitationOpened(this.store, link);
    const signature = link.signing === null ? null : claim.signature;
    const { answers: previous } = await this.previousAnswers.find(link, prepared, {
      panelMember: entry === null ? null : claim.externalId,
      before: this.clock.now(),
    });
    return { link, prepared, opened: this.openedAtTokens.create(link.surveyId, signature), previous };
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
    const entrySignature = link.signing === null ? null : submission.signature;
    const opened = this.openedAtTokens.verify(link.surveyId, submission.opened, entrySignature);
    const entry = await this.verifyEntry(link, submission, opened);
    if (link.linkType === 'panel' && submission.externalId === null) {
      throw invalid('external_id', requiredField('for a link of a panel'));
    }
    const { details, duplicateRules } = this.quality.admit(link, submission);
    const hidden = await this.keepHiddenValues(link, prepared, submission.hidden);
    const now = this.clock.now();
    const startedAt = opened ?? now;
    const carried = await this.previousAnswers.find(link, prepared, {
      panelMember: entry === null ? null : submission.externalId,
      before: startedAt,
      samples: submission.previous,
    });
    const responseToken = this.ids.token(TOKEN_CHARACTERS);
    const background = backgroundOf(link, {
      answers: carried.answers,
      hidden,
      submission_id: submission.submissionId,
      response_token: responseToken,
      presentation: null,
    });
    const validate = (context: RespondentContext) => {
      const valid = requireValidAnswers({
        prepared,
        answers: submission.answers,
        mode: submission.status,
        background: context,
      });
      return { ...valid, awaited: valid.path?.awaited ?? null };
    };
    const needsArms = !link.isPreview && assignsArms(prepared.definition);
    const { result } = needsArms
      ? await this.armAssignments.assignAlong(
          { surveyId: link.surveyId, responseToken },
          background,
          validate,
        )
      : { result: validate(background) };
    const { end, path } = result;
    const answers = { ...result.answers, ...carried.answers };
    const files = problemsOfFilesBeforeStart(prepared, answers);
    if (files.length > 0) throw invalidFields(files);
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
    const dayZone = dayZoneOf(link.settings);
    const written = await this.write(
      link,
      {
        surveyId: link.surveyId,
        responseId:
          dayZone === null ? null : anonymousResponseId(startedAt, dayZone, this.ids.number(IDS_PER_DAY)),
        submissionId: submission.submissionId,
        responseToken,
        clientSecretHash: this.clientSecrets.hash(proof),
        ...outcome,
        isPreview: link.isPreview,
        surveyVersion: prepared.definition.version,
        linkId: link.linkId,
        hidesLink: hidesLink(link),
        waveId: link.waveId,
        respondentId: link.respondent?.respondentId ?? null,
        ...details,
        language: submission.language,
        lastPageId: null,
        startedAt,
        completedAt: isEnded ? now : null,
        dayZone,
        durationSeconds,
        answers,
        hidden,
        presentation: path === null ? null : presentationOf(prepared.definition, path, background.seed ?? ''),
        previous: carried.source,
      },
      {
        limits: limitsOf(link),
        network: addressNetwork(submission.address),
        duplicateRules,
        invitation: invitationOf(link),
        entry,
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
    if (written.created && written.response_status !== 'partial')
      await this.panelEntries.checkExit(this.store.read, link, {
        responseId: written.response_id,
        externalId: details.externalId,
      });
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
    if (needsArms && !written.created) await this.armAssignments.release(link.surveyId, responseToken);
    const arms =
      needsArms && isFirstSender && written.response_status === 'partial'
        ? await this.assignFirstArms(link, prepared, written)
        : {};
    return { link, written, isFirstSender, arms };
  }

  /** Assigns the arms of the blocks with which the survey begins, for a response that has just been started. */
  private async assignFirstArms(
    link: ResolvedLink,
    prepared: PreparedDefinition,
    { response_token: responseToken }: WrittenResponse,
  ): Promise<SubmissionResult['arms']> {
    const { surveyId } = link;
    const response = requireValue(
      await this.store.read.responses.findByToken(surveyId, responseToken),
      'started response',
    );
    const { context } = await this.armAssignments.assignAlong(
      { surveyId, responseToken },
      backgroundOf(link, response),
      (context) => resumeAt(prepared, response.answers, { lastPageId: null, context }),
    );
    return context.arms;
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

  /**
   * Returns the signature that the response uses; null: none. Throws 403 or 410 for an entry that the link refuses, and records it. A
   * repeated submission may have the signature that the first one used.
   */
  private async verifyEntry(
    link: ResolvedLink,
    claim: EntryClaim & Pick<Submission, 'submissionId'>,
    opened: Date | null,
  ): Promise<Limits['entry']> {
    const { mismatch, signature } = await this.panelEntries.verify(link, claim, opened);
    const isRequired = link.signing?.isRequired === true;
    const isRepeated = mismatch === 'used' && (await this.isSubmitted(link, claim));
    if (mismatch === null || isRepeated)
      return signature === null || link.linkId === null
        ? null
        : { linkId: link.linkId, signature, isRequired };
    await this.panelEntries.recordEntryMismatch(link, mismatch, claim.externalId);
    if (isRequired) throw entryRefused(mismatch);
    return null;
  }

  /** Drops the values that the survey neither declares nor uses, so that a client cannot store what it likes. */
  private async keepHiddenValues(
    link: ResolvedLink,
    { definition }: PreparedDefinition,
    values: Submission['hidden'],
  ): Promise<Submission['hidden']> {
    if (values === null) return null;
    const quotas = await this.quotaReservations.loadQuotasOfLink(this.store.read, link);
    return keepHiddenValues(values, storedHiddenNames({ definition, settings: link.settings, quotas }));
  }

  private async isSubmitted(
    { surveyId }: ResolvedLink,
    { submissionId }: Pick<Submission, 'submissionId'>,
  ): Promise<boolean> {
    return (await this.store.read.responses.findSubmission(surveyId, submissionId)) !== null;
  }

  private async write(link: ResolvedLink, response: NewResponse, limits: Limits): Promise<WrittenResponse> {
    try {
      return await this.writer.write(response, limits);
    } catch (error) {
      if (error instanceof AppError && error.code === 'signature_used')
        await this.panelEntries.recordEntryMismatch(link, 'used', response.externalId);
      throw error;
    }
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
