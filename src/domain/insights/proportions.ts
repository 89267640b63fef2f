/** 97.5 % quantile of the standard normal distribution. */
const Z_95 = 1.959963984540054;

export interface Interval {
  low: number;
  high: number;
}

/**
 * Returns the 95 % Wilson interval of a share (0 to 1) with `base` > 0, which can be an effective base: E. B. Wilson, "Probable inference,
 * the law of succession, and statistical inference", JASA 22 (1927). R: `prop.test(x, n, correct = FALSE)$conf.int`.
 */
export function wilsonInterval(share: number, base: number): Interval {
  const square = Z_95 * Z_95;
  const center = (share + square / (2 * base)) / (1 + square / base);
  const half =
    (Z_95 / (1 + square / base)) * Math.sqrt((share * (1 - share)) / base + square / (4 * base * base));
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}

/** Returns Cohen's h of two shares, positive if the first is larger; 0.2 is small, 0.5 medium, 0.8 large. */
export function cohensH(first: number, second: number): number {
  return 2 * Math.asin(Math.sqrt(first)) - 2 * Math.asin(Math.sqrt(second));
}

/** Returns the 95 % interval of a Net Promoter Score (-100 to 100) from the shares of promoters and detractors. */
export function npsInterval(promoters: number, detractors: number, base: number): Interval {
  const score = promoters - detractors;
  const half = Z_95 * Math.sqrt(Math.max(0, promoters + detractors - score * score) / base);
  return { low: 100 * Math.max(-1, score - half), high: 100 * Math.min(1, score + half) };
}
