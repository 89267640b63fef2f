import type { LayoutName, SourceFile } from '../../domain/import/source-file.ts';
import type { FileOnDisk } from '../byte-file.ts';
import { questionnaireRefused, tableSource } from '../table-source.ts';
import { unreadable } from '../unreadable.ts';
import { readRowFile } from './row-file.ts';
import type { WorkbookThreads } from './workbook-threads.ts';

/**
 * A workbook: its sheet "Data", else its first; the first row holds the names of the columns. It is read once, into a file beside
 * the workbook.
 */
export async function openXlsx(
  { path }: FileOnDisk,
  layout: LayoutName | null,
  threads: WorkbookThreads,
): Promise<SourceFile> {
  const rowsPath = `${path}.rows`;
  const workbook = await threads.read({ path, rowsPath, detectForm: layout === null });
  const { sheetName, sheetCount, rowCount } = workbook;
  if (workbook.isXlsForm) throw questionnaireRefused('an XLSForm');
  if (rowCount === 0)
    throw unreadable(`its sheet "${sheetName}" is empty: the first row must hold the names of the columns`);
  const notes = sheetCount > 1 ? [`The sheet "${sheetName}" of ${sheetCount} was read`] : [];
  const records = () => readRowFile(rowsPath);
  return tableSource({ format: 'xlsx', delimiter: null, notes, records }, layout);
}
