import type { Column } from '../dataset/columns/columns.ts';
import type { SurveyDefinition } from '../survey/definition.ts';
import { type Finding, MIN_BASE } from './finding.ts';
import { formatCount, quoteLabel, formatPercent, roundTo, roundSignificant } from './format-finding.ts';
import { wilsonInterval } from './proportions.ts';

/** Minimum share of unfinished responses to report. */
const NOTABLE_SHARE = 0.1;

/** Masks of complete and partial responses, and the last page each submitted. */
export interface CompletionData {
  complete: Uint8Array;
  partial: Uint8Array;
  lastPage: Column;
}

/** Reports the share of unfinished responses and the page after which most left; null if few, or too few responses. Ignores weights. */
export function completionFinding({ pages }: SurveyDefinition, endings: CompletionData): Finding | null {
  const { complete, partial, lastPage } = endings;
  const sum = (mask: Uint8Array) => mask.reduce((total, counts) => total + counts, 0);
  const left = sum(partial);
  const base = sum(complete) + left;
  const share = left / base;
  if (base < MIN_BASE || share < NOTABLE_SHARE) return null;
  const byPage = new Map<number, number>();
  if (lastPage.kind === 'numeric') {
    for (let row = 0; row < partial.length; row++) {
      const page = lastPage.values[row]!;
      if (partial[row] === 1 && !Number.isNaN(page)) byPage.set(page, (byPage.get(page) ?? 0) + 1);
    }
  }
  const ordered = pages.map(({ id }, pageIndex) => ({ place: pageIndex, left: byPage.get(id) ?? 0 }));
  const worst = ordered.reduce<(typeof ordered)[number] | null>(
    (best, page) => (page.left > (best?.left ?? 0) ? page : best),
    null,
  );
  const title = worst === null ? null : (pages[worst.place]!.title ?? null);
  const page =
    worst === null ? null : `page ${worst.place + 1}${title === null ? '' : `, ${quoteLabel(title)}`}`;
  const { low, high } = wilsonInterval(share, base);
  const pageText =
    page === null
      ? ''
      : ` Most drop-outs with a recorded last page (${formatCount(worst!.left)}) left after ${page}.`;
  return {
    id: 'completion',
    kind: 'completion',
    headline: 'Many respondents did not finish',
    statement: `${formatPercent(share)} of ${formatCount(base)} respondents who started did not finish (95 % interval ${formatPercent(low)} to ${formatPercent(high)}).${pageText}`,
    figures: {
      unfinished: left,
      began: base,
      unfinished_percent: roundTo(100 * share),
      low_percent: roundTo(100 * low),
      high_percent: roundTo(100 * high),
      page: worst === null ? null : worst.place + 1,
      page_title: title,
      left_after_page: worst?.left ?? null,
    },
    evidence: {
      questionIds: [],
      responseIds: null,
      responseCount: null,
      base,
      pValue: null,
      qValue: null,
      effect: { measure: 'share', value: roundSignificant(share) },
    },
  };
}
