import { crc32, deflateSync } from 'node:zlib';
import { Transformer } from '@napi-rs/image';
import { randomNumbers } from '../../src/lib/seeded-random.ts';

type Color = readonly [red: number, green: number, blue: number];
export const RED: Color = [220, 30, 30];
export const BLUE: Color = [30, 30, 220];
export const GREEN: Color = [30, 180, 30];

/** A picture with these colors in its left, middle and right thirds. */
export function stripedPicture(
  width: number,
  height: number,
  colors: readonly [Color, Color, Color],
): Transformer {
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (let at = 0; at < width * height; at += 1) {
    const third = Math.floor(((at % width) * 3) / width);
    colors[third]!.forEach((value, channel) => (pixels[at * 4 + channel] = value));
  }
  return Transformer.fromRgbaPixels(pixels, width, height);
}

/** A picture whose file is about as large as its pixels: every pixel has another color. */
export function noisePicture(width: number, height: number): Transformer {
  const pixels = Buffer.alloc(width * height * 4, 255);
  const random = randomNumbers(width * height);
  for (let at = 0; at < pixels.length; at += 1) if (at % 4 !== 3) pixels[at] = Math.floor(random() * 256);
  return Transformer.fromRgbaPixels(pixels, width, height);
}

/** The color at a place of a picture, places counted from 0 to 1; and how large the picture is. */
export async function readPicture(picture: Buffer): Promise<{
  width: number;
  height: number;
  format: string;
  at: (x: number, y: number) => number[];
}> {
  const { width, height, format } = await new Transformer(picture).metadata();
  const pixels = await new Transformer(picture).rawPixels();
  const channels = pixels.length / (width * height);
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * (height - 1)) * width + Math.floor(x * (width - 1))) * channels;
    return [...pixels.subarray(start, start + 3)];
  };
  return { width, height, format, at };
}

/** Nearest of the colors above: pictures that lose a little are the same picture. */
export function nearestColor(seen: readonly number[]): 'red' | 'blue' | 'green' {
  const distance = (color: Color) => color.reduce((sum, value, i) => sum + Math.abs(value - seen[i]!), 0);
  const known = [
    ['red', distance(RED)],
    ['blue', distance(BLUE)],
    ['green', distance(GREEN)],
  ] as const;
  return known.reduce((best, one) => (one[1] < best[1] ? one : best))[0];
}

/** A JPEG with EXIF data: which way is up (1 to 8), where it was taken, and with what. */
export function withExif(jpeg: Buffer, orientation: number, camera: string): Buffer {
  const make = Buffer.from(`${camera}\0`);
  const tiff = Buffer.alloc(8 + 2 + 3 * 12 + 4);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(3, 8);
  const makeAt = tiff.length;
  const gpsAt = makeAt + make.length;
  entry(tiff, 10, 0x010f, 2, make.length, makeAt);
  entry(tiff, 22, 0x0112, 3, 1, orientation << 16);
  entry(tiff, 34, 0x8825, 4, 1, gpsAt);
  // 52° 31' N
  const gps = Buffer.alloc(2 + 2 * 12 + 4 + 24);
  gps.writeUInt16BE(2, 0);
  entry(gps, 2, 0x0001, 2, 2, 0x4e000000);
  entry(gps, 14, 0x0002, 5, 3, gpsAt + 30);
  [52, 1, 31, 1, 0, 1].forEach((value, index) => gps.writeUInt32BE(value, 30 + index * 4));
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, make, gps]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

function entry(into: Buffer, at: number, tag: number, type: number, count: number, value: number): void {
  into.writeUInt16BE(tag, at);
  into.writeUInt16BE(type, at + 2);
  into.writeUInt32BE(count, at + 4);
  into.writeUInt32BE(value >>> 0, at + 8);
}

/** A grey PNG with the declared number of uncompressed bytes; the file itself stays small. */
export function greyPng(width: number, height: number, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...more,
    pngChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
