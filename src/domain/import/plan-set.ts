import type { ColumnScan } from './column-scan.ts';
import { createMissingCheck, optionLabel, type PlannedQuestion, questionText } from './plan-variable.ts';
import type { SourceCell, SourceColumn, SourceSet, SourceVariable } from './source-file.ts';

const MAX_OPTIONS = 1_000;
/** Format of 0/1 columns that were strings: F1.0. */
const NUMBER_FORMAT = { type: 5, width: 1, decimals: 0 };

export interface PlannedSet {
  question: PlannedQuestion;
  /** In option order. */
  members: { index: number; optionCode: number; convert: (cell: SourceCell) => SourceCell }[];
  notes: string[];
}

export interface SetMember {
  index: number;
  column: SourceColumn & { variable: SourceVariable };
  scan: ColumnScan;
}

/**
 * Plans a set of dichotomous variables as one multiple choice. Returns a text if that is impossible. Each variable must contain the counted
 * value and at most one other value.
 */
export function planSet(
  set: SourceSet & { countedValue: string },
  members: readonly SetMember[],
): PlannedSet | string {
  if (members.length < 2 || members.length > MAX_OPTIONS) return 'has fewer than two variables that are free';
  const flags = members.map(({ column, scan }) => flagOf(set.countedValue, column.variable, scan));
  const wrong = flags.findIndex((flag) => flag === null);
  if (wrong >= 0) return `has ${members[wrong]!.column.header}, which holds more than two values`;
  const converts = flags.flatMap((flag) => flag ?? []);
  const codes = optionCodes(set.name, members);
  const options = members.map(({ column }, i) => ({
    option_label: optionLabel(memberLabel(set, column), column.header),
    option_value: codes.areOwn ? String(codes.codes[i]) : column.header,
    option_code: codes.codes[i]!,
  }));
  return {
    question: {
      question_type: 'multiple_choice',
      question_text: questionText(set.label, set.name),
      question_settings: {
        variable: {
          name: set.name.slice(0, 64),
          label: set.label.slice(0, 255),
          counted: set.countedValue,
          members: members.map(({ column: { header, label, variable } }, i) => ({
            option_code: codes.codes[i],
            name: header.slice(0, 64),
            label: label === null ? null : label.slice(0, 255),
            format: variable.kind === 'string' ? NUMBER_FORMAT : variable.format,
            other: converts[i]!.other,
          })),
        },
      },
      options,
    },
    members: members.map(({ index }, i) => ({
      index,
      optionCode: codes.codes[i]!,
      convert: converts[i]!.convert,
    })),
    notes: isPartlyEmpty(members) ? [PARTLY_EMPTY] : [],
  };
}

const PARTLY_EMPTY =
  'has cases in which only some of its variables have values: there, those without one are taken as not ticked';

/**
 * Whether variables have values in different numbers of cases. A multiple choice is answered for all options or none, so some zeros are
 * then assumed. Does not detect variables missing equally often in different cases.
 */
function isPartlyEmpty(members: readonly SetMember[]): boolean {
  const filled = members.map(({ column: { variable }, scan }) => {
    const isMissing = createMissingCheck(variable);
    const cells = [...(scan.distinct?.entries() ?? [])];
    return cells.reduce((sum, [cell, count]) => sum + (cell === null || isMissing(cell) ? 0 : count), 0);
  });
  return new Set(filled).size > 1;
}

/** Converts the counted value to 1 and the other to 0; null if the variable has more values. */
function flagOf(
  counted: string,
  variable: SourceVariable,
  scan: ColumnScan,
): { convert: (cell: SourceCell) => SourceCell; other: number } | null {
  const isMissing = createMissingCheck(variable);
  const isCounted = (cell: string | number) => String(cell).trim() === counted;
  const others = [...(scan.distinct?.keys() ?? [])].filter(
    (cell) => cell !== null && !isMissing(cell) && !isCounted(cell),
  );
  if (scan.distinct === null || others.length > 1) return null;
  const [other] = others;
  return {
    convert: (cell) => (cell === null || isMissing(cell) ? null : Number(isCounted(cell))),
    other: typeof other === 'number' ? other : Number(Number(counted) === 0),
  };
}

/** Keeps the number in variables named like the set, so that re-imported exports keep their option codes. */
function optionCodes(name: string, members: readonly SetMember[]): { codes: number[]; areOwn: boolean } {
  const numbersInNames = members.map(({ column: { header } }) => {
    if (!header.toLowerCase().startsWith(`${name.toLowerCase()}_`)) return null;
    const [, minus, digits] = /^(m?)(0|[1-9]\d{0,8})$/.exec(header.slice(name.length + 1)) ?? [];
    return digits === undefined ? null : Number(digits) * (minus === 'm' ? -1 : 1);
  });
  const areFromNames =
    numbersInNames.every((code) => code !== null) && new Set(numbersInNames).size === numbersInNames.length;
  return { codes: areFromNames ? numbersInNames : members.map((_, i) => i + 1), areOwn: areFromNames };
}

/** Removes the question from the label, which exports put before the option; a long one ends with an ellipsis. */
function memberLabel({ label }: SourceSet, column: SourceColumn): string {
  const own = column.label ?? '';
  const ellipsis = own.indexOf('…');
  const isShortened = ellipsis > 0 && label.startsWith(own.slice(0, ellipsis));
  const shortened = isShortened ? ellipsis + 1 : 0;
  const shared = own.toLowerCase().startsWith(label.toLowerCase()) ? label.length : shortened;
  return shared === 0 ? own : own.slice(shared).replace(/^[\s:–—-]+/, '') || own;
}
