import type { ResponseRow } from '../domain/dataset/response-row.ts';
import type { SelectedRows } from './responses.ts';

/** Told how many of how many responses have been worked through; when it throws, the work ends. */
export type OnRows = (done: number, total: number) => void;

/** The selected responses as they are, counted as they are taken. */
export async function* countingRows(
  { chunks, total }: Pick<SelectedRows, 'chunks' | 'total'>,
  onRows: OnRows,
): AsyncGenerator<ResponseRow[]> {
  let done = 0;
  for await (const chunk of chunks) {
    onRows(done, total);
    yield chunk;
    done += chunk.length;
  }
  onRows(done, total);
}
