/** GIF89a specification (CompuServe 1990). */
const HEADER_BYTES = 13;
const FRAME_HEADER_BYTES = 10;
const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
/** The application block that says how often the animation repeats. */
const REPETITION = 'NETSCAPE2.0';
const MAX_CODE_BITS = 12;

interface GifLimits {
  /** Of the canvas. */
  maxPixels: number;
  maxFrames: number;
  /** Of all frames together. */
  maxTotalPixels: number;
}

type GifResult = { ok: true; bytes: Buffer } | { ok: false; problem: string };

/** Why a file is refused, in the words of the error message. */
class GifProblem extends Error {}

const damaged = () => new GifProblem('cannot be read as a picture: the file is damaged or incomplete');

/**
 * Writes a GIF again from the blocks that its pixels and its animation need: without comments, texts, data of other programs, and whatever
 * follows its end. Decodes every frame as far as counting its pixels, so that a file within the limits stays within them in every viewer.
 */
export function rebuildGif(bytes: Buffer, limits: GifLimits): GifResult {
  try {
    return { ok: true, bytes: Buffer.concat([...essentialBlocks(bytes, limits)]) };
  } catch (error) {
    if (error instanceof GifProblem) return { ok: false, problem: error.message };
    // Reading beyond the end.
    if (error instanceof RangeError) return { ok: false, problem: damaged().message };
    throw error;
  }
}

function* essentialBlocks(bytes: Buffer, limits: GifLimits): Generator<Buffer> {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) throw damaged();
  const canvas = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (canvas.width * canvas.height > limits.maxPixels)
    throw new GifProblem(
      `must have at most ${limits.maxPixels / 1_000_000} million pixels, not ${canvas.width} × ${canvas.height}`,
    );
  const globalColors = colorTableBytes(bytes.readUInt8(10));
  let at = HEADER_BYTES + globalColors;
  yield slice(bytes, 0, at);
  let frames = 0;
  let pixels = 0;
  for (;;) {
    const start = at;
    const introducer = bytes.readUInt8(at);
    if (introducer === TRAILER) {
      if (frames === 0) throw damaged();
      yield Buffer.of(TRAILER);
      return;
    }
    if (introducer === EXTENSION) {
      const label = bytes.readUInt8(at + 1);
      at = endOfSubBlocks(bytes, at + 2);
      const isKept =
        (label === GRAPHIC_CONTROL && bytes[start + 2] === 4 && at === start + 8) ||
        (label === APPLICATION &&
          bytes.toString('latin1', start + 3, start + 14) === REPETITION &&
          at === start + 19);
      if (isKept) yield slice(bytes, start, at);
    } else if (introducer === FRAME) {
      const [left, top, width, height] = [1, 3, 5, 7].map((offset) => bytes.readUInt16LE(start + offset)) as [
        number,
        number,
        number,
        number,
      ];
      const localColors = colorTableBytes(bytes.readUInt8(start + 9));
      const isInside = left + width <= canvas.width && top + height <= canvas.height;
      if (!isInside || width * height === 0 || globalColors + localColors === 0) throw damaged();
      frames += 1;
      pixels += width * height;
      if (frames > limits.maxFrames) throw new GifProblem(`must have at most ${limits.maxFrames} frames`);
      if (pixels > limits.maxTotalPixels)
        throw new GifProblem(
          `must have frames of at most ${limits.maxTotalPixels / 1_000_000} million pixels together`,
        );
      const data = start + FRAME_HEADER_BYTES + localColors;
      at = endOfSubBlocks(bytes, data + 1);
      requirePixels(subBlockBytes(bytes, data + 1), bytes.readUInt8(data), width * height);
      yield slice(bytes, start, at);
    } else {
      throw damaged();
    }
  }
}

function slice(bytes: Buffer, start: number, end: number): Buffer {
  if (end > bytes.length) throw damaged();
  return bytes.subarray(start, end);
}

/** The size is in the lowest three bits, the presence in the highest. */
const colorTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Returns the position after the sub-blocks that begin at `at`; an empty one ends them. */
function endOfSubBlocks(bytes: Buffer, at: number): number {
  for (let position = at; ;) {
    const length = bytes.readUInt8(position);
    position += 1 + length;
    if (length === 0) return position;
  }
}

/** Returns the contents of the sub-blocks that begin at `at`. */
function subBlockBytes(bytes: Buffer, at: number): Buffer {
  const parts: Buffer[] = [];
  for (let position = at; bytes.readUInt8(position) > 0; position += 1 + bytes.readUInt8(position))
    parts.push(bytes.subarray(position + 1, position + 1 + bytes.readUInt8(position)));
  return Buffer.concat(parts);
}

/**
 * Throws unless the compressed data (LZW, GIF89a appendix F) are valid codes for at least so many pixels. Only the lengths of the texts in
 * the code table are kept, so that the time depends on the size of the data, not on what they expand to.
 */
function requirePixels(data: Buffer, minimumBits: number, pixels: number): void {
  if (minimumBits < 2 || minimumBits > 8) throw damaged();
  const clear = 1 << minimumBits;
  const lengths = new Uint32Array(1 << MAX_CODE_BITS).fill(1, 0, clear);
  let codeBits = minimumBits + 1;
  let next = clear + 2;
  let previous = -1;
  let count = 0;
  let buffered = 0;
  let bufferedBits = 0;
  let position = 0;
  while (count < pixels) {
    while (bufferedBits < codeBits) {
      buffered |= data.readUInt8(position) << bufferedBits;
      position += 1;
      bufferedBits += 8;
    }
    const code = buffered & ((1 << codeBits) - 1);
    buffered >>>= codeBits;
    bufferedBits -= codeBits;
    if (code === clear) {
      codeBits = minimumBits + 1;
      next = clear + 2;
      previous = -1;
      continue;
    }
    const isKnown = code < clear || (code > clear + 1 && code < next);
    const isNext = code === next && next < lengths.length;
    if (!isKnown && !(isNext && previous >= 0)) throw damaged();
    const added = previous < 0 ? 0 : (lengths[previous] ?? 0) + 1;
    if (previous >= 0 && next < lengths.length) {
      lengths[next] = added;
      next += 1;
      if (next === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits += 1;
    }
    count += lengths[code] ?? 0;
    previous = code;
  }
}
