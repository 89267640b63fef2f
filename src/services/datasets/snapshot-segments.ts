import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib';
import type { Dataset } from '../../domain/dataset/dataset.ts';
import { decodeIds, MalformedSegment } from '../../domain/dataset/segment-codec.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Segment } from '../../repositories/response-segments.ts';
import type { SegmentRange } from '../../repositories/tables/responses.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** Reaches half of the best compression in a tenth of its time. */
const COMPRESSION_LEVEL = 1;
/** Smaller data are unpacked faster than they are passed to the thread pool. */
const MAX_SYNC_BYTES = 512;

export const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** Compresses bytes and returns them with the checksum of the compressed data. */
export async function compressWithChecksum(bytes: Uint8Array): Promise<{ data: Buffer; checksum: Buffer }> {
  const data = await deflate(bytes, { level: COMPRESSION_LEVEL });
  return { data, checksum: sha256(data) };
}

/** Decompresses data. Throws MalformedSegment if the checksum does not match. */
export async function decompressChecked({
  data,
  checksum,
}: Pick<Segment, 'data' | 'checksum'>): Promise<Uint8Array> {
  if (!sha256(data).equals(checksum)) throw new MalformedSegment('its checksum does not match');
  return data.length <= MAX_SYNC_BYTES ? inflateRawSync(data) : inflate(data);
}
export const IDS = '#ids';
/** The number is the version of the format of response-row.ts: units of an earlier format are not found and are rebuilt. */
export const STATES = '#states-2';

/** The load codes whose cells in the range are exactly those of the answers. Exports read them instead of the answers. */
export const LOSSLESS = '#lossless';

export type SnapshotRepositories = Pick<Repositories, 'responseSegments' | 'responseData'>;
/** Whether every range has the unit in the current layout. */
export function isReadable({
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

export async function readSegments({
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

export async function readIds(
  segments: ReadonlyMap<string, Segment>,
  range: SegmentRange,
): Promise<Float64Array> {
  const ids = new Float64Array(range.rows);
  decodeIds(await decompressChecked(requireSegment(segments, range, IDS)), ids);
  return ids;
}

/** Empty for a range of an earlier version. */
export async function readLossless(
  segments: ReadonlyMap<string, Segment>,
  range: SegmentRange,
): Promise<ReadonlySet<string>> {
  const segment = segments.get(segmentKey(range, LOSSLESS));
  if (segment === undefined) return new Set();
  return new Set(JSON.parse(new TextDecoder().decode(await decompressChecked(segment))) as string[]);
}

export function requireSegment(
  segments: ReadonlyMap<string, Segment>,
  range: SegmentRange,
  unit: string,
): Segment {
  const segment = segments.get(segmentKey(range, unit));
  if (segment === undefined) throw new MalformedSegment(`${unit} is missing`);
  return segment;
}
