import { Transformer } from '@napi-rs/image';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type PictureKind, readPictureSize } from '../../../../src/domain/files/pictures.ts';
import { GREEN, greyPng, RED, stripedPicture, withExif } from '../../../support/pictures.ts';

const KINDS: PictureKind[] = ['png', 'jpeg', 'webp'];
const picture = () => stripedPicture(61, 37, [RED, GREEN, RED]);
const riff = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), ...chunks]);
const chunk = (name: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};
const lossless = (width: number, height: number) => {
  const content = Buffer.alloc(5);
  content[0] = 0x2f;
  content.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 1);
  return content;
};
const canvas = (width: number, height: number) => {
  const content = Buffer.alloc(10);
  content.writeUIntLE(width - 1, 4, 3);
  content.writeUIntLE(height - 1, 7, 3);
  return content;
};

describe('the declared size of a picture', () => {
  test.each<[string, PictureKind, () => Promise<Buffer>]>([
    ['PNG', 'png', () => picture().png()],
    ['JPEG', 'jpeg', () => picture().jpeg(80)],
    [
      'JPEG with EXIF data before its header',
      'jpeg',
      async () => withExif(await picture().jpeg(80), 6, 'Camera'),
    ],
    ['WebP', 'webp', () => picture().webp(80)],
    ['WebP without loss', 'webp', () => picture().webpLossless()],
  ])('is read from a %s', async (_, kind, make) => {
    expect(readPictureSize(kind, await make())).toEqual({ width: 61, height: 37 });
  });

  it('is found in headers alone, even in a truncated file', () => {
    expect(readPictureSize('png', greyPng(1, 1).subarray(0, 24))).toEqual({ width: 1, height: 1 });
    expect(readPictureSize('webp', riff(chunk('VP8L', lossless(16_384, 16_383))))).toEqual({
      width: 16_384,
      height: 16_383,
    });
  });

  it('is the largest if headers contradict each other', async () => {
    const hidden = riff(chunk('VP8X', canvas(10, 10)), chunk('VP8L', lossless(16_000, 5)));
    expect(readPictureSize('webp', hidden)).toEqual({ width: 16_000, height: 10 });
    const frame = Buffer.concat([canvas(1, 1).subarray(0, 6), canvas(700, 600).subarray(4), Buffer.alloc(4)]);
    const animated = riff(
      chunk('VP8X', canvas(10, 10)),
      chunk('ANMF', Buffer.concat([frame, chunk('VP8L', lossless(800, 5))])),
    );
    expect(readPictureSize('webp', animated)).toEqual({ width: 800, height: 600 });

    const jpeg = await picture().jpeg(80);
    const second = Buffer.from('ffc0000b0861a8753001011100', 'hex');
    expect(readPictureSize('jpeg', Buffer.concat([jpeg.subarray(0, 2), second, jpeg.subarray(2)]))).toEqual({
      width: 30_000,
      height: 25_000,
    });
  });

  it('is null if no header states it', () => {
    for (const kind of KINDS) {
      expect(readPictureSize(kind, Buffer.alloc(0))).toBeNull();
      expect(readPictureSize(kind, Buffer.alloc(100))).toBeNull();
    }
    expect(readPictureSize('png', greyPng(0, 5))).toBeNull();
    expect(readPictureSize('webp', riff(chunk('VP8X', Buffer.alloc(3))))).toBeNull();
  });

  it('never fails, for any bytes', () => {
    const any = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), any, (kind, bytes) => {
        const size = readPictureSize(kind, Buffer.from(bytes));
        expect(size === null || (size.width > 0 && size.height > 0)).toBe(true);
      }),
    );
  });

  it('agrees with the decoder', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 70 }),
        async (width, height) => {
          const one = () => Transformer.fromRgbaPixels(Buffer.alloc(width * height * 4, 9), width, height);
          const files = { png: await one().png(), jpeg: await one().jpeg(), webp: await one().webp() };
          for (const kind of KINDS) expect(readPictureSize(kind, files[kind])).toEqual({ width, height });
        },
      ),
      { numRuns: 20 },
    );
  });
});
