import type { RowChunk, SelectedRows } from '../../datasets/response-reader.ts';

/** Progress callback in responses. If it throws, the export ends. */
export type OnRows = (done: number, total: number) => void;

/** Passes the chunks through and reports progress as they are consumed. */
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
