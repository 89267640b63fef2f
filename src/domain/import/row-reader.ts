import type { StoredAnswers } from '../answers/codec.ts';
import type { ResponseStatus } from '../dataset/response-row.ts';
import type { PreparedDefinition } from '../survey/prepared-definition.ts';
import type { SurveyEnd } from '../survey/logic/evaluate-logic.ts';
import { type AnswerPlan, createAnswerPlans, type CellProblem } from './answer-plan.ts';
import { type ColumnRole, IMPORTED_METADATA } from './column-roles.ts';
import type { ColumnMatch } from './match-columns.ts';
import type { CellOptions } from './read-cell.ts';
import { resolveAmbiguousEnd, emptyMetadata, readMetadata, type RowMetadata } from './read-metadata.ts';
import { createShownQuestions } from './shown-questions.ts';
import type { SourceCell, SourceRow } from './source-file.ts';

export interface ReadRow {
  row: number;
  /** Present in exports of this survey; null: a new response. */
  responseId: number | null;
  metadata: RowMetadata & { status: ResponseStatus };
  /** For questions with columns in the file; null: shown and skipped, absent: not shown. */
  answers: StoredAnswers;
  /** The skip rule that ends a complete response with these answers. */
  end: SurveyEnd | null;
  problems: CellProblem[];
}

export interface RowOptions extends CellOptions {
  /** Status of rows without one. */
  status: ResponseStatus;
  /** IANA name of the time zone of timestamps without an offset. */
  timeZone: string;
  /** Maximum number of cells per row; more indicate broken quoting. null: unlimited. */
  maxColumns: number | null;
}

/**
 * Converts rows to responses. Values are validated like cell edits, but not against required questions or survey logic; the logic only
 * distinguishes skipped from not shown for empty cells.
 */
export class ImportRowReader {
  readonly plans: readonly AnswerPlan[];
  private readonly metadata: { index: number; role: ColumnRole }[] = [];
  private readonly responseIdIndex: number;
  private readonly shown: ReturnType<typeof createShownQuestions>;
  /** Status of rows without one: partial if the file has a submission date column. */
  private readonly defaultStatus: ResponseStatus;
  private readonly isOfOtherTool: boolean;

  constructor(
    prepared: PreparedDefinition,
    matches: readonly ColumnMatch[],
    private readonly options: RowOptions,
  ) {
    this.plans = createAnswerPlans(matches, prepared, options);
    this.shown = createShownQuestions(prepared);
    this.responseIdIndex = matches.findIndex(({ columnCode }) => columnCode === 'response_id');
    matches.forEach(({ entry, role: layoutRole }, index) => {
      const role = layoutRole ?? IMPORTED_METADATA.find((code) => code === entry?.spec.columnCode);
      if (role !== undefined && entry !== null) this.metadata.push({ index, role });
    });
    this.isOfOtherTool = matches.some(({ role }) => role !== undefined);
    const hasSubmission = this.metadata.some(({ role }) => role === 'submitted_at');
    this.defaultStatus = hasSubmission ? 'partial' : options.status;
  }

  read({ row, cells }: SourceRow): ReadRow {
    const problems: CellProblem[] = [];
    const answers = Object.create(null) as StoredAnswers;
    let lastGiven = -1;
    this.plans.forEach((plan, planIndex) => {
      const result = plan.read(cells);
      if (!result.ok) problems.push(...result.problems);
      else if (result.given) {
        answers[plan.preparedQuestion.question.code] = result.answer;
        lastGiven = planIndex;
      }
    });
    const { maxColumns } = this.options;
    const extra = maxColumns === null ? undefined : cells.slice(maxColumns).find((cell) => cell !== null);
    if (maxColumns !== null && extra !== undefined) {
      const message = `the row has ${cells.length} cells, the file ${maxColumns} columns`;
      problems.push({ index: maxColumns, value: extra, message });
    }
    const metadata = this.readMetadata(cells, problems);
    const shown = this.shown(answers);
    const isScreenedOut =
      metadata.status === null && this.defaultStatus === 'complete' && shown.end?.kind === 'screened_out';
    const status = metadata.status ?? (isScreenedOut ? 'screened_out' : this.defaultStatus);
    if (this.isOfOtherTool && status === 'partial') removeEnd(metadata);
    // A partial response was not shown the questions after its last answer.
    const lastShown = status === 'complete' ? this.plans.length : lastGiven;
    this.plans.forEach(({ preparedQuestion: { question, retired } }, planIndex) => {
      if (planIndex > lastShown || retired || Object.hasOwn(answers, question.code)) return;
      if (shown.has(question.code)) answers[question.code] = null;
    });
    const statusReason = metadata.statusReason ?? (isScreenedOut ? 'screen_out' : null);
    return {
      row,
      responseId: parseResponseId(cells[this.responseIdIndex] ?? null),
      metadata: { ...metadata, status, statusReason: status === 'screened_out' ? statusReason : null },
      answers,
      end: isScreenedOut ? shown.end : null,
      problems,
    };
  }

  private readMetadata(cells: readonly SourceCell[], problems: CellProblem[]): RowMetadata {
    const read = emptyMetadata();
    for (const { index, role } of this.metadata) {
      const value = cells[index] ?? null;
      if (value === null || value === '') continue;
      const message = readMetadata(read, role, value, this.options.timeZone);
      if (message !== null) problems.push({ index, value, message });
    }
    const end = this.metadata.find(({ role }) => role === 'completed_at' || role === 'submitted_at');
    if (end !== undefined) resolveAmbiguousEnd(read, cells[end.index] ?? null, this.options.timeZone);
    return read;
  }
}

/** Other tools write the time of the last activity as the end of a partial response: stores it as the duration instead. */
function removeEnd(metadata: RowMetadata): void {
  const { startedAt, completedAt } = metadata;
  if (startedAt !== null && completedAt !== null && completedAt >= startedAt)
    metadata.durationSeconds ??= (completedAt.getTime() - startedAt.getTime()) / 1000;
  metadata.completedAt = null;
}

function parseResponseId(cell: SourceCell): number | null {
  const text = String(cell ?? '').trim();
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
}
