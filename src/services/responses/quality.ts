import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import { DURATION_COLUMN } from '../../domain/responses/metadata-columns.ts';
import type { CompiledFilter } from '../../domain/dataset/filter/filter.ts';
import {
  type InclusionCounts,
  selectAndCountRows,
  selectRows,
} from '../../domain/dataset/filter/select-rows.ts';
import { listResponseIds } from '../../domain/dataset/sort-rows.ts';
import { findOpenEndColumns, OpenEndCheck } from '../../domain/quality/open-end.ts';
import {
  flagIdentity,
  type FlagSource,
  mergeFoundFlags,
  QUALITY_CHECKS,
  type QualityCheck,
  type QualityFlag,
  ReviewCounts,
  reviewFlags,
  type ReviewState,
  type StoredFlag,
} from '../../domain/responses/quality-flag.ts';
import {
  attentionCheckCodes,
  type CheckSummary,
  countEarlierDuplicates,
  createAttentionCheck,
  createDuplicateCheck,
  createSpeederCheck,
  createStraightlinerCheck,
  type DuplicateGroups,
  type DuplicateMetric,
  QualityTally,
  type RowCheck,
} from '../../domain/quality/row-checks.ts';
import { visibleQuestionCodes } from '../../domain/quality/speeder.ts';
import { findBatteryColumns, isScaleColumn } from '../../domain/quality/straightlining.ts';
import {
  changeQualitySettings,
  type QualitySettings,
  type QualitySettingsChanges,
  qualitySettingsOf,
} from '../../domain/survey/quality-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { runYielding } from '../../lib/concurrency.ts';
import { unknownObject } from '../../lib/error-messages.ts';
import { invalidFields, notFound, unprocessableField } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { ComparedValue } from '../../repositories/response-quality.ts';
import type { Store } from '../../repositories/store.ts';
import type { DatasetService, OpenDataset } from '../datasets/datasets.ts';
import { compileFilter, requireColumn, type ResponseSelection } from '../datasets/requested-columns.ts';
import type { ResponseReader } from '../datasets/response-reader.ts';
import { checkNamedQuestions } from '../surveys/surveys.ts';
import type { DataChangeService, OpenChange } from './changes/data-changes.ts';

interface QualityCheckRequest extends ResponseSelection {
  /** Overrides the survey settings for this run. */
  settings: QualitySettingsChanges;
  /** null: the checks enabled in the settings. */
  checks: readonly QualityCheck[] | null;
  dryRun: boolean;
  /** Maximum number of flagged responses in the reply. */
  limit: number;
}

/** The prepared checks of one run. */
interface PreparedChecks {
  checks: RowCheck[];
  /** The responses to check, ascending. */
  ids: Float64Array;
  rowOf: (responseId: number) => number;
  /** Codes of questions whose answers must be read for each response. */
  answersNeeded: readonly string[];
  /** Codes of questions of which the shown ones must be counted for each response. */
  countedCodes: readonly string[];
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
function resolveNeeds(
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
async function prepareChecks(
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
      await runYielding(addRows(openEnds, ids, rowOf));
      return openEnds.finishCounting();
    },
    attention_check: () => createAttentionCheck(definition, settings.attention_checks),
  };
  const checks: RowCheck[] = [];
  for (const check of needs.checks) checks.push(await make[check]());
  const answersNeeded = needs.checks.includes('attention_check')
    ? attentionCheckCodes(definition, settings.attention_checks)
    : [];
  const countsQuestions = needs.checks.includes('speeder') && settings.speeder.min_seconds_per_question > 0;
  const countedCodes = countsQuestions ? visibleQuestionCodes(definition) : [];
  return { checks, ids, rowOf, answersNeeded, countedCodes };
}

/** Yields after each row: its texts may be long. */
function* addRows(
  openEnds: OpenEndCheck,
  ids: Float64Array,
  rowOf: (responseId: number) => number,
): Generator<void> {
  for (const id of ids) {
    openEnds.addRow(rowOf(id));
    yield;
  }
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

/** Responses checked and written at a time, between yields to the event loop. */
const CHUNK_ROWS = 1_000;

interface QualityReport {
  changeId: number | null;
  /** Number of responses checked. */
  checked: number;
  flagged: number;
  counted: InclusionCounts;
  /** Responses whose stored flags change. */
  updated: number;
  summary: CheckSummary[];
  /** The first flagged responses, by response_id. */
  responses: { responseId: number; flags: StoredFlag[] }[];
}

/**
 * Runs quality checks over collected responses, with the rules that also apply when a response is completed. Rows are checked on the
 * columns of the dataset; only the flags are written to the responses, as one change that can be undone.
 */
export class QualityCheckService {
  constructor(
    private readonly store: Store,
    private readonly datasets: DatasetService,
    private readonly changes: DataChangeService,
  ) {}

  async run(scope: SurveyScope, request: QualityCheckRequest): Promise<QualityReport> {
    const prepared = await this.prepare(scope, request);
    const tally = new QualityTally(prepared.checks);
    const listed: QualityReport['responses'] = [];
    const checks = new Set(prepared.checks.map(({ check }) => check));
    let updated = 0;
    const checkAll = async (repositories: Repositories, change: OpenChange | null) => {
      for (let start = 0; start < prepared.ids.length; start += CHUNK_ROWS) {
        const ids = Array.from(prepared.ids.subarray(start, start + CHUNK_ROWS));
        const flagsByResponse = await checkChunk({
          repositories,
          surveyScope: scope,
          preparedChecks: prepared,
          tally,
          ids,
        });
        const { patches, reportedFlags } = await mergeFlags(repositories, scope, {
          ids,
          flagsByResponse,
          checks,
          forUpdate: change !== null,
        });
        await change?.patchResponses(patches);
        updated += patches.length;
        for (const [responseId, flags] of reportedFlags) {
          if (listed.length < request.limit) listed.push({ responseId, flags });
        }
        await setImmediate();
      }
    };
    const changeId = request.dryRun ? null : await this.runAsChange(scope, [...checks], checkAll);
    if (request.dryRun) await checkAll(this.store.read, null);
    const { checked, flagged } = tally;
    return {
      changeId,
      checked,
      flagged,
      counted: prepared.counted,
      updated,
      summary: tally.summarize(),
      responses: listed,
    };
  }

  /** Dry runs do not open a change: they compute the flags without locking anything. */
  private async runAsChange(
    scope: SurveyScope,
    checks: readonly QualityCheck[],
    work: (repositories: Repositories, change: OpenChange) => Promise<void>,
  ): Promise<number | null> {
    const request = {
      operation: 'quality_check',
      columnCodes: [],
      details: { checks },
      dryRun: false,
    } as const;
    return (await this.changes.run(scope, request, work)).changeId;
  }

  private async prepare(
    scope: SurveyScope,
    request: QualityCheckRequest,
  ): Promise<PreparedChecks & { counted: InclusionCounts }> {
    const key = `${scope.organizationId}:${scope.surveyId}`;
    const stored = (await this.store.read.surveys.findByKeys([key])).get(key)?.quality_settings;
    if (stored === undefined) throw notFound('survey');
    await checkNamedQuestions({
      repositories: this.store.read,
      scope,
      before: stored,
      changes: request.settings,
      at: '',
    });
    const settings = qualitySettingsOf(changeQualitySettings(stored, request.settings));
    const open = await this.datasets.openFor(scope.surveyId, (catalog) =>
      resolveNeeds(catalog, request, settings),
    );
    const needs = open.resolved;
    const { mask, counted } = selectAndCountRows(open.dataset, { ...request, filter: needs.filter });
    const ids = listResponseIds(open.dataset, mask);
    const { responseQuality } = this.store.read;
    const prepared = await prepareChecks(open, { mask, ids, needs, settings, request }, (by, fewest) =>
      responseQuality.findDuplicates(scope.surveyId, by, fewest),
    );
    return { ...prepared, counted };
  }
}

/** Flags by response; responses without flags are omitted. */
async function checkChunk({
  repositories: { responseQuality },
  surveyScope: { surveyId },
  preparedChecks: { rowOf, answersNeeded, countedCodes },
  tally,
  ids,
}: {
  repositories: Repositories;
  surveyScope: SurveyScope;
  preparedChecks: PreparedChecks;
  tally: QualityTally;
  ids: readonly number[];
}): Promise<Map<number, QualityFlag[]>> {
  const answers =
    answersNeeded.length === 0 ? null : await responseQuality.listAnswers(surveyId, answersNeeded, ids);
  const shown =
    countedCodes.length === 0 ? null : await responseQuality.countShown(surveyId, countedCodes, ids);
  const flagsByResponse = new Map<number, QualityFlag[]>();
  const evaluateAll = function* (): Generator<void> {
    for (const id of ids) {
      const flags = tally.evaluate(rowOf(id), {
        answers: answers?.get(id) ?? {},
        shownQuestions: shown?.get(id) ?? 0,
      });
      if (flags.length > 0) flagsByResponse.set(id, flags);
      yield;
    }
  };
  await runYielding(evaluateAll());
  return flagsByResponse;
}

/** Merges new flags with existing reviews. Returns the patches to write and the flags to report. */
async function mergeFlags(
  { responseQuality }: Repositories,
  { surveyId }: SurveyScope,
  chunk: {
    ids: readonly number[];
    flagsByResponse: ReadonlyMap<number, QualityFlag[]>;
    checks: ReadonlySet<QualityCheck>;
    forUpdate: boolean;
  },
) {
  const { flagsByResponse, checks } = chunk;
  const merged = new Map<number, StoredFlag[]>(flagsByResponse);
  const rows = await responseQuality.listQuality({
    surveyId,
    responseIds: chunk.ids,
    wanted: [...flagsByResponse.keys()],
    lock: chunk.forUpdate,
  });
  const patches = rows.flatMap(({ response_id: responseId, quality: before }) => {
    const flags = flagsByResponse.get(responseId) ?? [];
    const after = mergeFoundFlags(before, flags, checks);
    if (flags.length > 0 && after !== null) {
      const identities = new Set(flags.map(flagIdentity));
      merged.set(
        responseId,
        after.flags.filter((flag) => identities.has(flagIdentity(flag))),
      );
    }
    return isDeepStrictEqual(before, after)
      ? []
      : [{ responseId, before: { quality: before }, after: { quality: after } }];
  });
  return { patches, reportedFlags: merged };
}

const MAX_NAMED_PROBLEMS = 20;

interface ReviewRequest {
  /** Responses by id or by selection. */
  which: { responseIds: readonly number[] } | ResponseSelection;
  /** null: the flags of every check. */
  check: FlagSource | null;
  review: ReviewState;
  reason: string | null;
  dryRun: boolean;
}

interface ReviewOutcome {
  changeId: number | null;
  /** Number of named or matching responses. */
  processed: number;
  updated: number;
  /** Without such a flag, or already reviewed with this result. */
  unchanged: number;
}

/** Reviews of quality flags, and their progress. */
export class QualityReviewService {
  constructor(
    private readonly store: Store,
    private readonly responses: ResponseReader,
    private readonly changes: DataChangeService,
    private readonly clock: Clock,
  ) {}

  async review(scope: SurveyScope, request: ReviewRequest): Promise<ReviewOutcome> {
    const ids =
      'responseIds' in request.which
        ? await this.requireKnownIds(scope, request.which.responseIds)
        : (await this.responses.listIds(scope, request.which)).ids;
    const { check, review: state, reason, dryRun } = request;
    const review = { state, userId: scope.userId, at: this.clock.now() };
    let updated = 0;
    const reviewAll = async ({ responseQuality }: Repositories, change: OpenChange | null) => {
      for (let start = 0; start < ids.length; start += CHUNK_ROWS) {
        const chunk = Array.from(ids.subarray(start, start + CHUNK_ROWS));
        const rows = await responseQuality.listQuality({
          surveyId: scope.surveyId,
          responseIds: chunk,
          wanted: [],
          lock: change !== null,
        });
        const patches = rows.flatMap(({ response_id: responseId, quality: before }) => {
          const after = before === null ? null : reviewFlags(before, check, review);
          return after === null
            ? []
            : [{ responseId, before: { quality: before }, after: { quality: after } }];
        });
        await change?.patchResponses(patches);
        updated += patches.length;
        await setImmediate();
      }
    };
    const details = { review: state, check };
    const entry = { operation: 'quality_review', reason, columnCodes: [], details, dryRun: false } as const;
    // A dry run computes the patches without writing them.
    if (dryRun) await reviewAll(this.store.read, null);
    const changeId = dryRun ? null : (await this.changes.run(scope, entry, reviewAll)).changeId;
    return { changeId, processed: ids.length, updated, unchanged: ids.length - updated };
  }

  /** Counts the flags of the selected responses by check and review state. */
  async countReviews(
    scope: SurveyScope,
    selection: ResponseSelection,
  ): Promise<{ responses: number; counts: ReviewCounts; counted: InclusionCounts }> {
    const { ids, counted } = await this.responses.listIds(scope, selection);
    const selected = new Set(ids);
    const counts = new ReviewCounts();
    const { responseQuality } = this.store.read;
    for (let afterId = 0; ;) {
      const rows = await responseQuality.listFlaggedAfter(scope.surveyId, afterId, CHUNK_ROWS);
      for (const { response_id: id, quality } of rows) if (selected.has(id)) counts.add(quality);
      const last = rows.at(-1);
      if (last === undefined || rows.length < CHUNK_ROWS) return { responses: ids.length, counts, counted };
      afterId = last.response_id;
    }
  }

  /** Distinct ids, ascending. Throws 400 for an id that is not a response of the survey. */
  private async requireKnownIds(scope: SurveyScope, responseIds: readonly number[]): Promise<Float64Array> {
    const known = await this.store.read.responseQuality.filterExisting(scope.surveyId, responseIds);
    const problems = responseIds.flatMap((id, index) =>
      known.has(id)
        ? []
        : [
            {
              field: `response_ids[${index}]`,
              message: unknownObject({ kind: 'response', idOrCode: id, scope: 'in this survey' }),
            },
          ],
    );
    if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_NAMED_PROBLEMS));
    return Float64Array.from(known).sort();
  }
}
