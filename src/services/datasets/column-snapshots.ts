import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib';
import type { ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import { Dataset, type DatasetLoad } from '../../domain/dataset/dataset.ts';
import type { ResponseRow } from '../../domain/responses/response-row.ts';
import {
  decodeColumns,
  decodeIds,
  decodeStates,
  encodeColumns,
  encodeIds,
  encodeStates,
  MalformedSegment,
} from '../../domain/dataset/segment-codec.ts';
import { requireEntry, requireItem } from '../../lib/require-value.ts';
import { catalogOf } from '../../repositories/derived-columns.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Segment } from '../../repositories/response-segments.ts';
import type { Store } from '../../repositories/store.ts';
import type { SegmentRange } from '../../repositories/tables/responses.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** Reaches half of the best compression in a tenth of its time. */
const COMPRESSION_LEVEL = 1;
/** Smaller data are unpacked faster than they are passed to the thread pool. */
const MAX_SYNC_BYTES = 512;

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** Compresses bytes and returns them with the checksum of the compressed data. */
async function compressWithChecksum(bytes: Uint8Array): Promise<{ data: Buffer; checksum: Buffer }> {
  const data = await deflate(bytes, { level: COMPRESSION_LEVEL });
  return { data, checksum: sha256(data) };
}

/** Decompresses data. Throws MalformedSegment if the checksum does not match. */
async function decompressChecked({
  data,
  checksum,
}: Pick<Segment, 'data' | 'checksum'>): Promise<Uint8Array> {
  if (!sha256(data).equals(checksum)) throw new MalformedSegment('its checksum does not match');
  return data.length <= MAX_SYNC_BYTES ? inflateRawSync(data) : inflate(data);
}

const IDS = '#ids';
/** The number is the version of the format of response-row.ts: units of an earlier format are not found and are rebuilt. */
const STATES = '#states-2';

type SnapshotRepositories = Pick<Repositories, 'responseSegments' | 'responseData'>;

/** With more changes, reading everything from the responses is as fast. */
const MAX_CHANGES = 20_000;

/** Units read and unpacked together; limits memory usage. */
const BATCH_UNITS = 8;

/** The rows of a dataset that each range was read into. Rows do not move, and a range never changes. */
interface RangeLocations {
  rowOf: ReadonlyMap<number, number>;
  /** Set if the ranges are the whole dataset of this revision; until it changes, the database is not queried again. */
  complete: { revision: number; ranges: readonly SegmentRange[] } | null;
}
const rangeLocations = new WeakMap<Dataset, RangeLocations>();

interface SnapshotWithChanges {
  ranges: readonly SegmentRange[];
  /** Responses written since the snapshot. */
  changed: ResponseRow[];
}

/** Reads the snapshot and the changes since, in the database snapshot of `read`. Returns null if there is no usable snapshot. */
async function readSnapshot(
  read: SnapshotRepositories,
  surveyId: number,
  dayZone: string | null,
): Promise<SnapshotWithChanges | null> {
  const state = await read.responseSegments.findSnapshot(surveyId);
  if (state === null || state.day_zone !== dayZone || state.ranges.length === 0) return null;
  const { watermark } = state;
  const changes = await read.responseData.listChangesSince({
    surveyId,
    watermark,
    dayZone,
    limit: MAX_CHANGES,
  });
  return changes.isIncomplete ? null : { ranges: state.ranges, changed: changes.rows };
}

/**
 * Opens a survey's dataset with the state of every response from its column snapshot. `readStatesAfter` reads responses after the last
 * range; changed responses replace those of the snapshot. Returns null if there is no usable snapshot. Throws MalformedSegment.
 */
export async function openFromSnapshot({
  read,
  surveyId,
  catalog,
  dayZone,
  readStatesAfter,
}: {
  read: SnapshotRepositories;
  surveyId: number;
  catalog: ColumnCatalog;
  dayZone: string | null;
  readStatesAfter: (dataset: Dataset, afterId: number) => Promise<void>;
}): Promise<Dataset | null> {
  const current = await readSnapshot(read, surveyId, dayZone);
  if (current === null) return null;
  const { ranges, changed } = current;
  const segments = await readSegments({ snapshotRepositories: read, surveyId, ranges, units: [IDS, STATES] });
  const dataset = new Dataset(
    catalog,
    ranges.reduce((sum, { rows }) => sum + rows, 1_024),
  );
  const unpackedRanges = await Promise.all(
    ranges.map(async (range) => ({
      range,
      ids: await decompressChecked(requireSegment(segments, range, IDS)),
      states: await decompressChecked(requireSegment(segments, range, STATES)),
    })),
  );
  const rowOf = new Map<number, number>();
  for (const { range, ids, states } of unpackedRanges)
    rowOf.set(
      range.segment_id,
      dataset.appendRows(range.rows, (into) => {
        decodeIds(ids, into.ids);
        decodeStates(states, into.states);
      }),
    );
  const { rowCount } = dataset;
  await readStatesAfter(dataset, lastIdOf(ranges));
  const isWhole = changed.length === 0 && dataset.rowCount === rowCount;
  if (changed.length > 0) dataset.upsert(changed);
  rangeLocations.set(dataset, { rowOf, complete: isWhole ? { revision: dataset.revision, ranges } : null });
  return dataset;
}

/**
 * Loads those of `loadCodes` that the column snapshot has; the others must be read from the responses. The dataset must contain every
 * response visible to `read`. Throws MalformedSegment and then loads nothing.
 */
export async function loadFromSnapshot({
  read,
  surveyId,
  dataset,
  loadCodes,
  dayZone,
  readValuesAfter,
}: {
  read: SnapshotRepositories;
  surveyId: number;
  dataset: Dataset;
  loadCodes: readonly string[];
  dayZone: string | null;
  readValuesAfter: (load: DatasetLoad, afterId: number) => Promise<void>;
}): Promise<void> {
  const opened = rangeLocations.get(dataset);
  if (opened?.complete?.revision === dataset.revision) {
    const { rowOf, complete } = opened;
    await loadRanges({ read, surveyId, dataset, loadCodes, from: { ...complete, rowOf } });
    if (dataset.notLoaded(loadCodes).length === 0) return;
    // A later snapshot may have the missing columns.
  }
  const current = await readSnapshot(read, surveyId, dayZone);
  if (current === null) return;
  const { ranges, changed } = current;
  const rowOf = await findRangeRows({ read, surveyId, dataset, ranges });
  // A response committed late has another position here than in the snapshot.
  if (rowOf === null) return;
  await loadRanges({ read, surveyId, dataset, loadCodes, from: { ranges, rowOf, readValuesAfter } });
  if (changed.length > 0) dataset.upsert(changed);
}

/** `readValuesAfter` is omitted if no response follows the ranges. */
async function loadRanges({
  read,
  surveyId,
  dataset,
  loadCodes,
  from,
}: {
  read: SnapshotRepositories;
  surveyId: number;
  dataset: Dataset;
  loadCodes: readonly string[];
  from: {
    ranges: readonly SegmentRange[];
    rowOf: ReadonlyMap<number, number>;
    readValuesAfter?: (load: DatasetLoad, afterId: number) => Promise<void>;
  };
}): Promise<void> {
  const { ranges, rowOf, readValuesAfter } = from;
  const loads: DatasetLoad[] = [];
  const codes = dataset.notLoaded(loadCodes);
  for (let start = 0; start < codes.length; start += BATCH_UNITS) {
    const batch = codes.slice(start, start + BATCH_UNITS);
    const segments = await readSegments({ snapshotRepositories: read, surveyId, ranges, units: batch });
    const load = dataset.beginLoad(batch.filter((code) => isReadable({ segments, ranges, dataset, code })));
    if (load.loadCodes.length === 0) continue;
    const unit = async (code: string, range: SegmentRange) => {
      const bytes = await decompressChecked(requireSegment(segments, range, code));
      const columns = requireEntry(load.storedColumns, code, 'column');
      decodeColumns(columns, requireEntry(rowOf, range.segment_id, 'segment'), range.rows, bytes);
    };
    await Promise.all(load.loadCodes.flatMap((code) => ranges.map((range) => unit(code, range))));
    await readValuesAfter?.(load, lastIdOf(ranges));
    loads.push(load);
  }
  for (const load of loads) load.finish();
}

/** The id of the last response in a snapshot. A snapshot has at least one range. */
const lastIdOf = (ranges: readonly SegmentRange[]): number => requireItem(ranges, -1, 'range').last_id;

/** The row of the first response of each range, by segment_id; null if the rows of a range are not consecutive. */
async function findRangeRows({
  read,
  surveyId,
  dataset,
  ranges,
}: {
  read: SnapshotRepositories;
  surveyId: number;
  dataset: Dataset;
  ranges: readonly SegmentRange[];
}): Promise<Map<number, number> | null> {
  const known = rangeLocations.get(dataset)?.rowOf;
  const rows = new Map<number, number>();
  const unknown: SegmentRange[] = [];
  for (const range of ranges) {
    const row = known?.get(range.segment_id);
    if (row === undefined) unknown.push(range);
    else rows.set(range.segment_id, row);
  }
  if (unknown.length === 0) return rows;
  const segments = await readSegments({
    snapshotRepositories: read,
    surveyId,
    ranges: unknown,
    units: [IDS],
  });
  for (const range of unknown) {
    const row = dataset.findConsecutiveRows(await readIds(segments, range));
    if (row < 0) return null;
    rows.set(range.segment_id, row);
  }
  rangeLocations.set(dataset, { rowOf: rows, complete: null });
  return rows;
}

/** Whether every range has the unit in the current layout. */
function isReadable({
  segments,
  ranges,
  dataset,
  code,
}: {
  segments: ReadonlyMap<string, Segment>;
  ranges: readonly SegmentRange[];
  dataset: Dataset;
  code: string;
}): boolean {
  const layout = sha256(dataset.storageLayout(code));
  return ranges.every((range) => segments.get(segmentKey(range, code))?.layout.equals(layout) === true);
}

const segmentKey = ({ segment_id: id }: Pick<SegmentRange, 'segment_id'>, unit: string): string =>
  `${id} ${unit}`;

async function readSegments({
  snapshotRepositories: { responseSegments },
  surveyId,
  ranges,
  units,
}: {
  snapshotRepositories: SnapshotRepositories;
  surveyId: number;
  ranges: readonly SegmentRange[];
  units: readonly string[];
}): Promise<Map<string, Segment>> {
  const ids = ranges.map(({ segment_id: id }) => id);
  const segments = await responseSegments.listSegments(surveyId, ids, units);
  return new Map(segments.map((segment) => [segmentKey(segment, segment.unit), segment]));
}

async function readIds(segments: ReadonlyMap<string, Segment>, range: SegmentRange): Promise<Float64Array> {
  const ids = new Float64Array(range.rows);
  decodeIds(await decompressChecked(requireSegment(segments, range, IDS)), ids);
  return ids;
}

function requireSegment(segments: ReadonlyMap<string, Segment>, range: SegmentRange, unit: string): Segment {
  const segment = segments.get(segmentKey(range, unit));
  if (segment === undefined) throw new MalformedSegment(`${unit} is missing`);
  return segment;
}

/** Maximum rows of a range. */
const RANGE_ROWS = 65_536;
/** Rows per SELECT: few enough that building columns from them does not block the event loop noticeably. */
const CHUNK_ROWS = 1_000;
/** Fewer responses, or fewer after the last range, are fast to read from their rows. */
const MIN_RESPONSES = 2_000;
/** Changed responses that a reader merges into the snapshot before the job rebuilds it: a quarter, within these limits. */
const MIN_CHANGED = 500;
const MAX_UNSTORED = 5_000;

export const SNAPSHOT_JOB = 'column_snapshot';

const leastChanged = (responses: number): number =>
  Math.min(MAX_UNSTORED, Math.max(MIN_CHANGED, Math.floor(responses / 4)));

/**
 * Enqueues a job for each survey (`surveyId` null: of all) with enough responses that its snapshot lacks. Within a transaction the job
 * starts after its commit.
 */
export async function enqueueSnapshots(
  { responseSegments, jobs }: Pick<Repositories, 'responseSegments' | 'jobs'>,
  surveyId: number | null,
): Promise<void> {
  const leastRows = MIN_RESPONSES;
  for (const due of await responseSegments.listDue({
    surveyId,
    leastRows,
    leastChanged,
    jobKind: SNAPSHOT_JOB,
  }))
    await jobs.enqueue({
      organizationId: null,
      userId: null,
      surveyId: null,
      kind: SNAPSHOT_JOB,
      payload: { survey_id: due },
      requestId: 'column snapshot',
    });
}

/** Stores the columns of large surveys in the form that statistics compute with. */
export class ColumnSnapshotService {
  constructor(private readonly store: Store) {}

  /** Enqueues a job for each survey with enough responses that its snapshot lacks. */
  async enqueueDue(): Promise<void> {
    await enqueueSnapshots(this.store.read, null);
  }

  /**
   * Builds or updates the snapshot of a survey and returns its ranges. Unchanged ranges are kept. The snapshot is valid as of a time before
   * the first read: readers that merge the changes since then miss nothing that is written meanwhile.
   */
  async build({
    surveyId,
    signal,
    onRange = () => undefined,
    rangeRows = RANGE_ROWS,
    leastRows = MIN_RESPONSES,
  }: {
    surveyId: number;
    signal: AbortSignal;
    onRange?: (done: number, of: number) => void | undefined;
    rangeRows?: number | undefined;
    leastRows?: number | undefined;
  }): Promise<SegmentRange[]> {
    const erasures = await this.store.read.erasure.countErasures(surveyId);
    const state = await this.store.snapshot(async (read) => {
      const survey = await read.responseData.findSurveyState(surveyId);
      if (survey === null) return null;
      const dayZone = survey.day_zone;
      const watermark = await read.responseData.readWatermark(surveyId);
      const ranges = await this.plan({ repositories: read, surveyId, dayZone, rangeRows, leastRows });
      return { watermark, dayZone, ranges };
    });
    if (state === null) return [];
    const built: SegmentRange[] = [];
    for (const range of state.ranges) {
      signal.throwIfAborted();
      const { dayZone } = state;
      built.push('segment_id' in range ? range : await this.buildRange({ surveyId, dayZone, range, signal }));
      onRange(built.length, state.ranges.length);
    }
    return this.store.transaction(async ({ responseSegments, erasure }) => {
      // Ranges that were read before an erasure have the erased answers.
      if (await erasure.isErasedSince(surveyId, erasures)) {
        await responseSegments.deleteSnapshot(surveyId);
        return [];
      }
      await responseSegments.replaceSnapshot(surveyId, {
        watermark: state.watermark,
        day_zone: state.dayZone,
        ranges: built,
      });
      return built;
    });
  }

  /** The ranges in order: existing ones, and new ones between and after them. */
  private async plan({
    repositories: { responseSegments },
    surveyId,
    dayZone,
    rangeRows,
    leastRows,
  }: {
    repositories: Repositories;
    surveyId: number;
    dayZone: string | null;
    rangeRows: number;
    leastRows: number;
  }): Promise<(SegmentRange | MissingRange)[]> {
    const state = await responseSegments.findSnapshot(surveyId);
    const ranges: (SegmentRange | MissingRange)[] = [];
    let afterId = 0;
    if (state !== null && state.day_zone === dayZone)
      for (const range of state.ranges) {
        const isWhole = range.rows >= rangeRows;
        const { watermark } = state;
        const changed = isWhole
          ? await responseSegments.countChangedBetween({
              surveyId,
              watermark,
              afterId,
              lastId: range.last_id,
            })
          : 1;
        if (changed === null) break;
        // Rebuilds changed ranges, and the last one if it is not full.
        if (changed > 0) {
          // Responses of an anonymous survey arrive between others of their day: a range that they fill several times is divided.
          if (!isWhole || range.rows + changed > 2 * rangeRows) break;
          ranges.push({ after_id: afterId, last_id: range.last_id });
        } else ranges.push(range);
        afterId = range.last_id;
      }
    for (;;) {
      const next = await responseSegments.findNextRange(surveyId, afterId, rangeRows);
      if (next === null || next.rows < leastRows) return ranges;
      ranges.push({ after_id: afterId, last_id: next.last_id });
      afterId = next.last_id;
    }
  }

  /** Reads the responses of a range and writes their columns. */
  private async buildRange({
    surveyId,
    dayZone,
    range: { after_id: afterId, last_id: lastId },
    signal,
  }: {
    surveyId: number;
    dayZone: string | null;
    range: MissingRange;
    signal: AbortSignal;
  }): Promise<SegmentRange> {
    const dataset = await this.store.snapshot((read) =>
      readRange({ repositories: read, surveyId, dayZone, afterId, lastId, signal }),
    );
    const segmentId = await this.store.read.responseSegments.reserveId();
    const rows = dataset.rowCount;
    const add = async (unit: string, layout: string, bytes: Uint8Array) =>
      this.store.read.responseSegments.add(surveyId, {
        segment_id: segmentId,
        unit,
        layout: sha256(layout),
        ...(await compressWithChecksum(bytes)),
      });
    await add(IDS, IDS, encodeIds(dataset.responseIds.subarray(0, rows)));
    await add(STATES, STATES, encodeStates(dataset.rowStates.subarray(0, rows)));
    for (const code of dataset.catalog.loadCodes) {
      signal.throwIfAborted();
      await add(code, dataset.storageLayout(code), encodeColumns(dataset.storedColumns(code), 0, rows));
    }
    return { segment_id: segmentId, last_id: lastId, rows };
  }
}

interface MissingRange {
  after_id: number;
  last_id: number;
}

async function readRange({
  repositories: { definitions, derivedColumns, responseData },
  surveyId,
  dayZone,
  afterId,
  lastId,
  signal,
}: {
  repositories: Repositories;
  surveyId: number;
  dayZone: string | null;
  afterId: number;
  lastId: number;
  signal: AbortSignal;
}): Promise<Dataset> {
  const { definition } = await definitions.loadDraftWithRevision(surveyId);
  const dataset = new Dataset(catalogOf(definition, await derivedColumns.loadCurrent(surveyId)));
  for (let after = afterId; after < lastId;) {
    signal.throwIfAborted();
    const chunk = (await responseData.listStatesAfter(surveyId, after, CHUNK_ROWS)).filter(
      ({ responseId }) => responseId <= lastId,
    );
    const last = chunk.at(-1);
    if (last === undefined) break;
    dataset.addResponses(chunk);
    after = last.responseId;
  }
  const load = dataset.beginLoad(dataset.catalog.loadCodes);
  for (let after = afterId; after < lastId;) {
    signal.throwIfAborted();
    const { responseIds, values } = await responseData.listValuesAfter({
      surveyId,
      dayZone,
      codes: load.loadCodes,
      afterId: after,
      limit: CHUNK_ROWS,
    });
    const last = responseIds.at(-1);
    if (last === undefined) break;
    // The dataset ignores ids of the next range, which it does not contain.
    load.add(responseIds, values);
    after = last;
  }
  load.finish();
  return dataset;
}
