import { quote } from '../../lib/error-messages.ts';
import { trimCharacters } from '../../lib/trim-characters.ts';

/** File systems allow 255 bytes, and archives add a prefix. */
const MAX_NAME_BYTES = 180;
const MAX_EXTENSION_CHARACTERS = 10;

/**
 * Sanitizes a client's file name for storage and download: keeps the last part of a path, removes control and bidirectional characters,
 * replaces characters that file systems reject, and truncates to 180 bytes while keeping the extension. Returns '' if nothing is left.
 */
export function sanitizeFileName(fileName: string): string {
  const letters = fileName
    .slice(-2_000)
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    // Control and format characters: a right-to-left override makes "exe.gpj" of "jpg.exe".
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*]/g, '_');
  const name = trimCharacters(letters, /[\s.]/);
  const extension = extensionOf(name);
  if (extension === '') return truncateBytes(name, MAX_NAME_BYTES);
  const stem = name.slice(0, -extension.length - 1);
  return `${truncateBytes(stem, MAX_NAME_BYTES - extension.length - 1)}.${extension}`;
}

/** Returns the extension in lower case without the dot; '' if there is none. */
export function extensionOf(name: string): string {
  const found = /[^.]\.([A-Za-z0-9]+)$/.exec(name);
  const extension = found?.[1] ?? '';
  return extension.length > MAX_EXTENSION_CHARACTERS ? '' : extension.toLowerCase();
}

function truncateBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}

/** The type of a file, detected from its first bytes. */
interface DetectedType {
  /** The usual extension of the type. */
  ext: string;
  mime: string;
}

/** Text has no signature: these types are identified by their extension, and the content must be valid text. */
const TEXT_TYPES: ReadonlyMap<string, string> = new Map([
  ['txt', 'text/plain; charset=utf-8'],
  ['log', 'text/plain; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['csv', 'text/csv; charset=utf-8'],
  ['tsv', 'text/tab-separated-values; charset=utf-8'],
  ['json', 'application/json'],
  ['srt', 'text/plain; charset=utf-8'],
  ['vtt', 'text/vtt; charset=utf-8'],
  ['ics', 'text/calendar; charset=utf-8'],
  ['vcf', 'text/vcard; charset=utf-8'],
]);

/** Extensions that are never accepted, even if a question allows them, because browsers or operating systems run such files. */
const REFUSED_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'html htm xhtml xht shtml mht mhtml svg svgz xml xsl xslt js mjs cjs css hta php asp aspx jsp swf wasm ' +
    'exe dll com bat cmd ps1 vbs jse wsf msi scr pif cpl lnk reg alias sh app jar class apk deb rpm dmg elf macho xpi crx chm'
  ).split(' '),
);

/** Other extensions in use for a type. */
const ALTERNATIVE_EXTENSIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    jpg: 'jpeg jpe jfif',
    apng: 'png',
    tif: 'tiff',
    heic: 'heif',
    mp4: 'm4v m4a',
    m4v: 'mp4',
    m4a: 'mp4 m4b aac',
    m4b: 'm4a',
    mov: 'qt mp4',
    '3gp': '3gpp mp4',
    mkv: 'mka webm',
    webm: 'weba mkv',
    ogg: 'oga ogv opus spx',
    oga: 'ogg opus',
    ogv: 'ogg',
    ogx: 'ogg ogv oga',
    opus: 'ogg oga',
    spx: 'ogg oga',
    mp1: 'mp3 mpga',
    mp2: 'mp3 mpga',
    mp3: 'mpga',
    wav: 'wave',
    aif: 'aiff',
    asf: 'wmv wma',
    mpg: 'mpeg vob',
    mts: 'm2ts ts',
    gz: 'tgz',
    'tar.gz': 'gz tgz',
    eps: 'ps ai',
    ps: 'eps ai',
    pdf: 'ai',
    // Containers whose first bytes do not always identify the content.
    zip: 'docx xlsx pptx odt ods odp epub kmz pages numbers key',
    cfb: 'doc dot xls xlt ppt pps pot msg vsd',
  }).map(([ext, others]) => [ext, others.split(' ')]),
);

const CONTAINER_TYPES: ReadonlyMap<string, string> = new Map([
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['epub', 'application/epub+zip'],
  ['doc', 'application/msword'],
  ['xls', 'application/vnd.ms-excel'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['msg', 'application/vnd.ms-outlook'],
]);

const DOCUMENTS: ReadonlySet<string> = new Set(
  'pdf rtf docx xlsx pptx odt ods odp doc xls ppt pages numbers key'.split(' '),
);

/** Whether the extension is valid for the detected type. */
function isMatchingExtension(detected: DetectedType, extension: string): boolean {
  return (
    detected.ext === extension || (ALTERNATIVE_EXTENSIONS.get(detected.ext)?.includes(extension) ?? false)
  );
}

/** Returns the media type for sending a file. Office documents are zip or OLE files, distinguishable only by their extension. */
function contentTypeOf(detected: DetectedType, extension: string): string {
  const isContainer = detected.ext === 'zip' || detected.ext === 'cfb';
  return (isContainer ? CONTAINER_TYPES.get(extension) : undefined) ?? detected.mime;
}

/** Whether a question without allowed extensions accepts the file: images, audio, video and office documents. */
function isAllowedByDefault(detected: DetectedType, extension: string): boolean {
  return /^(image|audio|video)\//.test(detected.mime) || DOCUMENTS.has(extension);
}

/** `text`: the caller must still check that the bytes are valid text. */
type FileCheck =
  { ok: true; fileName: string; contentType: string; text: boolean } | { ok: false; message: string };

const rejected = (message: string): FileCheck => ({ ok: false, message });

/**
 * Detects the type of a file from its first bytes and checks whether a question accepts it. `fileName` must be sanitized; a name without
 * an extension gets the usual one. `allowedExtensions`: those of the question; without any, images, audio, video and office documents are
 * accepted.
 */
export function checkFile(
  fileName: string,
  detected: DetectedType | undefined,
  allowedExtensions: readonly string[] | null,
): FileCheck {
  // An empty list counts as no list.
  const allowed = allowedExtensions?.length === 0 ? null : allowedExtensions;
  const givenExtension = extensionOf(fileName);
  if (
    REFUSED_EXTENSIONS.has(givenExtension) ||
    (detected !== undefined && REFUSED_EXTENSIONS.has(detected.ext))
  ) {
    return rejected(`${quote(fileName)} is of a kind that is never accepted: it could be run`);
  }
  const textType = TEXT_TYPES.get(givenExtension);
  if (textType !== undefined) {
    if (allowed?.includes(givenExtension)) return { ok: true, fileName, contentType: textType, text: true };
    return rejected(`${quote(fileName)} is not of an accepted kind; ${allowedTypes(allowed)}`);
  }
  if (detected === undefined) {
    return rejected(`the content of ${quote(fileName)} is of no known kind; ${allowedTypes(allowed)}`);
  }
  const extension = givenExtension === '' ? detected.ext : givenExtension;
  if (!isMatchingExtension(detected, extension)) {
    return rejected(
      `${quote(fileName)} is named .${extension}, but its content is of the kind ${detected.ext}`,
    );
  }
  const takes =
    allowed === null
      ? isAllowedByDefault(detected, extension)
      : allowed.some((one) => one === extension || isSynonym(one, extension));
  if (!takes) return rejected(`${quote(fileName)} is not of an accepted kind; ${allowedTypes(allowed)}`);
  return {
    ok: true,
    fileName: givenExtension === '' ? `${fileName}.${extension}` : fileName,
    contentType: contentTypeOf(detected, extension),
    text: false,
  };
}

const SYNONYMS: readonly ReadonlySet<string>[] = [
  'jpg jpeg jpe jfif',
  'tif tiff',
  'heic heif',
  'mpg mpeg',
  'aif aiff',
  'wav wave',
].map((group) => new Set(group.split(' ')));

const isSynonym = (one: string, other: string): boolean =>
  SYNONYMS.some((group) => group.has(one) && group.has(other));

function allowedTypes(allowed: readonly string[] | null): string {
  if (allowed === null) return 'pictures, sound, film and office documents are accepted';
  return `accepted: ${allowed.join(', ')}`;
}
