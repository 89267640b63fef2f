import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import { Dataset } from '../../../domain/dataset/dataset.ts';
import type { DatasetLoad } from '../../../domain/dataset/dataset-load.ts';
import {
  decodeColumns,
  decodeIds,
  layoutOf,
  MalformedSegment,
} from '../../../domain/dataset/segments/segment-bytes.ts';
import type { ResponseRow } from '../../../domain/dataset/response-row.ts';
import type { SealedRange, SealedState, Segment } from '../../../repositories/response-segments.ts';
import type { Repositories } from '../../../repositories/store.ts';
import { digest, unpacked } from './packed.ts';

export const IDS = '#ids';
export const STATES = '#states';
export const CORE = '#core';

type Read = Pick<Repositories, 'responseSegments' | 'responseData'>;

/** When more changed since, reading everything from the responses is as cheap. */
const MAX_CHANGES = 20_000;

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
 * A survey's dataset with the core of every response, read from segments: those behind the last one are read by `coreAfter`, and what
 * was changed since replaces what was sealed. null: there is nothing to read. Throws MalformedSegment.
 */
export async function openSealed(
  read: Read,
  surveyId: number,
  catalog: ColumnCatalog,
  isAnonymous: boolean,
  readCoreAfter: (dataset: Dataset, afterId: number) => Promise<void>,
): Promise<Dataset | null> {
  const sealed = await sealedOf(read, surveyId, isAnonymous);
  if (sealed === null) return null;
  const { ranges } = sealed.state;
  const dataset = new Dataset(
    catalog,
    ranges.reduce((sum, { rows }) => sum + rows, 1_024),
  );
  const layout = digest(layoutOf(dataset.coreColumns));
  for (const range of ranges) {
    const segments = await segmentsOf(read, range, [IDS, STATES, CORE]);
    const core = segments.get(CORE);
    if (core === undefined || !core.layout.equals(layout)) return null;
    const ids = await idsOf(segments, range);
    const states = await unpacked(needed(segments, STATES));
    if (states.length !== range.rows) throw new MalformedSegment('a state is missing');
    const bytes = await unpacked(core);
    dataset.addSealed(ids, states, (columns, at) => decodeColumns(columns, at, range.rows, bytes));
  }
  await readCoreAfter(dataset, ranges.at(-1)!.last_id);
  dataset.upsert(sealed.changed);
  return dataset;
}

/**
 * Loads what can be read from segments of `loadCodes`; what remains missing has to be read from the responses. The dataset must hold
 * every response of the view that `read` is bound to. Throws MalformedSegment.
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
  const codes = await readable(read, dataset, ranges, dataset.missingOf(loadCodes));
  if (codes.length === 0) return;
  const load = dataset.beginLoad(codes);
  for (const range of ranges) {
    const segments = await segmentsOf(read, range, [IDS, ...codes]);
    const at = dataset.placeOf(await idsOf(segments, range));
    // Somebody came late and stands elsewhere here than where it was sealed.
    if (at < 0) return;
    for (const [code, columns] of load.storedColumns)
      decodeColumns(columns, at, range.rows, await unpacked(needed(segments, code)));
  }
  await readValuesAfter(load, ranges.at(-1)!.last_id);
  load.finish();
  dataset.upsert(sealed.changed);
}

/** Those that every range has, laid out as they would be today. */
async function readable(
  { responseSegments }: Read,
  dataset: Dataset,
  ranges: readonly SealedRange[],
  codes: readonly string[],
): Promise<string[]> {
  const ids = ranges.map(({ segment_id: id }) => id);
  const layouts = await responseSegments.layouts(ids, codes);
  return codes.filter((code) => {
    const found = layouts.get(code) ?? [];
    const layout = digest(dataset.layoutOf(code));
    return found.length === ids.length && found.every((one) => one.equals(layout));
  });
}

async function segmentsOf(
  { responseSegments }: Read,
  { segment_id: id }: SealedRange,
  units: readonly string[],
): Promise<Map<string, Segment>> {
  const segments = await responseSegments.segments(id, units);
  return new Map(segments.map((segment) => [segment.unit, segment]));
}

const idsOf = async (segments: ReadonlyMap<string, Segment>, { rows }: SealedRange): Promise<Float64Array> =>
  decodeIds(await unpacked(needed(segments, IDS)), rows);

function needed(segments: ReadonlyMap<string, Segment>, unit: string): Segment {
  const segment = segments.get(unit);
  if (segment === undefined) throw new MalformedSegment(`${unit} is missing`);
  return segment;
}
