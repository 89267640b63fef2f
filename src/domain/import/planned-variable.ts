import type { ColumnRole } from './column-roles.ts';
import type { SourceCell } from './source-file.ts';

interface PlannedOption {
  option_label: string;
  option_value: string;
  option_code?: number;
  option_missing?: boolean;
}

/** A question as a survey file has it, without its code. */
export interface PlannedQuestion {
  question_type: 'single_choice' | 'multiple_choice' | 'matrix' | 'ranking' | 'number' | 'text' | 'date';
  question_text: string;
  question_settings: Record<string, unknown>;
  options: PlannedOption[];
}

/** What becomes of one column of a file. */
export type PlannedVariable = {
  /** What was decided, and what was lost. */
  notes: string[];
  /** A cell of the file as the new column takes it; `cells`: its row. */
  convert: (cell: SourceCell, cells: readonly SourceCell[]) => SourceCell;
} & (
  | { use: 'question'; question: PlannedQuestion }
  | { use: 'option' | 'row' | 'cell'; question: PlannedQuestion }
  /** One of the answers to a multiple choice, whose column is made from all of these. */
  | { use: 'answer'; question: PlannedQuestion }
  | { use: 'metadata'; role: ColumnRole }
  | { use: 'nothing' }
);

/** Several columns of a file as one question. */
export interface PlannedGroup {
  question: PlannedQuestion;
  use: 'option' | 'row' | 'cell';
  /** `suffix`: of its column's code, behind the question's. */
  members: { index: number; suffix: string; convert: PlannedVariable['convert'] }[];
}

const MAX_LABEL_CHARACTERS = 1_000;
const MAX_TEXT_CHARACTERS = 20_000;

/** A label that an option can have; an empty one is the value. */
export function optionLabel(label: string, value: string): string {
  return label.trim().slice(0, MAX_LABEL_CHARACTERS).toWellFormed() || value;
}

/** The label, else the name, cut to what a question may be; never empty. */
export function questionText(label: string | null, name: string): string {
  return ((label ?? '').trim() || name.trim() || 'Question').slice(0, 10_000).toWellFormed();
}

/** A text that can be kept. */
export function toStorableText(cell: SourceCell): SourceCell {
  if (cell === null) return null;
  return String(cell).replaceAll('\0', '').slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
}

/** A number that can be kept: ten decimals, and no digits lost before the point. */
export function toStorableNumber(value: number): number | null {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  return Number.isInteger(value) ? value : Number(value.toFixed(10));
}

/** The max_length of a text question whose longest text has `longest` UTF-16 units: room to edit, within what can be kept. */
export function maxTextLength(longest: number): number {
  return Math.min(MAX_TEXT_CHARACTERS, Math.max(2_000, longest));
}
