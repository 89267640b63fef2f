import path from 'node:path';
import { type AppError, tooLarge, unprocessable, unsupportedMediaType } from '../../lib/errors.ts';
import { unreadableFile } from '../byte-file.ts';
import { ZipArchive, type ZipEntryInfo } from '../zip-archive.ts';
import { decodeEscapes } from './cell-value.ts';
import { builtInFormat, type NumberFormat, parseNumberFormat } from './number-format.ts';
import { RichTextReader } from './sheet-reader.ts';
import * as limits from './workbook-limits.ts';
import { readXml, type XmlHandler, type XmlLimits, type XmlTag } from './xml-tokenizer.ts';

/** For styles, relationships and the list of sheets. */
const smallPart = (part: string): XmlLimits => ({ part, maxTags: limits.MAX_SMALL_PART_TAGS });
const SHARED_STRINGS: XmlLimits = { part: 'its shared strings', maxTags: limits.MAX_SHARED_STRINGS_TAGS };
const SHEET: XmlLimits = { part: 'its cells', maxTags: Infinity };

export const missingParts = (): AppError =>
  unreadableFile('cannot be read as an .xlsx workbook: parts of it are missing or damaged');

/** Parts that other kinds of archives have, by the names of the parts in lower case. */
const OTHER_KINDS: readonly [isOne: (names: ReadonlySet<string>) => boolean, message: string][] = [
  [(names) => names.has('xl/workbook.bin'), 'is a binary workbook (.xlsb); save it as .xlsx'],
  [
    (names) => names.has('mimetype') && names.has('content.xml'),
    'is an OpenDocument file (.ods); save it as .xlsx or .csv',
  ],
  [
    (names) => names.has('index/document.iwa') || names.has('index.zip'),
    'is a Numbers document; export it as .xlsx or .csv',
  ],
  [(names) => names.has('word/document.xml'), 'is a Word document, not a data file'],
  [(names) => names.has('ppt/presentation.xml'), 'is a presentation, not a data file'],
];

/** The parts of a workbook, by their names, which are compared without case. */
export class WorkbookParts {
  private readonly names = new Map<string, string>();

  private constructor(private readonly archive: ZipArchive) {
    for (const name of archive.names) this.names.set(partKey(name), name);
  }

  /** 413 and 422 beyond a limit, before anything is unpacked; 415 for another kind of archive. */
  static async open(file: string): Promise<WorkbookParts> {
    const archive = await ZipArchive.open(file, limits.MAX_ENTRIES);
    try {
      checkSizes(archive);
      return new WorkbookParts(archive);
    } catch (error) {
      archive.close();
      throw error;
    }
  }

  close(): void {
    this.archive.close();
  }

  has(part: string): boolean {
    return this.names.has(partKey(part));
  }

  /** Reads a part with at most `maxBytes`. */
  async read(
    part: string,
    handler: XmlHandler,
    {
      xml,
      maxBytes,
      onChunk,
    }: { xml: XmlLimits; maxBytes: number; onChunk?: (() => Promise<void>) | undefined },
  ): Promise<void> {
    const name = this.names.get(partKey(part)) ?? '';
    const entry = this.archive.entry(name);
    if (entry === undefined) throw missingParts();
    if (entry.unpackedBytes > maxBytes)
      throw tooLarge(`file: ${xml.part} hold more than ${limits.formatMegabytes(maxBytes)}; send CSV`);
    const chunks = await this.archive.read(name);
    if (chunks === null) throw missingParts();
    await readXml(chunks, xml, handler, onChunk);
  }

  async readSmall(part: string, name: string, handler: XmlHandler): Promise<void> {
    await this.read(part, handler, { xml: smallPart(name), maxBytes: limits.MAX_SMALL_PART_BYTES });
  }

  async readSheet(part: string, handler: XmlHandler, onChunk: () => Promise<void>): Promise<void> {
    await this.read(part, handler, { xml: SHEET, maxBytes: limits.MAX_UNPACKED_BYTES, onChunk });
  }

  /** The path of the workbook part: by the relationships of the archive, else by its usual name. */
  async findWorkbook(): Promise<string> {
    const relationships = await this.relationshipsOf('');
    const stated = relationships.find(({ type }) => type === 'officeDocument')?.target;
    const names = new Set(this.names.keys());
    const found =
      this.first(stated, 'xl/workbook.xml') ??
      [...names].find((name) => path.posix.basename(name) === 'workbook.xml');
    const other = OTHER_KINDS.find(([isOne]) => isOne(names))?.[1];
    if (found === undefined || other !== undefined)
      throw unsupportedMediaType(
        `file: ${other ?? 'is a zip file, but not an .xlsx workbook'}; accepted: .csv, .xlsx, .sav`,
      );
    return found;
  }

  /** The relationships of a part, of the archive for `''`; none without such a part. Targets are paths in the archive. */
  async relationshipsOf(part: string): Promise<Relationship[]> {
    const folder = part === '' ? '' : path.posix.dirname(part);
    const file = path.posix.join(folder, '_rels', `${path.posix.basename(part)}.rels`);
    if (!this.has(file)) return [];
    const reader = new RelationshipReader(folder, (target) => this.has(target));
    await this.readSmall(file, 'its relationships', reader);
    return reader.relationships;
  }

  /** The parts of a folder with the extension .xml, in the order of the numbers in their names. */
  listXmlParts(folder: string): string[] {
    const isWanted = (name: string) => path.posix.dirname(name) === partKey(folder) && name.endsWith('.xml');
    return [...this.names.keys()].filter(isWanted).sort(byNumbers.compare);
  }

  /** The first of the parts that is there. */
  first(...parts: (string | undefined)[]): string | null {
    return parts.find((part) => part !== undefined && this.has(part)) ?? null;
  }

  async readFormats(part: string | null): Promise<NumberFormat[]> {
    const reader = new StylesReader();
    if (part !== null) await this.readSmall(part, 'its styles', reader);
    return reader.formats;
  }

  async readSharedStrings(part: string | null): Promise<string[]> {
    const reader = new SharedStringsReader();
    if (part !== null)
      await this.read(part, reader, { xml: SHARED_STRINGS, maxBytes: limits.MAX_SHARED_STRINGS_BYTES });
    return reader.strings;
  }
}

const byNumbers = new Intl.Collator('en', { numeric: true });

/** Names are equal without case (ECMA-376 part 2, 6.3.5). */
const partKey = (name: string): string => name.toLowerCase();

function checkSizes(archive: ZipArchive): void {
  let unpackedBytes = 0;
  for (const entry of archive.entries) {
    if (entry.isEncrypted) throw unreadableFile('is protected by a password; save it without one');
    unpackedBytes += entry.unpackedBytes;
    if (unpackedBytes > limits.MAX_UNPACKED_BYTES)
      throw tooLarge(
        `file: holds more than ${limits.formatMegabytes(limits.MAX_UNPACKED_BYTES)} when it is unpacked; send CSV, or fewer rows`,
      );
    checkRatio(entry);
  }
}

function checkRatio({ name, unpackedBytes, packedBytes }: ZipEntryInfo): void {
  if (unpackedBytes <= limits.RATIO_FLOOR_BYTES || unpackedBytes <= limits.MAX_RATIO * packedBytes) return;
  const message = `${name.slice(0, 60)} is compressed more than ${limits.MAX_RATIO} times, which data is not`;
  throw unprocessable('compression_ratio', `file: ${message}`, [{ field: 'file', message }]);
}

export interface Relationship {
  id: string;
  /** The last segment of its type, which transitional and strict workbooks share. */
  type: string;
  /** Path in the archive. */
  target: string;
}

/** Reads elements whose attributes have all that is needed. */
abstract class AttributeReader implements XmlHandler {
  readonly isTextNeeded = false;
  abstract openElement(name: string, depth: number, tag: XmlTag): void;
  addText(): void {
    // No text is needed.
  }
  closeElement(): void {
    // Elements are complete when they open.
  }
}

function attributesOf(tag: XmlTag): Map<string, string> {
  const attributes = new Map<string, string>();
  tag.readAttributes((name, value) => attributes.set(name, value));
  return attributes;
}

class RelationshipReader extends AttributeReader {
  readonly relationships: Relationship[] = [];

  /** Targets are absolute within the archive, or relative to the folder; some programs omit the slash of absolute ones. */
  constructor(
    private readonly folder: string,
    private readonly isPart: (target: string) => boolean,
  ) {
    super();
  }

  openElement(name: string, depth: number, tag: XmlTag): void {
    if (depth !== 2 || name !== 'Relationship') return;
    const attributes = attributesOf(tag);
    if (attributes.get('TargetMode') === 'External') return;
    const target = decodePath((attributes.get('Target') ?? '').replaceAll('\\', '/'));
    const relative = [this.folder, ''].map((from) => path.posix.resolve('/', from, target).slice(1));
    this.relationships.push({
      id: attributes.get('Id') ?? '',
      type: (attributes.get('Type') ?? '').split('/').at(-1) ?? '',
      target: relative.find(this.isPart) ?? relative[0] ?? '',
    });
  }
}

/** Targets are URIs, in which a space is `%20`. */
function decodePath(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

export interface ListedSheet {
  name: string;
  /** Of its relationship. */
  id: string;
  isHidden: boolean;
}

/** Reads the list of sheets and the date system. */
export class SheetListReader extends AttributeReader {
  readonly sheets: ListedSheet[] = [];
  is1904 = false;

  openElement(name: string, depth: number, tag: XmlTag): void {
    if (depth === 1 && name !== 'workbook') throw missingParts();
    if (depth === 2 && name === 'workbookPr')
      this.is1904 = ['1', 'true', 'on'].includes(attributesOf(tag).get('date1904') ?? '');
    if (depth !== 3 || name !== 'sheet') return;
    const attributes = attributesOf(tag);
    const id = [...attributes].find(([attribute]) => /(?:^|:)id$/.test(attribute))?.[1] ?? '';
    const isHidden = (attributes.get('state') ?? 'visible') !== 'visible';
    this.sheets.push({ name: decodeEscapes(attributes.get('name') ?? ''), id, isHidden });
  }
}

/** Reads the number formats of the cell styles. */
class StylesReader extends AttributeReader {
  /** By the index of the style. */
  readonly formats: NumberFormat[] = [];
  private readonly byId = new Map<number, NumberFormat>();
  private group = '';

  openElement(name: string, depth: number, tag: XmlTag): void {
    if (depth === 2) this.group = name;
    if (depth !== 3) return;
    if (this.group === 'numFmts' && name === 'numFmt') {
      const attributes = attributesOf(tag);
      this.byId.set(
        Number(attributes.get('numFmtId')),
        parseNumberFormat(decodeEscapes(attributes.get('formatCode') ?? '')),
      );
    } else if (this.group === 'cellXfs' && name === 'xf') {
      const id = Number(attributesOf(tag).get('numFmtId') ?? 0);
      let format = this.byId.get(id);
      if (format === undefined) {
        format = builtInFormat(id);
        this.byId.set(id, format);
      }
      this.formats.push(format);
    }
  }
}

const DEPTH_OF_STRING = 2;

class SharedStringsReader implements XmlHandler {
  readonly strings: string[] = [];
  private readonly richText = new RichTextReader();

  get isTextNeeded(): boolean {
    return this.richText.isTextNeeded;
  }

  openElement(name: string, depth: number): void {
    if (depth > DEPTH_OF_STRING) this.richText.openElement(name, depth - DEPTH_OF_STRING);
  }

  addText(text: string): void {
    this.richText.addText(text);
  }

  closeElement(name: string, depth: number): void {
    this.richText.closeElement();
    if (depth === DEPTH_OF_STRING && name === 'si')
      this.strings.push(decodeEscapes(this.richText.take() ?? ''));
  }
}
