/** Makes GIF files of one color, which compress best: the most pixels for the fewest bytes. */
interface GifFrame {
  left?: number;
  top?: number;
  width: number;
  height: number;
  /** Pixels that the data have; default: those of the frame. */
  pixels?: number;
}

const MINIMUM_BITS = 2;
const CLEAR = 1 << MINIMUM_BITS;

const word = (value: number): number[] => [value & 0xff, value >> 8];

export function subBlocks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.of(part.length), part);
  }
  return Buffer.concat([...parts, Buffer.of(0)]);
}

/** LZW codes of equal pixels: each code stands for one pixel more than the one before. */
function compressEqualPixels(pixels: number): Buffer {
  const bytes: number[] = [];
  let buffered = 0;
  let bits = 0;
  const put = (code: number, size: number) => {
    buffered |= code << bits;
    for (bits += size; bits >= 8; bits -= 8) {
      bytes.push(buffered & 0xff);
      buffered >>>= 8;
    }
  };
  let left = pixels;
  let size = MINIMUM_BITS + 1;
  let next = CLEAR + 2;
  let length = 0;
  put(CLEAR, size);
  while (left > 0) {
    if (next === 4096) {
      put(CLEAR, size);
      [size, next, length] = [MINIMUM_BITS + 1, CLEAR + 2, 0];
    }
    length = Math.min(length + 1, left);
    put(length === 1 ? 0 : CLEAR + length, size);
    left -= length;
    // The first code after a clear adds no entry.
    if (length > 1) next += 1;
    if (next === 1 << size && size < 12) size += 1;
  }
  put(CLEAR + 1, size);
  if (bits > 0) bytes.push(buffered & 0xff);
  return Buffer.from(bytes);
}

/** Returns a GIF; `between`: blocks before each frame. */
export function makeGif({
  width,
  height,
  frames = [{ width, height }],
  between = Buffer.alloc(0),
}: {
  width: number;
  height: number;
  frames?: readonly GifFrame[];
  between?: Buffer;
}): Buffer {
  const header = [
    ...Buffer.from('GIF89a'),
    ...word(width),
    ...word(height),
    0x80,
    0,
    0,
    255,
    0,
    0,
    0,
    0,
    255,
  ];
  const body = frames.flatMap((frame) => [
    between,
    Buffer.from([
      0x2c,
      ...word(frame.left ?? 0),
      ...word(frame.top ?? 0),
      ...word(frame.width),
      ...word(frame.height),
      0,
      MINIMUM_BITS,
    ]),
    subBlocks(compressEqualPixels(frame.pixels ?? frame.width * frame.height)),
  ]);
  return Buffer.concat([Buffer.from(header), ...body, Buffer.of(0x3b)]);
}
