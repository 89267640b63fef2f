import { Dataset } from '../../../domain/dataset/dataset.ts';
import { encodeColumns, encodeIds, encodeStates } from '../../../domain/dataset/segments/segment-bytes.ts';
import { catalogOf } from '../../../repositories/derived-columns.ts';
import type { SegmentRange } from '../../../repositories/tables/responses.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import { digest, packed } from './packed.ts';
import { IDS, STATES } from './sealed-columns.ts';

/** Of one range, at most. */
const RANGE_ROWS = 65_536;
/** Fewer at the end stay unsealed: they are read from the responses. */
const LEAST_ROWS = 8_192;
/** Read in one statement: few enough that making columns of them holds up nobody. */
const CHUNK_ROWS = 1_000;
/** Smaller surveys are read from their responses in no time. */
const LEAST_RESPONSES = 20_000;
/** So many changes are read beside the segments before these are made anew. */
const LEAST_CHANGED = 5_000;

export const SEALING_JOB = 'sealing';

/** Keeps columns of large surveys beside their responses, in the form in which they are computed with. */
export class SealingService {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Puts the surveys on the queue that have enough that is not sealed. */
  async run(): Promise<void> {
    const due = await this.store.read.responseSegments.due(LEAST_RESPONSES, LEAST_CHANGED, SEALING_JOB);
    for (const surveyId of due)
      await this.store.read.jobs.enqueue({
        organizationId: null,
        userId: null,
        surveyId: null,
        kind: SEALING_JOB,
        payload: { survey_id: surveyId },
        requestId: 'sealing',
      });
  }

  /**
   * Seals what is not: ranges in which nothing was written since stay. Everything is right as of a moment before anything was read, so
   * that whoever reads segments with what changed since that moment has everything, whatever is written meanwhile.
   */
  async seal(
    surveyId: number,
    signal: AbortSignal,
    onRange: (done: number, of: number) => void = () => undefined,
    rangeRows = RANGE_ROWS,
    leastRows = LEAST_ROWS,
  ): Promise<SegmentRange[]> {
    const begun = await this.store.snapshot(async (read) => {
      const now = await read.responseData.currentSnapshot(surveyId);
      return now === null
        ? null
        : { ...now, ranges: await this.plan(read, surveyId, now.day_zone, rangeRows, leastRows) };
    });
    if (begun === null) return [];
    const sealed: SegmentRange[] = [];
    for (const range of begun.ranges) {
      signal.throwIfAborted();
      sealed.push('segment_id' in range ? range : await this.build(surveyId, range, signal));
      onRange(sealed.length, begun.ranges.length);
    }
    await this.store.transaction(({ responseSegments }) =>
      responseSegments.seal(surveyId, {
        snapshot: begun.snapshot,
        day_zone: begun.day_zone,
        ranges: sealed,
      }),
    );
    return sealed;
  }

  /** The ranges in order: those that stay, and what is between and behind them in new ones. */
  private async plan(
    { responseSegments }: Repositories,
    surveyId: number,
    dayZone: string | null,
    rangeRows: number,
    leastRows: number,
  ): Promise<(SegmentRange | UnsealedRange)[]> {
    const state = await responseSegments.state(surveyId);
    const known = state !== null && state.day_zone === dayZone ? state.ranges : [];
    const ranges: (SegmentRange | UnsealedRange)[] = [];
    let afterId = 0;
    for (const range of known) {
      const isWhole = range.rows >= rangeRows;
      const changed = isWhole
        ? await responseSegments.changedBetween(surveyId, state!.snapshot, afterId, range.last_id)
        : 1;
      // One that changed, and the last one that others came behind, are made anew with what is there now.
      if (changed > 0) {
        if (!isWhole) break;
        ranges.push({ after_id: afterId, last_id: range.last_id });
      } else ranges.push(range);
      afterId = range.last_id;
    }
    for (;;) {
      const next = await responseSegments.nextRange(surveyId, afterId, rangeRows);
      if (next === null || next.rows < leastRows) return ranges;
      ranges.push({ after_id: afterId, last_id: next.last_id });
      afterId = next.last_id;
    }
  }

  /** Reads the responses of a range and writes their columns. */
  private async build(
    surveyId: number,
    { after_id: afterId, last_id: lastId }: UnsealedRange,
    signal: AbortSignal,
  ): Promise<SegmentRange> {
    const dataset = await this.store.snapshot((read) => readRange(read, surveyId, afterId, lastId, signal));
    const segmentId = await this.store.read.responseSegments.nextId();
    const rows = dataset.rowCount;
    const add = async (unit: string, layout: string, bytes: Uint8Array) =>
      this.store.read.responseSegments.add(surveyId, {
        segment_id: segmentId,
        unit,
        layout: digest(layout),
        ...(await packed(bytes)),
      });
    await add(IDS, IDS, encodeIds(dataset.responseIds.subarray(0, rows)));
    await add(STATES, STATES, encodeStates(dataset.rowStates.subarray(0, rows)));
    for (const code of dataset.catalog.loadCodes) {
      signal.throwIfAborted();
      await add(code, dataset.layoutOf(code), encodeColumns(dataset.storedColumns(code), 0, rows));
    }
    return { segment_id: segmentId, last_id: lastId, rows };
  }
}

interface UnsealedRange {
  after_id: number;
  last_id: number;
}

async function readRange(
  { definitions, derivedColumns, responseData }: Repositories,
  surveyId: number,
  afterId: number,
  lastId: number,
  signal: AbortSignal,
): Promise<Dataset> {
  const { definition } = await definitions.draftWithRevision(surveyId);
  const dataset = new Dataset(catalogOf(definition, await derivedColumns.current(surveyId)));
  for (let after = afterId; after < lastId;) {
    signal.throwIfAborted();
    const chunk = (await responseData.statesAfter(surveyId, after, CHUNK_ROWS)).filter(
      ({ responseId }) => responseId <= lastId,
    );
    if (chunk.length === 0) break;
    dataset.addResponses(chunk);
    after = chunk.at(-1)!.responseId;
  }
  const load = dataset.beginLoad(dataset.catalog.loadCodes);
  for (let after = afterId; after < lastId;) {
    signal.throwIfAborted();
    const { responseIds, values } = await responseData.valuesAfter(
      surveyId,
      load.loadCodes,
      after,
      CHUNK_ROWS,
    );
    if (responseIds.length === 0) break;
    // Those of the next range are passed over: the dataset does not hold them.
    load.add(responseIds, values);
    after = responseIds.at(-1)!;
  }
  load.finish();
  return dataset;
}
