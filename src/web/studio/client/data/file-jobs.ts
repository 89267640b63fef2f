import { ApiError, startJob } from '../../../shared/client/api.ts';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { readApi } from './api.ts';
import { reloadQueries } from './queries.ts';

const t = texts.jobs;
const POLL_MS = 400;
/** After that the user has gone on, and takes the file from the list of jobs. */
const WAIT_MS = 20_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a job that creates a file, and saves the file if it is ready soon. It also stays in the list of jobs. Throws ApiError. */
export async function createFile(path: string, body: object): Promise<void> {
  const id = await startJob(path, body);
  await reloadQueries('/api/jobs');
  announce(t.fileStarted);
  const givesUpAt = performance.now() + WAIT_MS;
  while (performance.now() < givesUpAt) {
    await sleep(POLL_MS);
    const { data: job } = await readApi('/api/jobs/{id}', { path: { id } });
    if (job.status === 'cancelled') return;
    if (job.status === 'failed') throw new ApiError('rejected', { message: job.error?.message ?? t.failed });
    if (job.status !== 'done') continue;
    await reloadQueries('/api/jobs');
    saveFile(`/api/jobs/${id}/file`);
    announce(t.fileSaved(job.result?.file_name ?? ''));
    return;
  }
}

/** Lets the browser download an address; the reply names the file. */
function saveFile(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
