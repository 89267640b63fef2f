import type { CatalogColumn } from '../../domain/dataset/column-catalog.ts';
import { selectRows } from '../../domain/dataset/filter/select-rows.ts';
import {
  describeConvention,
  type IntervalConvention,
  type ShareIntervalMethod,
} from '../../domain/statistics/design/convention.ts';
import type { IntervalSettings } from '../../domain/statistics/design/distribution-intervals.ts';
import type { QuantileRule } from '../../domain/statistics/design/quantiles.ts';
import { buildLinearizedDesign } from '../../domain/statistics/design/sample-design.ts';
import { buildSurveyDesign, type ResolvedDesign } from '../../domain/statistics/design/survey-design.ts';
import { invalid, unprocessableField } from '../../lib/errors.ts';
import type { OpenDataset } from '../datasets/datasets.ts';
import { readWeights, type ResponseSelection } from '../datasets/requested-columns.ts';

/** The intervals that a request asks for. */
export interface IntervalRequest {
  /** In percent, 80 to 99.9. */
  level: number;
  /** False: the design of the survey is not used. */
  usesDesign: boolean;
  /** Null: Wilson for unweighted shares, otherwise logit. */
  shareMethod: ShareIntervalMethod | null;
  quantileRule: QuantileRule;
}

interface IntervalSample {
  settings: Omit<IntervalSettings, 'domain'>;
  /** Whether `settings.design` is the design of the survey; false: the weights alone, or a simple random sample. */
  isDeclared: boolean;
  convention: IntervalConvention;
  /** By row, NaN or 0 outside of the sample; null: unweighted. */
  weights: Float64Array | null;
  /** See SurveyDesign. */
  hasIndependentWaves: boolean | null;
}

/**
 * Reads the sample that intervals are based on: the design of the survey, otherwise the weights, otherwise a simple random sample. A filter is
 * a domain of it. The columns must be loaded.
 *
 * @throws 422 if the design does not fit the data or has another weight than the request, 400 for Wilson intervals of weighted shares
 */
export function readIntervalSample(
  open: OpenDataset,
  {
    request,
    selection,
    weight,
    resolved,
    waveColumn = null,
  }: {
    request: IntervalRequest;
    selection: Omit<ResponseSelection, 'filter'>;
    weight: CatalogColumn | null;
    /** Null: the survey has no design, or it is not used. */
    resolved: ResolvedDesign | null;
    /** Of a table that compares waves. */
    waveColumn?: CatalogColumn | null;
  },
): IntervalSample {
  const { dataset } = open;
  if (resolved !== null && weight !== null && weight.spec.columnCode !== resolved.weight?.spec.columnCode) {
    const own = resolved.weight?.spec.columnCode ?? 'no weight';
    const message = `the design of the survey has ${own}; leave the weight out, or send design=false`;
    throw unprocessableField('design_invalid', 'weight', message);
  }
  const mask = selectRows(dataset, { ...selection });
  try {
    const found = resolved === null ? null : buildSurveyDesign(dataset, resolved, mask, waveColumn);
    const columnWeights = readWeights(open, weight);
    const isReduced = found !== null && Object.values(found.leftOut).some((count) => count > 0);
    const usesDesignWeights = found !== null && (resolved?.weight != null || isReduced);
    const design =
      found?.design ??
      (columnWeights === null ? null : buildLinearizedDesign({ mask, weights: columnWeights }));
    const shareMethod = request.shareMethod ?? (design === null ? 'wilson' : 'logit');
    if (design !== null && shareMethod === 'wilson')
      throw invalid(
        'share_method',
        'wilson is only for unweighted figures without a design; use logit or beta',
      );
    const { level, quantileRule } = request;
    const weightColumn = (resolved === null ? weight : resolved.weight)?.spec.columnCode ?? null;
    return {
      settings: { design, shareMethod, quantileRule, level },
      isDeclared: found !== null,
      convention: describeConvention({
        declared: resolved?.declared ?? null,
        leftOut: found?.leftOut ?? null,
        weightColumn,
        shareMethod,
        quantileRule,
        level,
      }),
      weights: usesDesignWeights ? found.design.weights : columnWeights,
      hasIndependentWaves: found?.hasIndependentWaves ?? null,
    };
  } finally {
    dataset.releaseMask(mask);
  }
}
