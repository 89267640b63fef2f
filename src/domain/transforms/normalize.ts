import { z } from 'zod';
import { RESPONSE_STATUSES } from '../responses/response-row.ts';
import { mapNumbers, NOMINAL_SOURCE, numberSource, numberTargetProblem } from './numbers.ts';
import {
  liveParameters,
  NUMBER_FORM,
  type SourceDefinition,
  type TransformModule,
  updateFrozen,
} from './transform.ts';

/** Treatment of numbers outside the scaled range: they become 0 or 1 (`clip`), or have no value (`missing`: not applicable). */
const OUTSIDE_RANGE = ['clip', 'missing'] as const;
type OutsideRange = (typeof OUTSIDE_RANGE)[number];

interface Range {
  min: number;
  max: number;
}

interface NormalizeRequest {
  kind: 'normalize';
  frozen: boolean | Range;
  outside: OutsideRange;
}

/** (x - min) / (max - min) over all converted responses, 0 if all are equal. */
interface NormalizeDefinition extends SourceDefinition {
  kind: 'normalize';
  frozen?: Range;
  /** Absent: clip. */
  outside?: OutsideRange;
}

const outside = z
  .enum(OUTSIDE_RANGE)
  .describe(
    'normalize only: numbers outside min and max (later ones, if parameters are frozen). `clip`: they become 0 or 1. ' +
      '`missing`: they have no value (not applicable)',
  );
const fields = { ...liveParameters.requestFields, outside: outside.default('clip') };
const changes = { ...liveParameters.changeFields, outside: outside.optional() };

export const normalizeTransform: TransformModule<
  NormalizeRequest,
  NormalizeDefinition,
  typeof fields,
  typeof changes,
  Range
> = {
  kind: 'normalize',
  operation: {
    path: 'normalize',
    operationId: 'normalizeColumns',
    summary: 'Normalize numbers',
    description:
      'Computes (x - min) / (max - min), or 0 if all values are equal. min and max come from the responses that are ' +
      'converted, of any status; `filter` restricts both. Later values outside this range, and values of responses that ' +
      'statistics leave out (test responses, confirmed quality flags), follow `outside`; `parameters.outside_count` counts ' +
      `them. Weights do not apply. Options marked as missing have no value. ${NOMINAL_SOURCE}`,
    example: {
      column_code: 'Q4',
      target_column_code: 'satisfaction_norm',
      label: 'Satisfaction, 0 to 1',
    },
  },
  suffix: { code: '_norm', label: 'normalized' },
  request: {
    fields,
    read: ({ parameters, outside }) => ({ kind: 'normalize', frozen: parameters === 'frozen', outside }),
  },
  source: numberSource,
  draft: ({ outside }, columns) => ({ kind: 'normalize', outside, ...columns }),
  form: () => NUMBER_FORM,
  *compute(source, wanted, { outside = 'clip' }, target, range) {
    const { min, max } = range ?? { min: NaN, max: NaN };
    const width = max - min;
    const [below, above] = outside === 'clip' ? [min, max] : [NaN, NaN];
    yield* mapNumbers(source, wanted, target, (number) => {
      const inside = number < min ? below : number > max ? above : number;
      return width === 0 ? inside - inside : (inside - min) / width;
    });
  },
  parameters: {
    schemaId: 'NormalizeParameters',
    fields: {
      min: z.number().nullable(),
      max: z.number().nullable(),
      ...liveParameters.replyFields,
      outside: z.enum(OUTSIDE_RANGE),
      outside_count: z.int(),
    },
    summary: 'min and max',
    note:
      'For normalize, `outside_count` is the number of responses outside min and max, which are clipped or missing according ' +
      'to `outside`',
    // All converted responses, so that results stay within 0 and 1.
    statuses: RESPONSE_STATUSES,
    *follow({ spread }) {
      const found = yield* spread();
      return found && { min: found.min, max: found.max };
    },
    noDataMessage: ({ columnCode }) => `${columnCode} has no number yet`,
    describe: (definition, range, countOutside) => ({
      min: range?.min ?? null,
      max: range?.max ?? null,
      ...liveParameters.describe(definition),
      outside: definition.outside ?? 'clip',
      outside_count: range === null ? 0 : countOutside(range),
    }),
    countsOutside: true,
  },
  overwrite: {
    typeProblem: numberTargetProblem,
    mayEmpty: ({ outside }) => outside === 'missing',
  },
  definition: {
    schemaId: 'NormalizeDefinition',
    fields: { ...liveParameters.definitionFields, outside: z.enum(OUTSIDE_RANGE) },
    present: (definition) => ({
      ...liveParameters.presentDefinition(definition),
      outside: definition.outside ?? 'clip',
    }),
  },
  changes: { fields: changes },
  update: (definition, changed) => ({
    kind: 'normalize',
    frozen: updateFrozen(definition, changed),
    outside: changed.outside ?? definition.outside ?? 'clip',
  }),
};
