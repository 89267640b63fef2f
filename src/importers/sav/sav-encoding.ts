import iconv from 'iconv-lite';
import { TextDecoder } from 'node:util';

const CODE_PAGE_ENCODINGS = [
  'cp437',
  'cp720',
  'cp737',
  'cp775',
  'cp850',
  'cp852',
  'cp855',
  'cp856',
  'cp857',
  'cp858',
  'cp860',
  'cp861',
  'cp862',
  'cp863',
  'cp864',
  'cp865',
  'cp869',
] as const;

/** The encodings of texts in system files, by the names that requests use. */
export const SAV_ENCODINGS = [
  'utf-8',
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
  'iso-8859-11',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  ...CODE_PAGE_ENCODINGS,
  'ibm866',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'x-mac-cyrillic',
  'macgreek',
  'macturkish',
  'maccenteuro',
  'maccroatian',
  'maciceland',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gbk',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type SavEncoding = (typeof SAV_ENCODINGS)[number];

/** Lower case without punctuation and year: `ISO_8859-1:1987` is iso88591. */
const foldEncodingName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/:\d{4}$/, '')
    .replaceAll(/[^a-z0-9]/g, '');

/** Further names that writers use, folded. */
const ALIASES: Readonly<Record<string, SavEncoding>> = {
  latin1: 'iso-8859-1',
  latin2: 'iso-8859-2',
  latin9: 'iso-8859-15',
  sjis: 'shift_jis',
  mskanji: 'shift_jis',
  windows31j: 'shift_jis',
  ksc5601: 'euc-kr',
  ksc56011987: 'euc-kr',
  uhc: 'euc-kr',
  gb2312: 'gbk',
  euccn: 'gbk',
  big5hkscs: 'big5',
  tis620: 'windows-874',
  mac: 'macintosh',
  macroman: 'macintosh',
  xmacroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
};
const BY_FOLDED_NAME = new Map<string, SavEncoding>(
  SAV_ENCODINGS.map((encoding) => [foldEncodingName(encoding), encoding]),
);

/** By the numbers of Windows; others are in `encodingOfCodePage`. */
const BY_CODE_PAGE: ReadonlyMap<number, SavEncoding> = new Map<number, SavEncoding>([
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [951, 'big5'],
  [10_000, 'macintosh'],
  [10_006, 'macgreek'],
  [10_007, 'x-mac-cyrillic'],
  [10_029, 'maccenteuro'],
  [10_079, 'maciceland'],
  [10_081, 'macturkish'],
  [10_082, 'maccroatian'],
  [20_866, 'koi8-r'],
  [20_932, 'euc-jp'],
  [21_866, 'koi8-u'],
  [38_598, 'iso-8859-8'],
  [50_220, 'iso-2022-jp'],
  [50_221, 'iso-2022-jp'],
  [50_222, 'iso-2022-jp'],
  [51_932, 'euc-jp'],
  [51_936, 'gbk'],
  [51_949, 'euc-kr'],
  [54_936, 'gb18030'],
  [65_001, 'utf-8'],
]);

function encodingOfCodePage(codePage: number): SavEncoding | null {
  const name =
    codePage >= 1250 && codePage <= 1258
      ? `windows-${codePage}`
      : codePage >= 28_591 && codePage <= 28_606
        ? `iso-8859-${codePage - 28_590}`
        : `cp${codePage}`;
  return BY_CODE_PAGE.get(codePage) ?? SAV_ENCODINGS.find((encoding) => encoding === name) ?? null;
}

const PREFIXED_CODE_PAGE =
  /^(?:cp|ms|ibm|windows|xwindows|microsoftcp|xibm|xmswin|codepage|win|dos)(\d{3,5})(?:windows)?$/;

/** Returns the encoding of a name such as `CP949`, `windows-949` or `ISO_8859-1:1987`, or null. */
export function findSavEncoding(name: string): SavEncoding | null {
  const folded = foldEncodingName(name.trim());
  const codePage = PREFIXED_CODE_PAGE.exec(folded)?.[1];
  return (
    BY_FOLDED_NAME.get(folded) ??
    (Object.hasOwn(ALIASES, folded) ? ALIASES[folded] : undefined) ??
    (codePage === undefined ? null : encodingOfCodePage(Number(codePage)))
  );
}

/** Names of iconv-lite where it uses another one. */
const ICONV_NAMES: Partial<Record<SavEncoding, string>> = {
  'windows-874': 'cp874',
  'x-mac-cyrillic': 'maccyrillic',
};

function createDecoder(encoding: SavEncoding): (bytes: Buffer) => string {
  if (encoding === 'utf-8') return (bytes) => bytes.toString('utf8');
  const name = ICONV_NAMES[encoding] ?? encoding;
  if (iconv.encodingExists(name)) return (bytes) => iconv.decode(bytes, name);
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes);
}

/** Decodes each text as UTF-8 if it is valid, else as windows-1252. */
function createGuessingDecoder(): (bytes: Buffer) => string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const fallback = createDecoder('windows-1252');
  return (bytes) => {
    try {
      return strict.decode(bytes);
    } catch {
      return fallback(bytes);
    }
  };
}

const ASCII_NAMES = new Set(['ascii', 'usascii', 'ansix341968', 'ansix34', '646', 'iso646us']);
const REPLACEMENT = '\ufffd';
const ENCODED_REPLACEMENT = Buffer.from(REPLACEMENT);
const MULTI_BYTE: ReadonlySet<SavEncoding> = new Set<SavEncoding>([
  ...(['utf-8', 'shift_jis', 'euc-jp', 'gbk', 'gb18030', 'big5', 'euc-kr'] as const),
]);
const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80);

/**
 * Creates the decoder of a file's texts. The requested encoding comes first, then the name in the file (record 20), then the code page of the
 * machine record. Without any of them each text is decoded as UTF-8 if it is valid, else as windows-1252. `note` receives each decision
 * and each problem once.
 */
export function createSavDecoder({
  requested,
  name,
  codePage,
  note,
}: {
  requested: SavEncoding | null;
  /** null: no such record. */
  name: string | null;
  codePage: number | null;
  note: (text: string) => void;
}): (bytes: Buffer) => string {
  const isDeclaredAscii = name !== null && ASCII_NAMES.has(foldEncodingName(name.trim()));
  const named = name === null || isDeclaredAscii ? null : findSavEncoding(name);
  const encoding = requested ?? named ?? (codePage === null ? null : encodingOfCodePage(codePage));
  if (encoding !== null) {
    const decode = createDecoder(encoding);
    const isMultiByte = MULTI_BYTE.has(encoding);
    const noteOnce = createNoteOnce(note);
    return (bytes) => {
      const text = decode(bytes);
      if (!text.includes(REPLACEMENT)) return text;
      // Programs cut texts at the width of their variable, also within a character.
      const isCut =
        isMultiByte && text.endsWith(REPLACEMENT) && !bytes.subarray(-3).equals(ENCODED_REPLACEMENT);
      const whole = isCut ? text.slice(0, -1) : text;
      if (isCut) noteOnce('Some texts end within a character, which is left out');
      if (whole.includes(REPLACEMENT) && !bytes.includes(ENCODED_REPLACEMENT))
        noteOnce(
          `Texts are not valid ${encoding}: what cannot be read became ${REPLACEMENT}; send \`encoding\` if the texts have another one`,
        );
      return whole;
    };
  }
  const decode = createGuessingDecoder();
  const said =
    name === null ? 'does not say its encoding' : `has the unknown encoding ${name.trim().slice(0, 40)}`;
  const decision = 'texts were read as UTF-8, else as windows-1252; send `encoding` if they have another one';
  if (!isDeclaredAscii) {
    note(`The file ${said}: ${decision}`);
    return decode;
  }
  const noteOnce = createNoteOnce(note);
  return (bytes) => {
    if (!isAscii(bytes)) noteOnce(`The file says that its texts are ASCII, which they are not: ${decision}`);
    return decode(bytes);
  };
}

function createNoteOnce(note: (text: string) => void): (text: string) => void {
  const noted = new Set<string>();
  return (text) => {
    if (noted.has(text)) return;
    noted.add(text);
    note(text);
  };
}
