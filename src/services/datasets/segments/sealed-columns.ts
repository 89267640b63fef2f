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
import type { SealedRange, SealedState, Segment } from '../../../repositories/response-segments.ts';
import type { Repositories } from '../../../repositories/store.ts';
import { digest, unpacked } from './packed.ts';

export const IDS = '#ids';
export const STATES = '#states';

type Read = Pick<Repositories, 'responseSegments' | 'responseData'>;

/** When more changed since, reading everything from the responses is as cheap. */
const MAX_CHANGES = 20_000;

/** Units that are read and unpacked together: what they need in memory meanwhile is bounded. */
const BATCH_UNITS = 8;

/** Where the ranges stand that a dataset was read from: their rows stay where they are, and a range never changes. */
const places = new WeakMap<Dataset, ReadonlyMap<number, number>>();

interface Sealed {
  state: SealedState;
  /** Responses that were written since. */
  changed: ResponseRow[];
}

/** What can be read from segments under the view that `read` is bound to; null: nothing. */
async function sealedOf(read: Read, surveyId: number, isAnonymous: boolean): Promise<Sealed | null> {
  const state = await read.responseSegments.state(surveyId);
  if (state === null || state.is_anonymous !== isAnonymous || state.ranges.length === 0) return null;
  const changes = await read.responseData.changesSince(surveyId, state.snapshot, MAX_CHANGES);
  return changes === null || changes.tooMany ? null : { state, changed: changes.rows };
}

/**
 * A survey's dataset with the state of every response, read from segments: those behind the last one are read by `readStatesAfter`, and
 * what was changed since replaces what was sealed. null: there is nothing to read. Throws MalformedSegment.
 */
export async function openSealed(
  read: Read,
  surveyId: number,
  catalog: ColumnCatalog,
  isAnonymous: boolean,
  readStatesAfter: (dataset: Dataset, afterId: number) => Promise<void>,
): Promise<Dataset | null> {
  const sealed = await sealedOf(read, surveyId, isAnonymous);
  if (sealed === null) return null;
  const { ranges } = sealed.state;
  const segments = await segmentsOf(read, surveyId, ranges, [IDS, STATES]);
  const dataset = new Dataset(
    catalog,
    ranges.reduce((sum, { rows }) => sum + rows, 1_024),
  );
  const unpackedRanges = await Promise.all(
    ranges.map(async (range) => ({
      range,
      ids: await idsOf(segments, range),
      states: decodeStates(await unpacked(needed(segments, range, STATES)), range.rows),
    })),
  );
  const at = new Map<number, number>();
  for (const { range, ids, states } of unpackedRanges) {
    at.set(range.segment_id, dataset.addSealed(ids, states));
  }
  places.set(dataset, at);
  await readStatesAfter(dataset, ranges.at(-1)!.last_id);
  dataset.upsert(sealed.changed);
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
  isAnonymous: boolean,
  readValuesAfter: (load: DatasetLoad, afterId: number) => Promise<void>,
): Promise<void> {
  const sealed = await sealedOf(read, surveyId, isAnonymous);
  if (sealed === null) return;
  const { ranges } = sealed.state;
  const rowsOf = await rowsOfRanges(read, surveyId, dataset, ranges);
  // Somebody came late and stands elsewhere here than where it was sealed.
  if (rowsOf === null) return;
  const loads: DatasetLoad[] = [];
  const codes = dataset.missingOf(loadCodes);
  for (let start = 0; start < codes.length; start += BATCH_UNITS) {
    const batch = codes.slice(start, start + BATCH_UNITS);
    const segments = await segmentsOf(read, surveyId, ranges, batch);
    const load = dataset.beginLoad(batch.filter((code) => isReadable(segments, ranges, dataset, code)));
    if (load.loadCodes.length === 0) continue;
    const unit = async (code: string, range: SealedRange) => {
      const bytes = await unpacked(needed(segments, range, code));
      decodeColumns(load.storedColumns.get(code)!, rowsOf.get(range.segment_id)!, range.rows, bytes);
    };
    await Promise.all(load.loadCodes.flatMap((code) => ranges.map((range) => unit(code, range))));
    await readValuesAfter(load, ranges.at(-1)!.last_id);
    loads.push(load);
  }
  for (const load of loads) load.finish();
  dataset.upsert(sealed.changed);
}

/** The row of the first response of each range, by segment; null where they do not stand one behind the other. */
async function rowsOfRanges(
  read: Read,
  surveyId: number,
  dataset: Dataset,
  ranges: readonly SealedRange[],
): Promise<Map<number, number> | null> {
  const known = places.get(dataset);
  const rows = new Map<number, number>();
  const unknown: SealedRange[] = [];
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
  places.set(dataset, rows);
  return rows;
}

/** Whether every range has it, laid out as it would be today. */
function isReadable(
  segments: ReadonlyMap<string, Segment>,
  ranges: readonly SealedRange[],
  dataset: Dataset,
  code: string,
): boolean {
  const layout = digest(dataset.layoutOf(code));
  return ranges.every((range) => segments.get(keyOf(range, code))?.layout.equals(layout) === true);
}

const keyOf = ({ segment_id: id }: Pick<SealedRange, 'segment_id'>, unit: string): string => `${id} ${unit}`;

async function segmentsOf(
  { responseSegments }: Read,
  surveyId: number,
  ranges: readonly SealedRange[],
  units: readonly string[],
): Promise<Map<string, Segment>> {
  const ids = ranges.map(({ segment_id: id }) => id);
  const segments = await responseSegments.segments(surveyId, ids, units);
  return new Map(segments.map((segment) => [keyOf(segment, segment.unit), segment]));
}

const idsOf = async (segments: ReadonlyMap<string, Segment>, range: SealedRange): Promise<Float64Array> =>
  decodeIds(await unpacked(needed(segments, range, IDS)), range.rows);

function needed(segments: ReadonlyMap<string, Segment>, range: SealedRange, unit: string): Segment {
  const segment = segments.get(keyOf(range, unit));
  if (segment === undefined) throw new MalformedSegment(`${unit} is missing`);
  return segment;
}
