import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import { Dataset } from '../../../domain/dataset/dataset.ts';
import type { DatasetLoad } from '../../../domain/dataset/dataset-load.ts';
import {
  decodeColumns,
  decodeIds,
  decodeStates,
  MalformedSegment,
} from '../../../domain/dataset/segments/segment-bytes.ts';
import type { ResponseRow } from '../../../domain/dataset/response-row.ts';
import type { Segment } from '../../../repositories/response-segments.ts';
import type { SegmentRange } from '../../../repositories/tables/responses.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import { digest, unpacked } from './packed.ts';

export const IDS = '#ids';
/** The number counts the forms of row-state.ts: bytes of an earlier form are not found, and then made again. */
export const STATES = '#states-2';

type Read = Pick<Repositories, 'responseSegments' | 'responseData'>;

/** When more changed since, reading everything from the responses is as cheap. */
const MAX_CHANGES = 20_000;

/** Units that are read and unpacked together: what they need in memory meanwhile is bounded. */
const BATCH_UNITS = 8;

/** Where the ranges stand that a dataset was read from: their rows stay where they are, and a range never changes. */
interface Opened {
  rowOf: ReadonlyMap<number, number>;
  /** What was all of it, as of this revision of the dataset: while nothing changes, nothing has to be asked again. */
  whole: { revision: number; ranges: readonly SegmentRange[] } | null;
}
const openedFrom = new WeakMap<Dataset, Opened>();

interface Sealed {
  ranges: readonly SegmentRange[];
  /** Responses that were written since. */
  changed: ResponseRow[];
}

/** What can be read from segments under the view that `read` is bound to; null: nothing. */
async function sealedOf(read: Read, surveyId: number, dayZone: string | null): Promise<Sealed | null> {
  const state = await read.responseSegments.state(surveyId);
  if (state === null || state.day_zone !== dayZone || state.ranges.length === 0) return null;
  const changes = await read.responseData.changesSince(surveyId, state.snapshot, MAX_CHANGES);
  return changes === null || changes.tooMany ? null : { ranges: state.ranges, changed: changes.rows };
}

/**
 * A survey's dataset with the state of every response, read from segments: those behind the last one are read by `readStatesAfter`, and
 * what was changed since replaces what was sealed. null: there is nothing to read. Throws MalformedSegment.
 */
export async function openSealed(
  read: Read,
  surveyId: number,
  catalog: ColumnCatalog,
  dayZone: string | null,
  readStatesAfter: (dataset: Dataset, afterId: number) => Promise<void>,
): Promise<Dataset | null> {
  const sealed = await sealedOf(read, surveyId, dayZone);
  if (sealed === null) return null;
  const { ranges, changed } = sealed;
  const segments = await segmentsOf(read, surveyId, ranges, [IDS, STATES]);
  const dataset = new Dataset(
    catalog,
    ranges.reduce((sum, { rows }) => sum + rows, 1_024),
  );
  const unpackedRanges = await Promise.all(
    ranges.map(async (range) => ({
      range,
      ids: await unpacked(needed(segments, range, IDS)),
      states: await unpacked(needed(segments, range, STATES)),
    })),
  );
  const rowOf = new Map<number, number>();
  for (const { range, ids, states } of unpackedRanges)
    rowOf.set(
      range.segment_id,
      dataset.addSealed(range.rows, (into) => {
        decodeIds(ids, into.ids);
        decodeStates(states, into.states);
      }),
    );
  const { rowCount } = dataset;
  await readStatesAfter(dataset, ranges.at(-1)!.last_id);
  const isWhole = changed.length === 0 && dataset.rowCount === rowCount;
  if (changed.length > 0) dataset.upsert(changed);
  openedFrom.set(dataset, { rowOf, whole: isWhole ? { revision: dataset.revision, ranges } : null });
  return dataset;
}

/**
 * Loads what can be read from segments of `loadCodes`; what remains missing has to be read from the responses. The dataset must hold
 * every response of the view that `read` is bound to. Throws MalformedSegment, and then nothing is loaded.
 */
export async function loadSealed(
  read: Read,
  surveyId: number,
  dataset: Dataset,
  loadCodes: readonly string[],
  dayZone: string | null,
  readValuesAfter: (load: DatasetLoad, afterId: number) => Promise<void>,
): Promise<void> {
  const opened = openedFrom.get(dataset);
  if (opened?.whole?.revision === dataset.revision) {
    const { rowOf, whole } = opened;
    await loadRanges(read, surveyId, dataset, loadCodes, { ...whole, rowOf });
    if (dataset.missingOf(loadCodes).length === 0) return;
    // What is missing may have been sealed anew.
  }
  const sealed = await sealedOf(read, surveyId, dayZone);
  if (sealed === null) return;
  const { ranges, changed } = sealed;
  const rowOf = await rowsOfRanges(read, surveyId, dataset, ranges);
  // Somebody came late and stands elsewhere here than where it was sealed.
  if (rowOf === null) return;
  await loadRanges(read, surveyId, dataset, loadCodes, { ranges, rowOf, readValuesAfter });
  if (changed.length > 0) dataset.upsert(changed);
}

/** `readValuesAfter`: left out where no response is behind the ranges. */
async function loadRanges(
  read: Read,
  surveyId: number,
  dataset: Dataset,
  loadCodes: readonly string[],
  from: {
    ranges: readonly SegmentRange[];
    rowOf: ReadonlyMap<number, number>;
    readValuesAfter?: (load: DatasetLoad, afterId: number) => Promise<void>;
  },
): Promise<void> {
  const { ranges, rowOf, readValuesAfter } = from;
  const loads: DatasetLoad[] = [];
  const codes = dataset.missingOf(loadCodes);
  for (let start = 0; start < codes.length; start += BATCH_UNITS) {
    const batch = codes.slice(start, start + BATCH_UNITS);
    const segments = await segmentsOf(read, surveyId, ranges, batch);
    const load = dataset.beginLoad(batch.filter((code) => isReadable(segments, ranges, dataset, code)));
    if (load.loadCodes.length === 0) continue;
    const unit = async (code: string, range: SegmentRange) => {
      const bytes = await unpacked(needed(segments, range, code));
      decodeColumns(load.storedColumns.get(code)!, rowOf.get(range.segment_id)!, range.rows, bytes);
    };
    await Promise.all(load.loadCodes.flatMap((code) => ranges.map((range) => unit(code, range))));
    await readValuesAfter?.(load, ranges.at(-1)!.last_id);
    loads.push(load);
  }
  for (const load of loads) load.finish();
}

/** The row of the first response of each range, by segment; null where they do not stand one behind the other. */
async function rowsOfRanges(
  read: Read,
  surveyId: number,
  dataset: Dataset,
  ranges: readonly SegmentRange[],
): Promise<Map<number, number> | null> {
  const known = openedFrom.get(dataset)?.rowOf;
  const rows = new Map<number, number>();
  const unknown: SegmentRange[] = [];
  for (const range of ranges) {
    const row = known?.get(range.segment_id);
    if (row === undefined) unknown.push(range);
    else rows.set(range.segment_id, row);
  }
  if (unknown.length === 0) return rows;
  const segments = await segmentsOf(read, surveyId, unknown, [IDS]);
  for (const range of unknown) {
    const row = dataset.placeOf(await idsOf(segments, range));
    if (row < 0) return null;
    rows.set(range.segment_id, row);
  }
  openedFrom.set(dataset, { rowOf: rows, whole: null });
  return rows;
}

/** Whether every range has it, laid out as it would be today. */
function isReadable(
  segments: ReadonlyMap<string, Segment>,
  ranges: readonly SegmentRange[],
  dataset: Dataset,
  code: string,
): boolean {
  const layout = digest(dataset.layoutOf(code));
  return ranges.every((range) => segments.get(keyOf(range, code))?.layout.equals(layout) === true);
}

const keyOf = ({ segment_id: id }: Pick<SegmentRange, 'segment_id'>, unit: string): string => `${id} ${unit}`;

async function segmentsOf(
  { responseSegments }: Read,
  surveyId: number,
  ranges: readonly SegmentRange[],
  units: readonly string[],
): Promise<Map<string, Segment>> {
  const ids = ranges.map(({ segment_id: id }) => id);
  const segments = await responseSegments.segments(surveyId, ids, units);
  return new Map(segments.map((segment) => [keyOf(segment, segment.unit), segment]));
}

async function idsOf(segments: ReadonlyMap<string, Segment>, range: SegmentRange): Promise<Float64Array> {
  const ids = new Float64Array(range.rows);
  decodeIds(await unpacked(needed(segments, range, IDS)), ids);
  return ids;
}

function needed(segments: ReadonlyMap<string, Segment>, range: SegmentRange, unit: string): Segment {
  const segment = segments.get(keyOf(range, unit));
  if (segment === undefined) throw new MalformedSegment(`${unit} is missing`);
  return segment;
}
