import type { RowChunk, SelectedRows } from '../../datasets/response-reader.ts';

/** Told how many of how many responses have been worked through; when it throws, the work ends. */
export type OnRows = (done: number, total: number) => void;

/** The selected responses as they are, counted as they are taken. */
export async function* withRowProgress(
  { chunks, total }: Pick<SelectedRows, 'chunks' | 'total'>,
  onRows: OnRows,
): AsyncGenerator<RowChunk> {
  let done = 0;
  for await (const chunk of chunks) {
    onRows(done, total);
    yield chunk;
    done += chunk.rows.length;
  }
  onRows(done, total);
}
