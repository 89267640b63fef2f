import { describe, expect, it } from 'vitest';
import { rebuildGif } from '../../../../src/domain/files/gif.ts';
import { makeGif, subBlocks } from '../../../support/gif.ts';
import { GIF, HTML } from '../../../support/sample-files.ts';

const LIMITS = { maxPixels: 24_000_000, maxFrames: 500, maxTotalPixels: 60_000_000 };
const extension = (label: number, ...parts: Buffer[]) =>
  Buffer.concat([
    Buffer.of(0x21, label),
    ...parts.flatMap((part) => [Buffer.of(part.length), part]),
    Buffer.of(0),
  ]);
const DELAY = extension(0xf9, Buffer.of(0, 10, 0, 0));
const FOREVER = extension(0xff, Buffer.from('NETSCAPE2.0'), Buffer.of(1, 0, 0));
const COMMENT = Buffer.concat([Buffer.of(0x21, 0xfe), subBlocks(HTML)]);
const XMP = Buffer.concat([extension(0xff, Buffer.from('XMP DataXMP')).subarray(0, -1), subBlocks(HTML)]);
const rebuilt = (bytes: Buffer) => {
  const result = rebuildGif(bytes, LIMITS);
  if (!result.ok) throw new Error(result.problem);
  return result.bytes;
};
const problemOf = (bytes: Buffer) => {
  const result = rebuildGif(bytes, LIMITS);
  return result.ok ? null : result.problem;
};
const DAMAGED = 'cannot be read as a picture: the file is damaged or incomplete';

describe('a GIF', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 3],
    [100, 50],
    [1_000, 1_000],
    [5_000, 4_000],
  ])('of %i × %i pixels stays as it is', (width, height) => {
    const gif = makeGif({ width, height });
    expect(rebuilt(gif)).toEqual(gif);
  });

  it('keeps its frames, delays and repetition', () => {
    const frames = [
      { width: 8, height: 8 },
      { left: 2, top: 3, width: 6, height: 5 },
    ];
    const animated = makeGif({ width: 8, height: 8, frames, between: Buffer.concat([FOREVER, DELAY]) });
    expect(rebuilt(animated)).toEqual(animated);
    expect(rebuilt(GIF)).toEqual(GIF);
  });

  it('loses comments, data of programs and what follows its end', () => {
    const plain = makeGif({ width: 8, height: 8, between: DELAY });
    const between = Buffer.concat([COMMENT, XMP, DELAY]);
    const polyglot = Buffer.concat([makeGif({ width: 8, height: 8, between }), HTML]);
    expect(polyglot.includes(HTML)).toBe(true);
    expect(rebuilt(polyglot)).toEqual(plain);
  });

  it('may have 24 million pixels, 500 frames, and 60 million pixels in all frames', () => {
    expect(problemOf(makeGif({ width: 6_000, height: 4_000 }))).toBeNull();
    expect(problemOf(makeGif({ width: 65_535, height: 65_535, frames: [{ width: 1, height: 1 }] }))).toBe(
      'must have at most 24 million pixels, not 65535 × 65535',
    );
    const frames = (count: number) => Array.from({ length: count }, () => ({ width: 1, height: 1 }));
    expect(problemOf(makeGif({ width: 1, height: 1, frames: frames(500) }))).toBeNull();
    expect(problemOf(makeGif({ width: 1, height: 1, frames: frames(501) }))).toBe(
      'must have at most 500 frames',
    );
    const large = Array.from({ length: 4 }, () => ({ width: 4_000, height: 4_000 }));
    expect(problemOf(makeGif({ width: 4_000, height: 4_000, frames: large }))).toBe(
      'must have frames of at most 60 million pixels together',
    );
  });

  it.each([
    ['without a frame', makeGif({ width: 8, height: 8, frames: [] })],
    ['with too few pixels', makeGif({ width: 8, height: 8, frames: [{ width: 8, height: 8, pixels: 63 }] })],
    [
      'with a frame outside the canvas',
      makeGif({ width: 8, height: 8, frames: [{ left: 1, width: 8, height: 8 }] }),
    ],
    ['with a frame without pixels', makeGif({ width: 8, height: 8, frames: [{ width: 0, height: 8 }] })],
    ['with a signature only', Buffer.from('GIF89a')],
    [
      'of another version',
      Buffer.from(makeGif({ width: 8, height: 8 }).map((byte, at) => (at === 4 ? 0x38 : byte))),
    ],
  ])('is refused %s', (_what, bytes) => {
    expect(problemOf(bytes)).toBe(DAMAGED);
  });

  it('is refused when it ends early, wherever', () => {
    const gif = makeGif({ width: 40, height: 40, between: DELAY });
    for (let length = 0; length < gif.length; length += 1)
      expect(problemOf(gif.subarray(0, length))).toBe(DAMAGED);
  });
});
