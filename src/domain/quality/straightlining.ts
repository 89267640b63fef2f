/** How similar a respondent's answers to a battery are. */
export interface Straightlining {
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
