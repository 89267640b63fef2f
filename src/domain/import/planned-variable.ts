import type { ColumnRole } from './column-roles.ts';
import type { SourceCell } from './source-file.ts';

interface PlannedOption {
  option_label: string;
  option_value: string;
  option_code?: number;
  option_missing?: boolean;
}

/** A question in the survey file format, without its code. */
export interface PlannedQuestion {
  question_type: 'single_choice' | 'multiple_choice' | 'matrix' | 'ranking' | 'number' | 'text' | 'date';
  question_text: string;
  question_settings: Record<string, unknown>;
  options: PlannedOption[];
}

/** The plan for one file column. */
export type PlannedVariable = {
  /** Decisions and losses, for the report. */
  notes: string[];
  /** Converts a file cell for the new column; `cells`: its row. */
  convert: (cell: SourceCell, cells: readonly SourceCell[]) => SourceCell;
} & (
  | { use: 'question'; question: PlannedQuestion }
  | { use: 'option' | 'row' | 'cell'; question: PlannedQuestion }
  /** One of the answers of a multiple choice, whose column combines all answers. */
  | { use: 'answer'; question: PlannedQuestion }
  | { use: 'metadata'; role: ColumnRole }
  | { use: 'nothing' }
);

/** Several file columns as one question. */
export interface PlannedGroup {
  question: PlannedQuestion;
  use: 'option' | 'row' | 'cell';
  /** `suffix`: follows the question code in the column code. */
  members: { index: number; suffix: string; convert: PlannedVariable['convert'] }[];
}

const MAX_LABEL_CHARACTERS = 1_000;
const MAX_TEXT_CHARACTERS = 20_000;

/** Returns a valid option label; the value if it is empty. */
export function optionLabel(label: string, value: string): string {
  return label.trim().slice(0, MAX_LABEL_CHARACTERS).toWellFormed() || value;
}

/** Returns the label or name as question text, truncated to the maximum; never empty. */
export function questionText(label: string | null, name: string): string {
  return ((label ?? '').trim() || name.trim() || 'Question').slice(0, 10_000).toWellFormed();
}

/** Makes a text storable. */
export function toStorableText(cell: SourceCell): SourceCell {
  if (cell === null) return null;
  return String(cell).replaceAll('\0', '').slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
}

/** Rounds a number to ten decimals; null if it exceeds exact integers. */
export function toStorableNumber(value: number): number | null {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  return Number.isInteger(value) ? value : Number(value.toFixed(10));
}

/** Returns the max_length of a text question whose longest text has `longest` UTF-16 units, with room to edit. */
export function maxTextLength(longest: number): number {
  return Math.min(MAX_TEXT_CHARACTERS, Math.max(2_000, longest));
}
