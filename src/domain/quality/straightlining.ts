import type { StoredAnswers } from '../questions/answers/codec.ts';
import type { QualitySettings } from '../survey/quality-settings.ts';
import type { QualityFlag } from '../responses/quality-flag.ts';
import { cellCodecFor, rowsOf } from '../questions/registry.ts';
import type { Cell, ColumnSpec } from '../columns/column-spec.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../survey/definition.ts';
import type { CatalogColumn, ColumnCatalog } from '../dataset/column-catalog.ts';
import type { Dataset } from '../dataset/dataset.ts';

/** Items answered on the same scale. */
interface Battery {
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
    if (rowsOf(question).length > 0) matrices.push(items);
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
          cells.get(question) ?? cellCodecFor(question).toCells(question, ownAnswer(answers, question));
        cells.set(question, known);
        return codeOf(known[cellIndex]);
      });
    },
  };
}

function listItems(question: Question): Item[] {
  return cellCodecFor(question)
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
  const numbers = new Map(values.map(({ value, number }) => [value, number]));
  return (cell) => numbers.get(String(cell)) ?? null;
}

const ownAnswer = (answers: Readonly<StoredAnswers>, { code }: Question) =>
  Object.hasOwn(answers, code) ? answers[code] : undefined;

/** How similar a respondent's answers to a battery are. */
interface Straightlining {
  /** Answered items. */
  answered: number;
  /** The longest run of identical answers, over answered items in order. */
  longestString: number;
  /** The share of the most frequent answer, 0 to 1; 0 without answers. */
  identicalShare: number;
  /** Sample standard deviation (n-1) of the codes; null with fewer than two. */
  standardDeviation: number | null;
}

/**
 * `codes` are the answers to a battery in order, null if not answered (which does not end a run). The measures follow P. G. Curran,
 * "Methods for the detection of carelessly invalid responses in survey data", J. Exp. Soc. Psych. 66 (2016).
 */
export function measureStraightlining(codes: readonly (number | null)[]): Straightlining {
  const counts = new Map<number, number>();
  let answered = 0;
  let longestString = 0;
  let run = 0;
  let previous: number | null = null;
  let mean = 0;
  let squares = 0;
  for (const code of codes) {
    if (code === null) continue;
    answered++;
    run = code === previous ? run + 1 : 1;
    previous = code;
    longestString = Math.max(longestString, run);
    counts.set(code, (counts.get(code) ?? 0) + 1);
    const distance = code - mean;
    mean += distance / answered;
    squares += distance * (code - mean);
  }
  return {
    answered,
    longestString,
    identicalShare: answered === 0 ? 0 : Math.max(...counts.values()) / answered,
    standardDeviation: answered < 2 ? null : Math.sqrt(squares / (answered - 1)),
  };
}

/** Flags each battery with at least `min_rows` answers of which too many are identical. */
export function findStraightlinerFlags(
  answers: Readonly<StoredAnswers>,
  batteries: readonly Battery[],
  settings: QualitySettings['straightliner'],
): QualityFlag[] {
  if (!settings.enabled) return [];
  return batteries.flatMap(
    (battery) =>
      findStraightlinerFlag(measureStraightlining(battery.codesOf(answers)), battery.columnCodes, settings) ??
      [],
  );
}

/** Returns null if the battery is not suspicious or has too few answers. */
export function findStraightlinerFlag(
  measured: Straightlining,
  columnCodes: string[],
  settings: QualitySettings['straightliner'],
): QualityFlag | null {
  const { answered, identicalShare } = measured;
  if (answered < settings.min_rows || identicalShare < settings.max_identical_share) return null;
  return {
    check: 'straightliner',
    severity: identicalShare === 1 ? 'high' : 'medium',
    metric: 'identical_share',
    value: identicalShare,
    threshold: settings.max_identical_share,
    column_codes: columnCodes,
    measures: {
      answered,
      longest_string: measured.longestString,
      identical_share: identicalShare,
      standard_deviation: measured.standardDeviation,
    },
  };
}

/** Whether its values are scale points. */
export const isScaleColumn = ({ type }: ColumnSpec): boolean => type === 'number' || type === 'categorical';

/** Finds the batteries of a dataset by the rules of findBatteries. */
export function findBatteryColumns(
  catalog: ColumnCatalog,
  settings: QualitySettings['straightliner'],
): CatalogColumn[][] {
  const matrices = new Map<unknown, CatalogColumn[]>();
  for (const column of catalog.columns) {
    const { origin, spec } = column;
    if (origin.kind !== 'question' || rowsOf(origin.questionColumns.question).length === 0) continue;
    if (spec.type !== 'categorical' || spec.retired) continue;
    const rows = matrices.get(origin.questionColumns) ?? [];
    rows.push(column);
    matrices.set(origin.questionColumns, rows);
  }
  const listed = settings.batteries.map(({ column_codes: codes }) =>
    codes.flatMap((code) => catalog.find(code) ?? []).filter(({ spec }) => isScaleColumn(spec)),
  );
  return [...matrices.values(), ...listed].filter((columns) => columns.length >= settings.min_rows);
}

/** Creates a function that reads the codes of a row's answers into a reused array; null if not answered. */
export function readBattery(
  dataset: Dataset,
  columns: readonly CatalogColumn[],
): { columnCodes: string[]; codesAt: (row: number) => readonly (number | null)[] } {
  const readers = columns.map((entry) => columnCodeReader(dataset, entry));
  const codes = new Array<number | null>(columns.length).fill(null);
  return {
    columnCodes: columns.map(({ spec }) => spec.columnCode),
    codesAt: (row) => {
      for (let item = 0; item < codes.length; item++) codes[item] = readers[item]?.(row) ?? null;
      return codes;
    },
  };
}

function columnCodeReader(dataset: Dataset, entry: CatalogColumn): (row: number) => number | null {
  const column = dataset.column(entry);
  if (column.kind === 'categorical') {
    const { indices } = column;
    const numbers = column.spec.values.map(({ number }) => number);
    return (row) => numbers[indices[row] ?? -1] ?? null;
  }
  if (column.kind !== 'numeric') return () => null;
  const { values } = column;
  return (row) => {
    const value = values[row] ?? NaN;
    return Number.isNaN(value) ? null : value;
  };
}
