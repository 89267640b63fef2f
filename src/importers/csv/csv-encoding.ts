import { TextDecoder } from 'node:util';
import { invalid } from '../../lib/errors.ts';
import { type ByteFile, readChunks } from '../byte-file.ts';

/** Supported encodings of CSV files. */
export const CSV_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-9',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'x-mac-cyrillic',
  'ibm866',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gbk',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

const ENCODING_HINT =
  'save it as UTF-8, or specify its encoding, such as windows-1252 (Western Europe), windows-1250 (Central Europe), ' +
  'windows-1251 (Cyrillic), shift_jis (Japanese), gb18030 (Chinese) or euc-kr (Korean)';

/** Returns the encoding that the client names, else that of the byte order mark, else UTF-8. Throws 400 if the file is not valid in it. */
export async function detectEncoding(file: ByteFile, requested: CsvEncoding | null): Promise<CsvEncoding> {
  if (requested === null) {
    const head = await file.read(0, 2);
    if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
    if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  }
  const encoding = requested ?? 'utf-8';
  if (await isValid(file, encoding)) return encoding;
  const message =
    requested === null
      ? 'is missing, and the file is not valid UTF-8'
      : `is ${requested}, but the file is not`;
  throw invalid('encoding', `${message}; ${ENCODING_HINT}`);
}

async function isValid(file: ByteFile, encoding: CsvEncoding): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of readChunks(file)) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The text, a piece at a time, without a byte order mark. */
export async function* decodeCsv(file: ByteFile, encoding: CsvEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of readChunks(file)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
