import { z } from 'zod';
import { resolveAlias } from '../../lib/resolve-alias.ts';
import { mapNumbers, NOMINAL_SOURCE, numberSource, numberTargetProblem } from './numbers.ts';
import {
  columnCode,
  liveParameters,
  NUMBER_FORM,
  type SourceDefinition,
  type TransformModule,
  updateFrozen,
} from './transform.ts';

interface Moments {
  mean: number;
  /** n - 1; null for a single value. */
  sd: number | null;
}

interface ZScoresRequest {
  kind: 'z_scores';
  frozen: boolean | Moments;
  weight: string | null;
}

/** (x - mean) / sd with n - 1 over the complete responses; missing if sd is 0. */
interface ZScoresDefinition extends SourceDefinition {
  kind: 'z_scores';
  frozen?: Moments;
}

const fields = {
  ...liveParameters.requestFields,
  weight_column: columnCode
    .optional()
    .describe('A numeric column to weight mean and sd by. `weight` is an alias'),
  weight: columnCode.optional(),
};
const changes = {
  ...liveParameters.changeFields,
  weight_column: columnCode
    .nullable()
    .optional()
    .describe(
      'z_scores only; null: no weight. With frozen parameters, they are recomputed with this weight once',
    ),
};

export const zScoresTransform: TransformModule<
  ZScoresRequest,
  ZScoresDefinition,
  typeof fields,
  typeof changes,
  Moments
> = {
  kind: 'z_scores',
  operation: {
    path: 'z-scores',
    operationId: 'standardizeColumns',
    summary: 'Compute z-scores',
    description:
      'Computes (x - mean) / sd, with mean and sd (n - 1) of the complete responses that match `filter`; all matching ' +
      'responses, of any status, get a score. Missing if sd is 0. With `weight_column` (or `weight`), mean and sd are weighted, ' +
      'sd as svyvar of the R package survey: n/(n-1) · Σw(x-m)²/Σw; responses without a positive weight do not count but get a ' +
      `score. Options marked as missing have no value. ${NOMINAL_SOURCE}`,
    example: { column_code: 'Q2', target_column_code: 'age_z', label: 'Age, standardized' },
  },
  suffix: { code: '_z', label: 'z-score' },
  request: {
    fields,
    read: ({ parameters, weight, weight_column: weightColumn }) => ({
      kind: 'z_scores',
      frozen: parameters === 'frozen',
      weight:
        resolveAlias({ name: 'weight', first: weight, other: 'weight_column', second: weightColumn }) ?? null,
    }),
  },
  source: numberSource,
  draft: ({ weight }, columns) => ({ kind: 'z_scores', ...(weight !== null && { weight }), ...columns }),
  form: () => NUMBER_FORM,
  *compute(source, wanted, _, target, moments) {
    const { mean, sd } = moments ?? { mean: NaN, sd: null };
    const divisor = sd === null || sd === 0 ? NaN : sd;
    yield* mapNumbers(source, wanted, target, (number) => (number - mean) / divisor);
  },
  parameters: {
    schemaId: 'ZScoresParameters',
    fields: {
      mean: z.number().nullable(),
      sd: z.number().nullable(),
      ...liveParameters.replyFields,
      weight_column: z.string().nullable(),
    },
    summary: 'mean and sd',
    *follow({ spread }) {
      const found = yield* spread();
      return found && { mean: found.mean, sd: found.sd };
    },
    noDataMessage: ({ columnCode: code }, { weight }) =>
      `${code} has no number yet among the complete responses${weight === undefined ? '' : ' with a weight'}`,
    describe: (definition, moments) => ({
      mean: moments?.mean ?? null,
      sd: moments?.sd ?? null,
      ...liveParameters.describe(definition),
      weight_column: definition.weight ?? null,
    }),
  },
  overwrite: { typeProblem: numberTargetProblem },
  definition: {
    schemaId: 'ZScoresDefinition',
    fields: { ...liveParameters.definitionFields, weight_column: z.string().nullable() },
    present: (definition) => ({
      ...liveParameters.presentDefinition(definition),
      weight_column: definition.weight ?? null,
    }),
  },
  changes: { fields: changes },
  update(definition, changed) {
    const { weight_column: weight = definition.weight ?? null } = changed;
    const isReweighted = changed.weight_column !== undefined;
    return { kind: 'z_scores', frozen: updateFrozen(definition, changed, isReweighted), weight };
  },
};
