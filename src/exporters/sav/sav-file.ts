import { CaseEncoder } from './case-encoder.ts';
import { CaseWriter } from './case-writer.ts';
import * as dictionary from './dictionary-records.ts';
import * as extensions from './extension-records.ts';
import { layOut, type Layout } from './layout.ts';
import type { SavReport } from './sav-report.ts';
import type { SavCell, SavFile } from './sav-variable.ts';

/**
 * An SPSS system file as a stream: UTF-8, little-endian, compressed by bytecode. `rows` brings rows a chunk at a time, a cell per
 * variable, so that memory does not grow with the file. What had no room is in the report when the stream has ended.
 * Layout of the format: https://www.gnu.org/software/pspp/pspp-dev/html_node/System-File-Format.html
 */
export async function* savFile(
  file: SavFile,
  rows: AsyncIterable<readonly (readonly SavCell[])[]>,
  report: SavReport,
): AsyncGenerator<Buffer> {
  const layout = layOut(file, report);
  yield dictionaryOf(layout, report);
  const encoder = new CaseEncoder();
  const writer = new CaseWriter(layout, encoder, report);
  for await (const chunk of rows) {
    for (const row of chunk) writer.write(row);
    const bytes = encoder.take();
    if (bytes.length > 0) yield bytes;
  }
  const rest = encoder.finish();
  if (rest.length > 0) yield rest;
}

function dictionaryOf(layout: Layout, report: SavReport): Buffer {
  const { variables } = layout;
  return Buffer.concat([
    dictionary.fileHeader(layout, report),
    ...variables.map((placed) => dictionary.variableRecords(placed, report)),
    ...variables.map((placed) => dictionary.valueLabelRecords(placed, report)),
    extensions.machineIntegers(),
    extensions.machineFloats(),
    extensions.responseSets(layout, report),
    extensions.displayParameters(layout),
    extensions.longNames(layout),
    extensions.veryLongStrings(layout),
    extensions.caseCount(layout),
    extensions.encoding(),
    extensions.longStringLabels(layout, report),
    extensions.longStringMissing(layout, report),
    dictionary.endOfDictionary(),
  ]);
}
