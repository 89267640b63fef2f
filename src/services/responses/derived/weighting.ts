import { createHash } from 'node:crypto';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { RESPONSE_STATUSES } from '../../../domain/dataset/response-row.ts';
import { selectRows } from '../../../domain/dataset/filter/select-rows.ts';
import type { WeightDefinition } from '../../../domain/derived/definition.ts';
import type { FrozenValues } from '../../../domain/derived/frozen-column.ts';
import { codeProblem } from '../../../domain/survey/questions/question-codes.ts';
import {
  type ResolvedScheme,
  resolveScheme,
  weightBy,
  type WeightingInput,
  weightingInput,
} from '../../../domain/weighting/resolve-scheme.ts';
import type { Weighting } from '../../../domain/weighting/rim-weighting.ts';
import type { WeightScheme } from '../../../domain/weighting/weight-scheme.ts';
import type { Clock } from '../../../lib/clock.ts';
import {
  conflict,
  type ErrorDetail,
  invalid,
  invalidFields,
  notFound,
  unprocessable,
} from '../../../lib/errors.ts';
import type { DerivedColumnFields } from '../../../repositories/derived-columns.ts';
import type { DataChanges } from '../changes/data-changes.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { noSuchCode } from '../../datasets/no-such-code.ts';

export interface NewWeight {
  columnCode: string;
  name: string;
  autoRefresh: boolean;
  reason: string | null;
  dryRun: boolean;
}

/** A weight that is kept, and whether it still is what its scheme would give. */
export interface KeptWeight {
  entry: CatalogColumn;
  definition: WeightDefinition;
  stale: boolean;
  /** How many have a weight: of one that follows the data those of now, else those of when it was made. */
  responses: number;
}

interface Computed {
  weighting: Weighting;
  sources: string[];
  values: FrozenValues;
  digest: string;
  catalog: ColumnCatalog;
}

/** Rim weighting: tried, kept as a column, and brought up to date. */
export class WeightingService {
  private readonly datasets: DatasetService;
  private readonly changes: DataChanges;
  private readonly clock: Clock;

  constructor(datasets: DatasetService, changes: DataChanges, clock: Clock) {
    this.datasets = datasets;
    this.changes = changes;
    this.clock = clock;
  }

  async preview(scope: SurveyScope, scheme: WeightScheme): Promise<Weighting> {
    return (await this.compute(scope, scheme)).weighting;
  }

  async create(
    scope: SurveyScope,
    scheme: WeightScheme,
    weight: NewWeight,
  ): Promise<{ weighting: Weighting; columnCode: string; changeId: number | null }> {
    const problem = codeProblem(weight.columnCode);
    if (problem !== null) throw invalid('column_code', problem);
    const computed = await this.compute(scope, scheme);
    const { catalog } = computed;
    if (catalog.find(weight.columnCode) ?? catalog.question(weight.columnCode)) {
      throw conflict(
        'column_code_taken',
        `column_code: ${weight.columnCode} is a column of this survey already`,
      );
    }
    const fields = this.fields(weight.columnCode, weight.name, {
      scheme,
      computed,
      valuesVersion: 1,
      autoRefresh: weight.autoRefresh,
    });
    const request = {
      operation: 'weighting' as const,
      columnCodes: [weight.columnCode],
      reason: weight.reason,
      details: figures(computed.weighting),
      dryRun: weight.dryRun,
    };
    const { changeId } = await this.changes.run(scope, request, async ({ derivedColumns }, change) => {
      const columnId = await derivedColumns.reserveId();
      await change.putColumn(columnId, fields);
      await derivedColumns.freeze(scope.surveyId, columnId, 1, computed.values);
    });
    return { weighting: computed.weighting, columnCode: weight.columnCode, changeId };
  }

  /** The same scheme over the data of today. */
  async refresh(
    scope: SurveyScope,
    columnCode: string,
    options: { reason: string | null; dryRun: boolean },
  ): Promise<{ weighting: Weighting; columnCode: string; changeId: number | null }> {
    const { entry, definition } = await this.find(scope, columnCode);
    const computed = await this.compute(scope, definition.scheme);
    const { columnCode: code, label } = entry.spec;
    const request = {
      operation: 'weighting_refresh' as const,
      columnCodes: [code],
      details: figures(computed.weighting),
      ...options,
    };
    const { changeId } = await this.changes.run(scope, request, async ({ derivedColumns }, change) => {
      const { columns } = await derivedColumns.current(scope.surveyId);
      const now = columns.find((column) => column.column_code === code);
      if (now?.definition.kind !== 'weight') throw notFound('weight');
      if (now.definition.basis.digest === computed.digest) return;
      // Values are never overwritten, and a number that an undone refresh used is not used again.
      const valuesVersion = now.version + 1;
      await change.putColumn(
        now.column_id,
        this.fields(code, label, {
          scheme: definition.scheme,
          computed,
          valuesVersion,
          autoRefresh: definition.autoRefresh,
        }),
      );
      await derivedColumns.freeze(scope.surveyId, now.column_id, valuesVersion, computed.values);
    });
    return { weighting: computed.weighting, columnCode: code, changeId };
  }

  /** In the order in which they were made. */
  async list(scope: SurveyScope): Promise<KeptWeight[]> {
    const schemes = new Map<CatalogColumn, ResolvedScheme>();
    const { catalog, dataset } = await this.datasets.open(scope.surveyId, (known) => {
      for (const { entry, definition } of weightsOf(known)) {
        const resolved = resolveScheme(definition.scheme, known);
        if (resolved.ok) schemes.set(entry, resolved.resolved);
      }
      const following = weightsOf(known).filter(({ definition }) => definition.autoRefresh);
      return [...schemes.values(), ...following.map(({ entry }) => entry)].flatMap(
        ({ loadCodes }) => loadCodes,
      );
    });
    return weightsOf(catalog).map(({ entry, definition }) => {
      const resolved = schemes.get(entry);
      const read = resolved && weightingInput(resolved, dataset);
      const stale = read?.ok !== true || digestOf(read.input, dataset) !== definition.basis.digest;
      const { autoRefresh, basis } = definition;
      const responses = autoRefresh ? weightedNow(entry, dataset) : basis.responses;
      return { entry, definition, stale: stale && !autoRefresh, responses };
    });
  }

  async find(scope: SurveyScope, columnCode: string): Promise<KeptWeight> {
    const weights = await this.list(scope);
    const found = weights.find(
      ({ entry }) => entry.spec.columnCode.toLowerCase() === columnCode.toLowerCase(),
    );
    if (found === undefined)
      throw noSuchCode(
        'weight',
        columnCode,
        weights.map(({ entry }) => entry.spec.columnCode),
      );
    return found;
  }

  /** Refused when it is impossible; that it does not converge is refused only where it is to be kept. */
  private async compute(scope: SurveyScope, scheme: WeightScheme): Promise<Computed> {
    let resolved: ResolvedScheme | null = null;
    const { catalog, dataset } = await this.datasets.open(scope.surveyId, (known) => {
      const result = resolveScheme(scheme, known);
      if (!result.ok) throw refusedScheme(result);
      resolved = result.resolved;
      return resolved.loadCodes;
    });
    const read = weightingInput(resolved!, dataset);
    if (!read.ok) {
      const message = read.problems.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
      throw unprocessable('no_categories', message, read.problems);
    }
    const outcome = weightBy(scheme, read.input);
    if (!outcome.ok) throw invalidFields(outcome.problems);
    return {
      catalog,
      weighting: outcome.weighting,
      sources: resolved!.sources,
      values: valuesOf(outcome.weighting.weights, dataset),
      digest: digestOf(read.input, dataset),
    };
  }

  private fields(
    columnCode: string,
    label: string,
    made: { scheme: WeightScheme; computed: Computed; valuesVersion: number; autoRefresh: boolean },
  ): DerivedColumnFields {
    const { scheme, computed, valuesVersion, autoRefresh } = made;
    const { weighting, sources, values, digest } = computed;
    if (!weighting.converged && !scheme.allowUnconverged) {
      throw conflict(
        'not_converged',
        `The weighting has not converged after ${weighting.iterations} iterations (the furthest margin is ` +
          `${(100 * weighting.maxError).toPrecision(3)} percentage points off); allow_unconverged takes it as it is`,
      );
    }
    const basis = { responses: values.responseIds.length, at: this.clock.now().toISOString(), digest };
    return {
      column_code: columnCode,
      label,
      column_type: 'number',
      measure: 'scale',
      column_values: [],
      date_precision: null,
      definition: { kind: 'weight', scheme, valuesVersion, basis, autoRefresh },
      sources,
      deleted_at: null,
    };
  }
}

/** A base weight of another type is no mistake in the words of the request: 422 where nothing else is wrong. */
function refusedScheme({ problems, notAWeight }: { problems: ErrorDetail[]; notAWeight?: ErrorDetail }) {
  if (notAWeight === undefined || problems.length > 0) return invalidFields(problems);
  return unprocessable('not_a_weight', `${notAWeight.field}: ${notAWeight.message}`, [notAWeight]);
}

function weightedNow(entry: CatalogColumn, dataset: Dataset): number {
  const column = dataset.column(entry);
  if (column.kind !== 'numeric') return 0;
  const mask = selectRows(dataset, { status: RESPONSE_STATUSES, includeTest: true });
  return mask.reduce((count, isThere, row) => count + (Number.isNaN(column.values[row]!) ? 0 : isThere), 0);
}

function weightsOf(catalog: ColumnCatalog): { entry: CatalogColumn; definition: WeightDefinition }[] {
  return catalog.columns.flatMap((entry) => {
    const definition = entry.origin.kind === 'derived' ? entry.origin.derived.definition : null;
    return definition?.kind === 'weight' ? [{ entry, definition }] : [];
  });
}

function valuesOf(weights: Float64Array, { responseIds }: Dataset): FrozenValues {
  const rows: number[] = [];
  for (let row = 0; row < weights.length; row++) if (!Number.isNaN(weights[row]!)) rows.push(row);
  return {
    responseIds: Float64Array.from(rows, (row) => responseIds[row]!),
    cells: Float64Array.from(rows, (row) => weights[row]!),
  };
}

/** Of everything the weights depend on: who is weighted, their categories, and their base weights. */
function digestOf({ mask, categories, baseWeights }: WeightingInput, { responseIds }: Dataset): string {
  const hash = createHash('sha1');
  let count = 0;
  for (let row = 0; row < mask.length; row++) count += mask[row]!;
  const gathered = new Float64Array(count);
  const hashed = (of: ArrayLike<number>) => {
    let next = 0;
    for (let row = 0; row < mask.length; row++) if (mask[row] === 1) gathered[next++] = of[row]!;
    hash.update(new Uint8Array(gathered.buffer));
  };
  hashed(responseIds);
  for (const { spec, indices } of categories) {
    hash.update(JSON.stringify(spec.values.map(({ value }) => value)));
    hashed(indices);
  }
  if (baseWeights !== null) hashed(baseWeights);
  return hash.digest('hex');
}

function figures(weighting: Weighting): Record<string, unknown> {
  const { unweightedBase, effectiveBase, weightingEfficiency, converged } = weighting;
  return {
    unweighted_base: unweightedBase,
    effective_base: effectiveBase,
    weighting_efficiency: weightingEfficiency,
    converged,
  };
}
