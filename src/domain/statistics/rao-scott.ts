import { addCounts, type Count } from './count.ts';

/** What the spread of weights does to Pearson's chi-square of a table. */
export interface RaoScott {
  /** The sum of the generalized design effects: chi-square over it has an F distribution. */
  designEffects: number;
  /** Numerator degrees of freedom of that F, seldom whole. */
  df: number;
}

/** A cell whose metric is above 0. */
interface Cell {
  /** Of all weight in the table. */
  share: number;
  /** Σw² over the squared weight of the table: what the cell adds to the variance. */
  variance: number;
  /** The share by which the cell is standardized: its own, or the one that is expected of it. */
  metric: number;
  /** Nodes of its row and of its column. */
  row: number;
  column: number;
}

/**
 * The main effects that leave the cells without metric at 0: a value per node, and for a cell the value of its row's node less that of
 * its column's. A row and a column that meet in such a cell have the same value, so they are one node.
 */
interface MainEffects {
  cells: Cell[];
  nodes: number;
  /** So many nodes, the first ones, have no cell in common with each other: rows or columns, whichever are more. */
  separate: number;
}

/** Below this part of the plain sum of the design effects nothing but rounding is left. */
const ROUNDING = 1e-12;

/**
 * The second-order correction of J. N. K. Rao, A. J. Scott, "On chi-squared tests for multiway contingency tables with cell proportions
 * estimated from survey data", Annals of Statistics 12 (1984), as `svychisq(…, statistic = "F")` of the R package survey computes it
 * for `svydesign(~1, weights = ~w)`.
 *
 * Under that design the covariance V of the cells' shares p follows from each cell's Σw and Σw²: with q = Σw² / (Σw of the table)²,
 * V = n / (n - 1) · (diag(q) - p q' - q p' + p p' Σq). With D = diag(1/p) and C a basis of the interactions, the design effects are
 * the eigenvalues of Δ = m (C'DC)⁻¹ C'DVDC for m respondents in the table; their sum tr Δ and df = (tr Δ)² / tr Δ² are returned. Δ
 * has as many rows as the test has degrees of freedom, so C (C'DC)⁻¹ C' is taken as diag(p) less the projection on the main effects,
 * which have a value per row and per column.
 *
 * R stops where empty cells make C'DC singular. Here D then holds the shares that independence would give. Where the interactions do
 * not vary at all (every row has its own column, all of one weight), the design effects are those of L. Kish: m Σq per degree of freedom.
 *
 * @param table by row, then column; no row or column is empty
 * @param respondents n, the size of the design: all that count, in the table or not
 */
export function computeRaoScott(table: readonly (readonly Count[])[], respondents: number): RaoScott {
  const found = correctionBy(table, respondents, false) ?? correctionBy(table, respondents, true);
  if (found !== null) return found;
  const { count, weight, squaredWeight } = addCounts(...table.flat());
  const df = (table.length - 1) * (table[0]!.length - 1);
  return { designEffects: (df * count * squaredWeight) / weight ** 2, df };
}

function correctionBy(
  table: readonly (readonly Count[])[],
  respondents: number,
  isExpected: boolean,
): RaoScott | null {
  const effects = mainEffects(table, isExpected);
  const { cells, nodes } = effects;
  // As many interactions as a table without empty cells has, or C'DC is singular.
  const interactions = cells.length - (nodes - 1);
  if (interactions < (table.length - 1) * (table[0]!.length - 1)) return null;
  const traces = tracesOf(effects);
  if (traces === null) return null;
  const inTable = addCounts(...table.flat()).count;
  const designEffects = (inTable * respondents * traces.first) / (respondents - 1);
  return { designEffects, df: traces.first ** 2 / traces.second };
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
      return { share, variance: squaredWeight / total ** 2, metric, row, column: rows + column };
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

/** tr Δ and tr Δ², but for m and n / (n - 1); null where the design effects are 0. */
function tracesOf(effects: MainEffects): { first: number; second: number } | null {
  const { cells, nodes } = effects;
  const inverse = invertedMetric(effects);
  /** M'x: what a number per cell adds up to at each node. */
  const atNodes = (of: (cell: Cell) => number) => {
    const sums = new Float64Array(nodes);
    for (const cell of cells) {
      sums[cell.row]! += of(cell);
      sums[cell.column]! -= of(cell);
    }
    return inverse.map((line) => line.reduce((sum, value, node) => sum + value * sums[node]!, 0));
  };
  const distance = ({ row, column }: Cell) =>
    inverse[row]![row]! - 2 * inverse[row]![column]! + inverse[column]![column]!;
  const shares = atNodes(({ share }) => share);
  const variances = atNodes(({ variance }) => variance);
  let [plain, first, second] = [0, 0, 0];
  /** The parts of V that are products of p and q: what they give with each other, and with the diagonal. */
  let [all, pp, pq, qq, crossed] = [0, 0, 0, 0, 0];
  for (const { variance } of cells) all += variance;
  const products = Array.from({ length: nodes }, () => new Float64Array(nodes));
  for (const cell of cells) {
    const { share, variance, metric, row, column } = cell;
    const apart = distance(cell);
    plain += variance / metric;
    first += variance / metric - variance * apart;
    second += (variance / metric) ** 2 - (2 * variance ** 2 * apart) / metric;
    const p = share - metric * (shares[row]! - shares[column]!);
    const q = variance - metric * (variances[row]! - variances[column]!);
    pp += (share / metric) * p;
    pq += (share / metric) * q;
    qq += (variance / metric) * q;
    crossed += (variance / metric ** 2) * (all * p * p - 2 * p * q);
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
  second += 2 * crossed + (all * pp - pq) ** 2 - 2 * pp * (all * pq - qq) + pq ** 2;
  return first > plain * ROUNDING && second > 0 ? { first, second } : null;
}

/**
 * (M' diag(metric) M)⁻¹ with the last node held at 0. Nodes that have no cell in common are eliminated first: what is left to be
 * inverted is as small as the shorter side of the table.
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

/** Inverts the leading block of a symmetric positive definite matrix in its place, and clears the rest. Gauss and Jordan. */
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
