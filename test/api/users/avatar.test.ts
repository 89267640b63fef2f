import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate } from 'node:zlib';
import { Transformer } from '@napi-rs/image';
import supertest from 'supertest';
import { beforeAll, describe, expect, it, test } from 'vitest';
import {
  type Actor,
  newOrganization,
  type Organization,
  signIn,
  useOrganization,
} from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { asBytes } from '../../support/file-transfer.ts';
import {
  BLUE,
  GREEN,
  greyPng,
  readPicture,
  nearestColor,
  pngChunk,
  RED,
  stripedPicture,
  withExif,
} from '../../support/pictures.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { GIF, HTML, JPEG_START, PDF, PNG, SVG, XML_SVG } from '../../support/sample-files.ts';

// Without a fixed PUBLIC_URL, every request uses another port, so avatar URLs would differ.
const app = useApp({ PUBLIC_URL: 'https://canvass.example' });
const organization = useOrganization(app);
const { admin } = organization;
let other: Organization;
let member: Actor;
let client: Actor;
let png: Buffer;

beforeAll(async () => {
  other = await newOrganization(app);
  [member, client] = await Promise.all([organization.addUser('member'), organization.addUser('client')]);
  png = await stripedPicture(300, 100, [RED, GREEN, BLUE]).png();
});

const avatarPath = (id: number) => `/api/users/${id}/avatar`;
const upload = (actor: Actor, content: Buffer, id = actor.userId, filename = 'me.png') =>
  actor.put(avatarPath(id)).attach('avatar', content, { filename });
const putDataUrl = (actor: Actor, avatar: unknown) => actor.put(avatarPath(actor.userId), { avatar });
const dataUrl = (content: Buffer, type = 'image/png') => `data:${type};base64,${content.toString('base64')}`;
const getAvatar = async (id: number, actor: Actor = admin): Promise<Buffer> =>
  (await asBytes(actor.get(avatarPath(id))).expect(200)).body as Buffer;

async function countStoredBytes(userId: number): Promise<number> {
  const result: { rows: { length: number }[] } = await app.database.db.raw(
    'SELECT length(picture) FROM user_avatars WHERE user_id = ?',
    [userId],
  );
  return result.rows[0]?.length ?? 0;
}

describe('an avatar', () => {
  it('is uploaded as a file, cropped to its center and served at avatar_url', async () => {
    const { data } = (await upload(client, png).expect(200)).body;
    expect(data.user_id).toBe(client.userId);
    const url = new URL(data.avatar_url);
    expect(url.pathname).toBe(avatarPath(client.userId));
    const reply = await asBytes(client.get(url.pathname + url.search)).expect(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': expect.stringMatching(/^inline; filename="user-\d+\.webp"/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400',
      'content-length': String((reply.body as Buffer).length),
    });
    const pixels = await readPicture(reply.body as Buffer);
    expect([pixels.width, pixels.height, pixels.format]).toEqual([256, 256, 'webp']);
    // The central 100 × 100 of 300 × 100 pixels is the green third.
    expect([pixels.at(0.1, 0.5), pixels.at(0.5, 0.5), pixels.at(0.9, 0.5)].map(nearestColor)).toEqual([
      'green',
      'green',
      'green',
    ]);
    expect((await client.get('/api/users/me')).body.data.avatar_url).toBe(data.avatar_url);
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['PNG', () => stripedPicture(90, 120, [RED, GREEN, BLUE]).png()],
    ['JPEG', () => stripedPicture(90, 120, [RED, GREEN, BLUE]).jpeg(90)],
    ['WebP', () => stripedPicture(90, 120, [RED, GREEN, BLUE]).webp(90)],
  ])('accepts a %s, as a file or as a data URL', async (kind, encode) => {
    const content = await encode();
    for (const reply of [
      await upload(member, content, member.userId, 'avatar.txt'),
      await putDataUrl(member, dataUrl(content, `image/${kind.toLowerCase()}`)),
    ]) {
      expect(reply.status, reply.text).toBe(200);
      const pixels = await readPicture(await getAvatar(member.userId));
      expect([pixels.at(0.1, 0.5), pixels.at(0.5, 0.5), pixels.at(0.9, 0.5)].map(nearestColor)).toEqual([
        'red',
        'green',
        'blue',
      ]);
    }
  });

  it('changes its URL only when the picture changes', async () => {
    const uploadForUrl = async (content: Buffer) =>
      (await upload(member, content).expect(200)).body.data.avatar_url as string;
    const [first, second] = [await uploadForUrl(png), await uploadForUrl(PNG)];
    expect(second).not.toBe(first);
    expect(await uploadForUrl(png)).toBe(first);
    const outdated = await member.get(avatarPath(member.userId) + new URL(second).search).expect(200);
    expect(outdated.headers['cache-control']).toBe('private, no-cache');
  });

  // EXIF orientations of a rotated camera, and the expected colors at both ends after correction.
  test.each([
    [1, 'red', 'blue', 'left to right'],
    [3, 'blue', 'red', 'left to right'],
    [6, 'red', 'blue', 'top to bottom'],
    [8, 'blue', 'red', 'top to bottom'],
  ])('is rotated according to EXIF orientation %i', async (orientation, first, last, direction) => {
    const jpeg = await stripedPicture(120, 120, [RED, GREEN, BLUE]).jpeg(90);
    await upload(member, withExif(jpeg, orientation, 'Camera')).expect(200);
    const { at: color } = await readPicture(await getAvatar(member.userId));
    const ends =
      direction === 'left to right'
        ? [color(0.05, 0.5), color(0.95, 0.5)]
        : [color(0.5, 0.05), color(0.5, 0.95)];
    expect(ends.map(nearestColor)).toEqual([first, last]);
  });

  it('contains no metadata, comments or trailing data of the uploaded file', async () => {
    const jpeg = withExif(await stripedPicture(60, 60, [RED, GREEN, BLUE]).jpeg(90), 1, 'SECRETCAMERA');
    expect((await readPicture(jpeg)).format).toBe('jpeg');
    await upload(member, Buffer.concat([jpeg, Buffer.from('<script>SECRETTAIL</script>')])).expect(200);
    const fromJpeg = await getAvatar(member.userId);
    const comment = pngChunk('tEXt', Buffer.from('Comment\0SECRETCOMMENT'));
    await upload(
      member,
      Buffer.concat([greyPng(50, 50, [comment]), Buffer.from('PK\x03\x04SECRETZIP')]),
    ).expect(200);
    const fromPng = await getAvatar(member.userId);
    for (const picture of [fromJpeg, fromPng]) {
      const text = picture.toString('latin1');
      expect(text.slice(0, 4) + text.slice(8, 12)).toBe('RIFFWEBP');
      expect(text).not.toMatch(/SECRET|Exif|EXIF|XMP |ICCP|GPS|script/);
      expect(picture.length).toBe(picture.readUInt32LE(4) + 8);
    }
  });

  it('is stored in less than 150 kB even for noise', async () => {
    const noise = Buffer.alloc(600 * 600 * 4);
    for (let i = 0; i < noise.length; i += 1) noise[i] = (i * 7919) % 251;
    await upload(member, await Transformer.fromRgbaPixels(noise, 600, 600).png()).expect(200);
    expect(await countStoredBytes(member.userId)).toBeLessThan(150_000);
  });
});

describe('an unusual or invalid picture', () => {
  const INVALID_FILES: [string, Buffer][] = [
    ['an SVG named .png', SVG],
    ['an SVG with an XML declaration', XML_SVG],
    ['HTML', HTML],
    ['a GIF', GIF],
    ['a PDF', PDF],
    ['a PNG signature followed by a script', Buffer.concat([PNG.subarray(0, 8), HTML])],
    ['a JPEG that ends after its header', JPEG_START],
    ['a truncated PNG', PNG.subarray(0, 45)],
    ['a BMP', Buffer.from(`BM${'\0'.repeat(60)}`, 'latin1')],
    ['an empty file', Buffer.alloc(0)],
    ['random bytes', Buffer.from('8f3a0b77c2', 'hex')],
  ];
  test.each(INVALID_FILES)('is rejected: %s', async (_, content) => {
    await upload(client, png).expect(200);
    const before = await getAvatar(client.userId);
    await expectInvalidField(upload(client, content), 'avatar');
    await expectInvalidField(putDataUrl(client, dataUrl(content)), 'avatar');
    expect((await getAvatar(client.userId)).equals(before)).toBe(true);
  });

  test.each([
    ['http://evil.example/me.png'],
    ['data:image/svg+xml;base64,PHN2Zy8+'],
    ['data:text/html;base64,PHN2Zy8+'],
    ['data:image/png,rawtext'],
    ['data:image/png;base64,not base64!'],
    ['data:image/png;base64,'],
    [''],
    [null],
    [42],
    [['data:image/png;base64,AAAA']],
    [{ $ne: 1 }],
    [undefined],
  ])('is rejected as a data URL: %j', (avatar) => expectInvalidField(putDataUrl(client, avatar), 'avatar'));

  it('with too many pixels is rejected without decoding it', async () => {
    const bomb = greyPng(5_000, 5_000);
    expect(bomb.length).toBeLessThan(50_000);
    const body = await expectRefused(upload(client, bomb), 400);
    expect(body.message).toContain('5000 × 5000');
    const oversized = greyPng(1, 1);
    oversized.writeUInt32BE(2 ** 31 - 1, 16);
    await expectInvalidField(upload(client, oversized), 'avatar');
  });

  it('with a color profile of 400 MB is accepted without the profile', async () => {
    const megabyte = Buffer.alloc(1024 * 1024);
    const packed = await buffer(Readable.from(Array<Buffer>(400).fill(megabyte)).pipe(createDeflate()));
    const withLargeProfile = greyPng(60, 60, [
      pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), packed])),
    ]);
    const peakMemoryMegabytes = () => process.resourceUsage().maxRSS / 1024;
    const before = peakMemoryMegabytes();
    await upload(client, withLargeProfile).expect(200);
    expect(peakMemoryMegabytes() - before).toBeLessThan(200);
  });

  it('with an extreme aspect ratio is rejected', async () => {
    await expectInvalidField(upload(client, greyPng(20_000, 1)), 'avatar');
    await upload(client, greyPng(200, 10)).expect(200);
  });

  it('larger than 5 MB is rejected, as a file or as a data URL', async () => {
    const large = Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]);
    await expectRefused(upload(client, large), 413, 'too_large');
    await expectRefused(putDataUrl(client, dataUrl(large)), 413, 'too_large');
    await expectRefused(putDataUrl(client, dataUrl(Buffer.alloc(6 * 1024 * 1024))), 413, 'too_large');
    await upload(client, Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024 - png.length)])).expect(200);
    await putDataUrl(
      client,
      dataUrl(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024 - png.length)])),
    ).expect(200);
  });

  it('in another field or with extra fields is rejected', async () => {
    await expectInvalidField(
      client.put(avatarPath(client.userId)).attach('file', png, { filename: 'x.png' }),
      'file',
    );
    await expectInvalidField(
      client
        .put(avatarPath(client.userId))
        .field('user_id', '1')
        .attach('avatar', png, { filename: 'x.png' }),
      'user_id',
    );
    await expectInvalidField(
      client.put(avatarPath(client.userId)).field('avatar', dataUrl(png).slice(0, 100)),
      'avatar',
    );
    await expectInvalidField(
      client.put(avatarPath(client.userId), { avatar: dataUrl(PNG), user_id: 1 }),
      'user_id',
    );
    await expectRefused(upload(client, PNG, client.userId, 'nul\0.png'), 400);
  });

  it('with another content type is rejected', async () => {
    const putBody = (type: string) =>
      client.put(avatarPath(client.userId)).set('Content-Type', type).send('x=1');
    await expectRefused(putBody('application/x-www-form-urlencoded'), 415);
    await expectRefused(putBody('image/png'), 415);
    await expectRefused(putBody('multipart/form-data'), 415);
    await expectRefused(putBody('multipart/form-data; boundary=x'), 400);
  });
});

describe('access to an avatar', () => {
  it('lets the user and admins set or delete it, with audit entries', async () => {
    const user = await organization.addUser('client');
    await upload(admin, png, user.userId).expect(200);
    for (const actor of [member, client]) {
      await expectRefused(upload(actor, png, user.userId), 403);
      await expectRefused(actor.delete(avatarPath(user.userId)), 403);
    }
    await expectRefused(other.admin.delete(avatarPath(user.userId)), 404);
    await expectRefused(upload(other.admin, png, user.userId), 404);
    await user.delete(avatarPath(user.userId)).expect(204);
    expect((await user.get('/api/users/me')).body.data.avatar_url).toBeNull();
    await expectRefused(user.get(avatarPath(user.userId)), 404);
    await user.delete(avatarPath(user.userId)).expect(204);
    const { rows } = await app.database.db.raw<{ rows: { action: string }[] }>(
      `SELECT action FROM audit_log WHERE object_type = 'user' AND object_id = ? ORDER BY audit_id`,
      [String(user.userId)],
    );
    expect(rows.map(({ action }) => action)).toEqual(['user.avatar_set', 'user.avatar_removed']);
  });

  it('lets the user, admins and members of the organization see it, but no other client', async () => {
    const user = await organization.addUser('member');
    await upload(user, png).expect(200);
    await getAvatar(user.userId, user);
    await getAvatar(user.userId, member);
    await expectRefused(client.get(avatarPath(user.userId)), 403);
    await expectRefused(client.get(avatarPath(MISSING_ID)), 403);
    const foreign = await expectRefused(other.admin.get(avatarPath(user.userId)), 404);
    expect(foreign.message).toBe((await expectRefused(other.admin.get(avatarPath(MISSING_ID)), 404)).message);
    await expectRefused(supertest(app.app).get(avatarPath(user.userId)), 401);
    await admin.delete(`/api/users/${user.userId}`).expect(204);
    await expectRefused(member.get(avatarPath(user.userId)), 404);
    const [deletedUser] = (await admin.get('/api/users?user_status=0').expect(200)).body.data;
    expect(deletedUser.avatar_url).toBeNull();
  });

  it('accepts the session cookie for reading, but not for a cross-site upload', async () => {
    await upload(member, png).expect(200);
    const { cookie } = await signIn(app, member);
    await supertest(app.app).get(avatarPath(member.userId)).set('Cookie', cookie).expect(200);
    // A form of another site cannot set an avatar.
    const crossSiteRequest = supertest(app.app)
      .put(avatarPath(member.userId))
      .set('Cookie', cookie)
      .set('Origin', 'https://evil.example');
    await expectRefused(crossSiteRequest.attach('avatar', png, { filename: 'x.png' }), 403);
  });

  it.each(INVALID_IDS)('returns 400 for the id %s', async (id) => {
    await expectRefused(admin.get(`/api/users/${id}/avatar`), 400);
  });

  it('stores one of several concurrent uploads completely', async () => {
    const pictures = await Promise.all(
      [RED, GREEN, BLUE].map((c) => stripedPicture(60, 60, [c, c, c]).png()),
    );
    await Promise.all(pictures.map((picture) => upload(member, picture).expect(200)));
    const { data } = (await member.get('/api/users/me')).body;
    const reply = await member.get(avatarPath(member.userId) + new URL(data.avatar_url).search).expect(200);
    expect(reply.headers['cache-control']).toBe('private, max-age=86400');
  });
});
