import type { ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import { Dataset, type DatasetLoad } from '../../domain/dataset/dataset.ts';
import type { ResponseRow } from '../../domain/responses/response-row.ts';
import {
  decodeColumns,
  decodeIds,
  decodeStates,
  MalformedSegment,
} from '../../domain/dataset/segment-codec.ts';
import { requireEntry, requireItem, requireValue } from '../../lib/require-value.ts';
import type { Segment } from '../../repositories/response-segments.ts';
import type { Store } from '../../repositories/store.ts';
import type { SegmentRange } from '../../repositories/tables/responses.ts';
import {
  decompressChecked,
  IDS,
  isReadable,
  LOSSLESS,
  readIds,
  readSegments,
  readLossless,
  requireSegment,
  type SnapshotRepositories,
  STATES,
} from './snapshot-segments.ts';

/** With more changes, reading everything from the responses is as fast. */
const MAX_CHANGES = 20_000;
/** The same for exports, which keep the changed responses in memory while they are written. */
const MAX_CHANGES_IN_RANGES = 2_000;
/** Units read and unpacked together; limits memory usage. */
const BATCH_UNITS = 8;
/** The rows of a dataset that each range was read into. Rows do not move, and a range never changes. */
interface RangeLocations {
  rowOf: ReadonlyMap<number, number>;
  /** Set if the ranges are the whole dataset of this revision; until it changes, the database is not queried again. */
  complete: { revision: number; ranges: readonly SegmentRange[] } | null;
}
const rangeLocations = new WeakMap<Dataset, RangeLocations>();
export interface SnapshotWithChanges {
  ranges: readonly SegmentRange[];
  /** Responses written since the snapshot. */
  changed: ResponseRow[];
}

/**
 * Reads the snapshot and the changes since, in the database snapshot of `read`. `isOfRanges`: only the changes of responses in its ranges.
 * Returns null if there is no usable snapshot.
 */
export async function readSnapshot(
  read: SnapshotRepositories,
  surveyId: number,
  dayZone: string | null,
  { isOfRanges = false }: { isOfRanges?: boolean } = {},
): Promise<SnapshotWithChanges | null> {
  const state = await read.responseSegments.findSnapshot(surveyId);
  if (state === null || state.day_zone !== dayZone || state.ranges.length === 0) return null;
  const { watermark, ranges } = state;
  const changes = await read.responseData.listChangesSince({
    surveyId,
    watermark,
    dayZone,
    ...(isOfRanges ? { limit: MAX_CHANGES_IN_RANGES, lastId: lastIdOf(ranges) } : { limit: MAX_CHANGES }),
  });
  return changes.isIncomplete ? null : { ranges, changed: changes.rows };
}

/** Reads from the column snapshot. If it is damaged, deletes it and returns null, so that the responses are read instead. */
export async function readOrDiscardSnapshot<T>(
  store: Pick<Store, 'read'>,
  surveyId: number,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MalformedSegment)) throw error;
    await store.read.responseSegments.deleteSnapshot(surveyId);
    return null;
  }
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
  const unpackedRanges = await Promise.all(ranges.map((range) => unpackRows(segments, range)));
  const rowOf = new Map(
    unpackedRanges.map((rows) => [rows.range.segment_id, appendRange(dataset, rows)] as const),
  );
  const { rowCount } = dataset;
  await readStatesAfter(dataset, lastIdOf(ranges));
  const isWhole = changed.length === 0 && dataset.rowCount === rowCount;
  if (changed.length > 0) dataset.upsert(changed);
  rangeLocations.set(dataset, { rowOf, complete: isWhole ? { revision: dataset.revision, ranges } : null });
  return dataset;
}

interface UnpackedRows {
  range: SegmentRange;
  ids: Uint8Array;
  states: Uint8Array;
}

async function unpackRows(
  segments: ReadonlyMap<string, Segment>,
  range: SegmentRange,
): Promise<UnpackedRows> {
  const [ids, states] = await Promise.all(
    [IDS, STATES].map((unit) => decompressChecked(requireSegment(segments, range, unit))),
  );
  return { range, ids: requireValue(ids, IDS), states: requireValue(states, STATES) };
}

/** Returns the row of the first response of the range. */
const appendRange = (dataset: Dataset, { range, ids, states }: UnpackedRows): number =>
  dataset.appendRows(range.rows, (into) => {
    decodeIds(ids, into.ids);
    decodeStates(states, into.states);
  });

/**
 * Opens a dataset with the responses of one range of a column snapshot, as they are in the database snapshot of `read`, and those of
 * `loadCodes` whose cells are exactly those of the answers. Throws MalformedSegment.
 */
export async function openRange({
  read,
  surveyId,
  catalog,
  snapshot: { ranges, changed },
  range,
  loadCodes,
}: {
  read: SnapshotRepositories;
  surveyId: number;
  catalog: ColumnCatalog;
  snapshot: SnapshotWithChanges;
  range: SegmentRange;
  loadCodes: readonly string[];
}): Promise<Dataset> {
  const segments = await readSegments({
    snapshotRepositories: read,
    surveyId,
    ranges: [range],
    units: [IDS, STATES, LOSSLESS],
  });
  const lossless = await readLossless(segments, range);
  const afterId = ranges[ranges.indexOf(range) - 1]?.last_id ?? 0;
  const changedHere = changed.filter(({ responseId: id }) => id > afterId && id <= range.last_id);
  const dataset = new Dataset(catalog, range.rows + changedHere.length);
  const rowOf = new Map([[range.segment_id, appendRange(dataset, await unpackRows(segments, range))]]);
  await loadRanges({
    read,
    surveyId,
    dataset,
    loadCodes: loadCodes.filter((code) => lossless.has(code)),
    from: { ranges: [range], rowOf },
  });
  dataset.upsert(changedHere);
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
