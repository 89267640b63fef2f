import { optionColumnCode, type StoredAnswer, type StoredAnswers } from '../questions/answers/codec.ts';
import { cellCodecFor, typeOf } from '../questions/registry.ts';
import type { Cell } from '../columns/column-spec.ts';
import { foldText, type NoAnswerReason, reasonsByText } from '../columns/no-answer.ts';
import { reasonAnswer } from '../questions/answers/no-answer.ts';
import { binaryColumnsOfSet, type CatalogColumn, type QuestionColumns } from '../dataset/column-catalog.ts';
import type { PreparedDefinition, PreparedQuestion } from '../survey/prepared-definition.ts';
import type { ColumnMatch } from './match-columns.ts';
import { MISSING } from './cell-outcome.ts';
import { type CellOptions, type CellReader, createCellReader } from './read-cell.ts';
import { emptyMetadata, readMetadata, resolveAmbiguousEnd, type RowMetadata } from './read-metadata.ts';
import type { DecimalMark } from '../numbers/read-number-text.ts';
import {
  type CellOutcome,
  type ColumnRole,
  IMPORTED_METADATA,
  type SourceCell,
  type SourceRow,
} from './source-file.ts';
import { calculatedValues } from '../survey/validate-answers.ts';
import { evaluateLogic, NO_RESPONDENT_CONTEXT, type SurveyEnd } from '../survey/logic/evaluate-logic.ts';
import type { ResponseStatus } from '../responses/response-row.ts';

/** An unreadable cell; `index` is its column in the file. */
interface CellProblem {
  index: number;
  value: SourceCell;
  message: string;
}

type Outcomes = readonly (readonly [index: number, outcome: CellOutcome])[];

type PlannedAnswer =
  /** `given`: whether at least one of its cells has a value. */
  | { ok: true; answer: StoredAnswer | null; given: boolean; outcomes: Outcomes }
  | { ok: false; problems: CellProblem[] };

interface PlannedColumn {
  index: number;
  read: CellReader;
  /** The question's columns that the cell sets, with their values. */
  spread: (cell: Cell) => (readonly [columnCode: string, cell: Cell])[];
  codes: readonly string[];
}

/** Number of cached results per question: equal cells give equal answers. */
const MAX_CACHED_CELLS = 2_000;
const NORMALIZED = { kind: 'changed', reason: 'line ends and Unicode characters are normalized' } as const;
const ROUNDED = { kind: 'changed', reason: 'is rounded to 15 significant digits' } as const;

/** Reads the answers to one question from the columns of a file. */
class AnswerPlan {
  private readonly columns: [PlannedColumn, ...PlannedColumn[]];
  private readonly cache = new Map<SourceCell, PlannedAnswer>();

  /** `leavesInvalidEmpty`: invalid cells are left empty. */
  constructor(
    readonly preparedQuestion: PreparedQuestion,
    first: PlannedColumn,
    private readonly leavesInvalidEmpty: boolean,
    /** By code or folded label. */
    private readonly reasons: ReadonlyMap<string, NoAnswerReason>,
  ) {
    this.columns = [first];
  }

  add(column: PlannedColumn): void {
    this.columns.push(column);
  }

  read(cells: readonly SourceCell[]): PlannedAnswer {
    const [first] = this.columns;
    // Texts rarely repeat.
    if (this.columns.length > 1 || typeOf(this.preparedQuestion.question).openText !== undefined)
      return this.createAnswer(cells);
    const cell = cells[first.index] ?? null;
    const kept = this.cache.get(cell);
    if (kept !== undefined) return kept;
    const plannedAnswer = this.createAnswer(cells);
    if (this.cache.size < MAX_CACHED_CELLS) this.cache.set(cell, plannedAnswer);
    return plannedAnswer;
  }

  /** Returns the reason that all filled cells give instead of an answer; null: they give none. */
  private reasonIn(cells: readonly SourceCell[]): NoAnswerReason | null {
    if (this.reasons.size === 0) return null;
    const given = new Set(
      this.columns.flatMap(({ index }) => {
        const cell = cells[index] ?? null;
        return cell === null || cell === '' ? [] : [this.reasons.get(foldText(String(cell))) ?? null];
      }),
    );
    const [reason = null] = given;
    return given.size === 1 ? reason : null;
  }

  private createAnswer(cells: readonly SourceCell[]): PlannedAnswer {
    const reason = this.reasonIn(cells);
    if (reason !== null) return { ok: true, answer: reasonAnswer(reason), given: true, outcomes: [] };
    const invalid = new Map<number, CellOutcome>();
    for (;;) {
      const result = this.createAnswerWithout(cells, invalid);
      if (result.ok || !this.leavesInvalidEmpty) return result;
      const before = invalid.size;
      for (const { index, message } of result.problems)
        invalid.set(index, { kind: 'unreadable', reason: message });
      if (invalid.size > before) continue;
      // The cells are valid, but no answer together.
      const reason = result.problems[0]?.message ?? '';
      for (const { index } of this.columns) invalid.set(index, { kind: 'unreadable', reason });
    }
  }

  private createAnswerWithout(
    cells: readonly SourceCell[],
    invalid: ReadonlyMap<number, CellOutcome>,
  ): PlannedAnswer {
    const changes = new Map<string, Cell>();
    const problems: CellProblem[] = [];
    const outcomes: [number, CellOutcome][] = [...invalid];
    let hasValue = false;
    let only: Cell = null;
    for (const { index, read, spread } of this.columns) {
      const value = invalid.has(index) ? null : (cells[index] ?? null);
      const result = read(value);
      if (!result.ok) problems.push({ index, value, message: result.message });
      else {
        hasValue ||= result.cell !== null;
        only = result.cell;
        if (result.outcome !== undefined) outcomes.push([index, result.outcome]);
        for (const [code, cell] of spread(result.cell)) changes.set(code, cell);
      }
    }
    if (problems.length > 0) return { ok: false, problems };
    if (!hasValue) return { ok: true, answer: null, given: false, outcomes };
    const { question } = this.preparedQuestion;
    const result = cellCodecFor(question).fromCells(question, undefined, changes);
    if (result.ok) {
      const [first] = this.columns;
      const change = this.columns.length > 1 ? null : changeOf(only, result.answer);
      if (change !== null) outcomes.push([first.index, change]);
      return { ok: true, answer: result.answer, given: result.answer !== null, outcomes };
    }
    return {
      ok: false,
      problems: result.problems.map(({ field, message }) => {
        const column = this.columns.find(({ codes }) => codes.includes(field)) ?? this.columns[0];
        return { index: column.index, value: cells[column.index] ?? null, message };
      }),
    };
  }
}

/** What storing a cell as the answer changes; null: nothing. */
function changeOf(cell: Cell, answer: StoredAnswer | null): CellOutcome | null {
  if (typeof cell === 'string' && answer === null) return MISSING;
  if (typeof cell === 'string' && typeof answer === 'string' && answer !== cell) return NORMALIZED;
  return typeof cell === 'number' && typeof answer === 'number' && answer !== cell ? ROUNDED : null;
}

/** Returns the label of the option that a 0/1 column stands for. */
function labelOfOption({ question, columns }: QuestionColumns, columnIndex: number): string | undefined {
  const code = columns[columnIndex]?.columnCode;
  return question.options.find((option) => optionColumnCode(question, option) === code)?.label;
}

/** Whether the answers are whole numbers, so that a mark before three digits groups them. */
function isWholeNumber(question: QuestionColumns['question']): boolean {
  return 'decimals' in question.settings && question.settings.decimals === 0;
}

/** The reasons that cells of the question can give. The labels of options are options. */
function reasonsOf(
  { spec }: CatalogColumn,
  { values: shownAs }: CellOptions,
): ReadonlyMap<string, NoAnswerReason> {
  const reasons = new Map(reasonsByText(spec.noAnswers ?? [], shownAs));
  for (const { label } of spec.values) reasons.delete(foldText(label));
  return reasons;
}

/** Creates a plan for each question with a column in the file, in survey order. */
function createAnswerPlans(
  matches: readonly ColumnMatch[],
  prepared: PreparedDefinition,
  options: RowOptions,
): AnswerPlan[] {
  const plans = new Map<string, AnswerPlan>();
  matches.forEach(({ entry }, index) => {
    if (entry?.origin.kind !== 'question') return;
    const { questionColumns, part, index: columnIndex } = entry.origin;
    const { code } = questionColumns.question;
    const addColumn = (column: PlannedColumn) => {
      const preparedQuestion = prepared.byCode.get(code);
      if (preparedQuestion === undefined) throw new Error(`The definition has no question ${code}`);
      const plan = plans.get(code);
      if (plan === undefined)
        plans.set(
          code,
          new AnswerPlan(preparedQuestion, column, options.leavesInvalidEmpty, reasonsOf(entry, options)),
        );
      else plan.add(column);
    };
    const { columnCode } = entry.spec;
    const read = createCellReader(entry.spec, options, {
      optionLabel: labelOfOption(entry.origin.questionColumns, columnIndex),
      decimalMark: options.decimalMarks[index] ?? null,
      isWhole: isWholeNumber(entry.origin.questionColumns.question),
    });
    if (part === 'column' || questionColumns.codec.rowSets === undefined) {
      addColumn({ index, read, spread: (cell) => [[columnCode, cell]], codes: [columnCode] });
      return;
    }
    // A matrix only accepts its row sets as 0/1 columns.
    const { options: questionOptions } = questionColumns.question;
    const ticks = binaryColumnsOfSet(questionColumns, columnIndex).map((member, i) => ({
      columnCode: member.columnCode,
      value: questionOptions[i]?.value ?? null,
    }));
    const spread = (cell: Cell) => {
      const chosen = Array.isArray(cell) ? cell : [];
      const isChosen = (value: string | null) => value !== null && chosen.includes(value);
      return ticks.map(
        ({ columnCode: member, value }) => [member, cell === null ? null : Number(isChosen(value))] as const,
      );
    };
    addColumn({ index, read, spread, codes: [...ticks.map((tick) => tick.columnCode), columnCode] });
  });
  return [...prepared.byCode.keys()].flatMap((code) => plans.get(code) ?? []);
}

/** The questions that a response was shown, according to its answers. */
interface ShownQuestions {
  has(questionCode: string): boolean;
  end: SurveyEnd | null;
}

/** Evaluates the survey's logic, if any; otherwise every question that is not hidden is shown. */
function createShownQuestions(prepared: PreparedDefinition): (answers: StoredAnswers) => ShownQuestions {
  const everything = new Set<string>();
  let hasLogic = false;
  for (const { page, questions } of prepared.pages) {
    hasLogic ||= page.logic !== null;
    for (const { question } of questions) {
      hasLogic ||= question.settings.logic !== null;
      if (!question.settings.hidden) everything.add(question.code);
    }
  }
  if (!hasLogic) {
    const all: ShownQuestions = { has: (code) => everything.has(code), end: null };
    return () => all;
  }
  return (answers) => {
    const answerOf = (code: string) => (Object.hasOwn(answers, code) ? answers[code] : undefined);
    const route = evaluateLogic(prepared, ({ question }) => answerOf(question.code), NO_RESPONDENT_CONTEXT);
    return { has: (code) => route.shown.has(code), end: route.end };
  };
}

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
  /** Cells that do not arrive as they are, by index. */
  outcomes: Map<number, CellOutcome>;
}

export interface RowOptions extends CellOptions {
  /** Status of rows without one. */
  status: ResponseStatus;
  /** IANA name of the time zone of timestamps without an offset. */
  timeZone: string;
  /** Maximum number of cells per row; more indicate broken quoting. null: unlimited. */
  maxColumns: number | null;
  /** The decimal mark of each column, null if unknown. */
  decimalMarks: readonly (DecimalMark | null)[];
  /** Whether invalid cells are left empty; otherwise their row has an error. */
  leavesInvalidEmpty: boolean;
}

/**
 * Converts rows to responses. Values are validated like cell edits, but not against required questions or survey logic; the logic only
 * distinguishes skipped from not shown for empty cells.
 */
export class ImportRowReader {
  readonly plans: readonly AnswerPlan[];
  private readonly metadata: { index: number; role: ColumnRole; isOfLayout: boolean }[] = [];
  private readonly responseIdIndex: number;
  private readonly shown: ReturnType<typeof createShownQuestions>;
  /** Status of rows without one: partial if the file has a submission date column. */
  private readonly defaultStatus: ResponseStatus;
  private readonly isOfOtherTool: boolean;

  constructor(
    private readonly prepared: PreparedDefinition,
    matches: readonly ColumnMatch[],
    readonly options: RowOptions,
  ) {
    this.plans = createAnswerPlans(matches, prepared, options);
    this.shown = createShownQuestions(prepared);
    this.responseIdIndex = matches.findIndex(({ columnCode }) => columnCode === 'response_id');
    matches.forEach(({ entry, role: layoutRole }, index) => {
      const role = layoutRole ?? IMPORTED_METADATA.find((code) => code === entry?.spec.columnCode);
      if (role !== undefined && entry !== null)
        this.metadata.push({ index, role, isOfLayout: layoutRole !== undefined });
    });
    this.isOfOtherTool = matches.some(({ role }) => role !== undefined);
    const hasSubmission = this.metadata.some(({ role }) => role === 'submitted_at');
    this.defaultStatus = hasSubmission ? 'partial' : options.status;
  }

  read({ row, cells }: SourceRow): ReadRow {
    const problems: CellProblem[] = [];
    const outcomes = new Map<number, CellOutcome>();
    const answers = Object.create(null) as StoredAnswers;
    let lastGiven = -1;
    this.plans.forEach((plan, planIndex) => {
      const result = plan.read(cells);
      if (!result.ok) {
        problems.push(...result.problems);
        return;
      }
      for (const [index, outcome] of result.outcomes) outcomes.set(index, outcome);
      if (result.given) {
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
    const metadata = this.readMetadata(cells, problems, outcomes);
    const shown = this.shown(answers);
    const isScreenedOut =
      metadata.status === null && this.defaultStatus === 'complete' && shown.end?.kind === 'screened_out';
    const statusInFile = metadata.isSpam ? 'screened_out' : metadata.status;
    const status = statusInFile ?? (isScreenedOut ? 'screened_out' : this.defaultStatus);
    if (this.isOfOtherTool && status === 'partial') removeEnd(metadata);
    // A partial response was not shown the questions after its last answer.
    const lastShown = status === 'complete' ? this.plans.length : lastGiven;
    this.plans.forEach(({ preparedQuestion: { question, retired } }, planIndex) => {
      if (planIndex > lastShown || retired || Object.hasOwn(answers, question.code)) return;
      if (shown.has(question.code)) answers[question.code] = null;
    });
    const responseId = parseResponseId(cells[this.responseIdIndex] ?? null);
    if (responseId === null) this.addCalculatedValues(answers);
    const statusReason =
      metadata.statusReason ?? (metadata.isSpam ? 'quality' : isScreenedOut ? 'screen_out' : null);
    return {
      row,
      responseId,
      metadata: { ...metadata, status, statusReason: status === 'screened_out' ? statusReason : null },
      answers,
      end: isScreenedOut ? shown.end : null,
      problems,
      outcomes,
    };
  }

  /** Calculates the values of a new response for which the file has no column. */
  private addCalculatedValues(answers: StoredAnswers): void {
    const calculated = calculatedValues(this.prepared, answers, NO_RESPONDENT_CONTEXT);
    for (const [code, value] of Object.entries(calculated)) {
      const isInFile = this.plans.some(({ preparedQuestion: { question } }) => question.code === code);
      if (!isInFile) answers[code] = value;
    }
  }

  private readMetadata(
    cells: readonly SourceCell[],
    problems: CellProblem[],
    outcomes: Map<number, CellOutcome>,
  ): RowMetadata {
    const read = emptyMetadata();
    for (const { index, role, isOfLayout } of this.metadata) {
      const value = cells[index] ?? null;
      if (value === null || value === '') continue;
      const message = readMetadata(read, { role, cell: value, timeZone: this.options.timeZone });
      if (message === null) continue;
      if (isOfLayout || this.options.leavesInvalidEmpty)
        outcomes.set(index, { kind: 'unreadable', reason: message });
      else problems.push({ index, value, message });
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
