import { formatFigure, formatNumber } from '../charts/figure-texts.ts';
import { formatDay, formatDuration } from './format-date.ts';
import type { MethodSection } from './deck.ts';

/** The sample of a survey by the default rule for figures; deleted responses never count. */
export interface SampleFacts {
  complete: number;
  partial: number;
  screenedOut: number;
  /** Test responses that are included, and that are excluded. */
  test: number;
  testExcluded: number;
  /** Excluded because a reviewer confirmed a quality flag. */
  qualityExcluded: number;
  /** Completion times of the first and last complete response; null without complete responses. */
  firstAt: Date | null;
  lastAt: Date | null;
  /** IANA name of the time zone for these dates. */
  timeZone: string;
  medianSeconds: number | null;
  /** Number of complete responses by language tag; empty if no language is recorded. */
  languages: ReadonlyMap<string, number>;
  anonymous: boolean;
  confidential: boolean;
}

export function sampleSection(facts: SampleFacts): MethodSection {
  const { complete, partial, screenedOut, test, firstAt, lastAt, timeZone, medianSeconds, languages } = facts;
  const began = complete + partial;
  const found: [string, string, boolean][] = [
    ['Complete responses', formatNumber(complete, 0), true],
    ['Partial responses', formatNumber(partial, 0), true],
    ['Screened out', formatNumber(screenedOut, 0), screenedOut > 0],
    ['Test responses included', formatNumber(test, 0), test > 0],
    ['Test responses excluded', formatNumber(facts.testExcluded, 0), facts.testExcluded > 0],
    ['Excluded after quality review', formatNumber(facts.qualityExcluded, 0), facts.qualityExcluded > 0],
    [
      'Completion rate',
      `${formatFigure((100 * complete) / began, 'percent')} of respondents who started and were not screened out`,
      began > 0,
    ],
    ['Answered', periodText(firstAt, lastAt, timeZone), firstAt !== null],
    ['Median duration', formatDuration(medianSeconds ?? 0), medianSeconds !== null],
    ['Languages', languagesText(languages), languages.size > 0],
  ];
  const paragraphs = [
    ...(facts.anonymous
      ? ['Responses are anonymous: they are stored without addresses and without links to respondents.']
      : []),
    ...(facts.confidential
      ? ['The survey is confidential: small groups are hidden from readers outside the workspace.']
      : []),
  ];
  return {
    heading: 'Sample',
    facts: found.flatMap(([name, value, isIncluded]): [string, string][] =>
      isIncluded ? [[name, value]] : [],
    ),
    paragraphs: paragraphs,
    table: null,
  };
}

function periodText(first: Date | null, last: Date | null, timeZone: string): string {
  if (first === null || last === null) return '';
  const [from, to] = [formatDay(first, timeZone), formatDay(last, timeZone)];
  return from === to ? from : `${from} to ${to}`;
}

function languagesText(languages: ReadonlyMap<string, number>): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });
  return [...languages]
    .sort(([, one], [, other]) => other - one)
    .map(([tag, count]) => `${nameOf(names, tag)} (${formatNumber(count, 0)})`)
    .join(', ');
}

function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    // Clients may send an invalid language tag.
    return tag;
  }
}
