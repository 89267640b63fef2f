import { LIST_SEPARATOR } from '../dataset/columns/list-cell.ts';
import type { GroupScan } from './group-scan.ts';
import { createMissingCheck } from './plan-variable.ts';
import type { SetMember } from './plan-set.ts';
import { optionLabel, type PlannedQuestion, questionText } from './planned-variable.ts';
import type { SourceCell, SourceSet } from './source-file.ts';

const MAX_OPTIONS = 1_000;

export interface PlannedCategorySet {
  question: PlannedQuestion;
  optionCodes: number[];
  /** Combines the answers of a row into one cell. */
  answersOf: (cells: readonly SourceCell[]) => SourceCell;
  /** Its variables, with the conversion of their cells; null: no answer. */
  members: { index: number; convert: (cell: SourceCell) => SourceCell; notes: string[] }[];
}

/**
 * Plans a set of variables that each contain one of the same categories as one multiple choice. Returns a text if that is impossible. A
 * category that a case contains twice counts once.
 */
export function planCategorySet(
  set: SourceSet,
  members: readonly SetMember[],
  scan: GroupScan,
): PlannedCategorySet | string {
  if (members.length < 2) return 'has fewer than two variables that are free';
  const kinds = new Set(members.map(({ column: { variable } }) => variable.kind));
  if (kinds.size > 1 || !(kinds.has('number') || kinds.has('string')))
    return 'has variables of different types: they are questions of their own';
  const missingChecks = new Map(
    members.map(({ index, column: { variable } }) => [index, createMissingCheck(variable)] as const),
  );
  const valueOf = (cell: SourceCell, index: number): string | null => {
    if (cell === null || missingChecks.get(index)!(cell)) return null;
    return String(cell).trim().normalize('NFC') || null;
  };
  const labels = new Map<string, string>();
  for (const { index, column } of members) {
    for (const [value, label] of column.variable.valueLabels) {
      const text = valueOf(value, index);
      if (text !== null && !labels.has(text)) labels.set(text, label);
    }
  }
  for (const { index, scan: column } of members) {
    if (column.distinct === null) return 'has variables with too many different values to be categories';
    for (const cell of column.distinct.keys()) {
      const text = valueOf(cell, index);
      if (text !== null && !labels.has(text)) labels.set(text, '');
    }
  }
  if (labels.size === 0 || labels.size > MAX_OPTIONS)
    return `has ${labels.size} categories: its variables are questions of their own`;
  const areCodes = [...labels.keys()].every((value) => /^(0|-?[1-9]\d{0,8})$/.test(value));
  const values = [...labels.keys()];
  if (kinds.has('number')) values.sort((a, b) => Number(a) - Number(b));
  const options = values.map((value, i) => ({
    option_label: optionLabel(labels.get(value)!, value),
    option_value: value,
    option_code: areCodes ? Number(value) : i + 1,
  }));
  const notes = [`one of ${members.length} variables of the set ${set.name}: their order is not kept`];
  if (scan.repeats > 0) notes.push(`${scan.repeats} answers of the set repeat another of their case`);
  const missingNotes = ({ index, scan: { distinct } }: SetMember): string[] => {
    const missing = [...(distinct ?? [])].filter(([cell]) => valueOf(cell, index) === null);
    const cells = missing.reduce((sum, [, count]) => sum + count, 0);
    return cells === 0 ? [] : [`${cells} cells are user-missing and are taken as not answered`];
  };
  return {
    question: {
      question_type: 'multiple_choice',
      question_text: questionText(set.label, set.name),
      question_settings: {},
      options,
    },
    optionCodes: options.map(({ option_code }) => option_code),
    answersOf: (cells) => {
      const answers = members.flatMap(({ index }) => valueOf(cells[index] ?? null, index) ?? []);
      return [...new Set(answers)].join(LIST_SEPARATOR) || null;
    },
    members: members.map((member) => ({
      index: member.index,
      convert: (cell) => valueOf(cell, member.index),
      notes: [...missingNotes(member), ...notes],
    })),
  };
}
