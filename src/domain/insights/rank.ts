import { falseDiscoveryRates } from './false-discovery.ts';
import { type Candidate, FALSE_DISCOVERY_RATE, type Finding } from './finding.ts';
import { significant } from './in-words.ts';
import type { Tests } from './insights.ts';

interface Limits {
  most: number;
  /** Findings that name the same question. */
  mostOfQuestion: number;
  /** Of what only describes, where nothing was tested. */
  mostDescribing: number;
}

const LIMITS: Limits = { most: 25, mostOfQuestion: 4, mostDescribing: 8 };
/** Evidence beyond a q of 10^-10 counts no more. */
const MOST_EVIDENCE = 10;
/** What only describes stands beside findings of this evidence. */
const DESCRIBING_EVIDENCE = 4;

interface Scored {
  candidate: Candidate;
  score: number;
}

/**
 * What is significant after the correction over all tests, and what describes: ranked by effect times evidence, of one topic only the best.
 */
export function ranked(
  { candidates, pValues }: Pick<Tests, 'candidates' | 'pValues'>,
  limits = LIMITS,
): Finding[] {
  const rates = falseDiscoveryRates(pValues);
  const scored = candidates.flatMap(({ candidate, test }): Scored[] => {
    if (test === null) return [{ candidate, score: scoreOf(candidate.strength, DESCRIBING_EVIDENCE) }];
    const rate = rates[test]!;
    if (rate > FALSE_DISCOVERY_RATE) return [];
    const { finding } = candidate;
    const evidence = { ...finding.evidence, qValue: rate };
    const figures = { ...finding.figures, q_value: significant(rate) };
    const score = scoreOf(candidate.strength, Math.min(MOST_EVIDENCE, -Math.log10(rate)));
    return [{ candidate: { ...candidate, finding: { ...finding, evidence, figures } }, score }];
  });
  scored.sort((a, b) => b.score - a.score || (a.candidate.finding.id < b.candidate.finding.id ? -1 : 1));
  return reduced(scored, limits);
}

/** A large effect that is barely sure and a small one that is very sure both come after one that is large and sure. */
const scoreOf = (strength: number, evidence: number): number => strength * (1 + evidence);

function reduced(scored: readonly Scored[], { most, mostOfQuestion, mostDescribing }: Limits): Finding[] {
  const topics = new Set<string>();
  const ofQuestion = new Map<number, number>();
  let describing = 0;
  const told: Finding[] = [];
  // A break between two waves says more than that waves differ.
  const breaks = new Set(
    scored.flatMap(({ candidate: { topic } }) =>
      topic.startsWith('time:') ? [topic.slice('time:'.length)] : [],
    ),
  );
  for (const { candidate } of scored) {
    const { finding, topic } = candidate;
    const { questionIds, pValue } = finding.evidence;
    if (told.length === most) break;
    if (topics.has(topic) || (topic.startsWith('pair:') && breaks.has(topic.slice('pair:'.length)))) continue;
    if (pValue === null && describing === mostDescribing) continue;
    const isFull = questionIds.some((id) => (ofQuestion.get(id) ?? 0) >= mostOfQuestion * questionIds.length);
    if (isFull) continue;
    topics.add(topic);
    if (pValue === null) describing += 1;
    for (const id of questionIds) ofQuestion.set(id, (ofQuestion.get(id) ?? 0) + 1);
    told.push(finding);
  }
  return told;
}
