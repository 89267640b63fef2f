import type { StoredAnswers } from '../answers/codec.ts';
import { codecFor } from '../answers/codecs.ts';
import type { Cell, ColumnSpec } from '../dataset/columns/column-spec.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../survey/definition.ts';
import type { QualitySettings } from '../survey/settings/quality-settings.ts';

/** Items answered on the same scale. */
export interface Battery {
  columnCodes: string[];
  /** The codes of one response's answers, parallel to `columnCodes`; null if not answered. */
  codesOf(answers: Readonly<StoredAnswers>): (number | null)[];
}

interface Item {
  columnCode: string;
  question: Question;
  /** The index among the question's cells. */
  cellIndex: number;
  codeOf: (cell: Cell | undefined) => number | null;
}

/**
 * Finds the batteries to check for straightlining: each matrix with one answer per row, and the column lists of the settings. Ignores
 * listed columns that do not exist or hold neither a choice nor a number.
 */
export function findBatteries(
  definition: SurveyDefinition,
  settings: QualitySettings['straightliner'],
): Battery[] {
  const matrices: Item[][] = [];
  const byCode = new Map<string, Item>();
  for (const question of questionsOf(definition)) {
    const items = listItems(question);
    for (const item of items) byCode.set(item.columnCode.toLowerCase(), item);
    if (question.type === 'matrix') matrices.push(items);
  }
  const listed = settings.batteries.map(({ column_codes: codes }) =>
    codes.flatMap((code) => byCode.get(code.toLowerCase()) ?? []),
  );
  return [...matrices, ...listed].filter((items) => items.length >= settings.min_rows).map(createBattery);
}

function createBattery(items: Item[]): Battery {
  return {
    columnCodes: items.map((item) => item.columnCode),
    codesOf: (answers) => {
      const cells = new Map<Question, Cell[]>();
      return items.map(({ question, cellIndex, codeOf }) => {
        const known =
          cells.get(question) ?? codecFor(question).toCells(question, ownAnswer(answers, question));
        cells.set(question, known);
        return codeOf(known[cellIndex]);
      });
    },
  };
}

function listItems(question: Question): Item[] {
  return codecFor(question)
    .columns(question)
    .flatMap((column, cellIndex) => {
      const codeOf = codeReader(column);
      return codeOf === null ? [] : [{ columnCode: column.columnCode, question, cellIndex, codeOf }];
    });
}

/** Returns null for a column whose values are not scale points. */
function codeReader({ type, values }: ColumnSpec): Item['codeOf'] | null {
  if (type === 'number') return (cell) => (typeof cell === 'number' ? cell : null);
  if (type !== 'categorical') return null;
  const codes = new Map(values.map(({ value, code }) => [value, code]));
  return (cell) => codes.get(String(cell)) ?? null;
}

const ownAnswer = (answers: Readonly<StoredAnswers>, { code }: Question) =>
  Object.hasOwn(answers, code) ? answers[code] : undefined;
