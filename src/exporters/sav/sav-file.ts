import { CaseEncoder } from './case-encoder.ts';
import { CaseWriter } from './case-writer.ts';
import { documentRecord } from './document-record.ts';
import * as records from './dictionary-records.ts';
import * as extensions from './extension-records.ts';
import { createLayout, type Layout } from './layout.ts';
import type { SavReport } from './sav-report.ts';
import type { SavCell, SavFile } from './sav-variable.ts';

/**
 * Streams an SPSS system file: UTF-8, little-endian, bytecode compression. `rows` yields chunks of rows, one cell per
 * variable, so that memory does not grow with the file. The report lists dictionary losses immediately and losses in rows
 * when the stream has ended.
 * Layout of the format: https://www.gnu.org/software/pspp/pspp-dev/html_node/System-File-Format.html
 */
export function writeSav(
  file: SavFile,
  rows: AsyncIterable<readonly (readonly SavCell[])[]>,
  report: SavReport,
): AsyncGenerator<Buffer> {
  const layout = createLayout(file, report);
  return writeChunks(encodeDictionary(layout, report), layout, rows, report);
}

async function* writeChunks(
  dictionary: Buffer,
  layout: Layout,
  rows: AsyncIterable<readonly (readonly SavCell[])[]>,
  report: SavReport,
): AsyncGenerator<Buffer> {
  yield dictionary;
  const encoder = new CaseEncoder();
  const writer = new CaseWriter(layout, encoder, report);
  for await (const chunk of rows) {
    for (const row of chunk) writer.write(row);
    const bytes = encoder.takeFullBlocks();
    if (bytes.length > 0) yield bytes;
  }
  const rest = encoder.finish();
  if (rest.length > 0) yield rest;
}

function encodeDictionary(layout: Layout, report: SavReport): Buffer {
  const { variables } = layout;
  const variableRecords = [
    records.fileHeader(layout, report),
    ...variables.map((variableLayout) => records.variableRecords(variableLayout, report)),
    ...variables.map((variableLayout) => records.valueLabelRecords(variableLayout, report)),
  ];
  const extensionRecords = [
    extensions.machineIntegers(),
    extensions.machineFloats(),
    extensions.responseSets(layout),
    extensions.displayParameters(layout),
    extensions.longNames(layout),
    extensions.veryLongStrings(layout),
    extensions.caseCount(layout),
    extensions.encoding(),
    extensions.longStringLabels(layout, report),
    extensions.longStringMissing(layout, report),
  ];
  return Buffer.concat([
    ...variableRecords,
    documentRecord(layout.file.documents ?? [], report),
    ...extensionRecords,
    records.endOfDictionary(),
  ]);
}
