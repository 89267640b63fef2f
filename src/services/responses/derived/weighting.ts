import { createHash } from 'node:crypto';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import {
  ALL_RESPONSES,
  type InclusionCounts,
  selectRows,
} from '../../../domain/dataset/filter/select-rows.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { listRowsById } from '../../../domain/dataset/sort-rows.ts';
import type { FrozenValues } from '../../../domain/derived/derive-column.ts';
import {
  computeSchemeWeights,
  readWeightingInput,
  type ResolvedScheme,
  resolveScheme,
  type WeightingInput,
} from '../../../domain/derived/weight-scheme.ts';
import type { Weighting } from '../../../domain/weighting/rim-weighting.ts';
import type { WeightScheme } from '../../../domain/weighting/weighting-cells.ts';
import {
  AppError,
  conflict,
  type ErrorDetail,
  invalid,
  invalidFields,
  notFound,
  unprocessable,
} from '../../../lib/errors.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { derivedOf, type WeightDefinition } from '../../../domain/derived/derived-column.ts';
import { codeProblem } from '../../../domain/survey/question-codes.ts';
import { alreadyUsed } from '../../../lib/error-messages.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { DerivedColumnFields } from '../../../repositories/tables/responses.ts';
import type { DataChangeService } from '../changes/data-changes.ts';
import { codeNotFound } from '../../datasets/requested-columns.ts';

interface NewWeight {
  columnCode: string;
  name: string;
  autoRefresh: boolean;
  reason: string | null;
  dryRun: boolean;
}

/** A stored weight, and whether it is out of date. */
export interface StoredWeight {
  entry: CatalogColumn;
  definition: WeightDefinition;
  isStale: boolean;
  /** Number of weighted responses: with automatic refresh of the current data, else when the weight was computed. */
  responses: number;
}

/** Weights with the responses that they are computed for. */
type WeightingResult = Pick<ComputedWeights, 'weighting' | 'counted'>;

/** Rim weighting: previews, creates and refreshes weight columns. */
export class WeightingService {
  constructor(
    private readonly datasets: DatasetService,
    private readonly changes: DataChangeService,
    private readonly clock: Clock,
  ) {}

  preview(scope: SurveyScope, scheme: WeightScheme): Promise<WeightingResult> {
    return computeWeights(this.datasets, scope, scheme);
  }

  async create(
    scope: SurveyScope,
    scheme: WeightScheme,
    weight: NewWeight,
  ): Promise<WeightingResult & { columnCode: string; changeId: number | null }> {
    const problem = codeProblem(weight.columnCode);
    if (problem !== null) throw invalid('column_code', problem);
    const computed = await computeWeights(this.datasets, scope, scheme);
    const { catalog } = computed;
    if (catalog.find(weight.columnCode) ?? catalog.question(weight.columnCode)) {
      throw conflict(
        'column_code_taken',
        `column_code: ${alreadyUsed(weight.columnCode, 'another column of this survey')}`,
      );
    }
    const fields = this.toColumnFields(weight.columnCode, weight.name, {
      scheme,
      computed,
      valuesVersion: 1,
      autoRefresh: weight.autoRefresh,
    });
    const request = {
      operation: 'weighting' as const,
      columnCodes: [weight.columnCode],
      reason: weight.reason,
      details: auditFigures(computed.weighting),
      dryRun: weight.dryRun,
    };
    const { changeId } = await this.changes.run(scope, request, async ({ derivedColumns }, change) => {
      const columnId = await derivedColumns.reserveId();
      await change.putColumn(columnId, fields);
      await derivedColumns.saveFrozenValues({
        surveyId: scope.surveyId,
        columnId,
        valuesVersion: 1,
        frozenValues: computed.values,
      });
    });
    const { weighting, counted } = computed;
    return { weighting, counted, columnCode: weight.columnCode, changeId };
  }

  /** Recomputes the scheme with the current data. */
  async refresh(
    scope: SurveyScope,
    columnCode: string,
    options: { reason: string | null; dryRun: boolean },
  ): Promise<WeightingResult & { columnCode: string; changeId: number | null }> {
    const { entry, definition } = await this.find(scope, columnCode);
    const computed = await computeWeights(this.datasets, scope, definition.scheme).catch(throwSchemeMismatch);
    const { columnCode: code, label } = entry.spec;
    const request = {
      operation: 'weighting_refresh' as const,
      columnCodes: [code],
      details: auditFigures(computed.weighting),
      ...options,
    };
    const { changeId } = await this.changes.run(scope, request, async ({ derivedColumns }, change) => {
      const { columns } = await derivedColumns.loadCurrent(scope.surveyId);
      const now = columns.find((column) => column.column_code === code);
      if (now?.definition.kind !== 'weight') throw notFound('weight');
      if (now.definition.basis.digest === computed.digest) return;
      // Never overwrites values: a version number used by an undone refresh is not reused.
      const valuesVersion = now.version + 1;
      await change.putColumn(
        now.column_id,
        this.toColumnFields(code, label, {
          scheme: definition.scheme,
          computed,
          valuesVersion,
          autoRefresh: definition.autoRefresh,
        }),
      );
      await derivedColumns.saveFrozenValues({
        surveyId: scope.surveyId,
        columnId: now.column_id,
        valuesVersion,
        frozenValues: computed.values,
      });
    });
    return { weighting: computed.weighting, counted: computed.counted, columnCode: code, changeId };
  }

  /** In the order of their creation. */
  async list(scope: SurveyScope): Promise<StoredWeight[]> {
    const {
      catalog,
      dataset,
      resolved: resolvedWeights,
    } = await this.datasets.openFor(scope.surveyId, (known) => {
      const schemes = new Map<CatalogColumn, ResolvedScheme>();
      for (const { entry, definition } of listWeights(known)) {
        const resolved = resolveScheme(definition.scheme, known);
        if (resolved.ok) schemes.set(entry, resolved.resolved);
      }
      const following = listWeights(known).filter(({ definition }) => definition.autoRefresh);
      const read = [...schemes.values(), ...following.map(({ entry }) => entry)];
      return { schemes, loadCodes: read.flatMap(({ loadCodes }) => loadCodes) };
    });
    return listWeights(catalog).map(({ entry, definition }) => {
      const resolved = resolvedWeights.schemes.get(entry);
      const read = resolved && readWeightingInput(resolved, dataset);
      const isStale =
        read?.ok !== true || computeInputDigest(read.input, dataset) !== definition.basis.digest;
      const { autoRefresh, basis } = definition;
      const responses = autoRefresh ? countWeighted(entry, dataset) : basis.responses;
      return { entry, definition, isStale: isStale && !autoRefresh, responses };
    });
  }

  async find(scope: SurveyScope, columnCode: string): Promise<StoredWeight> {
    const weights = await this.list(scope);
    const found = weights.find(
      ({ entry }) => entry.spec.columnCode.toLowerCase() === columnCode.toLowerCase(),
    );
    if (found === undefined)
      throw codeNotFound(
        'weight',
        columnCode,
        weights.map(({ entry }) => entry.spec.columnCode),
      );
    return found;
  }

  private toColumnFields(
    columnCode: string,
    label: string,
    input: { scheme: WeightScheme; computed: ComputedWeights; valuesVersion: number; autoRefresh: boolean },
  ): DerivedColumnFields {
    const { scheme, computed, valuesVersion, autoRefresh } = input;
    const { weighting, sources, values, digest } = computed;
    if (!weighting.converged && !scheme.allowUnconverged) {
      throw conflict(
        'not_converged',
        `The weighting has not converged after ${weighting.iterations} iterations (the furthest margin is ` +
          `${(100 * weighting.maxError).toPrecision(3)} percentage points off); set allow_unconverged to accept it`,
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

function countWeighted(entry: CatalogColumn, dataset: Dataset): number {
  const column = dataset.column(entry);
  if (column.kind !== 'numeric') return 0;
  const mask = selectRows(dataset, ALL_RESPONSES);
  return mask.reduce((count, isThere, row) => count + (Number.isNaN(column.values[row]) ? 0 : isThere), 0);
}

function listWeights(catalog: ColumnCatalog): { entry: CatalogColumn; definition: WeightDefinition }[] {
  return catalog.columns.flatMap((entry) => {
    const definition = derivedOf(entry)?.definition;
    return definition?.kind === 'weight' ? [{ entry, definition }] : [];
  });
}

function auditFigures(weighting: Weighting): Record<string, unknown> {
  const { unweightedBase, effectiveBase, weightingEfficiency, converged } = weighting;
  return {
    unweighted_base: unweightedBase,
    effective_base: effectiveBase,
    weighting_efficiency: weightingEfficiency,
    converged,
  };
}

/** An error of a stored scheme is not an error of this request: the data have changed. Throws 422. */
function throwSchemeMismatch(error: unknown): never {
  if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
  throw unprocessable(
    'scheme_does_not_fit',
    `The current data do not fit the targets: ${error.message}`,
    error.details,
  );
}

/** Weights of the current data, and what is stored of them. */
interface ComputedWeights {
  weighting: Weighting;
  sources: string[];
  values: FrozenValues;
  digest: string;
  counted: InclusionCounts;
  catalog: ColumnCatalog;
}

/** Throws if the scheme is impossible. A weighting that has not converged is refused only when it is stored. */
async function computeWeights(
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
  for (let row = 0; row < weights.length; row++) if (!Number.isNaN(weights[row])) rows.push(row);
  return {
    responseIds: Float64Array.from(rows, (row) => responseIds[row] ?? NaN),
    cells: Float64Array.from(rows, (row) => weights[row] ?? NaN),
  };
}

/** Digest of everything the weights depend on: responses by id, their categories and base weights. */
function computeInputDigest({ mask, categories, baseWeights }: WeightingInput, dataset: Dataset): string {
  const hash = createHash('sha1');
  const rows = listRowsById(dataset, mask);
  const hashed = (of: ArrayLike<number>) =>
    hash.update(new Uint8Array(Float64Array.from(rows, (row) => of[row] ?? NaN).buffer));
  hashed(dataset.responseIds);
  for (const { spec, indices } of categories) {
    hash.update(JSON.stringify(spec.values.map(({ value }) => value)));
    hashed(indices);
  }
  if (baseWeights !== null) hashed(baseWeights);
  return hash.digest('hex');
}
