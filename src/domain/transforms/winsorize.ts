import { z } from 'zod';
import { notAllowedWith } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import {
  computeQuantiles,
  mapNumbers,
  NOMINAL_SOURCE,
  numberSource,
  numberTargetProblem,
} from './numbers.ts';
import {
  liveParameters,
  NUMBER_FORM,
  type SourceDefinition,
  type TransformModule,
  updateFrozen,
} from './transform.ts';

/** The default of `DescTools::Winsorize` of R. */
const DEFAULT_PERCENTILES: Percentiles = { lower: 5, upper: 95 };

/** From 0 to 100. */
interface Percentiles {
  lower: number;
  upper: number;
}

/** null: unbounded on this side. */
interface Bounds {
  lower: number | null;
  upper: number | null;
}

interface WinsorizeRequest {
  kind: 'winsorize';
  /** null: the bounds are given, as frozen parameters. */
  percentiles: Percentiles | null;
  frozen: boolean | Bounds;
}

/** min(max(x, lower), upper) with bounds at percentiles of the complete responses, or with given bounds. */
interface WinsorizeDefinition extends SourceDefinition {
  kind: 'winsorize';
  /** Absent: the bounds are given. */
  percentiles?: Percentiles;
  frozen?: Bounds;
}

const percentile = z.number().min(0).max(100).optional();
const [lowerPercentile, upperPercentile] = [
  percentile.describe('winsorize only: percentile of the lower bound; 0: the minimum'),
  percentile.describe('winsorize only: percentile of the upper bound; 100: the maximum'),
];
const fields = {
  parameters: liveParameters.requestFields.parameters.describe(
    '`live`: percentiles are recomputed when the responses change. `frozen`: computed once. Given bounds are always frozen',
  ),
  lower_percentile: lowerPercentile,
  upper_percentile: upperPercentile,
  lower_bound: z.number().optional().describe('A fixed lower bound, instead of percentiles'),
  upper_bound: z.number().optional().describe('A fixed upper bound, instead of percentiles'),
};
const changes = {
  ...liveParameters.changeFields,
  lower_percentile: lowerPercentile,
  upper_percentile: upperPercentile,
  lower_bound: z.number().nullable().optional().describe('winsorize only: fixed lower bound; null: none'),
  upper_bound: z.number().nullable().optional().describe('winsorize only: fixed upper bound; null: none'),
};
type Limits = Omit<z.output<z.ZodObject<typeof changes>>, 'parameters'>;

const hasBounds = ({ lower_bound: lower, upper_bound: upper }: Limits) =>
  lower !== undefined || upper !== undefined;

const hasPercentiles = ({ lower_percentile: lower, upper_percentile: upper }: Limits) =>
  lower !== undefined || upper !== undefined;

function checkLimits(limits: Limits, context: z.RefinementCtx): void {
  if (!hasBounds(limits) || !hasPercentiles(limits)) return;
  const field = limits.lower_percentile === undefined ? 'upper_percentile' : 'lower_percentile';
  context.addIssue({ code: 'custom', path: [field], message: notAllowedWith('lower_bound or upper_bound') });
}

/** An omitted limit is that of `before`. */
const readBounds = ({ lower_bound: lower, upper_bound: upper }: Limits, before: Bounds): Bounds => ({
  lower: lower === undefined ? before.lower : lower,
  upper: upper === undefined ? before.upper : upper,
});

const readPercentiles = (limits: Limits, before: Percentiles): Percentiles => ({
  lower: limits.lower_percentile ?? before.lower,
  upper: limits.upper_percentile ?? before.upper,
});

const UNBOUNDED: Bounds = { lower: null, upper: null };

/** Returns why the limits are impossible, also if only one of them is in the request. */
function limitProblems({ percentiles, frozen }: WinsorizeRequest): ErrorDetail[] {
  if (percentiles !== null) {
    const { lower, upper } = percentiles;
    if (lower < upper) return [];
    return [
      { field: 'lower_percentile', message: `must be below upper_percentile (${upper}), not ${lower}` },
    ];
  }
  if (typeof frozen === 'boolean')
    return [
      { field: 'parameters', message: 'live and frozen need percentiles; the column has fixed bounds' },
    ];
  const { lower, upper } = frozen;
  if (lower === null && upper === null)
    return [{ field: 'lower_bound', message: 'is required, or upper_bound or percentiles' }];
  if (lower === null || upper === null || lower < upper) return [];
  return [{ field: 'lower_bound', message: `must be below upper_bound (${upper}), not ${lower}` }];
}

export const winsorizeTransform: TransformModule<
  WinsorizeRequest,
  WinsorizeDefinition,
  typeof fields,
  typeof changes,
  Bounds
> = {
  kind: 'winsorize',
  operation: {
    path: 'winsorize',
    operationId: 'winsorizeColumns',
    summary: 'Winsorize numbers',
    description:
      'Replaces numbers below the lower bound with the lower bound, and numbers above the upper bound with the upper bound. The bounds are ' +
      'percentiles (quantiles of R type 7) of the complete responses that match `filter`, by default 5 and 95, or fixed ' +
      'numbers; with a single fixed bound, the other side stays unchanged. All matching responses, of any status, are ' +
      'limited; `parameters.outside_count` counts those that change. Weights do not apply. Options marked as missing have ' +
      `no value. ${NOMINAL_SOURCE}`,
    example: {
      column_code: 'Q2',
      target_column_code: 'age_winsorized',
      lower_percentile: 5,
      upper_percentile: 95,
    },
  },
  suffix: { code: '_win', label: 'winsorized' },
  request: {
    fields,
    check: checkLimits,
    read: (body) =>
      hasBounds(body)
        ? { kind: 'winsorize', percentiles: null, frozen: readBounds(body, UNBOUNDED) }
        : {
            kind: 'winsorize',
            percentiles: readPercentiles(body, DEFAULT_PERCENTILES),
            frozen: body.parameters === 'frozen',
          },
    problems: limitProblems,
  },
  source: numberSource,
  draft: ({ percentiles }, columns) => ({
    kind: 'winsorize',
    ...(percentiles !== null && { percentiles }),
    ...columns,
  }),
  form: () => NUMBER_FORM,
  *compute(source, wanted, _, target, bounds) {
    const { lower, upper } = bounds ?? { lower: NaN, upper: NaN };
    yield* mapNumbers(source, wanted, target, (number) =>
      Math.min(Math.max(number, lower ?? -Infinity), upper ?? Infinity),
    );
  },
  parameters: {
    schemaId: 'WinsorizeParameters',
    fields: {
      lower_bound: z.number().nullable(),
      upper_bound: z.number().nullable(),
      ...liveParameters.replyFields,
      outside_count: z.int(),
    },
    summary: 'bounds',
    note: 'For winsorize, `outside_count` is the number of responses outside the bounds, which are set to a bound',
    *follow({ column, counted }, { percentiles = DEFAULT_PERCENTILES }) {
      yield;
      const shares = [percentiles.lower / 100, percentiles.upper / 100];
      const [lower, upper] = computeQuantiles(column, counted, shares);
      return lower === undefined || upper === undefined ? null : { lower, upper };
    },
    noDataMessage: ({ columnCode }) => `${columnCode} has no number yet among the complete responses`,
    describe(definition, bounds, countOutside) {
      const { lower, upper } = bounds ?? UNBOUNDED;
      return {
        lower_bound: lower,
        upper_bound: upper,
        ...liveParameters.describe(definition),
        outside_count: countOutside({ min: lower ?? -Infinity, max: upper ?? Infinity }),
      };
    },
    countsOutside: true,
  },
  overwrite: { typeProblem: numberTargetProblem },
  definition: {
    schemaId: 'WinsorizeDefinition',
    fields: {
      ...liveParameters.definitionFields,
      lower_percentile: z.number().nullable(),
      upper_percentile: z.number().nullable(),
      lower_bound: z.number().nullable(),
      upper_bound: z.number().nullable(),
    },
    present(definition) {
      const { percentiles, frozen } = definition;
      return {
        ...liveParameters.presentDefinition(definition),
        lower_percentile: percentiles?.lower ?? null,
        upper_percentile: percentiles?.upper ?? null,
        lower_bound: percentiles === undefined ? (frozen?.lower ?? null) : null,
        upper_bound: percentiles === undefined ? (frozen?.upper ?? null) : null,
      };
    },
  },
  changes: { fields: changes, check: checkLimits },
  update(definition, changed) {
    const { percentiles, frozen = UNBOUNDED } = definition;
    if (hasBounds(changed)) {
      const bounds = readBounds(changed, percentiles === undefined ? frozen : UNBOUNDED);
      return { kind: 'winsorize', percentiles: null, frozen: bounds };
    }
    const isLimited = hasPercentiles(changed);
    if (percentiles === undefined && !isLimited)
      return { kind: 'winsorize', percentiles: null, frozen: updateFrozen(definition, changed) };
    return {
      kind: 'winsorize',
      percentiles: readPercentiles(changed, percentiles ?? DEFAULT_PERCENTILES),
      // Fixed bounds do not make the percentiles that replace them frozen.
      frozen: updateFrozen(percentiles === undefined ? {} : definition, changed, isLimited),
    };
  },
};
