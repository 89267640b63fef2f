import { listedTwice, mustBe, unknownObject } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import type { CatalogColumn, ColumnCatalog } from '../columns/column-catalog.ts';
import type { Cell } from '../columns/column-spec.ts';
import { addCellEdit, type QuestionEdit, notEditableReason } from './edit-cells.ts';

export interface ReadEdits {
  edits: QuestionEdit[];
  /** Invalid input. */
  problems: ErrorDetail[];
  /** Existing columns that cannot be edited. */
  notEditable: ErrorDetail[];
}

/** Each search for similar codes compares all columns, so their number is limited. */
const MAX_SUGGESTIONS = 20;
const SHOWN_CHARACTERS = 60;

/** Reads `{column_code: value}` objects, one per response. Each column is looked up once. */
export class CellEditReader {
  /** Codes of all editable columns read so far. */
  readonly columnCodes = new Set<string>();
  readonly #catalog: ColumnCatalog;
  #suggested = 0;

  constructor(catalog: ColumnCatalog) {
    this.#catalog = catalog;
  }

  /** `field`: path of the values in the request. */
  read(values: Readonly<Record<string, unknown>>, field: string): ReadEdits {
    const result: ReadEdits = { edits: [], problems: [], notEditable: [] };
    const byQuestion = new Map<unknown, QuestionEdit>();
    const seen = new Set<CatalogColumn>();
    for (const [code, value] of Object.entries(values)) {
      const fieldPath = `${field}.${code.slice(0, SHOWN_CHARACTERS)}`;
      const addProblem = (message: string) => result.problems.push({ field: fieldPath, message });
      const entry = this.#catalog.find(code);
      if (entry === undefined) {
        addProblem(this.#unknown(code));
        continue;
      }
      const reason = notEditableReason(entry);
      const { origin, spec } = entry;
      if (reason !== null || origin.kind !== 'question') {
        result.notEditable.push({ field: fieldPath, message: reason ?? 'cannot be edited' });
        continue;
      }
      if (seen.has(entry)) {
        addProblem(listedTwice(spec.columnCode));
        continue;
      }
      seen.add(entry);
      const cell = asCell(value, spec.type === 'binary');
      if (cell === undefined) {
        addProblem(mustBe('a text, a number, a list of option values or null', value));
        continue;
      }
      const edit = byQuestion.get(origin.questionColumns) ?? {
        columns: origin.questionColumns,
        cells: new Map<string, Cell>(),
      };
      byQuestion.set(origin.questionColumns, edit);
      const problem = addCellEdit(edit, entry, cell);
      if (problem !== null) addProblem(problem);
      else this.columnCodes.add(spec.columnCode);
    }
    result.edits = [...byQuestion.values()];
    return result;
  }

  #unknown(code: string): string {
    const similar = this.#suggested++ < MAX_SUGGESTIONS ? this.#catalog.similarCodes(code) : [];
    return unknownObject('column', code, '', { similar });
  }
}

/** Converts a JSON value to a cell; undefined if it is not one. JSON numbers are always finite. */
function asCell(value: unknown, isFlag: boolean): Cell | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean' && isFlag) return value ? 1 : 0;
  if (!Array.isArray(value)) return undefined;
  const values = value.map((item: unknown) => (typeof item === 'number' ? String(item) : item));
  return values.every((item): item is string => typeof item === 'string') ? values : undefined;
}
