import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnSpec } from '../../../domain/dataset/columns/column-spec.ts';
import type { ComputedType } from '../../../domain/derived/definition.ts';
import type { Transform } from '../../../domain/derived/transform.ts';
import { notAllowedWith, onlyAllowed } from '../../../lib/error-messages.ts';
import { invalid } from '../../../lib/errors.ts';
import type { RuleFieldPath } from './column-plans.ts';
import type { DataChangeService } from '../changes/data-changes.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { addColumns, type ColumnsOutcome } from './new-columns.ts';
import { overwriteColumns } from './overwrite-columns.ts';
import { requireColumn } from '../../datasets/requested-columns.ts';

interface TransformRequest {
  transform: Transform;
  /** Field paths of the recode rules in the request, by rule index. */
  rulePlace: RuleFieldPath;
  columnCodes: readonly string[];
  /** The client sent a list of columns. */
  isList: boolean;
  targetColumnCode: string | null;
  label: string | null;
  /** Writes results into the responses. */
  overwrite: boolean;
  filter: unknown;
  reason: string | null;
  dryRun: boolean;
}

interface ComputedRequest {
  columnCode: string;
  label: string | null;
  expression: string;
  type: ComputedType | null;
  reason: string | null;
  dryRun: boolean;
}

/** Suffixes of the code and label of the new column. */
const SUFFIXES: Record<Transform['kind'], { code: string; label: string }> = {
  recode: { code: '_rec', label: 'recoded' },
  normalize: { code: '_norm', label: 'normalized' },
  z_scores: { code: '_z', label: 'z-score' },
  bin: { code: '_bin', label: 'in bins' },
  text: { code: '_txt', label: 'cleaned' },
};

/** Creates columns from others, as definitions that also apply to later responses, or overwrites the source columns. */
export class TransformService {
  private readonly parts: { datasets: DatasetService; changes: DataChangeService };

  constructor(datasets: DatasetService, changes: DataChangeService) {
    this.parts = { datasets, changes };
  }

  async transform(scope: SurveyScope, request: TransformRequest): Promise<ColumnsOutcome> {
    const { transform, columnCodes, targetColumnCode, label, overwrite, reason, dryRun } = request;
    if (targetColumnCode !== null && overwrite)
      throw invalid(
        'target_column_code',
        `${notAllowedWith('overwrite')}, which replaces the values of the source column`,
      );
    if (targetColumnCode !== null && columnCodes.length > 1)
      throw invalid('target_column_code', onlyAllowed('for one column; several columns get a suffix each'));
    if (label !== null && (columnCodes.length > 1 || overwrite))
      throw invalid(
        'label',
        overwrite
          ? notAllowedWith('overwrite')
          : onlyAllowed('for one column; change the labels of several columns one by one'),
      );
    if (overwrite && transform.kind === 'recode' && transform.measure !== undefined)
      throw invalid(
        'measure',
        `${notAllowedWith('overwrite')}; change question_settings.measure of the question instead`,
      );
    const specs = await this.resolveSources(scope, request);
    const columnRequests = specs.map((spec, index) => this.toColumnRequest(spec, index, request));
    const options = { operation: transform.kind, reason, dryRun };
    if (overwrite)
      return overwriteColumns(this.parts, scope, {
        ...options,
        columnRequests,
        rulePlace: request.rulePlace,
      });
    return addColumns(this.parts, scope, { ...options, wishes: columnRequests });
  }

  compute(scope: SurveyScope, request: ComputedRequest): Promise<ColumnsOutcome> {
    const { columnCode, label, expression, type, reason, dryRun } = request;
    const columnRequest = {
      columnCode,
      field: 'column_code',
      label: () => label ?? columnCode,
      recipe: { kind: 'computed' as const, expression, type },
    };
    return addColumns(this.parts, scope, {
      operation: 'computed_column',
      wishes: [columnRequest],
      reason,
      dryRun,
    });
  }

  /** The source columns. */
  private async resolveSources(scope: SurveyScope, request: TransformRequest): Promise<ColumnSpec[]> {
    const { resolved: asked } = await this.parts.datasets.openFor(scope.surveyId, (catalog) => ({
      specs: request.columnCodes.map(
        (code, index) => requireColumn(catalog, code, fieldOf(request, index)).spec,
      ),
      loadCodes: [],
    }));
    return asked.specs;
  }

  private toColumnRequest(spec: ColumnSpec, index: number, request: TransformRequest) {
    const { transform, targetColumnCode, label, overwrite, filter, rulePlace } = request;
    const suffix = SUFFIXES[transform.kind];
    const sourceField = fieldOf(request, index);
    const wanted =
      overwrite && transform.kind === 'recode' ? { ...transform, keepUnmatched: true as const } : transform;
    return {
      columnCode: targetColumnCode ?? spec.columnCode + suffix.code,
      field: 'target_column_code',
      label: () => label ?? `${spec.label} (${suffix.label})`,
      recipe: {
        kind: 'transform' as const,
        transform: wanted,
        source: spec.columnCode,
        filter,
        sourceField,
        rulePlace,
      },
    };
  }
}

function fieldOf({ isList }: TransformRequest, index: number): string {
  return isList ? `column_codes[${index}]` : 'column_code';
}
