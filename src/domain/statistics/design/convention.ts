import {
  type LONELY_CLUSTER_RULES,
  REPLICATE_METHODS,
  type SamplingDesign,
} from '../../survey/sampling-design.ts';
import type { QuantileRule } from './quantiles.ts';
import type { SurveyDesign } from './survey-design.ts';

/** What variances are based on: see `describeConvention`. */
export const VARIANCE_METHODS = ['simple_random', 'weights', 'linearized', ...REPLICATE_METHODS] as const;
/** `wilson` is for unweighted shares only. */
export const SHARE_METHODS = ['wilson', 'logit', 'beta'] as const;
export type ShareIntervalMethod = (typeof SHARE_METHODS)[number];

/** How intervals of figures were computed, in the form of API replies. */
export interface IntervalConvention {
  variance: (typeof VARIANCE_METHODS)[number];
  weight_column: string | null;
  strata: string | null;
  /** The first stage of sampling. */
  clusters: string | null;
  lonely_clusters: (typeof LONELY_CLUSTER_RULES)[number] | null;
  share_method: ShareIntervalMethod;
  quantile_rule: QuantileRule;
  /** In percent. */
  level: number;
  /** Selected by no filter: responses that are not in the design. */
  without_weight: number;
  without_stratum: number;
  without_cluster: number;
}

/**
 * Describes the design of a survey, or what takes its place: the weights alone (`svydesign(~1, weights = ~w)` of the R package survey), or a
 * simple random sample.
 */
export function describeConvention({
  declared,
  leftOut,
  weightColumn,
  ...settings
}: {
  declared: SamplingDesign | null;
  leftOut: SurveyDesign['leftOut'] | null;
  weightColumn: string | null;
  shareMethod: ShareIntervalMethod;
  quantileRule: QuantileRule;
  level: number;
}): IntervalConvention {
  const linearized = declared?.method === 'linearized' ? declared : null;
  return {
    variance: declared?.method ?? (weightColumn === null ? 'simple_random' : 'weights'),
    weight_column: weightColumn,
    strata: linearized?.strata ?? null,
    clusters: linearized?.clusters[0] ?? null,
    lonely_clusters: linearized?.lonely_clusters ?? null,
    share_method: settings.shareMethod,
    quantile_rule: settings.quantileRule,
    level: settings.level,
    without_weight: leftOut?.withoutWeight ?? 0,
    without_stratum: leftOut?.withoutStratum ?? 0,
    without_cluster: leftOut?.withoutCluster ?? 0,
  };
}
