import { setImmediate } from 'node:timers/promises';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import { DURATION_COLUMN } from '../../../domain/dataset/columns/metadata-columns.ts';
import type { CompiledFilter } from '../../../domain/dataset/filter/filter.ts';
import { selectRows } from '../../../domain/dataset/filter/select-rows.ts';
import { findBatteryColumns, isScaleColumn } from '../../../domain/quality/straightlining.ts';
import {
  attentionCheckCodes,
  countEarlierDuplicates,
  createAttentionCheck,
  createDuplicateCheck,
  createSpeederCheck,
  createStraightlinerCheck,
  type DuplicateGroups,
  type DuplicateMetric,
  type RowCheck,
} from '../../../domain/quality/row-checks.ts';
import { findOpenEndColumns, OpenEndCheck } from '../../../domain/quality/open-end.ts';
import { QUALITY_CHECKS, type QualityCheck } from '../../../domain/quality/quality-flag.ts';
import type {
  QualitySettings,
  QualitySettingsChanges,
} from '../../../domain/survey/settings/quality-settings.ts';
import { unprocessableField } from '../../../lib/errors.ts';
import type { ComparedValue } from '../../../repositories/response-quality.ts';
import type { OpenDataset } from '../../datasets/datasets.ts';
import { requireColumn, compileFilter, type ResponseSelection } from '../../datasets/requested-columns.ts';

const ROWS_PER_TURN = 2_000;

export interface QualityCheckRequest extends ResponseSelection {
  /** Overrides the survey settings for this run. */
  settings: QualitySettingsChanges;
  /** null: the checks enabled in the settings. */
  checks: readonly QualityCheck[] | null;
  dryRun: boolean;
  /** Maximum number of flagged responses in the reply. */
  limit: number;
}

/** The prepared checks of one run. */
export interface PreparedChecks {
  checks: RowCheck[];
  /** The responses to check, ascending. */
  ids: Float64Array;
  rowOf: (responseId: number) => number;
  /** Codes of questions whose answers must be read for each response. */
  answersNeeded: readonly string[];
}

/** The columns and filter of a run, with their load codes. */
interface QualityNeeds {
  checks: readonly QualityCheck[];
  filter: CompiledFilter;
  batteries: CatalogColumn[][];
  openEnds: CatalogColumn[];
  loadCodes: string[];
}

/** Throws 400 for unknown columns and 422 for columns of the wrong type. */
export function resolveNeeds(
  catalog: ColumnCatalog,
  request: Pick<QualityCheckRequest, 'filter' | 'settings' | 'checks'>,
  settings: QualitySettings,
): QualityNeeds {
  const filter = compileFilter(request.filter, catalog);
  checkNamedColumns(catalog, request.settings);
  const checks = request.checks ?? QUALITY_CHECKS.filter((check) => isEnabled(check, settings));
  const batteries = checks.includes('straightliner')
    ? findBatteryColumns(catalog, settings.straightliner)
    : [];
  const openEnds = checks.includes('open_end') ? findOpenEndColumns(catalog, settings.open_end) : [];
  const columns = [...batteries.flat(), ...openEnds];
  const loadCodes = [DURATION_COLUMN, ...columns.flatMap((column) => column.loadCodes), ...filter.loadCodes];
  return { checks, filter, batteries, openEnds, loadCodes };
}

function isEnabled(check: QualityCheck, settings: QualitySettings): boolean {
  return check === 'attention_check' ? settings.attention_checks.length > 0 : settings[check].enabled;
}

function checkNamedColumns(catalog: ColumnCatalog, settings: QualityCheckRequest['settings']): void {
  settings.straightliner?.batteries?.forEach(({ column_codes: codes }, battery) => {
    codes.forEach((code, index) => {
      const field = `straightliner.batteries[${battery}].column_codes[${index}]`;
      const { spec } = requireColumn(catalog, code, field);
      if (!isScaleColumn(spec))
        throw wrongTypeError(field, spec, 'a battery is of single choices or numbers');
    });
  });
  settings.open_end?.column_codes?.forEach((code, index) => {
    const field = `open_end.column_codes[${index}]`;
    const { spec } = requireColumn(catalog, code, field);
    if (spec.type !== 'text') throw wrongTypeError(field, spec, 'open answers are texts');
  });
}

function wrongTypeError(field: string, spec: CatalogColumn['spec'], requestedSlug: string) {
  const message = `${spec.columnCode} is of type ${spec.type}; ${requestedSlug}`;
  return unprocessableField('wrong_column_type', field, message);
}

/** Computes what the checks need across responses: median duration, duplicates, texts shared by many. */
export async function prepareChecks(
  { dataset, definition }: OpenDataset,
  run: {
    mask: Uint8Array;
    ids: Float64Array;
    needs: QualityNeeds;
    settings: QualitySettings;
    request: Pick<QualityCheckRequest, 'includeTest' | 'includeConfirmed'>;
  },
  findDuplicates: (by: ComparedValue, fewestAnswers: number) => Promise<number[][]>,
): Promise<PreparedChecks> {
  const { mask, ids, needs, settings } = run;
  const rowOf = (responseId: number) => dataset.rowOf(responseId);
  const { includeTest, includeConfirmed } = run.request;
  const completes = selectRows(dataset, { includeTest, includeConfirmed });
  // Columns are taken before the first pause: arrays that grow meanwhile are copied, never moved.
  const straightliner = createStraightlinerCheck(dataset, needs.batteries, settings.straightliner);
  const openEnds = new OpenEndCheck(dataset, needs.openEnds, settings.open_end);
  const speeder = createSpeederCheck(dataset, completes, settings.speeder);
  const make: Record<QualityCheck, () => RowCheck | Promise<RowCheck>> = {
    speeder: () => speeder,
    straightliner: () => straightliner,
    duplicate: async () => {
      const duplicateGroups: DuplicateGroups[] = [];
      for (const [metric, by] of listComparedValues(settings.duplicate)) {
        const groups = await findDuplicates(by, settings.duplicate.min_identical_answers);
        duplicateGroups.push({ metric, earlier: countEarlierDuplicates(toRows(groups, rowOf), mask) });
        await setImmediate();
      }
      return createDuplicateCheck(duplicateGroups, settings.duplicate);
    },
    open_end: async () => {
      for (let index = 0; index < ids.length; index++) {
        openEnds.addRow(rowOf(ids[index]!));
        if (index % ROWS_PER_TURN === 0) await setImmediate();
      }
      return openEnds.finishCounting();
    },
    attention_check: () => createAttentionCheck(definition, settings.attention_checks),
  };
  const checks: RowCheck[] = [];
  for (const check of needs.checks) checks.push(await make[check]());
  const answersNeeded = needs.checks.includes('attention_check')
    ? attentionCheckCodes(definition, settings.attention_checks)
    : [];
  return { checks, ids, rowOf, answersNeeded };
}

function listComparedValues(settings: QualitySettings['duplicate']): [DuplicateMetric, ComparedValue][] {
  const wanted: [boolean, DuplicateMetric, ComparedValue][] = [
    [settings.ip, 'address', 'address_hash'],
    [settings.fingerprint, 'fingerprint', 'fingerprint'],
    [settings.external_id, 'external_id', 'external_id'],
    [settings.identical_answers, 'identical_answers', 'answers'],
  ];
  return wanted.flatMap(([isWanted, metric, by]) => (isWanted ? [[metric, by]] : []));
}

function* toRows(groups: readonly number[][], rowOf: (responseId: number) => number): Generator<number[]> {
  for (const ids of groups) yield ids.map(rowOf);
}
