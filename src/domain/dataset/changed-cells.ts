import type { Cell, ColumnSpec } from '../columns/column-spec.ts';
import type { StoredAnswer } from '../questions/answers/codec.ts';
import { DELETED_FLAG } from '../responses/metadata-columns.ts';
import { listFlaggedChecks, qualityStatus } from '../responses/quality-flag.ts';
import type { AnswerState, ResponsePatch } from '../responses/response-row.ts';
import { cellReaderOf, type ColumnCatalog } from './column-catalog.ts';

/** A cell that a data change set. `after` is undefined where it is not known any more, because the change was undone. */
export interface ChangedCell {
  spec: ColumnSpec;
  before: Cell;
  after: Cell | undefined;
}

/** The members of a response that changes set, as they are now. */
export type CurrentState = Required<Pick<ResponsePatch, 'answers' | 'status' | 'deletedAt' | 'quality'>>;

/**
 * Returns the values that a change set: what the next change of the same member replaced, or the current value. `later`: the `before` of
 * later changes of the response, oldest first.
 */
export function stateAfterChange(
  before: ResponsePatch,
  later: readonly ResponsePatch[],
  current: CurrentState,
): ResponsePatch {
  const valueOf = (key: 'status' | 'deletedAt' | 'quality'): ResponsePatch => {
    if (before[key] === undefined) return {};
    const next = later.find((patch) => patch[key] !== undefined);
    return { [key]: (next ?? current)[key] };
  };
  const answers = Object.keys(before.answers ?? {}).map((code): [string, AnswerState] => {
    const next = later.find((patch) => stateOf(patch, code) !== undefined);
    return [code, stateOf(next ?? current, code) ?? []];
  });
  return {
    ...(before.answers === undefined ? {} : { answers: Object.fromEntries(answers) }),
    ...valueOf('status'),
    ...valueOf('deletedAt'),
    ...valueOf('quality'),
  };
}

/** undefined: the patch does not set the answer. */
const stateOf = ({ answers }: ResponsePatch, code: string): AnswerState | undefined =>
  answers !== undefined && Object.hasOwn(answers, code) ? answers[code] : undefined;

/** Lists the cells that differ. `after` null: the change was undone, and the restored values are listed. */
export function listChangedCells(
  catalog: ColumnCatalog,
  before: ResponsePatch,
  after: ResponsePatch | null,
): ChangedCell[] {
  const cells: ChangedCell[] = [];
  const add = (spec: ColumnSpec, old: Cell, now: Cell | undefined) => {
    if (now === undefined ? old !== null : JSON.stringify(old) !== JSON.stringify(now))
      cells.push({ spec, before: old, after: now });
  };
  const addMetadata = (code: string, read: (patch: ResponsePatch) => Cell) => {
    const spec = catalog.find(code)?.spec;
    if (spec !== undefined) add(spec, read(before), after === null ? undefined : read(after));
  };
  for (const [code, [old]] of Object.entries(before.answers ?? {})) {
    const readCells = createCellLister(catalog, code);
    const now = after === null ? undefined : readCells(stateOf(after, code)?.[0]);
    readCells(old).forEach(([spec, cell], index) => add(spec, cell, now?.[index]?.[1]));
  }
  if (before.status !== undefined) addMetadata('response_status', ({ status }) => status ?? null);
  if (before.deletedAt !== undefined) {
    const read = ({ deletedAt }: ResponsePatch) => (deletedAt == null ? 0 : 1);
    add(DELETED_FLAG.spec, read(before), after === null ? undefined : read(after));
  }
  if (before.quality !== undefined) {
    addMetadata('quality_status', ({ quality }) => qualityStatus(quality ?? null));
    addMetadata('quality_flags', ({ quality }) => listFlaggedChecks(quality ?? null));
  }
  return cells;
}

type Answer = StoredAnswer | null | undefined;

/** Returns the cells of an answer with their columns. A set stands for its 0/1 columns. */
function createCellLister(catalog: ColumnCatalog, code: string): (answer: Answer) => [ColumnSpec, Cell][] {
  const questionColumns = catalog.question(code);
  // A question that was erased since has no columns.
  if (questionColumns === undefined) return () => [];
  const { question, codec, columns, sets } = questionColumns;
  const readCells = cellReaderOf(questionColumns);
  const setCell = (answer: Answer, index: number): Cell =>
    codec.rowSets?.toCell(question, answer, index) ?? codec.toSetCell?.(question, answer) ?? null;
  return (answer) => {
    const cells = readCells(answer);
    return [
      ...sets.map((spec, index): [ColumnSpec, Cell] => [spec, setCell(answer, index)]),
      ...columns.flatMap((spec, index): [ColumnSpec, Cell][] =>
        sets.length > 0 && spec.type === 'binary' ? [] : [[spec, cells[index] ?? null]],
      ),
    ];
  };
}

/** The text of a cell: labels instead of values; null without a value. */
export function cellText({ values }: ColumnSpec, cell: Cell | undefined): string | null {
  if (cell === null || cell === undefined) return null;
  const labelOf = (value: string | number) =>
    values.find((each) => each.value === String(value))?.label ?? String(value);
  return Array.isArray(cell) ? cell.map(labelOf).join(', ') : labelOf(cell);
}
