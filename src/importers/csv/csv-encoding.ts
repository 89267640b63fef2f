import { TextDecoder } from 'node:util';
import { invalid } from '../../lib/errors.ts';
import { quote } from '../../lib/error-messages.ts';
import { truncateText } from '../../lib/truncate-text.ts';
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
const HEAD_BYTES = 64 * 1024;
/** Minimum share of the NUL bytes of UTF-16 text that are in the same half of the character pairs. */
const MIN_ONE_SIDED = 0.9;

/** The UTF-16 form of the byte order mark; without a mark, of text in which only every first or every second byte is NUL. Else null. */
export function detectUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const nulls: [number, number] = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) nulls[index % 2 === 0 ? 0 : 1] += 1;
  });
  const [first, second] = nulls;
  // ASCII characters such as delimiters and line ends have a NUL byte: the first in big-endian order, the second in little-endian.
  if (first + second < head.length / 50 || first + second === 0) return null;
  if (second >= MIN_ONE_SIDED * (first + second)) return 'utf-16le';
  return first >= MIN_ONE_SIDED * (first + second) ? 'utf-16be' : null;
}

/**
 * Returns the encoding that the client names, else UTF-16 or UTF-8 as detected. Throws 400 if the file is not valid in it: with the line of
 * the first character that is not, as it reads in the encoding of Western European programs.
 */
export async function detectEncoding(file: ByteFile, requested: CsvEncoding | null): Promise<CsvEncoding> {
  const encoding = requested ?? detectUtf16(await file.read(0, HEAD_BYTES)) ?? 'utf-8';
  const invalidAt = await findInvalidChunk(file, encoding);
  if (invalidAt === null) return encoding;
  const message =
    requested === null
      ? `is missing, and the file is not valid ${encoding.toUpperCase()}${await describeLine(file, invalidAt)}`
      : `is ${requested}, but the file is not`;
  throw invalid('encoding', `${message}; ${ENCODING_HINT}`);
}

/** The offset of the first chunk that is invalid in the encoding; null: the file is valid. */
async function findInvalidChunk(file: ByteFile, encoding: CsvEncoding): Promise<number | null> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let offset = 0;
  try {
    for await (const chunk of readChunks(file)) {
      decoder.decode(chunk, { stream: true });
      offset += chunk.length;
    }
    decoder.decode();
    return null;
  } catch (error) {
    if (error instanceof TypeError) return offset;
    throw error;
  }
}

const MAX_LINE_CHARACTERS = 60;

/** The first line with a byte beyond ASCII that is not UTF-8, read as windows-1252. */
async function describeLine(file: ByteFile, offset: number): Promise<string> {
  const chunk = await file.read(offset, HEAD_BYTES);
  const lines = new TextDecoder('windows-1252').decode(chunk).split(/\r\n|\r|\n/);
  const isUtf8 = (line: string) => {
    const bytes = Buffer.from(line, 'latin1');
    return bytes.equals(Buffer.from(bytes.toString('utf8'), 'utf8'));
  };
  const line = lines.find((text) => /[^\p{ASCII}]/u.test(text) && !isUtf8(text));
  return line === undefined
    ? ''
    : ` (a line reads ${quote(truncateText(line, MAX_LINE_CHARACTERS))} as windows-1252)`;
}

/** So few bytes that the event loop is free between the records of one chunk, however short they are. */
const CHUNK_BYTES = 32 * 1024;

/** Yields the text in chunks, without a byte order mark. */
export async function* decodeCsv(file: ByteFile, encoding: CsvEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of readChunks(file, { chunkBytes: CHUNK_BYTES }))
    yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
