import { deflateSync } from 'node:zlib';
import { Transformer } from '@napi-rs/image';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keepEssentialChunks } from '../../../../src/domain/files/pictures.ts';
import { GREEN, greyPng, pngChunk, RED, stripedPicture } from '../../../support/pictures.ts';

const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(1_000))]));
const comment = pngChunk('tEXt', Buffer.from('Comment\0hidden'));

it('removes metadata and keeps the pixels', async () => {
  const png = await stripedPicture(20, 10, [RED, GREEN, RED]).png();
  const laden = Buffer.concat([png.subarray(0, 33), profile, comment, png.subarray(33), Buffer.from('tail')]);
  const bare = keepEssentialChunks(laden);
  expect(bare.equals(keepEssentialChunks(png))).toBe(true);
  expect((await new Transformer(bare).rawPixels()).equals(await new Transformer(png).rawPixels())).toBe(true);
});

it('keeps palette and transparency', () => {
  const more = [pngChunk('PLTE', Buffer.alloc(3)), pngChunk('tRNS', Buffer.alloc(1))];
  const png = greyPng(3, 3, more);
  expect(keepEssentialChunks(greyPng(3, 3, [profile, ...more, comment])).equals(png)).toBe(true);
});

it('drops the last chunk of a truncated file', () => {
  const png = greyPng(3, 3);
  const withoutEnd = png.subarray(0, png.length - 12);
  for (let cut = 1; cut <= 12; cut += 1)
    expect(keepEssentialChunks(png.subarray(0, png.length - cut)).equals(withoutEnd)).toBe(true);
});

it('never fails and never returns more than its input, for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(keepEssentialChunks(Buffer.from(bytes)).length).toBeLessThanOrEqual(bytes.length);
    }),
  );
});
