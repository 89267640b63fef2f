import { createHash } from 'node:crypto';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { CountedResponses } from '../../../domain/dataset/filter/select-rows.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import type { FrozenValues } from '../../../domain/derived/frozen-column.ts';
import {
  resolveScheme,
  computeSchemeWeights,
  type WeightingInput,
  readWeightingInput,
} from '../../../domain/weighting/resolve-scheme.ts';
import type { Weighting } from '../../../domain/weighting/rim-weighting.ts';
import type { WeightScheme } from '../../../domain/weighting/weight-scheme.ts';
import { type ErrorDetail, invalidFields, unprocessable } from '../../../lib/errors.ts';
import type { DatasetService } from '../../datasets/datasets.ts';

/** Weights of the current data, and what is stored of them. */
export interface ComputedWeights {
  weighting: Weighting;
  sources: string[];
  values: FrozenValues;
  digest: string;
  counted: CountedResponses;
  catalog: ColumnCatalog;
}

/** Throws if the scheme is impossible. A weighting that has not converged is refused only when it is stored. */
export async function computeWeights(
  datasets: DatasetService,
  scope: SurveyScope,
  scheme: WeightScheme,
): Promise<ComputedWeights> {
  const opened = await datasets.openFor(scope.surveyId, (known) => {
    const result = resolveScheme(scheme, known);
    if (!result.ok) throw schemeError(result);
    return result.resolved;
  });
  const { catalog, dataset, resolved } = opened;
  const read = readWeightingInput(resolved, dataset);
  if (!read.ok) {
    const message = read.problems.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
    throw unprocessable('no_categories', message, read.problems);
  }
  const outcome = computeSchemeWeights(scheme, read.input);
  if (!outcome.ok) throw invalidFields(outcome.problems);
  return {
    catalog,
    weighting: outcome.weighting,
    sources: resolved.sources,
    values: toFrozenValues(outcome.weighting.weights, dataset),
    digest: computeInputDigest(read.input, dataset),
    counted: read.input.counted,
  };
}

/** A base weight of the wrong type is a valid request: 422, unless there are other problems. */
function schemeError({ problems, notAWeight }: { problems: ErrorDetail[]; notAWeight?: ErrorDetail }) {
  if (notAWeight === undefined || problems.length > 0) return invalidFields(problems);
  return unprocessable('not_a_weight', `${notAWeight.field}: ${notAWeight.message}`, [notAWeight]);
}

function toFrozenValues(weights: Float64Array, { responseIds }: Dataset): FrozenValues {
  const rows: number[] = [];
  for (let row = 0; row < weights.length; row++) if (!Number.isNaN(weights[row]!)) rows.push(row);
  return {
    responseIds: Float64Array.from(rows, (row) => responseIds[row]!),
    cells: Float64Array.from(rows, (row) => weights[row]!),
  };
}

/** Digest of everything the weights depend on: responses, their categories and base weights. */
export function computeInputDigest(
  { mask, categories, baseWeights }: WeightingInput,
  { responseIds }: Dataset,
): string {
  const hash = createHash('sha1');
  let count = 0;
  for (let row = 0; row < mask.length; row++) count += mask[row]!;
  const weights = new Float64Array(count);
  const hashed = (of: ArrayLike<number>) => {
    let next = 0;
    for (let row = 0; row < mask.length; row++) if (mask[row] === 1) weights[next++] = of[row]!;
    hash.update(new Uint8Array(weights.buffer));
  };
  hashed(responseIds);
  for (const { spec, indices } of categories) {
    hash.update(JSON.stringify(spec.values.map(({ value }) => value)));
    hashed(indices);
  }
  if (baseWeights !== null) hashed(baseWeights);
  return hash.digest('hex');
}
