import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { ResponseStatus } from '../../domain/responses/response-row.ts';
import { NO_RESPONDENT_CONTEXT } from '../../domain/survey/logic/evaluate-logic.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { SURVEY_STATUS } from '../../domain/survey/status.ts';
import {
  calculatedValues,
  findDroppedAnswers,
  validateAnswers,
} from '../../domain/survey/validate-answers.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { requireItem } from '../../lib/require-value.ts';
import type { NewResponse, WrittenResponse } from '../../repositories/responses.ts';
import type { Store } from '../../repositories/store.ts';
import { problemsOfFilesBeforeStart } from '../collection/uploaded-files.ts';
import type { PreparedDefinitionCache } from '../surveys/survey-definitions.ts';

/** Tolerance for clock differences between machines. */
const SKEW_MS = 5 * 60 * 1000;

/** Problems of the times that a client sends for a response. */
export function checkTimes(
  row: { status: ResponseStatus; startedAt: Date | null; completedAt: Date | null },
  now: Date,
): ErrorDetail[] {
  const latest = now.getTime() + SKEW_MS;
  if (row.startedAt !== null && row.startedAt.getTime() > latest) {
    return [{ field: 'started_at', message: `${row.startedAt.toISOString()} is in the future` }];
  }
  if (row.completedAt === null) return [];
  if (row.completedAt.getTime() > latest) {
    return [{ field: 'completed_at', message: `${row.completedAt.toISOString()} is in the future` }];
  }
  if (row.status === 'partial')
    return [{ field: 'completed_at', message: 'a partial response has not ended' }];
  if (row.startedAt !== null && row.completedAt < row.startedAt) {
    return [{ field: 'completed_at', message: 'is before started_at' }];
  }
  return [];
}

const TOKEN_CHARACTERS = 32;
/** Rows validated before yielding to the event loop. */
const ROWS_PER_TURN = 200;
const ROWS_PER_STATEMENT = 2_000;

interface NewRow {
  submissionId: string | null;
  answers: unknown;
  status: ResponseStatus;
  startedAt: Date | null;
  completedAt: Date | null;
  externalId: string | null;
  language: string | null;
}

interface AddedRows {
  /** Parallel to the given rows; null for failed rows. */
  responses: (WrittenResponse | null)[];
  created: number;
  existing: number;
  errors: { index: number; details: ErrorDetail[] }[];
  /** Answers of valid rows that are not stored, because the logic does not show the question or the option to that respondent. */
  dropped: { index: number; details: ErrorDetail[] }[];
}

/** Adds responses in bulk, for integrations. */
export class ResponseRowsService {
  constructor(
    private readonly store: Store,
    private readonly definitions: PreparedDefinitionCache,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** With `atomic` one invalid row refuses all; otherwise valid rows are written together and invalid ones are reported. */
  async add(scope: SurveyScope, rows: readonly NewRow[], atomic: boolean): Promise<AddedRows> {
    const prepared = await requireAcceptingDefinition(this.store, this.definitions, scope.surveyId);
    const { valid, errors, dropped } = await this.validate(scope, prepared, rows);
    if (atomic && errors.length > 0)
      throw invalidFields(errors.flatMap((error) => error.details).slice(0, 100));
    const written = await this.store.transaction(async (repositories) => {
      const results: WrittenResponse[] = [];
      for (let start = 0; start < valid.length; start += ROWS_PER_STATEMENT) {
        const part = valid.slice(start, start + ROWS_PER_STATEMENT).map((one) => one.response);
        results.push(...(await repositories.responses.insertMany(part)));
      }
      await repositories.audit.record({
        by: scope,
        action: 'responses.added',
        objectType: 'survey',
        objectId: scope.surveyId,
        details: { created: results.filter((result) => result.created).length },
      });
      return results;
    });
    const responses: (WrittenResponse | null)[] = rows.map(() => null);
    for (const [position, { index }] of valid.entries())
      responses[index] = requireItem(written, position, 'written response');
    const created = written.filter((result) => result.created).length;
    return { responses, created, existing: written.length - created, errors, dropped };
  }

  private async validate(scope: SurveyScope, prepared: PreparedDefinition, rows: readonly NewRow[]) {
    const valid: { index: number; response: NewResponse }[] = [];
    const errors: AddedRows['errors'] = [];
    const dropped: AddedRows['dropped'] = [];
    const now = this.clock.now();
    for (const [index, row] of rows.entries()) {
      if (index > 0 && index % ROWS_PER_TURN === 0) await nextTurn();
      const mode = row.status === 'complete' ? 'complete' : 'partial';
      const result = validateAnswers(prepared, row.answers, { mode });
      const problems = result.ok
        ? [...checkTimes(row, now), ...problemsOfFilesBeforeStart(prepared, result.answers)]
        : result.problems;
      if (!result.ok || problems.length > 0) {
        errors.push({
          index,
          details: problems.map((problem) => ({ ...problem, field: `rows[${index}].${problem.field}` })),
        });
        continue;
      }
      const answers = {
        ...result.answers,
        ...(mode === 'partial' && calculatedValues(prepared, result.answers, NO_RESPONDENT_CONTEXT)),
      };
      const details = findDroppedAnswers(prepared, row.answers, answers);
      if (details.length > 0)
        dropped.push({
          index,
          details: details.map((detail) => ({ ...detail, field: `rows[${index}].${detail.field}` })),
        });
      // A screened-out respondent is never complete, whatever status the client sends.
      const isOut = result.end?.kind === 'screened_out';
      const ended = row.status === 'partial' ? null : (row.completedAt ?? now);
      const startedAt = row.startedAt ?? ended ?? now;
      valid.push({
        index,
        response: {
          surveyId: scope.surveyId,
          submissionId: row.submissionId,
          responseToken: this.ids.token(TOKEN_CHARACTERS),
          status: isOut ? 'screened_out' : row.status,
          statusReason: isOut ? 'screen_out' : null,
          endReason: result.end?.reason ?? null,
          surveyVersion: prepared.definition.version,
          linkId: null,
          waveId: null,
          externalId: row.externalId,
          language: row.language,
          lastPageId: null,
          startedAt,
          completedAt: ended,
          durationSeconds:
            row.startedAt === null || ended === null ? null : (ended.getTime() - startedAt.getTime()) / 1000,
          answers,
          hidden: null,
        },
      });
    }
    return { valid, errors, dropped };
  }
}

/** The published definition of a survey. Throws 409 if the survey does not accept responses. */
export async function requireAcceptingDefinition(
  store: Store,
  definitions: PreparedDefinitionCache,
  surveyId: number,
): Promise<PreparedDefinition> {
  const state = await store.read.surveys.findState(surveyId);
  if (state?.published_version == null) {
    throw conflict('survey_not_published', 'The survey accepts responses only after it is published');
  }
  if (state.survey_status !== SURVEY_STATUS.active) throw conflict('survey_closed', 'This survey is closed');
  return definitions.loadPublished(surveyId, state.published_version);
}
