import { addCounts, type Count } from './base.ts';

/** The effect of the design on Pearson's chi-square of a table. */
export interface RaoScott {
  /** The sum of the generalized design effects: chi-square divided by it has an F distribution. */
  designEffects: number;
  /** Numerator degrees of freedom of that F, rarely an integer. */
  df: number;
}

/** A cell with a metric above 0. */
interface Cell {
  /** Share of the total weight of the table. */
  share: number;
  /** Σw² divided by the squared weight of the table: the cell's contribution to the variance. */
  variance: number;
  /** The share that standardizes the cell: observed or expected. */
  metric: number;
  /** Nodes of its row and column. */
  row: number;
  column: number;
  /** Its index in the table, by row. */
  position: number;
}

/**
 * The main effects that are 0 in cells without metric: one value per node; a cell has the value of its row's node minus that of its
 * column's node. A row and a column that meet in such a cell have the same value, so they are one node.
 */
interface MainEffects {
  cells: Cell[];
  nodes: number;
  /** The number of leading nodes that have no cell in common: the rows or the columns, whichever are more. */
  separate: number;
}

/** Below this fraction of the simple sum of the design effects, only rounding error is left. */
const ROUNDING = 1e-12;

/**
 * The second-order correction of J. N. K. Rao, A. J. Scott, "On chi-squared tests for multiway contingency tables with cell proportions
 * estimated from survey data", Annals of Statistics 12 (1984), as `svychisq(…, statistic = "F")` of the R package survey computes it for
 * `svydesign(~1, weights = ~w)`.
 *
 * Under that design the covariance V of the cells' shares p follows from each cell's Σw and Σw²: with q = Σw² / (Σw of the table)², V = n
 * / (n - 1) · (diag(q) - p q' - q p' + p p' Σq). With D = diag(1/p) and C a basis of the interactions, the design effects are the
 * eigenvalues of Δ = m (C'DC)⁻¹ C'DVDC for m respondents in the table. The function returns their sum tr Δ and df = (tr Δ)² / tr Δ². Δ
 * has as many rows as the test has degrees of freedom, so C (C'DC)⁻¹ C' is computed as diag(p) minus the projection on the main effects,
 * which have one value per row and per column.
 *
 * R fails if empty cells make C'DC singular. In that case D holds the expected shares under independence. If the interactions do not vary
 * at all (every row has its own column, all with one weight), the design effects are those of L. Kish: m Σq per degree of freedom.
 *
 * @param table by row, then column; no row or column is empty
 *
 * @param respondents n, the size of the design: all counted responses, in the table or not
 */
export function computeRaoScott(table: readonly (readonly Count[])[], respondents: number): RaoScott {
  const found = correctionBy(table, respondents, false) ?? correctionBy(table, respondents, true);
  if (found !== null) return found;
  const { count, weight, squaredWeight } = addCounts(...table.flat());
  const df = (table.length - 1) * (table[0]!.length - 1);
  return { designEffects: (df * count * squaredWeight) / weight ** 2, df };
}

/** Null if C'DC is singular: it is regular only with as many interactions as in a table without empty cells. */
function regularEffects(table: readonly (readonly Count[])[], isExpected: boolean): MainEffects | null {
  const effects = mainEffects(table, isExpected);
  const interactions = effects.cells.length - (effects.nodes - 1);
  return interactions < (table.length - 1) * (table[0]!.length - 1) ? null : effects;
}

function correctionBy(
  table: readonly (readonly Count[])[],
  respondents: number,
  isExpected: boolean,
): RaoScott | null {
  const effects = regularEffects(table, isExpected);
  const traces = effects && tracesOf(effects);
  if (traces === null) return null;
  const inTable = addCounts(...table.flat()).count;
  const designEffects = (inTable * respondents * traces.first) / (respondents - 1);
  return { designEffects, df: traces.first ** 2 / traces.second };
}

/**
 * The same correction for any design: `svychisq(…, statistic = "F")` for strata, clusters or replicate weights. The design effects are for
 * one respondent (m = 1), so the chi-square of the shares divided by them is the F. Returns null if the interactions do not vary.
 *
 * @param table by row, then column; no row or column is empty
 * @param covariance V of the cells' shares, by row; the cells in the order of the rows of the table
 */
export function computeRaoScottByCovariance(
  table: readonly (readonly Count[])[],
  covariance: Float64Array,
): RaoScott | null {
  const tracesBy = (isExpected: boolean) => {
    const effects = regularEffects(table, isExpected);
    return effects && tracesOfCovariance(effects, covariance, table.length * table[0]!.length);
  };
  const traces = tracesBy(false) ?? tracesBy(true);
  return traces && { designEffects: traces.first, df: traces.first ** 2 / traces.second };
}

function mainEffects(table: readonly (readonly Count[])[], isExpected: boolean): MainEffects {
  const weightOf = (counts: readonly Count[]) => addCounts(...counts).weight;
  const [rows, columns] = [table.length, table[0]!.length];
  const total = weightOf(table.flat());
  const rowShares = table.map((row) => weightOf(row) / total);
  const columnShares = table[0]!.map((_, column) => weightOf(table.map((row) => row[column]!)) / total);
  const all = table.flatMap((line, row) =>
    line.map(({ weight, squaredWeight }, column): Cell => {
      const share = weight / total;
      const metric = isExpected ? rowShares[row]! * columnShares[column]! : share;
      const variance = squaredWeight / total ** 2;
      return { share, variance, metric, row, column: rows + column, position: row * columns + column };
    }),
  );
  const group = Array.from({ length: rows + columns }, (_, node) => node);
  for (const { metric, row, column } of all) {
    if (metric > 0) continue;
    const [kept, joined] = [group[row]!, group[column]!];
    group.forEach((each, node) => {
      if (each === joined) group[node] = kept;
    });
  }
  const sizes = new Map<number, number>();
  for (const one of group) sizes.set(one, (sizes.get(one) ?? 0) + 1);
  const isLonger = (node: number) => (rows >= columns ? node < rows : node >= rows);
  const groups = [...sizes.keys()];
  const separate = groups.filter((one) => isLonger(one) && sizes.get(one) === 1);
  const nodeOf = new Map([...new Set([...separate, ...groups])].map((one, node) => [one, node]));
  const cells = all.flatMap((cell) => {
    if (!(cell.metric > 0)) return [];
    return [{ ...cell, row: nodeOf.get(group[cell.row]!)!, column: nodeOf.get(group[cell.column]!)! }];
  });
  return { cells, nodes: groups.length, separate: separate.length };
}

/** tr Δ and tr Δ², without the factors m and n / (n - 1); null if the design effects are 0. */
function tracesOf(effects: MainEffects): { first: number; second: number } | null {
  const { cells, nodes } = effects;
  const inverse = invertedMetric(effects);
  /** M'x: sums a value per cell at each node. */
  const sumAtNodes = (valueOfCell: (cell: Cell) => number) => {
    const sums = new Float64Array(nodes);
    for (const cell of cells) {
      sums[cell.row]! += valueOfCell(cell);
      sums[cell.column]! -= valueOfCell(cell);
    }
    return inverse.map((line) => line.reduce((sum, value, node) => sum + value * sums[node]!, 0));
  };
  const distance = ({ row, column }: Cell) =>
    inverse[row]![row]! - 2 * inverse[row]![column]! + inverse[column]![column]!;
  const shares = sumAtNodes(({ share }) => share);
  const variances = sumAtNodes(({ variance }) => variance);
  let [plain, first, second] = [0, 0, 0];
  /** The parts of V that are products of p and q: their products with each other and with the diagonal. */
  let [all, pp, pq, qq, crossSum] = [0, 0, 0, 0, 0];
  for (const { variance } of cells) all += variance;
  const products = Array.from({ length: nodes }, () => new Float64Array(nodes));
  for (const cell of cells) {
    const { share, variance, metric, row, column } = cell;
    const nodeDistance = distance(cell);
    plain += variance / metric;
    first += variance / metric - variance * nodeDistance;
    second += (variance / metric) ** 2 - (2 * variance ** 2 * nodeDistance) / metric;
    const p = share - metric * (shares[row]! - shares[column]!);
    const q = variance - metric * (variances[row]! - variances[column]!);
    pp += (share / metric) * p;
    pq += (share / metric) * q;
    qq += (variance / metric) * q;
    crossSum += (variance / metric ** 2) * (all * p * p - 2 * p * q);
    if (row === column) continue;
    const [own, other] = [products[row]!, products[column]!];
    const [from, to] = [inverse[row]!, inverse[column]!];
    for (let node = 0; node < nodes; node++) {
      const added = variance * (from[node]! - to[node]!);
      own[node]! += added;
      other[node]! -= added;
    }
  }
  for (let row = 0; row < nodes; row++) {
    for (let column = 0; column < nodes; column++)
      second += products[row]![column]! * products[column]![row]!;
  }
  first += all * pp - 2 * pq;
  second += 2 * crossSum + (all * pp - pq) ** 2 - 2 * pp * (all * pq - qq) + pq ** 2;
  return first > plain * ROUNDING && second > 0 ? { first, second } : null;
}

/** The same for any V: traces of P V and of its square with P = D - M (M' diag(metric) M)⁻¹ M'. */
function tracesOfCovariance(
  effects: MainEffects,
  covariance: Float64Array,
  size: number,
): { first: number; second: number } | null {
  const { cells, nodes } = effects;
  const atNodes = Array.from({ length: nodes }, () => new Float64Array(size));
  for (const { row, column, position } of cells) {
    const [ofRow, ofColumn] = [atNodes[row]!, atNodes[column]!];
    for (let other = 0; other < size; other++) {
      const value = covariance[position * size + other]!;
      ofRow[other]! += value;
      ofColumn[other]! -= value;
    }
  }
  const fitted = invertedMetric(effects).map((line) => {
    const sums = new Float64Array(size);
    for (let node = 0; node < nodes; node++) {
      const factor = line[node]!;
      if (factor === 0) continue;
      for (let other = 0; other < size; other++) sums[other]! += factor * atNodes[node]![other]!;
    }
    return sums;
  });
  const product = cells.map(({ metric, row, column, position }) =>
    Float64Array.from(
      cells,
      ({ position: other }) =>
        covariance[position * size + other]! / metric - (fitted[row]![other]! - fitted[column]![other]!),
    ),
  );
  let [plain, first, second] = [0, 0, 0];
  for (const [index, { metric, position }] of cells.entries()) {
    plain += covariance[position * size + position]! / metric;
    first += product[index]![index]!;
    for (let other = 0; other < cells.length; other++)
      second += product[index]![other]! * product[other]![index]!;
  }
  return first > plain * ROUNDING && second > 0 ? { first, second } : null;
}

/**
 * (M' diag(metric) M)⁻¹ with the last node fixed at 0. Eliminates nodes without common cells first, so that the matrix to invert is as
 * small as the shorter side of the table.
 */
function invertedMetric({ cells, nodes, separate }: MainEffects): Float64Array[] {
  const rest = nodes - separate;
  const diagonal = new Float64Array(nodes);
  const joint = Array.from({ length: separate }, () => new Float64Array(rest));
  const left = Array.from({ length: rest }, () => new Float64Array(rest));
  for (const { metric, row, column } of cells) {
    if (row === column) continue;
    diagonal[row]! += metric;
    diagonal[column]! += metric;
    const [low, high] = row < column ? [row, column] : [column, row];
    if (low < separate) joint[low]![high - separate]! += metric;
    else {
      left[low - separate]![high - separate]! -= metric;
      left[high - separate]![low - separate]! -= metric;
    }
  }
  for (let node = 0; node < rest; node++) left[node]![node]! += diagonal[separate + node]!;
  for (const [node, line] of joint.entries()) {
    for (let one = 0; one < rest; one++) {
      const part = line[one]! / diagonal[node]!;
      for (let other = 0; other < rest; other++) left[one]![other]! -= part * line[other]!;
    }
    for (let one = 0; one < rest; one++) line[one]! /= diagonal[node]!;
  }
  invert(left, rest - 1);
  const inverse = Array.from({ length: nodes }, () => new Float64Array(nodes));
  for (let one = 0; one < rest; one++) inverse[separate + one]!.set(left[one]!, separate);
  for (const [node, parts] of joint.entries()) {
    const line = inverse[node]!;
    for (let one = 0; one < rest; one++) {
      for (let other = 0; other < rest; other++) line[separate + other]! += parts[one]! * left[one]![other]!;
    }
    for (let one = separate; one < nodes; one++) inverse[one]![node] = line[one]!;
    for (let other = 0; other <= node; other++) {
      let sum = node === other ? 1 / diagonal[node]! : 0;
      for (let one = 0; one < rest; one++) sum += line[separate + one]! * joint[other]![one]!;
      line[other] = sum;
      inverse[other]![node] = sum;
    }
  }
  return inverse;
}

/** Inverts the leading block of a symmetric positive definite matrix in place and clears the rest, by Gauss–Jordan elimination. */
function invert(matrix: Float64Array[], size: number): void {
  for (const [row, line] of matrix.entries()) line.fill(0, row < size ? size : 0);
  for (let pivot = 0; pivot < size; pivot++) {
    const line = matrix[pivot]!;
    const scale = 1 / line[pivot]!;
    line[pivot] = 1;
    for (let column = 0; column < size; column++) line[column]! *= scale;
    for (let row = 0; row < size; row++) {
      const factor = matrix[row]![pivot]!;
      if (row === pivot || factor === 0) continue;
      matrix[row]![pivot] = 0;
      for (let column = 0; column < size; column++) matrix[row]![column]! -= factor * line[column]!;
    }
  }
}
