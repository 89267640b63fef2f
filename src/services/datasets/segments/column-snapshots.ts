import { Dataset } from '../../../domain/dataset/dataset.ts';
import { encodeColumns, encodeIds, encodeStates } from '../../../domain/dataset/segment-codec.ts';
import { catalogOf } from '../../../repositories/derived-columns.ts';
import type { SegmentRange } from '../../../repositories/tables/responses.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import { sha256, compressWithChecksum } from './pack.ts';
import { IDS, STATES } from './column-snapshot-reader.ts';

/** Maximum rows of a range. */
const RANGE_ROWS = 65_536;
/** Fewer rows after the last range are not stored but read from the responses. */
const MIN_RANGE_ROWS = 8_192;
/** Rows per SELECT: few enough that building columns from them does not block the event loop noticeably. */
const CHUNK_ROWS = 1_000;
/** Smaller surveys are fast to read from their responses. */
const MIN_RESPONSES = 20_000;
/** Changed responses that a reader merges into the snapshot before the job rebuilds it. */
const MIN_CHANGED = 5_000;

export const SNAPSHOT_JOB = 'column_snapshot';

/** Stores the columns of large surveys in the form that statistics compute with. */
export class ColumnSnapshotService {
  constructor(private readonly store: Store) {}

  /** Enqueues a job for each survey with enough responses that its snapshot lacks. */
  async enqueueDue(): Promise<void> {
    const dueSurveyIds = await this.store.read.responseSegments.listDue(
      MIN_RESPONSES,
      MIN_CHANGED,
      SNAPSHOT_JOB,
    );
    for (const surveyId of dueSurveyIds)
      await this.store.read.jobs.enqueue({
        organizationId: null,
        userId: null,
        surveyId: null,
        kind: SNAPSHOT_JOB,
        payload: { survey_id: surveyId },
        requestId: 'column snapshot',
      });
  }

  /**
   * Builds or updates the snapshot of a survey and returns its ranges. Unchanged ranges are kept. The snapshot is valid as of a time before
   * the first read: readers that merge the changes since then miss nothing that is written meanwhile.
   */
  async build(
    surveyId: number,
    signal: AbortSignal,
    onRange: (done: number, of: number) => void = () => undefined,
    rangeRows = RANGE_ROWS,
    leastRows = MIN_RANGE_ROWS,
  ): Promise<SegmentRange[]> {
    const state = await this.store.snapshot(async (read) => {
      const now = await read.responseData.currentSnapshot(surveyId);
      return now === null
        ? null
        : { ...now, ranges: await this.plan(read, surveyId, now.day_zone, rangeRows, leastRows) };
    });
    if (state === null) return [];
    const built: SegmentRange[] = [];
    for (const range of state.ranges) {
      signal.throwIfAborted();
      built.push('segment_id' in range ? range : await this.buildRange(surveyId, range, signal));
      onRange(built.length, state.ranges.length);
    }
    await this.store.transaction(({ responseSegments }) =>
      responseSegments.replaceSnapshot(surveyId, {
        snapshot: state.snapshot,
        day_zone: state.day_zone,
        ranges: built,
      }),
    );
    return built;
  }

  /** The ranges in order: existing ones, and new ones between and after them. */
  private async plan(
    { responseSegments }: Repositories,
    surveyId: number,
    dayZone: string | null,
    rangeRows: number,
    leastRows: number,
  ): Promise<(SegmentRange | MissingRange)[]> {
    const state = await responseSegments.findSnapshot(surveyId);
    const known = state !== null && state.day_zone === dayZone ? state.ranges : [];
    const ranges: (SegmentRange | MissingRange)[] = [];
    let afterId = 0;
    for (const range of known) {
      const isWhole = range.rows >= rangeRows;
      const changed = isWhole
        ? await responseSegments.changedBetween(surveyId, state!.snapshot, afterId, range.last_id)
        : 1;
      // Rebuilds changed ranges, and the last one if it is not full.
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
  private async buildRange(
    surveyId: number,
    { after_id: afterId, last_id: lastId }: MissingRange,
    signal: AbortSignal,
  ): Promise<SegmentRange> {
    const dataset = await this.store.snapshot((read) => readRange(read, surveyId, afterId, lastId, signal));
    const segmentId = await this.store.read.responseSegments.nextId();
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
    // The dataset ignores ids of the next range, which it does not contain.
    load.add(responseIds, values);
    after = responseIds.at(-1)!;
  }
  load.finish();
  return dataset;
}
