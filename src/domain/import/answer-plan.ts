import type { StoredAnswer } from '../answers/codec.ts';
import type { Cell } from '../dataset/columns/column-spec.ts';
import { optionColumnCode } from '../answers/question-columns.ts';
import type { QuestionColumns } from '../dataset/columns/column-catalog.ts';
import { binaryColumnsOfSet } from '../dataset/columns/set-members.ts';
import type { PreparedDefinition, PreparedQuestion } from '../survey/prepared-definition.ts';
import type { ColumnMatch } from './match-columns.ts';
import { type CellOptions, createCellReader, type CellReader } from './read-cell.ts';
import type { SourceCell } from './source-file.ts';

/** A cell that cannot be read; `index` is of its column in the file. */
export interface CellProblem {
  index: number;
  value: SourceCell;
  message: string;
}

export type PlannedAnswer =
  /** `given`: at least one of its cells is not empty. */
  { ok: true; answer: StoredAnswer | null; given: boolean } | { ok: false; problems: CellProblem[] };

interface PlannedColumn {
  index: number;
  read: CellReader;
  /** Columns of the question that the cell sets, and how. */
  spread: (cell: Cell) => (readonly [columnCode: string, cell: Cell])[];
  codes: readonly string[];
}

/** Answers of the same cell are the same: what was worked out is kept, up to so many cells of a question. */
const MAX_CACHED_CELLS = 2_000;
const NOT_GIVEN: PlannedAnswer = { ok: true, answer: null, given: false };

/** How the answers to one question come from the columns of a file. */
export class AnswerPlan {
  readonly known: PreparedQuestion;
  private readonly columns: PlannedColumn[] = [];
  private readonly cache = new Map<SourceCell, PlannedAnswer>();

  constructor(known: PreparedQuestion) {
    this.known = known;
  }

  add(column: PlannedColumn): void {
    this.columns.push(column);
  }

  read(cells: readonly SourceCell[]): PlannedAnswer {
    const [first, ...more] = this.columns;
    if (more.length > 0 || this.known.question.type === 'text') return this.createAnswer(cells);
    const cell = cells[first!.index] ?? null;
    const kept = this.cache.get(cell);
    if (kept !== undefined) return kept;
    const made = this.createAnswer(cells);
    if (this.cache.size < MAX_CACHED_CELLS) this.cache.set(cell, made);
    return made;
  }

  private createAnswer(cells: readonly SourceCell[]): PlannedAnswer {
    const changes = new Map<string, Cell>();
    const problems: CellProblem[] = [];
    let given = false;
    for (const { index, read, spread } of this.columns) {
      const value = cells[index] ?? null;
      const result = read(value);
      if (!result.ok) problems.push({ index, value, message: result.message });
      else {
        given ||= result.cell !== null;
        for (const [code, cell] of spread(result.cell)) changes.set(code, cell);
      }
    }
    if (problems.length > 0) return { ok: false, problems };
    if (!given) return NOT_GIVEN;
    const { question, codec } = this.known;
    const result = codec.fromCells(question, undefined, changes);
    if (result.ok) return { ok: true, answer: result.answer, given };
    return {
      ok: false,
      problems: result.problems.map(({ field, message }) => {
        const column = this.columns.find(({ codes }) => codes.includes(field)) ?? this.columns[0]!;
        return { index: column.index, value: cells[column.index] ?? null, message };
      }),
    };
  }
}

/** The option that a 0/1 column of a multiple choice stands for. */
function labelOfOption({ question, columns }: QuestionColumns, place: number): string | undefined {
  if (question.type !== 'multiple_choice') return undefined;
  const code = columns[place]?.columnCode;
  return question.options.find((option) => optionColumnCode(question, option) === code)?.label;
}

/** A plan for each question that has a column in the file, in the order of the survey. */
export function createAnswerPlans(
  matches: readonly ColumnMatch[],
  prepared: PreparedDefinition,
  options: CellOptions,
): AnswerPlan[] {
  const plans = new Map<string, AnswerPlan>();
  matches.forEach(({ entry }, index) => {
    if (entry?.origin.kind !== 'question') return;
    const { of, part, index: place } = entry.origin;
    const { code } = of.question;
    const plan = plans.get(code) ?? new AnswerPlan(prepared.byCode.get(code)!);
    plans.set(code, plan);
    const { columnCode } = entry.spec;
    const read = createCellReader(entry.spec, options, labelOfOption(entry.origin.of, place));
    if (part === 'column' || of.question.type !== 'matrix') {
      plan.add({ index, read, spread: (cell) => [[columnCode, cell]], codes: [columnCode] });
      return;
    }
    // A matrix takes its rows' sets only as the 0/1 columns that they stand for.
    const codes = binaryColumnsOfSet(of, place).map((member) => member.columnCode);
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
