import type { Effect, Finding } from '../../../../domain/insights/finding.ts';
import type { FindingFact, Wording } from '../text-analyzer.ts';

/** A finding as replies show it. */
export interface FindingReply {
  id: string;
  kind: Finding['kind'];
  headline: string;
  explanation: string;
  suggestion: string | null;
  statement: string;
  figures: Record<string, string | number | null>;
  evidence: {
    question_ids: number[];
    response_ids: number[] | null;
    response_count: number | null;
    base: number;
    p_value: number | null;
    q_value: number | null;
    effect: Effect | null;
  };
}

export const toFact = ({ id, kind, statement, figures }: Finding): FindingFact => {
  return { id, kind, statement, figures };
};

/** Default suggestions, used if the analyzer gives none. */
const SUGGESTIONS: Partial<Record<Finding['kind'], string>> = {
  difference: 'Look at what the two groups do or get differently before acting on all of them alike.',
  driver:
    'Look at it first when the key measure is to change, and test by an experiment whether it moves it.',
  trend_break: 'Look at what changed between these two waves, in the field and in the questionnaire.',
  completion: 'Look at that page: how long it is, what it requires, how it looks on a phone.',
  outliers: 'Look at these answers one by one: typing errors and other units are common.',
  unusual_durations: 'Look at these responses one by one before you keep or exclude them.',
  speeders: 'Review these responses in the quality check before you report figures.',
  straightliners: 'Review these responses in the quality check before you report figures.',
  unlikely_responses: 'Look at these responses one by one before you keep or exclude them.',
  sudden_day: 'Compare with what was sent out or published that day, and by which link these responses came.',
  source_differs:
    'Look at who was reached by this link before its responses are put together with the others.',
  change_point: 'Compare with what changed that day: the questionnaire, a mailing, an event.',
};

/** Statements and figures come from the statistics; headline, explanation and suggestion from the analyzer. */
export function toFindingReply(finding: Finding, wording: Wording | undefined): FindingReply {
  const { id, kind, headline, statement, figures, evidence } = finding;
  const isOwn = wording === undefined || wording.headline === statement;
  return {
    id,
    kind,
    headline: isOwn ? headline : wording.headline,
    explanation: isOwn ? statement : wording.explanation,
    suggestion: isOwn ? (SUGGESTIONS[kind] ?? null) : wording.suggestion,
    statement,
    figures: { ...figures },
    evidence: {
      question_ids: [...evidence.questionIds],
      response_ids: evidence.responseIds === null ? null : [...evidence.responseIds],
      response_count: evidence.responseCount,
      base: evidence.base,
      p_value: evidence.pValue,
      q_value: evidence.qValue,
      effect: evidence.effect,
    },
  };
}
