import { catalogOf } from '../../repositories/derived-columns.ts';
import { Dataset } from '../../domain/dataset/dataset.ts';
import { encodeColumns, encodeIds, encodeStates } from '../../domain/dataset/segment-codec.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { SegmentRange } from '../../repositories/tables/responses.ts';
import { compressWithChecksum, IDS, LOSSLESS, sha256, STATES } from './snapshot-segments.ts';

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
    const lossless = dataset.catalog.loadCodes.filter((code) => dataset.isLossless(code));
    await add(LOSSLESS, LOSSLESS, Buffer.from(JSON.stringify(lossless)));
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
