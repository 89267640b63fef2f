import { operandsSoFar } from '../../domain/quota/operands-so-far.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, invalid, invalidFields } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { isValidSignature, sign } from '../../lib/signed-text.ts';
import type { WrittenResponse } from '../../repositories/responses.ts';
import type { Store } from '../../repositories/store.ts';
import { again } from './again.ts';
import { backgroundOf, checked, secondsBetween } from './begun-response.ts';
import { filesWithoutResponse } from './check-files.ts';
import type { Claim, CollectionQuality } from './collection-quality.ts';
import { alreadyAnswered, type Entrance, type Entrances } from './entrances.ts';
import { invitedBy, noteOpened } from './invitation-steps.ts';
import { holdsPlaces } from './link-places.ts';
import type { OpenedMoments } from './opened-moments.ts';
import { judge } from './response-verdict.ts';
import type { ResponseWriter } from './response-writer.ts';

const TOKEN_CHARACTERS = 32;
const SECRET_PURPOSE = 'submission-client-secret';

export interface Submission extends Claim {
  submissionId: string | null;
  /** Random text of the client, the same in every attempt to send this submission. */
  clientSecret: string | null;
  answers: unknown;
  status: 'complete' | 'partial';
  language: string | null;
  hidden: Record<string, string> | null;
  /** The words of collection/opened-moments.ts that came with the survey. */
  opened: string | null;
}

export interface SubmissionResult {
  entrance: Entrance;
  written: WrittenResponse;
  /**
   * The client created the response, now or by an earlier request: only then may it have the response's token. A submission_id is
   * no proof of that, since authors and viewers of the survey read it.
   */
  isFirstSender: boolean;
}

/** An answer comes in: through a link, from a respondent whom nobody knows. What is begun here goes on in collection.ts. */
export class SubmissionService {
  private readonly store: Store;
  private readonly writer: ResponseWriter;
  private readonly entrances: Entrances;
  private readonly quality: CollectionQuality;
  private readonly openedMoments: OpenedMoments;
  private readonly clock: Clock;
  private readonly ids: Ids;
  private readonly secret: string;

  constructor(
    store: Store,
    writer: ResponseWriter,
    entrances: Entrances,
    quality: CollectionQuality,
    openedMoments: OpenedMoments,
    clock: Clock,
    ids: Ids,
    secret: string,
  ) {
    this.store = store;
    this.writer = writer;
    this.entrances = entrances;
    this.quality = quality;
    this.openedMoments = openedMoments;
    this.clock = clock;
    this.ids = ids;
    this.secret = secret;
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

  /** Stores a whole response, or the beginning of one. A repeated submission_id writes nothing and returns what is stored. */
  submit(linkToken: string, submission: Submission): Promise<SubmissionResult> {
    return again(() => this.submitNow(linkToken, submission));
  }

  private async submitNow(linkToken: string, submission: Submission): Promise<SubmissionResult> {
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
        clientSecretHash: this.clientSecretHash(entrance.surveyId, submission),
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
      {
        quota: entrance.limit === null ? null : { linkId: entrance.linkId!, holds: holdsPlaces(entrance) },
        unique,
        invited: invitedBy(entrance),
        wave:
          verdict.status !== 'complete' || entrance.waveId === null || entrance.quotaRevision === 0
            ? null
            : { waveId: entrance.waveId, operandOf: operandsSoFar(prepared, answers, background, null) },
      },
    );
    // Another link's respondent chose the same name: theirs is not shown.
    if (written.link_id !== entrance.linkId || written.is_preview !== entrance.isPreview) {
      throw conflict(
        'submission_id_taken',
        `submission_id "${submission.submissionId}" is already used in this survey`,
      );
    }
    const isFirstSender = written.created || this.isFirstSender(entrance.surveyId, submission, written);
    return { entrance, written, isFirstSender };
  }

  private clientSecretHash(surveyId: number, submission: Submission): string | null {
    const text = secretText(surveyId, submission);
    return text === null ? null : sign(this.secret, SECRET_PURPOSE, text);
  }

  private isFirstSender(
    surveyId: number,
    submission: Submission,
    { client_secret_hash: stored }: WrittenResponse,
  ) {
    const text = secretText(surveyId, submission);
    return stored !== null && text !== null && isValidSignature(stored, this.secret, SECRET_PURPOSE, text);
  }

  private async enter(linkToken: string): Promise<{ entrance: Entrance; prepared: PreparedDefinition }> {
    const entrance = await this.entrances.enter(linkToken);
    return { entrance, prepared: await this.entrances.prepared(entrance) };
  }
}

const secretText = (surveyId: number, { submissionId, clientSecret }: Submission): string | null =>
  submissionId === null || clientSecret === null ? null : `${surveyId} ${submissionId} ${clientSecret}`;

const BEGUN = {
  status: 'partial',
  statusReason: null,
  endReason: null,
  quality: null,
  quotaCells: null,
} as const;
