/** The largest image that the API stores. */
const MAX_BYTES = 2 * 1024 * 1024;
/** A photograph becomes larger when the server compresses it again with its quality. */
const TARGET_BYTES = 1.2 * 1024 * 1024;
/** Longest sides in pixels, tried in order. The widest screen of a respondent shows about the first. */
const SIDES = [2560, 1920, 1440, 1080, 800];
const QUALITY = 0.85;
/** The headers that tell of animations are within so many bytes. */
const HEADER_BYTES = 4096;

type Fitting =
  | { ok: true; file: File }
  /** `megabytes`: size of the file with one decimal. */
  | { ok: false; reason: 'animated' | 'unreadable'; megabytes: string };

/**
 * Returns an image that the API accepts: the file itself, or a smaller copy if it is too large. Animations are not copied, because a copy has
 * only their first picture.
 */
export async function fitImage(file: File): Promise<Fitting> {
  if (file.size <= MAX_BYTES) return { ok: true, file };
  const megabytes = (file.size / 1024 / 1024).toFixed(1);
  if (await isAnimated(file)) return { ok: false, reason: 'animated', megabytes };
  const image = await createImageBitmap(file).catch(() => null);
  if (image === null) return { ok: false, reason: 'unreadable', megabytes };
  try {
    // WebP keeps transparency. Browsers that cannot write it return PNG.
    const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp';
    for (const side of SIDES) {
      const copy = await drawImage(image, side, type);
      if (copy !== null && copy.size <= TARGET_BYTES)
        return { ok: true, file: new File([copy], nameFor(file.name, copy.type), { type: copy.type }) };
    }
    return { ok: false, reason: 'unreadable', megabytes };
  } finally {
    image.close();
  }
}

/** Draws the image with its longest side at most this long. null: the browser cannot draw it. */
function drawImage(image: ImageBitmap, side: number, type: string): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}

const nameFor = (name: string, type: string): string =>
  `${name.replace(/\.[^.]*$/, '')}.${type.replace('image/', '').replace('jpeg', 'jpg')}`;

/** Whether a file is a GIF, or a WebP or PNG file with several pictures. */
async function isAnimated(file: File): Promise<boolean> {
  const header = new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const text = Array.from(header, (byte) => String.fromCharCode(byte)).join('');
  if (text.startsWith('GIF8')) return true;
  if (text.startsWith('RIFF') && text.startsWith('WEBPVP8X', 8)) return ((header[20] ?? 0) & 2) !== 0;
  return text.startsWith('\x89PNG') && text.includes('acTL');
}
