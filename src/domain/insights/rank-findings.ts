import { type Candidate, FALSE_DISCOVERY_RATE, type Finding, roundSignificant } from './finding.ts';
import type { TestResults } from './insights.ts';

/**
 * Returns q-values (false discovery rates), parallel to the p-values: R `p.adjust(p, "BH")`. Y. Benjamini, Y. Hochberg, "Controlling the
 * false discovery rate", J. R. Statist. Soc. B 57 (1995).
 */
export function falseDiscoveryRates(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[b]! - pValues[a]!);
  const rates = new Array<number>(pValues.length);
  let least = 1;
  for (const [position, index] of order.entries()) {
    least = Math.min(least, (pValues[index]! * pValues.length) / (pValues.length - position));
    rates[index] = least;
  }
  return rates;
}

interface Limits {
  maxFindings: number;
  /** Maximum number of findings per question. */
  maxPerQuestion: number;
  /** Maximum number of descriptive findings, without a test. */
  maxDescriptive: number;
}

const LIMITS: Limits = { maxFindings: 25, maxPerQuestion: 4, maxDescriptive: 8 };
/** Evidence is capped at q = 10^-10. */
const MAX_EVIDENCE = 10;
/** Evidence assigned to descriptive findings. */
const DESCRIPTIVE_EVIDENCE = 4;

interface Scored {
  candidate: Candidate;
  score: number;
}

/**
 * Returns significant findings (after correction over all tests) and descriptive ones, ranked by effect times evidence, only the best per
 * topic.
 */
export function rankFindings(
  { candidates, pValues }: Pick<TestResults, 'candidates' | 'pValues'>,
  limits = LIMITS,
): Finding[] {
  const rates = falseDiscoveryRates(pValues);
  const scored = candidates.flatMap(({ candidate, test }): Scored[] => {
    if (test === null) return [{ candidate, score: scoreOf(candidate.strength, DESCRIPTIVE_EVIDENCE) }];
    const rate = rates[test]!;
    if (rate > FALSE_DISCOVERY_RATE) return [];
    const { finding } = candidate;
    const evidence = { ...finding.evidence, qValue: rate };
    const figures = { ...finding.figures, q_value: roundSignificant(rate) };
    const score = scoreOf(candidate.strength, Math.min(MAX_EVIDENCE, -Math.log10(rate)));
    return [{ candidate: { ...candidate, finding: { ...finding, evidence, figures } }, score }];
  });
  scored.sort((a, b) => b.score - a.score || (a.candidate.finding.id < b.candidate.finding.id ? -1 : 1));
  return selectTopFindings(scored, limits);
}

/** A large but barely significant effect, and a small but highly significant one, both rank below a large significant one. */
const scoreOf = (strength: number, evidence: number): number => strength * (1 + evidence);

function selectTopFindings(
  scored: readonly Scored[],
  { maxFindings: most, maxPerQuestion: mostOfQuestion, maxDescriptive: mostDescribing }: Limits,
): Finding[] {
  const topics = new Set<string>();
  const countByQuestion = new Map<number, number>();
  let describing = 0;
  const selected: Finding[] = [];
  // A break between two waves is more specific than a difference between waves.
  const breaks = new Set(
    scored.flatMap(({ candidate: { topic } }) =>
      topic.startsWith('time:') ? [topic.slice('time:'.length)] : [],
    ),
  );
  for (const { candidate } of scored) {
    const { finding, topic } = candidate;
    const { questionIds, pValue } = finding.evidence;
    if (selected.length === most) break;
    if (topics.has(topic) || (topic.startsWith('pair:') && breaks.has(topic.slice('pair:'.length)))) continue;
    if (pValue === null && describing === mostDescribing) continue;
    const isFull = questionIds.some(
      (id) => (countByQuestion.get(id) ?? 0) >= mostOfQuestion * questionIds.length,
    );
    if (isFull) continue;
    topics.add(topic);
    if (pValue === null) describing += 1;
    for (const id of questionIds) countByQuestion.set(id, (countByQuestion.get(id) ?? 0) + 1);
    selected.push(finding);
  }
  return selected;
}
