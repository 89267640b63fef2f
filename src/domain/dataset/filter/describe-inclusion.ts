import type { InclusionCounts } from './select-rows.ts';

/** Describes which test and flagged responses a figure includes or excludes; null if there are none. */
export function describeInclusion(counted: InclusionCounts): string | null {
  const {
    test_responses_included: tests,
    test_responses_excluded: leftOut,
    quality_excluded: flagged,
  } = counted;
  const excluded = [
    ...(leftOut === 0 ? [] : [pluralize(leftOut, 'test response')]),
    ...(flagged === 0 ? [] : [`${pluralize(flagged, 'response')} with a confirmed quality flag`]),
  ];
  const sentences = [
    ...(tests === 0 ? [] : [`Counted: ${pluralize(tests, 'test response')}.`]),
    ...(excluded.length === 0 ? [] : [`Not counted: ${excluded.join(' and ')}.`]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
