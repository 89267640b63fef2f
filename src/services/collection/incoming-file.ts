import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import { fileTypeFromBuffer } from 'file-type';
import { sanitizeFileName } from '../../domain/files/file-name.ts';
import { checkFile } from '../../domain/files/check-file.ts';
import { fileTooLarge } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';

/** File types are recognized by their first bytes; office documents by their list of contents. */
const HEAD_BYTES = 64 * 1024;
const MEGABYTE = 1024 * 1024;

export interface FileRules {
  maxSizeMb: number;
  /** null: the default extensions. */
  allowedExtensions: readonly string[] | null;
}

/**
 * A file that is checked while it is streamed. Its first bytes show its type; size, checksum and text validity are
 * known at the end.
 */
export interface IncomingFile {
  fileName: string;
  contentType: string;
  /** Throws as soon as the file exceeds the size limit, or a text file contains no valid text. */
  chunks: AsyncIterable<Buffer>;
  /** Call after the chunks were read. */
  digest(): { sizeBytes: number; sha256: string };
}

/** Reads the first bytes and rejects empty files and disallowed types before anything is stored. */
export async function openIncomingFile(
  givenName: string,
  chunks: AsyncIterable<Buffer>,
  rules: FileRules,
): Promise<IncomingFile> {
  const name = sanitizeFileName(givenName);
  if (name === '') throw invalid('file', 'must have a name');
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    if (head.length === 0) throw invalid('file', 'must not be empty');
    const checked = checkFile(name, await fileTypeFromBuffer(head), rules.allowedExtensions);
    if (!checked.ok) throw invalid('file', checked.message);
    const meter = new StreamChecker(rules.maxSizeMb * MEGABYTE, checked.text);
    return {
      fileName: checked.fileName,
      contentType: checked.contentType,
      chunks: checkedChunks(head, iterator, meter),
      digest: () => meter.digest(),
    };
  } catch (error) {
    await iterator.return?.();
    throw error;
  }
}

async function readHead(iterator: AsyncIterator<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES;) {
    const next = await iterator.next();
    if (next.done === true) break;
    read.push(next.value);
    size += next.value.length;
  }
  return Buffer.concat(read);
}

async function* checkedChunks(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
  meter: StreamChecker,
): AsyncGenerator<Buffer> {
  try {
    meter.update(head);
    yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      meter.update(next.value);
      yield next.value;
    }
    meter.finish();
  } finally {
    await rest.return?.();
  }
}

/** Control characters except tab, line feed, form feed and carriage return: no text contains them. */
const NOT_TEXT = /(?![\t\n\f\r])\p{Cc}/u;

class StreamChecker {
  private readonly decoder: TextDecoder | null;
  private readonly hash = createHash('sha256');
  private sizeBytes = 0;

  constructor(
    private readonly maxBytes: number,
    text: boolean,
  ) {
    this.decoder = text ? new TextDecoder('utf-8', { fatal: true }) : null;
  }

  update(chunk: Buffer): void {
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.maxBytes) throw fileTooLarge('file', this.maxBytes / MEGABYTE);
    this.hash.update(chunk);
    this.checkText(chunk);
  }

  finish(): void {
    this.checkText(undefined);
  }

  digest(): { sizeBytes: number; sha256: string } {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.copy().digest('hex') };
  }

  private checkText(chunk: Buffer | undefined): void {
    if (this.decoder === null) return;
    let text: string;
    try {
      text = chunk === undefined ? this.decoder.decode() : this.decoder.decode(chunk, { stream: true });
    } catch {
      throw invalid('file', 'must be UTF-8 text, according to its name; save it as UTF-8');
    }
    if (NOT_TEXT.test(text)) throw invalid('file', 'must be a text, according to its name');
  }
}
