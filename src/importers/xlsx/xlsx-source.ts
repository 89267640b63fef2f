import type { LayoutName, SourceFile } from '../../domain/import/source-file.ts';
import type { FileOnDisk } from '../byte-file.ts';
import { questionnaireError, openTable } from '../table-source.ts';
import { unreadableFile } from '../unreadable.ts';
import { readRowFile } from './row-file.ts';
import type { WorkbookReaderPool } from './workbook-reader-pool.ts';

/**
 * A workbook: its sheet "Data", else its first; the first row holds the names of the columns. It is read once, into a file beside
 * the workbook.
 */
export async function openXlsx(
  { path }: FileOnDisk,
  layout: LayoutName | null,
  workbooks: WorkbookReaderPool,
): Promise<SourceFile> {
  const rowsPath = `${path}.rows`;
  const workbook = await workbooks.read({ path, rowsPath, detectForm: layout === null });
  const { sheetName, sheetCount, rowCount } = workbook;
  if (workbook.isXlsForm) throw questionnaireError('an XLSForm');
  if (rowCount === 0)
    throw unreadableFile(
      `its sheet "${sheetName}" is empty: the first row must hold the names of the columns`,
    );
  const notes = sheetCount > 1 ? [`The sheet "${sheetName}" of ${sheetCount} was read`] : [];
  const records = () => readRowFile(rowsPath);
  return openTable({ format: 'xlsx', delimiter: null, notes, records }, layout);
}
