import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { sortResponseIds } from '../../../domain/dataset/filter/order-rows.ts';
import { type CountedResponses, selectAndCountRows } from '../../../domain/dataset/filter/select-rows.ts';
import {
  flagIdentity,
  mergeFoundFlags,
  type QualityCheck,
  type QualityFlag,
  type StoredFlag,
} from '../../../domain/quality/quality-flag.ts';
import { type CheckSummary, QualityTally } from '../../../domain/quality/quality-tally.ts';
import {
  changeQualitySettings,
  qualitySettingsOf,
} from '../../../domain/survey/settings/quality-settings.ts';
import { notFound } from '../../../lib/errors.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import type { DataChangeService, OpenChange } from '../changes/data-changes.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import {
  type PreparedChecks,
  prepareChecks,
  type QualityCheckRequest,
  resolveNeeds,
} from './quality-preparation.ts';
import { checkNamedQuestions } from '../../surveys/settings-references.ts';

/** Responses checked and written at a time, between yields to the event loop. */
const CHUNK_ROWS = 1_000;

interface QualityReport {
  changeId: number | null;
  /** Number of responses checked. */
  checked: number;
  flagged: number;
  counted: CountedResponses;
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
        const flagsByResponse = await checkChunk(repositories, scope, prepared, tally, ids);
        const { patches, reportedFlags: merged } = await mergeFlags(repositories, scope, {
          ids,
          flagsByResponse,
          checks,
          forUpdate: change !== null,
        });
        await change?.patchResponses(patches);
        updated += patches.length;
        for (const [responseId, flags] of merged) {
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
  ): Promise<PreparedChecks & { counted: CountedResponses }> {
    const key = `${scope.organizationId}:${scope.surveyId}`;
    const stored = (await this.store.read.surveys.findByKeys([key])).get(key)?.quality_settings;
    if (stored === undefined) throw notFound('survey');
    await checkNamedQuestions(this.store.read, scope, stored, request.settings, '');
    const settings = qualitySettingsOf(changeQualitySettings(stored, request.settings));
    const open = await this.datasets.openFor(scope.surveyId, (catalog) =>
      resolveNeeds(catalog, request, settings),
    );
    const needs = open.resolved;
    const { mask, counted } = selectAndCountRows(open.dataset, { ...request, filter: needs.filter });
    const ids = sortResponseIds(open.dataset, mask, null);
    const { responseQuality } = this.store.read;
    const prepared = await prepareChecks(open, { mask, ids, needs, settings, request }, (by, fewest) =>
      responseQuality.findDuplicates(scope.surveyId, by, fewest),
    );
    return { ...prepared, counted };
  }
}

/** Flags by response; responses without flags are omitted. */
async function checkChunk(
  { responseQuality }: Repositories,
  { surveyId }: SurveyScope,
  { rowOf, answersNeeded }: PreparedChecks,
  tally: QualityTally,
  ids: readonly number[],
): Promise<Map<number, QualityFlag[]>> {
  const answers =
    answersNeeded.length === 0 ? null : await responseQuality.answersTo(surveyId, answersNeeded, ids);
  const flagsByResponse = new Map<number, QualityFlag[]>();
  for (const id of ids) {
    const flags = tally.evaluate(rowOf(id), answers?.get(id) ?? {});
    if (flags.length > 0) flagsByResponse.set(id, flags);
  }
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
  const rows = await responseQuality.qualityOf(
    surveyId,
    chunk.ids,
    [...flagsByResponse.keys()],
    chunk.forUpdate,
  );
  const patches = rows.flatMap(({ response_id: responseId, quality: before }) => {
    const flags = flagsByResponse.get(responseId) ?? [];
    const after = mergeFoundFlags(before, flags, checks);
    if (flags.length > 0) {
      const identities = new Set(flags.map(flagIdentity));
      merged.set(
        responseId,
        after!.flags.filter((flag) => identities.has(flagIdentity(flag))),
      );
    }
    return isDeepStrictEqual(before, after)
      ? []
      : [{ responseId, before: { quality: before }, after: { quality: after } }];
  });
  return { patches, reportedFlags: merged };
}
