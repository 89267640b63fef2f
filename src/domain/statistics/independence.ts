import { addCounts, type Count } from './base.ts';
import { chiSquareUpperTail, fUpperTail } from './probability.ts';

/** Pearson's chi-square of a table. */
interface ChiSquare {
  /** Proportional to the total of the table. */
  statistic: number;
  df: number;
  /** √(χ² / n / (min(rows, columns) - 1)), which does not depend on the scale of the table. */
  cramersV: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Expected cell counts under independence, by row, then column: row total times column total divided by the total. Zeros for an empty
 * table.
 */
export function expectedCounts(table: readonly (readonly number[])[]): number[][] {
  const rowSums = table.map(sum);
  const columnSums = (table[0] ?? []).map((_, column) => sum(table.map((row) => row[column]!)));
  const total = sum(rowSums);
  return rowSums.map((row) => columnSums.map((column) => (total > 0 ? (row * column) / total : 0)));
}

/**
 * Pearson's chi-square without continuity correction: R's `chisq.test(table, correct = FALSE)`. The table holds counts or Σw by row, then
 * column. Empty rows and columns are ignored. Returns null with fewer than two rows or columns.
 */
export function computeChiSquare(table: readonly (readonly number[])[]): ChiSquare | null {
  const expected = expectedCounts(table);
  const rows = expected.filter((row) => row.some((cell) => cell > 0)).length;
  const columns = (expected[0] ?? []).filter((_, column) => expected.some((row) => row[column]! > 0)).length;
  if (rows < 2 || columns < 2) return null;
  let statistic = 0;
  let total = 0;
  for (const [row, cells] of table.entries()) {
    for (const [column, observed] of cells.entries()) {
      const wanted = expected[row]![column]!;
      total += observed;
      if (wanted > 0) statistic += (observed - wanted) ** 2 / wanted;
    }
  }
  return {
    statistic,
    df: (rows - 1) * (columns - 1),
    cramersV: Math.sqrt(statistic / total / (Math.min(rows, columns) - 1)),
  };
}

/** R treats tables as no more likely than the observed one up to this factor, which covers rounding. */
const TOLERANCE = 1 + 1e-7;

/**
 * Fisher's exact test of a two-by-two table: the probability, given both margins, of all tables that are no more likely than this one.
 * R's `fisher.test(table)$p.value`.
 */
export function computeFisherExactPValue(
  [a, b]: readonly [number, number],
  [c, d]: readonly [number, number],
): number {
  const [row, column, total] = [a + b, a + c, a + b + c + d];
  const lowest = Math.max(0, row + column - total);
  const highest = Math.min(row, column);
  // Likelihoods relative to the most likely table, so that no relevant one underflows to 0.
  const mode = Math.min(highest, Math.max(lowest, Math.floor(((row + 1) * (column + 1)) / (total + 2))));
  const likelihoods = new Float64Array(highest - lowest + 1);
  likelihoods[mode - lowest] = 1;
  /** The likelihood of the table with one more in the first cell, relative to this one. */
  const step = (cell: number) =>
    ((row - cell) * (column - cell)) / ((cell + 1) * (total - row - column + cell + 1));
  for (let cell = mode; cell < highest; cell++)
    likelihoods[cell + 1 - lowest] = likelihoods[cell - lowest]! * step(cell);
  for (let cell = mode; cell > lowest; cell--)
    likelihoods[cell - 1 - lowest] = likelihoods[cell - lowest]! / step(cell - 1);
  const own = likelihoods[a - lowest]!;
  let [all, unlikely] = [0, 0];
  for (const likelihood of likelihoods) {
    all += likelihood;
    if (likelihood <= own * TOLERANCE) unlikely += likelihood;
  }
  return Math.min(1, unlikely / all);
}

/** The effect of the weights on Pearson's chi-square of a table. */
interface RaoScott {
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
function computeRaoScott(table: readonly (readonly Count[])[], respondents: number): RaoScott {
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
  // C'DC is regular only with as many interactions as in a table without empty cells.
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

export const INDEPENDENCE_TESTS = ['pearson', 'rao_scott_f'] as const;

/** A test of independence between the rows and the columns of a table. */
export interface IndependenceTest {
  test: (typeof INDEPENDENCE_TESTS)[number];
  /** Chi-square, or the F of Rao and Scott. */
  statistic: number;
  df: number;
  /** Denominator degrees of freedom of an F. */
  df2: number | null;
  pValue: number;
  cramersV: number;
  /** For a weighted table: Pearson's chi-square, scaled to the respondents in the table, before the correction. */
  uncorrected: { statistic: number; df: number } | null;
}

/** The test with a check for sparse tables, and the exact test. */
export interface TableIndependence extends IndependenceTest {
  /** Expected unweighted counts under independence. */
  expected: {
    smallest: number;
    /** Cells with an expected count below MIN_EXPECTED. */
    cellsBelow: number;
    cells: number;
  };
  /** For an unweighted two-by-two table: the p value of Fisher's exact test. */
  fisherPValue: number | null;
}

/** With lower expected counts, the chi-square and F approximations are poor. */
export const MIN_EXPECTED = 5;

/**
 * Tests a table, by row, then column: without weights by Pearson's chi-square, with weights by the second-order correction of Rao and
 * Scott with its F. Empty rows and columns are ignored. Returns null with fewer than two rows or columns.
 *
 * @param designSize with weights: the number of counted responses, in the table or not (missing answers are a domain, as in R); null:
 * unweighted
 * @param domainSize of a part of a larger table: the counted responses without those in its other columns, as `subset` of a design has
 */
export function testIndependence(
  cells: readonly (readonly Count[])[],
  designSize: number | null,
  domainSize: number | null = designSize,
): IndependenceTest | null {
  const table = withoutEmpty(cells);
  const pearson = computeChiSquare(table.map((row) => row.map(({ weight }) => weight)));
  if (pearson === null) return null;
  const { df, cramersV } = pearson;
  if (designSize === null) {
    const { statistic } = pearson;
    return {
      cramersV,
      test: 'pearson',
      statistic,
      df,
      df2: null,
      pValue: chiSquareUpperTail(statistic, df),
      uncorrected: null,
    };
  }
  const { count, weight } = addCounts(...table.flat());
  const scaled = (pearson.statistic * count) / weight;
  const { designEffects, df: ndf } = computeRaoScott(table, designSize);
  const [statistic, ddf] = [scaled / designEffects, ndf * ((domainSize ?? designSize) - 1)];
  return {
    cramersV,
    test: 'rao_scott_f',
    statistic,
    df: ndf,
    df2: ddf,
    pValue: fUpperTail(statistic, ndf, ddf),
    uncorrected: { statistic: scaled, df },
  };
}

/** Adds the expected counts and Fisher's exact test, whose time grows with the number of respondents. */
export function testTableIndependence(
  cells: readonly (readonly Count[])[],
  designSize: number | null,
): TableIndependence | null {
  const test = testIndependence(cells, designSize);
  if (test === null) return null;
  const counts = withoutEmpty(cells).map((row) => row.map(({ count }) => count));
  return {
    ...test,
    expected: summarizeExpected(counts),
    fisherPValue: designSize === null ? computeFisherPValue(counts) : null,
  };
}

function withoutEmpty(cells: readonly (readonly Count[])[]): Count[][] {
  const isUsed = ({ weight }: Count) => weight > 0;
  const rows = cells.filter((row) => row.some(isUsed));
  return rows.map((row) => row.filter((_, column) => rows.some((each) => isUsed(each[column]!))));
}

function summarizeExpected(counts: readonly (readonly number[])[]): TableIndependence['expected'] {
  const each = expectedCounts(counts).flat();
  return {
    smallest: each.reduce((least, expected) => Math.min(least, expected), Infinity),
    cellsBelow: each.filter((expected) => expected < MIN_EXPECTED).length,
    cells: each.length,
  };
}

function computeFisherPValue(counts: readonly (readonly number[])[]): number | null {
  const [first, second, ...others] = counts;
  if (first?.length !== 2 || second === undefined || others.length > 0) return null;
  return computeFisherExactPValue([first[0]!, first[1]!], [second[0]!, second[1]!]);
}
