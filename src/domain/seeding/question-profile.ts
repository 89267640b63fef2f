/** How respondents in general tend to answer. */
export interface Tendency {
  /** Mean, in standard deviations of the attitude. */
  center: number;
  /** Correlation of the answer with the attitude. */
  loading: number;
}

export interface OptionProfile {
  /** Relative frequency as a single choice. */
  weight: number;
  /** Log odds of being ticked in a multiple choice. */
  logOdds: number;
  /** Increase in log odds per unit of attitude. */
  tilt: number;
}

/** How respondents answer one question. */
export interface QuestionProfile {
  tendency: Tendency;
  /** Matrix only, by row code. */
  rows: ReadonlyMap<string, Tendency>;
  /** By option_code. */
  options: ReadonlyMap<number, OptionProfile>;
  /** Probability of skipping an optional question. */
  skipProbability: number;
  /** Generates a text that matches the question's pattern; null if unknown. */
  example: (random: () => number) => string | null;
}
