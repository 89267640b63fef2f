import type { StoredAnswer } from '../answers/codec.ts';
import type { Cell } from '../dataset/columns/column-spec.ts';
import { optionColumnCode } from '../answers/question-columns.ts';
import type { QuestionColumns } from '../dataset/columns/column-catalog.ts';
import { binaryColumnsOfSet } from '../dataset/columns/set-members.ts';
import type { PreparedDefinition, PreparedQuestion } from '../survey/prepared-definition.ts';
import type { ColumnMatch } from './match-columns.ts';
import { type CellOptions, createCellReader, type CellReader } from './read-cell.ts';
import type { SourceCell } from './source-file.ts';

/** An unreadable cell; `index` is its column in the file. */
export interface CellProblem {
  index: number;
  value: SourceCell;
  message: string;
}

export type PlannedAnswer =
  /** `given`: whether at least one of its cells has a value. */
  { ok: true; answer: StoredAnswer | null; given: boolean } | { ok: false; problems: CellProblem[] };

interface PlannedColumn {
  index: number;
  read: CellReader;
  /** The question's columns that the cell sets, with their values. */
  spread: (cell: Cell) => (readonly [columnCode: string, cell: Cell])[];
  codes: readonly string[];
}

/** Number of cached results per question: equal cells give equal answers. */
const MAX_CACHED_CELLS = 2_000;
const NOT_GIVEN: PlannedAnswer = { ok: true, answer: null, given: false };

/** Reads the answers to one question from the columns of a file. */
export class AnswerPlan {
  private readonly columns: PlannedColumn[] = [];
  private readonly cache = new Map<SourceCell, PlannedAnswer>();

  constructor(readonly preparedQuestion: PreparedQuestion) {}

  add(column: PlannedColumn): void {
    this.columns.push(column);
  }

  read(cells: readonly SourceCell[]): PlannedAnswer {
    const [first, ...more] = this.columns;
    if (more.length > 0 || this.preparedQuestion.question.type === 'text') return this.createAnswer(cells);
    const cell = cells[first!.index] ?? null;
    const kept = this.cache.get(cell);
    if (kept !== undefined) return kept;
    const plannedAnswer = this.createAnswer(cells);
    if (this.cache.size < MAX_CACHED_CELLS) this.cache.set(cell, plannedAnswer);
    return plannedAnswer;
  }

  private createAnswer(cells: readonly SourceCell[]): PlannedAnswer {
    const changes = new Map<string, Cell>();
    const problems: CellProblem[] = [];
    let hasValue = false;
    for (const { index, read, spread } of this.columns) {
      const value = cells[index] ?? null;
      const result = read(value);
      if (!result.ok) problems.push({ index, value, message: result.message });
      else {
        hasValue ||= result.cell !== null;
        for (const [code, cell] of spread(result.cell)) changes.set(code, cell);
      }
    }
    if (problems.length > 0) return { ok: false, problems };
    if (!hasValue) return NOT_GIVEN;
    const { question, codec } = this.preparedQuestion;
    const result = codec.fromCells(question, undefined, changes);
    if (result.ok) return { ok: true, answer: result.answer, given: hasValue };
    return {
      ok: false,
      problems: result.problems.map(({ field, message }) => {
        const column = this.columns.find(({ codes }) => codes.includes(field)) ?? this.columns[0]!;
        return { index: column.index, value: cells[column.index] ?? null, message };
      }),
    };
  }
}

/** Returns the label of the option that a 0/1 column stands for. */
function labelOfOption({ question, columns }: QuestionColumns, columnIndex: number): string | undefined {
  if (question.type !== 'multiple_choice') return undefined;
  const code = columns[columnIndex]?.columnCode;
  return question.options.find((option) => optionColumnCode(question, option) === code)?.label;
}

/** Creates a plan for each question with a column in the file, in survey order. */
export function createAnswerPlans(
  matches: readonly ColumnMatch[],
  prepared: PreparedDefinition,
  options: CellOptions,
): AnswerPlan[] {
  const plans = new Map<string, AnswerPlan>();
  matches.forEach(({ entry }, index) => {
    if (entry?.origin.kind !== 'question') return;
    const { questionColumns: of, part, index: columnIndex } = entry.origin;
    const { code } = of.question;
    const plan = plans.get(code) ?? new AnswerPlan(prepared.byCode.get(code)!);
    plans.set(code, plan);
    const { columnCode } = entry.spec;
    const read = createCellReader(
      entry.spec,
      options,
      labelOfOption(entry.origin.questionColumns, columnIndex),
    );
    if (part === 'column' || of.question.type !== 'matrix') {
      plan.add({ index, read, spread: (cell) => [[columnCode, cell]], codes: [columnCode] });
      return;
    }
    // A matrix only accepts its row sets as 0/1 columns.
    const codes = binaryColumnsOfSet(of, columnIndex).map((member) => member.columnCode);
    const values = of.question.options.map(({ value }) => value);
    const spread = (cell: Cell) => {
      const chosen = Array.isArray(cell) ? cell : [];
      return codes.map(
        (member, i) => [member, cell === null ? null : Number(chosen.includes(values[i]!))] as const,
      );
    };
    plan.add({ index, read, spread, codes: [...codes, columnCode] });
  });
  return [...prepared.byCode.keys()].flatMap((code) => plans.get(code) ?? []);
}
