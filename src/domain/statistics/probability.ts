/** The largest number of terms of a continued fraction or series. The widest tested arguments need a few hundred. */
const MAX_TERMS = 100_000;
const PRECISION = 1e-16;
/** Replaces a denominator of 0 in Lentz's method. */
const TINY = 1e-300;

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** ln Γ(x) for x > 0. C. Lanczos (1964), with the coefficients of P. Godfrey for g = 7. */
function logGamma(x: number): number {
  // The recurrence keeps small x away from the pole at 0.
  if (x < 1) return logGamma(x + 1) - Math.log(x);
  const [first, ...rest] = LANCZOS;
  const sum = rest.reduce<number>((total, coefficient, index) => total + coefficient / (x + index), first);
  const shifted = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(shifted) - shifted + Math.log(sum);
}

/** a0 / (b0 + a1 / (b1 + …)) by Lentz's method. W. H. Press et al., Numerical Recipes, 5.2. */
function continuedFraction(term: (index: number) => { a: number; b: number }): number {
  let value = TINY;
  let c = TINY;
  let d = 0;
  for (let index = 0; index < MAX_TERMS; index++) {
    const { a, b } = term(index);
    d = 1 / (b + a * d || TINY);
    c = b + a / c || TINY;
    value *= c * d;
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  return value;
}

/** Q(a, x) = Γ(a, x) / Γ(a): series below a + 1, continued fraction above. Numerical Recipes, 6.2. */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x >= a + 1) {
    const fraction = continuedFraction((index) => ({
      a: index === 0 ? 1 : -index * (index - a),
      b: x - a + 1 + 2 * index,
    }));
    return scale * fraction;
  }
  let added = 1 / a;
  let sum = added;
  for (let index = 1; index < MAX_TERMS && added > sum * PRECISION; index++) {
    added *= x / (a + index);
    sum += added;
  }
  return 1 - scale * sum;
}

/** I_x(a, b). `y` is 1 - x, passed separately to avoid a loss of precision near 1. Numerical Recipes, 6.4. */
function incompleteBeta(a: number, b: number, x: number, y: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  // The continued fraction converges quickly only on this side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, y, x);
  const logScale = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(y);
  const fraction = continuedFraction((index) => {
    if (index === 0) return { a: 1, b: 1 };
    const m = Math.floor(index / 2);
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    return { a: index % 2 === 0 ? even : odd, b: 1 };
  });
  return (Math.exp(logScale) / a) * fraction;
}

/** The probability of a chi-square of at least `statistic` with `df` > 0 degrees of freedom: R's `pchisq(…, lower.tail = FALSE)`. */
export function chiSquareUpperTail(statistic: number, df: number): number {
  return upperGamma(df / 2, statistic / 2);
}

/** The two-sided probability of a t at least as far from 0, with `df` > 0, integer or not: R's `2 * pt(-abs(t), df)`. */
export function tTwoSided(t: number, df: number): number {
  const square = t * t;
  return incompleteBeta(df / 2, 0.5, df / (df + square), square / (df + square));
}

/** The probability of an F of at least `statistic`; both degrees of freedom > 0, integer or not: R's `pf(…, lower.tail = FALSE)`. */
export function fUpperTail(statistic: number, df1: number, df2: number): number {
  const sum = df2 + df1 * statistic;
  return incompleteBeta(df2 / 2, df1 / 2, df2 / sum, (df1 * statistic) / sum);
}

/**
 * The argument between `low` and `high` at which an increasing function reaches `wanted`, by bisection until no number lies between. It is
 * slower than Newton's method, and precise for every argument.
 */
function invertIncreasing(
  probability: (x: number) => number,
  wanted: number,
  low: number,
  high: number,
): number {
  let [below, above] = [low, high];
  for (;;) {
    const middle = (below + above) / 2;
    if (!(middle > below && middle < above)) return middle;
    if (probability(middle) < wanted) below = middle;
    else above = middle;
  }
}

/**
 * The t that a two-sided test exceeds with probability `alpha` (0 to 1): R's `qt(1 - alpha / 2, df)`, `df` > 0, Infinity for the normal
 * distribution.
 */
export function tQuantileTwoSided(alpha: number, df: number): number {
  const tail = (t: number) => (df === Infinity ? chiSquareUpperTail(t * t, 1) : tTwoSided(t, df));
  let high = 2;
  while (tail(high) > alpha) high *= 2;
  return invertIncreasing((t) => -tail(t), -alpha, 0, high);
}

/** The quantile of the beta distribution at `probability` (0 to 1): R's `qbeta(probability, a, b)`. */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (a <= 0) return 0;
  if (b <= 0) return 1;
  return invertIncreasing((x) => incompleteBeta(a, b, x, 1 - x), probability, 0, 1);
}
