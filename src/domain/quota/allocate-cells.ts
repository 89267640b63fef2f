import type { Quota, QuotaCell } from './quota.ts';
import {
  compareOperands,
  type Comparison,
  type Condition,
  isGroup,
  type Operand,
} from '../questions/condition.ts';
import type { StoredAnswers } from '../questions/answers/codec.ts';
import { contextOperand, operandOf, type RespondentContext } from '../survey/logic/evaluate-logic.ts';
import type { PreparedDefinition } from '../survey/prepared-definition.ts';

/** null: not decided yet. */
type PartialTruth = boolean | null;

/** Returns the left operand: null is missing, undefined is undecided. */
export type PartialOperandOf = (left: Comparison['left']) => Operand | null | undefined;

/** Evaluates a condition while some operands are undecided. The result is final as soon as they cannot change it. */
export function evaluatePartially(condition: Condition, operandOf: PartialOperandOf): PartialTruth {
  if (!isGroup(condition)) {
    const left = operandOf(condition.left);
    return left === undefined ? null : compareOperands(left, condition.operator, condition.right);
  }
  const { connector, conditions } = condition;
  if (conditions.length === 0) return true;
  const decisive = connector === 'or';
  let truth: PartialTruth = !decisive;
  for (const part of conditions) {
    const partResult = evaluatePartially(part, operandOf);
    if (partResult === decisive) return decisive;
    if (partResult === null) truth = null;
  }
  return truth;
}

/** How a response matches a quota, by the answers so far. */
export interface QuotaMatch {
  quota: Quota;
  /** Cells that it certainly belongs to. */
  cells: readonly QuotaCell[];
  /** Cells that later answers decide. */
  possibleCells: readonly QuotaCell[];
}

export function matchQuotas(quotas: readonly Quota[], operandOf: PartialOperandOf): QuotaMatch[] {
  return quotas.map((quota) => {
    const cells: QuotaCell[] = [];
    const possibleCells: QuotaCell[] = [];
    for (const cell of quota.cells) {
      const truth = evaluatePartially(cell.condition, operandOf);
      if (truth === null) possibleCells.push(cell);
      else if (truth) cells.push(cell);
    }
    return { quota, cells, possibleCells };
  });
}

/**
 * Returns the reserved cells that a response keeps, given its current answers, and whether it needs a cell in a quota where it has none.
 */
export function retainCells(
  fits: readonly QuotaMatch[],
  reservedIds: ReadonlySet<number>,
): { kept: number[]; isWanting: boolean } {
  const kept: number[] = [];
  let needsCell = false;
  for (const { cells, possibleCells } of fits) {
    const own = [...cells, ...possibleCells].find(({ cellId }) => reservedIds.has(cellId));
    if (own !== undefined) kept.push(own.cellId);
    else if (cells.length > 0) needsCell = true;
  }
  return { kept, isWanting: needsCell };
}

/**
 * Returns the operands of quota conditions for a response in progress or at its end. A question is undecided while it is unanswered and
 * after the submitted page.
 *
 * @param answers of the shown questions, null where skipped
 * @param submittedPageId null: the response has ended and all operands are decided
 */
export function createPartialOperands({
  preparedDefinition: { byCode, positions: surveyPositions },
  answers,
  context,
  submittedPageId,
  positions = surveyPositions,
}: {
  preparedDefinition: PreparedDefinition;
  answers: StoredAnswers;
  context: RespondentContext;
  submittedPageId: number | null;
  /** Of the pages as the respondent sees them. */
  positions?: PreparedDefinition['positions'] | undefined;
}): PartialOperandOf {
  const pageIndexOf = (pageId: number) => positions.pageIndexById.get(pageId) ?? -1;
  const reached = submittedPageId === null ? Infinity : pageIndexOf(submittedPageId);
  return (left) => {
    if (left.type !== 'question') return contextOperand(left, context);
    const prepared = byCode.get(left.code);
    if (prepared === undefined) return null;
    const answer = Object.hasOwn(answers, left.code) ? answers[left.code] : null;
    const operand = operandOf(prepared.question, answer, left.row_code);
    const mayCome = !prepared.retired && pageIndexOf(prepared.question.pageId) > reached;
    return operand === null && mayCome ? undefined : operand;
  };
}

/** The counts that fill a cell. */
export interface CellOccupancy {
  completed: number;
  /** Reserved by responses in progress. */
  pending: number;
}

/** By cell id. */
export type OccupancyByCell = ReadonlyMap<number, Readonly<CellOccupancy>>;

export type CellAllocation =
  /** The allocated cells, at most one per quota. */
  | { isOver: false; cellIds: number[] }
  /** The full cells: for each hard quota without room, the least filled matching cell. */
  | { isOver: true; cellIds: number[] };

const EMPTY_CELL: CellOccupancy = { completed: 0, pending: 0 };
const occupancyOf = (occupancy: OccupancyByCell, { cellId }: QuotaCell): CellOccupancy =>
  occupancy.get(cellId) ?? EMPTY_CELL;

/** Returns the filled share of the target. Cells without a target rank after unfilled ones with a target, the smallest first. */
function fillShare(cell: QuotaCell, occupancy: OccupancyByCell): [share: number, places: number] {
  const { completed, pending } = occupancyOf(occupancy, cell);
  const filled = completed + pending;
  if (cell.target === null) return [1, filled];
  return [cell.target === 0 ? Infinity : filled / cell.target, 0];
}

/** Returns the least filled cell, the first of ties; null if there are none. */
function leastFilled(cells: readonly QuotaCell[], occupancy: OccupancyByCell): QuotaCell | null {
  let least: QuotaCell | null = null;
  let leastShare = Infinity;
  let leastFilledCount = Infinity;
  for (const cell of cells) {
    const [share, filled] = fillShare(cell, occupancy);
    if (least !== null && (share > leastShare || (share === leastShare && filled >= leastFilledCount)))
      continue;
    [least, leastShare, leastFilledCount] = [cell, share, filled];
  }
  return least;
}

function hasRoom({ mode }: Quota, cell: QuotaCell, occupancy: OccupancyByCell): boolean {
  if (mode !== 'hard' || cell.target === null) return true;
  const { completed, pending } = occupancyOf(occupancy, cell);
  return completed + pending < cell.target;
}

/**
 * Allocates cells to a response: in each quota the least filled matching cell with room. A reserved cell is kept while the response can
 * still match it. All or nothing: one hard quota without room makes the response over quota, unless later answers can still lead to another
 * of its cells.
 *
 * @param reservedIds ids of the cells reserved by the response
 * @param occupancy occupancy by all other responses, and by this one for its reserved cells
 * @param end `open`: in progress. `complete`: about to count, so that a reservation fails if complete responses fill the cell (after the
 * target was lowered). `counted`: already counts, beyond a target if necessary; never over quota.
 */
export function allocateCells({
  fits,
  reservedIds,
  occupancy,
  end,
}: {
  fits: readonly QuotaMatch[];
  reservedIds: ReadonlySet<number>;
  occupancy: OccupancyByCell;
  end: 'open' | 'complete' | 'counted';
}): CellAllocation {
  const cellIds: number[] = [];
  const full: number[] = [];
  for (const { quota, cells, possibleCells } of fits) {
    const isComplete = (cell: QuotaCell) =>
      end === 'complete' &&
      quota.mode === 'hard' &&
      cell.target !== null &&
      occupancyOf(occupancy, cell).completed >= cell.target;
    const kept = [...cells, ...possibleCells].find(
      (cell) => reservedIds.has(cell.cellId) && !isComplete(cell),
    );
    const found =
      kept ??
      leastFilled(
        cells.filter((cell) => hasRoom(quota, cell, occupancy)),
        occupancy,
      );
    if (found !== null) {
      cellIds.push(found.cellId);
      continue;
    }
    const nearest = leastFilled(cells, occupancy);
    if (nearest === null || possibleCells.length > 0) continue;
    if (end === 'counted') cellIds.push(nearest.cellId);
    else full.push(nearest.cellId);
  }
  return full.length > 0 ? { isOver: true, cellIds: full } : { isOver: false, cellIds };
}
