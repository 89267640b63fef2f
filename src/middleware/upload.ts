import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { type Multipart, openUpload } from '../http/multipart.ts';

/** Reads a multipart body up to the file, whose bytes the handler reads. The rest is discarded when the reply is finished. */
export function upload(spec: Multipart<z.ZodObject>, maxBytes: number): RequestHandler {
  return async (request, response, next) => {
    const opened = await openUpload(request, response, spec, maxBytes);
    // Also when a later step refuses the request, or the client disconnects.
    if (response.closed) opened.close();
    else response.once('close', opened.close);
    response.locals.body = opened.upload;
    next();
  };
}
