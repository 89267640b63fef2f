import type { RequestHandler } from 'express';
import type { DiskUse } from '../http/define-route.ts';

/** Refuses the request with 503 `storage_low` while the disk has too little free space for `use`. */
export function requireFreeDisk(use: DiskUse, check: (use: DiskUse) => Promise<void>): RequestHandler {
  return async (_request, _response, next) => {
    await check(use);
    next();
  };
}
