import { quote } from '../../lib/quote.ts';
import {
  contentTypeOf,
  type DetectedType,
  isAllowedByDefault,
  isMatchingExtension,
  REFUSED_EXTENSIONS,
  TEXT_TYPES,
} from './file-formats.ts';
import { extensionOf } from './file-name.ts';

/** `text`: the caller must still check that the bytes are valid text. */
export type FileCheck =
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
