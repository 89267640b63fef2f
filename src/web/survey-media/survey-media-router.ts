import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, Router } from 'express';
import { MEDIA_CONTENT_TYPES } from '../../domain/questions/media-address.ts';
import type { ByteRange } from '../../providers/files/file-storage.ts';
import type { SurveyMediaService } from '../../services/surveys/survey-media.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The router of `/media/<token>.<type>`, the uploaded sound, video and captions of questions, which respondents open without an account. The
 * bytes of an address never change. Answers requests for a range of bytes, with which players seek. It is mounted at `/media`.
 */
export function createSurveyMediaRouter(media: SurveyMediaService): Router {
  const router = Router();
  router.get('/:name', async (request, response) => {
    const { name } = request.params;
    const file = await media.find(name);
    const { size_bytes: sizeBytes } = file;
    const entityTag = `"${name}"`;
    response.set({
      'Accept-Ranges': 'bytes',
      'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
      'Content-Disposition': 'inline',
      // Nothing in a file may load or run, should a browser open it as a page; its own player shows it.
      'Content-Security-Policy': "default-src 'none'; media-src 'self'; sandbox",
      'Content-Type': MEDIA_CONTENT_TYPES[file.media_type],
      // Pages of other origins that show the survey with the API play its files.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: entityTag,
      'X-Content-Type-Options': 'nosniff',
    });
    const range = requestedRange(request, sizeBytes, entityTag);
    if (range === 'unsatisfiable') {
      response
        .status(416)
        .set({ 'Content-Range': `bytes */${sizeBytes}`, 'Cache-Control': 'no-store' })
        .end();
      return;
    }
    if (range !== null)
      response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
    response.set('Content-Length', String(range === null ? sizeBytes : range.end - range.start + 1));
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const chunks = await media.read(file, range ?? undefined);
    await pipeline(Readable.from(chunks, { objectMode: false }), response).catch((error: unknown) => {
      // Players close the connection when they have enough.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  });
  return router;
}

/** null: the whole file is asked for, also by several ranges or one of another version. */
function requestedRange(
  request: Request,
  sizeBytes: number,
  entityTag: string,
): ByteRange | 'unsatisfiable' | null {
  const condition = request.get('If-Range');
  if (condition !== undefined && condition !== entityTag) return null;
  const ranges = request.range(sizeBytes);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
