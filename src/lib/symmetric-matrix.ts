/** A column whose remaining norm is below this part of its own norm depends on the columns before it, as in R's `qr(x, tol = 1e-5)`. */
const DEPENDENT = 1e-5;

/** The Cholesky factor L of a matrix A = L L'. */
export interface SymmetricFactor {
  size: number;
  /** The number of independent columns. */
  rank: number;
  /** Lower triangle by row; rows and columns of dependent columns are 0. */
  lower: Float64Array;
}

/**
 * Factorizes a positive semidefinite matrix, given by row. Columns that depend on earlier ones are left out, as `lm` in R leaves out
 * aliased terms. The rank is that of X for A = X'X.
 */
export function factorizeSymmetric(matrix: Float64Array, size: number): SymmetricFactor {
  const lower = new Float64Array(size * size);
  let rank = 0;
  for (let column = 0; column < size; column++) {
    const own = matrix[column * size + column]!;
    let left = own;
    for (let k = 0; k < column; k++) left -= lower[column * size + k]! ** 2;
    if (!(left > own * DEPENDENT ** 2)) {
      lower.fill(0, column * size, (column + 1) * size);
      continue;
    }
    rank++;
    const pivot = Math.sqrt(left);
    lower[column * size + column] = pivot;
    for (let row = column + 1; row < size; row++) {
      let sum = matrix[row * size + column]!;
      for (let k = 0; k < column; k++) sum -= lower[row * size + k]! * lower[column * size + k]!;
      lower[row * size + column] = sum / pivot;
    }
  }
  return { size, rank, lower };
}

/** Solves A x = b for the factor of A; the entries of dependent columns are 0. */
export function solveSymmetric({ size, lower }: SymmetricFactor, right: Float64Array): Float64Array {
  const solution = Float64Array.from(right);
  for (let row = 0; row < size; row++) {
    const pivot = lower[row * size + row]!;
    let sum = solution[row]!;
    for (let k = 0; k < row; k++) sum -= lower[row * size + k]! * solution[k]!;
    solution[row] = pivot > 0 ? sum / pivot : 0;
  }
  for (let row = size - 1; row >= 0; row--) {
    const pivot = lower[row * size + row]!;
    let sum = solution[row]!;
    for (let k = row + 1; k < size; k++) sum -= lower[k * size + row]! * solution[k]!;
    solution[row] = pivot > 0 ? sum / pivot : 0;
  }
  return solution;
}
