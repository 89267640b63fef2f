import { parentPort } from 'node:worker_threads';
import { AppError } from '../../lib/errors.ts';
import { readWorkbook, type WorkbookRequest } from './read-workbook.ts';
import type { WorkbookReply } from './xlsx-source.ts';

/** The thread that `WorkbookReaderPool` starts: reads one workbook for each request. Other errors end the thread. */
if (parentPort === null) throw new Error('this module runs on a worker thread only');
const port = parentPort;

port.on('message', (request: WorkbookRequest) => {
  void readWorkbook(request).then(
    (read) => port.postMessage({ read } satisfies WorkbookReply),
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      const { kind, code, message, details } = error;
      port.postMessage({ refusal: { kind, code, message, details } } satisfies WorkbookReply);
    },
  );
});
