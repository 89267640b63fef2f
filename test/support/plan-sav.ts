import { runToCompletion } from '../../src/lib/concurrency.ts';
import type { SourceCell } from '../../src/domain/import/source-file.ts';
import { FileScan, planSurvey, withScannedColumns } from '../../src/domain/import/survey-plan.ts';
import { byteFileFromBuffer } from '../../src/importers/byte-file.ts';
import type { SavEncoding } from '../../src/importers/sav/sav-encoding.ts';
import { openSav } from '../../src/importers/sav/sav-source.ts';

/** What the import of a system file makes of it: cells as the file has them, and the planned questions with their converted cells. */
export async function planSav(bytes: Buffer, encoding: SavEncoding | null = null) {
  const file = await openSav(byteFileFromBuffer(bytes), encoding);
  const timeZone = file.timeZone ?? 'UTC';
  const scan = new FileScan(file, timeZone);
  const rows: SourceCell[][] = [];
  for await (const part of file.rows()) rows.push(...part.map(({ cells }) => [...cells]));
  for (const cells of rows) scan.add(cells);
  const plan = runToCompletion(
    planSurvey({ file: withScannedColumns(file, scan), scan, surveyName: 'Planned', timeZone }),
  );
  return {
    file,
    rows,
    plan,
    notes: [...file.notes, ...plan.notes],
    column: (name: string) => {
      const index = file.columns.findIndex(({ header }) => header === name);
      const variable = plan.variables[index];
      if (variable === undefined) throw new Error(`no variable ${name}`);
      return {
        variable,
        question: 'question' in variable ? variable.question : null,
        notes: variable.notes.join('; '),
        cells: rows.map((cells) => variable.convert(cells[index] ?? null, cells)),
      };
    },
  };
}
