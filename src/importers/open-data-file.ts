import type { SourceFile, SourceFormatName } from '../domain/import/source-file.ts';
import { questionnaireOfText } from '../domain/import/header-cells.ts';
import { contradictingFields, onlyAllowed, quote } from '../lib/error-messages.ts';
import { invalid, unsupportedMediaType } from '../lib/errors.ts';
import { type FileOnDisk, unreadableFile } from './byte-file.ts';
import { describeCompoundFile } from './compound-file.ts';
import { CSV_ENCODINGS, type CsvEncoding, detectUtf16 } from './csv/csv-encoding.ts';
import { type CsvOptions, openCsv } from './csv/csv-source.ts';
import { SAV_ENCODINGS, type SavEncoding } from './sav/sav-encoding.ts';
import { openSav } from './sav/sav-source.ts';
import { questionnaireError } from './table-source.ts';
import { type WorkbookReaderPool, openXlsx } from './xlsx/xlsx-source.ts';

const HEAD_BYTES = 4_100;
const FORMAT_NAMES: Record<SourceFormatName, string> = {
  csv: 'a CSV file',
  xlsx: 'an .xlsx workbook',
  sav: 'an SPSS system file (.sav)',
};
const ACCEPTED_FORMATS = 'accepted: .csv, .xlsx, .sav';
/** First bytes of .xls workbooks before Excel 5, of their versions 2 to 4. */
const BIFF = [0x00, 0x02, 0x04];
const ESCAPE = 0x1b;
/** Control characters that do not occur in text. */
const isControl = (byte: number) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== ESCAPE);
/** Minimum share of such characters in files that are no texts; single ones get into texts by copying. */
const MIN_CONTROL_SHARE = 0.1;

export interface OpenOptions extends Omit<CsvOptions, 'encoding'> {
  /** null: what the file says, else UTF-8. */
  encoding: CsvEncoding | SavEncoding | null;
  /** The format that the client declares; null: detected from the content. */
  format: SourceFormatName | null;
}

/** Opens a file by its content. Throws 400 if the client declares another format, 415 if the format is not supported. */
export async function openDataFile(
  file: FileOnDisk,
  { format, encoding, ...csv }: OpenOptions,
  workbooks: WorkbookReaderPool,
): Promise<SourceFile> {
  if (file.sizeBytes === 0) throw unreadableFile('must not be empty');
  const compound = await describeCompoundFile(file);
  if (compound !== null) throw unsupportedMediaType(`file: ${compound}; ${ACCEPTED_FORMATS}`);
  const kind = await detectFormat(await file.read(0, HEAD_BYTES), encoding?.startsWith('utf-16') ?? false);
  if (format !== null && format !== kind)
    throw contradictingFields('format', format, `the file is ${FORMAT_NAMES[kind]}`);
  if (csv.delimiter !== null && kind !== 'csv')
    throw invalid('delimiter', `${onlyAllowed('for CSV')}; the file is ${FORMAT_NAMES[kind]}`);
  if (encoding !== null && kind === 'xlsx')
    throw invalid('encoding', `${onlyAllowed('for CSV and .sav')}; the file is ${FORMAT_NAMES[kind]}`);
  // A statistics file has no header rows; what takes plain tables only, such as lists of respondents, takes it too.
  if (csv.layout !== null && csv.layout !== 'plain' && kind === 'sav')
    throw invalid('layout', `${onlyAllowed('for CSV and .xlsx')}; the file is ${FORMAT_NAMES[kind]}`);
  switch (kind) {
    case 'sav':
      return openSav(file, encoding === null ? null : requireEncoding(encoding, SAV_ENCODINGS, kind));
    case 'xlsx':
      return openXlsx(file, csv.layout, workbooks);
    case 'csv':
      return openCsv(file, {
        ...csv,
        encoding: encoding === null ? null : requireEncoding(encoding, CSV_ENCODINGS, kind),
      });
  }
}

function requireEncoding<E extends string>(
  encoding: string,
  accepted: readonly E[],
  kind: SourceFormatName,
): E {
  const known = accepted.find((name) => name === encoding);
  if (known !== undefined) return known;
  throw invalid(
    'encoding',
    `${quote(encoding)} is not an encoding of ${FORMAT_NAMES[kind]}; accepted: ${accepted.join(', ')}`,
  );
}

/** `isDeclaredUtf16`: the client declares UTF-16, which is not always recognizable without a byte order mark. */
async function detectFormat(head: Buffer, isDeclaredUtf16: boolean): Promise<SourceFormatName> {
  const magic = head.subarray(0, 4).toString('latin1');
  if (magic === '$FL2' || magic === '$FL3') return 'sav';
  if (magic === 'PK\x03\x04') return 'xlsx';
  if (head[0] === 0x09 && BIFF.includes(head[1] ?? -1) && head[3] === 0x00)
    throw unsupportedMediaType(
      `file: is an old Excel workbook (.xls); save it as .xlsx or .csv; ${ACCEPTED_FORMATS}`,
    );
  // Checked before fileTypeFromBuffer, because some audio formats begin with the same bytes as the UTF-16 byte order mark.
  const hasUtf16Mark = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (hasUtf16Mark || isDeclaredUtf16) return 'csv';
  const utf16 = detectUtf16(head);
  const text = utf16 === null ? head : Buffer.from(new TextDecoder(utf16).decode(head));
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = await fileTypeFromBuffer(text);
  if (detected?.mime === 'application/xml') {
    const questionnaire = questionnaireOfText(text.toString('utf8'));
    if (questionnaire !== null) throw questionnaireError(questionnaire);
    if (text.includes('urn:schemas-microsoft-com:office:spreadsheet'))
      throw unsupportedMediaType(
        `file: is a workbook in the XML format of Excel 2003; save it as .xlsx or .csv; ${ACCEPTED_FORMATS}`,
      );
  }
  if (detected !== undefined && !detected.mime.startsWith('text/'))
    throw unsupportedMediaType(
      `file: is ${detected.mime} (.${detected.ext}), which is not a data file; ${ACCEPTED_FORMATS}`,
    );
  if (text.filter(isControl).length > MIN_CONTROL_SHARE * text.length)
    throw unsupportedMediaType(`file: is neither a text nor a workbook; ${ACCEPTED_FORMATS}`);
  const beginning = text.toString('utf8').replace(/^\ufeff/, '');
  if (/^\s*(<!doctype|<html|<\?xml|<sss\b|[{[]\s*["{\]}[])/i.test(beginning)) {
    const questionnaire = questionnaireOfText(beginning);
    if (questionnaire !== null) throw questionnaireError(questionnaire);
    throw unsupportedMediaType(`file: is HTML, XML or JSON, not CSV; ${ACCEPTED_FORMATS}`);
  }
  return 'csv';
}
