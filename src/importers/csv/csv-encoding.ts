import { TextDecoder } from 'node:util';
import { type ByteFile, piecesOf } from '../byte-file.ts';

export type CsvEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** By its byte order mark; else UTF-8 where the whole file is valid, else windows-1252. */
export async function csvEncoding(file: ByteFile): Promise<CsvEncoding> {
  const head = await file.read(0, 2);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of piecesOf(file)) decoder.decode(piece, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The text, a piece at a time, without a byte order mark. */
export async function* csvText(file: ByteFile, encoding: CsvEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of piecesOf(file)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
