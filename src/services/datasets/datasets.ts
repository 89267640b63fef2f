import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { WaveStart } from '../../domain/statistics/crosstab/wave-pairs.ts';
import type { SamplingDesign } from '../../domain/survey/sampling-design.ts';
import { derivedOf } from '../../domain/derived/derived-column.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import type { Column } from '../../domain/columns/columns.ts';
import { Dataset, type DatasetLoad } from '../../domain/dataset/dataset.ts';
import { createFrozenColumn, deriveColumn } from '../../domain/derived/derive-column.ts';
import { computeLiveWeight } from '../../domain/derived/weight-scheme.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import { concurrentChange } from '../../lib/error-messages.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { requireEntry, requireItem, requireValue } from '../../lib/require-value.ts';
import { expandDefinition } from '../../domain/survey/expand-definition.ts';
import { withPreviousPage } from '../../domain/survey/previous-questions.ts';
import { catalogOf } from '../../repositories/derived-columns.ts';
import type { Watermark } from '../../repositories/response-data.ts';
import type { Store } from '../../repositories/store.ts';
import { DatasetCache, type MemoryUsage } from './dataset-cache.ts';
import { loadFromSnapshot, openFromSnapshot, readOrDiscardSnapshot } from './snapshot-reader.ts';

/** Responses and values read per statement: few enough that converting them does not block other requests. */
const CHUNK_ROWS = 10_000;
const CHUNK_VALUES = 100_000;
/** With more changes a full reload is as fast. */
const MAX_CHANGES = 20_000;
const UNLIMITED = 1e12;
/** How often a round is served again because responses moved. */
const MAX_ATTEMPTS = 3;

/** The responses moved to another server or partition between two reads, and must all be read again. */
class ResponsesMoved extends AppError {
  constructor() {
    super('unavailable', 'try_again', concurrentChange('The responses'), [], { 'Retry-After': '1' });
  }
}

/** A survey's data as of the request, or newer. */
export interface OpenDataset {
  dataset: Dataset;
  catalog: ColumnCatalog;
  definition: SurveyDefinition;
  /** Revision of the survey definition: the same number means the same questions. */
  surveyRevision: number;
  /** Of the last read. */
  watermark: Watermark;
  /** Time zone to whose days times are rounded; null: exact times. */
  dayZone: string | null;
}

/** Returns the load codes that must be loaded. May throw errors of the request. */
type RequiredCodes = (catalog: ColumnCatalog) => Iterable<string>;

interface Snapshot extends OpenDataset {
  /** Revision of the derived columns and the waves. */
  columnsRevision: number;
  timeZone: string;
  isPublished: boolean;
}

/** A dataset with columns computed for one request only. */
interface TrialDataset extends OpenDataset {
  /** Parallel to the requested columns. */
  trialResults: Column[];
}

interface QueuedRequest {
  requiredCodes: RequiredCodes;
  /** Definitions that the caller continues with; null: the current ones. */
  earlier: OpenDataset | null;
  /** Derived columns outside the catalog; `requiredCodes` includes their sources. */
  trialColumns: readonly CatalogColumn[];
  resolve: (open: TrialDataset) => void;
  reject: (error: unknown) => void;
}

/**
 * Caches datasets of surveys in memory, limited to a number of bytes. `open` checks with one indexed query that the dataset contains
 * everything committed before the call. Requests for the same survey are serialized; those waiting at the same time are served in one
 * round.
 */
export class DatasetService {
  private readonly cache: DatasetCache<Snapshot>;
  private readonly queues = new Map<number, QueuedRequest[]>();

  constructor(
    private readonly store: Store,
    maxBytes: number,
  ) {
    this.cache = new DatasetCache(maxBytes, (surveyId) => this.queues.has(surveyId));
  }

  /** Memory used by the cache. */
  get memoryUsage(): MemoryUsage {
    return this.cache.usage;
  }

  /**
   * Use the result before the next `await`, or follow the rules for pausing readers in Dataset. `earlier`: returns current data with the
   * definitions of an earlier call, for a reader that continues after definitions may have changed.
   */
  open(
    surveyId: number,
    requiredCodes: RequiredCodes,
    earlier: OpenDataset | null = null,
  ): Promise<OpenDataset> {
    return this.enqueue(surveyId, { requiredCodes, earlier, trialColumns: [] });
  }

  /**
   * Like `open`, for callers that resolve a request with the catalog. `resolve` returns the resolved request, or throws its errors; the
   * result is returned as `resolved` and refers to the catalog of the returned dataset.
   */
  async openFor<Resolved extends { loadCodes: Iterable<string> }>(
    surveyId: number,
    resolve: (catalog: ColumnCatalog) => Resolved,
    earlier: OpenDataset | null = null,
  ): Promise<OpenDataset & { resolved: Resolved }> {
    let resolved: Resolved | undefined;
    const requiredCodes = (catalog: ColumnCatalog) => {
      resolved = resolve(catalog);
      return resolved.loadCodes;
    };
    const open = await this.open(surveyId, requiredCodes, earlier);
    return { ...open, resolved: requireValue<Resolved>(resolved, 'resolved columns') };
  }

  /** How the respondents of a survey were sampled; null: it has no design. */
  findSamplingDesign(
    scope: Pick<SurveyScope, 'organizationId' | 'surveyId'>,
  ): Promise<SamplingDesign | null> {
    return this.store.read.surveyDesigns.find(scope);
  }

  /** All waves of a survey in the order of time. */
  listWaveStarts(scope: Pick<SurveyScope, 'organizationId' | 'surveyId'>): Promise<WaveStart[]> {
    return this.store.read.waves.listStarts(scope);
  }

  /** Computes derived columns for a preview, with the definitions of `earlier` that they were planned on. */
  computeTrial(
    surveyId: number,
    entries: readonly CatalogColumn[],
    earlier: OpenDataset,
  ): Promise<TrialDataset> {
    const requiredCodes = () => entries.flatMap(({ loadCodes }) => loadCodes);
    return this.enqueue(surveyId, { requiredCodes, earlier, trialColumns: entries });
  }

  private enqueue(
    surveyId: number,
    request: Pick<QueuedRequest, 'requiredCodes' | 'earlier' | 'trialColumns'>,
  ): Promise<TrialDataset> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(surveyId);
      const one = { ...request, resolve, reject };
      if (queue !== undefined) {
        queue.push(one);
        return;
      }
      this.queues.set(surveyId, [one]);
      void this.store.detached(() => this.serveQueue(surveyId));
    });
  }

  private async serveQueue(surveyId: number): Promise<void> {
    for (;;) {
      const round = requireEntry(this.queues, surveyId, 'queue').splice(0);
      if (round.length === 0) {
        this.queues.delete(surveyId);
        return;
      }
      try {
        await this.serveRound(surveyId, round);
      } catch (error) {
        for (const one of round) one.reject(error);
      }
    }
  }

  private async serveRound(surveyId: number, round: readonly QueuedRequest[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.serveFromCurrent(surveyId, round);
      } catch (error) {
        // A partly read dataset must not stay in the cache.
        this.cache.delete(surveyId);
        if (!(error instanceof ResponsesMoved) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async serveFromCurrent(surveyId: number, round: readonly QueuedRequest[]): Promise<void> {
    const snapshot = (await this.refresh(surveyId)) ?? (await this.reload(surveyId));
    const groups = groupByDefinitions(snapshot, round);
    const codes = groups.flatMap((group) =>
      group.definitions === snapshot
        ? group.codes
        : hasSameQuestions(group.definitions, snapshot)
          ? storedCodes(group)
          : [],
    );
    if (snapshot.dataset.notLoaded(codes).length > 0) await this.loadColumns(surveyId, snapshot, codes);
    for (const entry of snapshot.dataset.pendingDerived(codes))
      await this.deriveInto(surveyId, snapshot, entry);
    this.cache.put(surveyId, snapshot, codes);
    // Prepares all results before resolving the first, because a caller computes with the dataset as it is at that point.
    const opened = new Map<QueuedRequest, TrialDataset>();
    for (const group of groups) {
      const { dataset, ...rest } = await this.withDefinitionsOf(group, surveyId, snapshot);
      for (const one of group.requests)
        opened.set(one, {
          ...rest,
          dataset,
          trialResults: await deriveTrialColumns(dataset, one.trialColumns),
        });
    }
    for (const [one, open] of opened) one.resolve(open);
  }

  /** The data of the snapshot with the definitions of the group. */
  private async withDefinitionsOf(
    group: DefinitionGroup,
    surveyId: number,
    snapshot: Snapshot,
  ): Promise<OpenDataset> {
    const { definitions, codes } = group;
    if (definitions === snapshot) {
      const { dataset, catalog, definition, surveyRevision, watermark, dayZone } = snapshot;
      return { dataset, catalog, definition, surveyRevision, watermark, dayZone };
    }
    const { catalog, definition, surveyRevision } = definitions;
    let { dataset, watermark, dayZone } = snapshot;
    if (hasSameQuestions(definitions, snapshot)) dataset = dataset.withCatalog(catalog);
    else {
      const own = await this.reload(surveyId, definitions);
      await this.loadColumns(surveyId, own, storedCodes(group));
      ({ dataset, watermark, dayZone } = own);
    }
    for (const entry of dataset.pendingDerived(codes)) await this.deriveInto(surveyId, { dataset }, entry);
    return { dataset, catalog, definition, surveyRevision, watermark, dayZone };
  }

  /** The cached dataset with all changes since; null if it must be reloaded. */
  private async refresh(surveyId: number): Promise<Snapshot | null> {
    const snapshot = this.cache.get(surveyId);
    if (snapshot === undefined) return null;
    const { responseData } = this.store.read;
    const { watermark, dayZone } = snapshot;
    // Two statements, because the survey and its responses can be on different servers.
    const [survey, changes] = await Promise.all([
      responseData.findSurveyState(surveyId),
      responseData.listChangesSince({ surveyId, watermark, dayZone, limit: MAX_CHANGES }),
    ]);
    if (survey === null) throw notFound('survey');
    if (
      changes.isIncomplete ||
      survey.revision !== snapshot.surveyRevision ||
      survey.day_zone !== dayZone ||
      survey.time_zone !== snapshot.timeZone ||
      survey.is_published !== snapshot.isPublished
    )
      return null;
    if (changes.rows.length > 0) snapshot.dataset.upsert(changes.rows);
    snapshot.watermark = changes.watermark;
    if (survey.columns_revision !== snapshot.columnsRevision) {
      const current = await this.store.read.derivedColumns.loadCurrent(surveyId);
      snapshot.catalog = catalogOf(snapshot.catalog.authored, current);
      snapshot.dataset = snapshot.dataset.withCatalog(snapshot.catalog);
      snapshot.columnsRevision = current.revision;
    }
    return snapshot;
  }

  /** Computes a derived column. Rows do not change meanwhile, because requests for a survey are serialized. */
  private async deriveInto(
    surveyId: number,
    { dataset }: Pick<Snapshot, 'dataset'>,
    entry: CatalogColumn,
  ): Promise<void> {
    const derived = derivedOf(entry);
    if (derived === null) return;
    const { columnId, definition } = derived;
    if (definition.kind === 'weight') {
      const { autoRefresh, scheme, valuesVersion } = definition;
      const live = autoRefresh ? computeLiveWeight(dataset, entry, scheme) : null;
      if (live !== null) return dataset.storeDerived(entry, live, false);
      const parts = await this.store.read.derivedColumns.listFrozenValues(surveyId, columnId, valuesVersion);
      return dataset.storeDerived(entry, createFrozenColumn(dataset, entry, parts), !autoRefresh);
    }
    if (definition.kind === 'coded') {
      const parts = await this.store.read.derivedColumns.listFrozenValues(
        surveyId,
        columnId,
        definition.valuesVersion,
      );
      return dataset.storeDerived(entry, createFrozenColumn(dataset, entry, parts), true);
    }
    dataset.storeDerived(entry, await runWithPauses(deriveColumn(dataset, entry)), false);
  }

  /** A new dataset with all responses, without answers. `earlier`: use its definitions. */
  private reload(surveyId: number, earlier: OpenDataset | null = null): Promise<Snapshot> {
    return this.store.readOnlySnapshot(async (view) => {
      const { definitions, derivedColumns, responseData, responseSegments } = view;
      const survey = await responseData.findSurveyState(surveyId);
      if (survey === null) throw notFound('survey');
      const watermark = await responseData.readWatermark(surveyId);
      const draft = await definitions.loadDraftWithRevision(surveyId);
      const current = await derivedColumns.loadCurrent(surveyId);
      const { definition, surveyRevision, catalog } = earlier ?? {
        definition: withPreviousPage(expandDefinition(draft.definition)),
        surveyRevision: draft.revision,
        catalog: catalogOf(draft.definition, current),
      };
      const read = { responseData, responseSegments };
      const readStatesAfter = async (into: Dataset, lastId: number) => {
        for (let afterId = lastId; ;) {
          const chunk = await responseData.listStatesAfter(surveyId, afterId, CHUNK_ROWS);
          into.addResponses(chunk);
          if (chunk.length < CHUNK_ROWS) break;
          afterId = requireItem(chunk, -1, 'response').responseId;
        }
      };
      let dataset = await readOrDiscardSnapshot(this.store, surveyId, () =>
        openFromSnapshot({ read, surveyId, catalog, dayZone: survey.day_zone, readStatesAfter }),
      );
      if (dataset === null) {
        dataset = new Dataset(catalog);
        await readStatesAfter(dataset, 0);
      }
      dataset.isPublished = survey.is_published;
      return {
        dataset,
        catalog,
        definition,
        surveyRevision,
        columnsRevision: current.revision,
        dayZone: survey.day_zone,
        timeZone: current.timeZone,
        isPublished: survey.is_published,
        watermark,
      };
    });
  }

  /** Loads missing columns, and the changes since the last read, in one database snapshot. */
  private async loadColumns(surveyId: number, snapshot: Snapshot, codes: readonly string[]): Promise<void> {
    const { dataset, watermark, dayZone } = snapshot;
    await this.store.readOnlySnapshot(async ({ responseData, responseSegments }) => {
      const changes = await responseData.listChangesSince({ surveyId, watermark, dayZone, limit: UNLIMITED });
      if (changes.isIncomplete) throw new ResponsesMoved();
      if (changes.rows.length > 0) dataset.upsert(changes.rows);
      const readValuesAfter = async (load: DatasetLoad, lastId: number) => {
        const { loadCodes } = load;
        const rows = Math.max(1_000, Math.min(CHUNK_ROWS, Math.floor(CHUNK_VALUES / loadCodes.length)));
        for (let afterId = lastId; ;) {
          const { responseIds, values } = await responseData.listValuesAfter({
            surveyId,
            dayZone,
            codes: loadCodes,
            afterId,
            limit: rows,
          });
          load.add(responseIds, values);
          if (responseIds.length < rows) break;
          afterId = requireItem(responseIds, -1, 'response id');
        }
      };
      const read = { responseData, responseSegments };
      await readOrDiscardSnapshot(this.store, surveyId, () =>
        loadFromSnapshot({
          read,
          surveyId,
          dataset,
          loadCodes: codes,
          dayZone,
          readValuesAfter,
        }),
      );
      const load = dataset.beginLoad(codes);
      if (load.loadCodes.length > 0) await readValuesAfter(load, 0);
      load.finish();
      snapshot.watermark = changes.watermark;
    });
  }
}

/** Runs a generator to completion and yields to the event loop at each pause. */
async function runWithPauses<T>(work: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

async function deriveTrialColumns(dataset: Dataset, entries: readonly CatalogColumn[]): Promise<Column[]> {
  const columns: Column[] = [];
  for (const entry of entries) columns.push(await runWithPauses(deriveColumn(dataset, entry)));
  return columns;
}

/** Requests of a round with the same definitions. */
interface DefinitionGroup {
  /** The snapshot itself, or the result of an earlier call. */
  definitions: OpenDataset;
  requests: QueuedRequest[];
  /** Load codes of all requests of the group. */
  codes: string[];
}

/** Rejects requests whose columns do not exist. */
function groupByDefinitions(snapshot: Snapshot, round: readonly QueuedRequest[]): DefinitionGroup[] {
  const groups = new Map<ColumnCatalog, DefinitionGroup & { needed: Set<string> }>();
  for (const one of round) {
    const { earlier } = one;
    const definitions = earlier === null || earlier.catalog === snapshot.catalog ? snapshot : earlier;
    const group = groups.get(definitions.catalog) ?? {
      definitions,
      requests: [],
      codes: [],
      needed: new Set<string>(),
    };
    groups.set(definitions.catalog, group);
    try {
      for (const code of one.requiredCodes(definitions.catalog)) group.needed.add(code);
      group.requests.push(one);
    } catch (error) {
      one.reject(error);
    }
  }
  return Array.from(groups.values(), ({ definitions, requests, needed }) => {
    return { definitions, requests, codes: [...needed] };
  });
}

const hasSameQuestions = (definitions: OpenDataset, snapshot: Snapshot): boolean =>
  definitions.surveyRevision === snapshot.surveyRevision;

/** Load codes of questions and metadata. Derived columns are computed, not loaded. */
function storedCodes({ definitions, codes }: DefinitionGroup): string[] {
  return codes.filter((code) => definitions.catalog.derivedByLoadCode(code) === undefined);
}
