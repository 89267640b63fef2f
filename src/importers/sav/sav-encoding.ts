import { TextDecoder } from 'node:util';

/** Code pages of Windows by their number in the machine record. */
const CODE_PAGES = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [20_866, 'koi8-r'],
  [54_936, 'gb18030'],
  [65_001, 'utf-8'],
]);

export interface SavDecoder {
  decode: (bytes: Buffer) => string;
  /** What had to be guessed. */
  note: string | null;
}

function encodingOfCodePage(codePage: number): string | null {
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  if (codePage >= 28_591 && codePage <= 28_606) return `iso-8859-${codePage - 28_590}`;
  return CODE_PAGES.get(codePage) ?? null;
}

function createDecoder(label: string): TextDecoder | null {
  const codePage = /^cp(125\d)$/i.exec(label)?.[1];
  try {
    return new TextDecoder(codePage === undefined ? label : `windows-${codePage}`);
  } catch {
    return null;
  }
}

/**
 * Creates a decoder with the declared encoding of the file (record 20, else the code page of the machine record). Without a declaration,
 * each text is decoded as UTF-8 if valid, else as windows-1252.
 */
export function createSavDecoder(encodingRecord: string | null, codePage: number | null): SavDecoder {
  const named = encodingRecord ?? (codePage === null ? null : encodingOfCodePage(codePage));
  const decoder = named === null ? null : createDecoder(named.trim());
  if (decoder?.encoding === 'utf-8') return { decode: (bytes) => bytes.toString('utf8'), note: null };
  if (decoder !== null) return { decode: (bytes) => decoder.decode(bytes), note: null };
  const strict = new TextDecoder('utf-8', { fatal: true });
  const fallback = new TextDecoder('windows-1252');
  const decode = (bytes: Buffer): string => {
    try {
      return strict.decode(bytes);
    } catch {
      return fallback.decode(bytes);
    }
  };
  const reason =
    named === null ? 'does not say its encoding' : `has the unknown encoding ${named.slice(0, 40)}`;
  return { decode, note: `The file ${reason}: texts were read as UTF-8, else as windows-1252` };
}
