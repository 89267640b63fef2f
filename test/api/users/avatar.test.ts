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
  looksLike,
  nameOf,
  pngChunk,
  RED,
  thirds,
  withExif,
} from '../../support/pictures.ts';
import { BAD_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { GIF, HTML, JPEG_START, PDF, PNG, SVG, XML_SVG } from '../../support/sample-files.ts';

// Else every request comes to another port, and every address of a picture is another.
const app = useApp({ PUBLIC_URL: 'https://canvass.example' });
const home = useOrganization(app);
const { admin } = home;
let other: Organization;
let member: Actor;
let client: Actor;
let png: Buffer;

beforeAll(async () => {
  other = await newOrganization(app);
  [member, client] = await Promise.all([home.person('member'), home.person('client')]);
  png = await thirds(300, 100, [RED, GREEN, BLUE]).png();
});

const at = (id: number) => `/api/users/${id}/avatar`;
const send = (actor: Actor, content: Buffer, id = actor.userId, filename = 'me.png') =>
  actor.put(at(id)).attach('avatar', content, { filename });
const sendText = (actor: Actor, avatar: unknown) => actor.put(at(actor.userId), { avatar });
const dataUrl = (content: Buffer, type = 'image/png') => `data:${type};base64,${content.toString('base64')}`;
const pictureOf = async (id: number, actor: Actor = admin): Promise<Buffer> =>
  (await asBytes(actor.get(at(id))).expect(200)).body as Buffer;

async function storedBytes(userId: number): Promise<number> {
  const result: { rows: { length: number }[] } = await app.database.db.raw(
    'SELECT length(picture) FROM user_avatars WHERE user_id = ?',
    [userId],
  );
  return result.rows[0]?.length ?? 0;
}

describe('a picture', () => {
  it('comes as a file, is cut to its middle and shown at the address that the user has', async () => {
    const { data } = (await send(client, png).expect(200)).body;
    expect(data.user_id).toBe(client.userId);
    const url = new URL(data.avatar_url);
    expect(url.pathname).toBe(at(client.userId));
    const reply = await asBytes(client.get(url.pathname + url.search)).expect(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': expect.stringMatching(/^inline; filename="user-\d+\.webp"/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400',
      'content-length': String((reply.body as Buffer).length),
    });
    const seen = await looksLike(reply.body as Buffer);
    expect([seen.width, seen.height, seen.format]).toEqual([256, 256, 'webp']);
    // A square of 100 out of the middle of 300 is the middle third.
    expect([seen.at(0.1, 0.5), seen.at(0.5, 0.5), seen.at(0.9, 0.5)].map(nameOf)).toEqual([
      'green',
      'green',
      'green',
    ]);
    expect((await client.get('/api/users/me')).body.data.avatar_url).toBe(data.avatar_url);
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['PNG', () => thirds(90, 120, [RED, GREEN, BLUE]).png()],
    ['JPEG', () => thirds(90, 120, [RED, GREEN, BLUE]).jpeg(90)],
    ['WebP', () => thirds(90, 120, [RED, GREEN, BLUE]).webp(90)],
  ])('may be a %s, as a file or as a data URL', async (kind, make) => {
    const content = await make();
    for (const reply of [
      await send(member, content, member.userId, 'whatever.txt'),
      await sendText(member, dataUrl(content, `image/${kind.toLowerCase()}`)),
    ]) {
      expect(reply.status, reply.text).toBe(200);
      const seen = await looksLike(await pictureOf(member.userId));
      expect([seen.at(0.1, 0.5), seen.at(0.5, 0.5), seen.at(0.9, 0.5)].map(nameOf)).toEqual([
        'red',
        'green',
        'blue',
      ]);
    }
  });

  it('has another address when it is another picture, and the same one when it is not', async () => {
    const url = async (content: Buffer) =>
      (await send(member, content).expect(200)).body.data.avatar_url as string;
    const [first, second] = [await url(png), await url(PNG)];
    expect(second).not.toBe(first);
    expect(await url(png)).toBe(first);
    const old = await member.get(at(member.userId) + new URL(second).search).expect(200);
    expect(old.headers['cache-control']).toBe('private, no-cache');
  });

  // What a camera held sideways or upside down writes, and where the left of the picture then is.
  test.each([
    [1, 'red', 'blue', 'left to right'],
    [3, 'blue', 'red', 'left to right'],
    [6, 'red', 'blue', 'top to bottom'],
    [8, 'blue', 'red', 'top to bottom'],
  ])('is turned upright by orientation %i', async (orientation, first, last, direction) => {
    const jpeg = await thirds(120, 120, [RED, GREEN, BLUE]).jpeg(90);
    await send(member, withExif(jpeg, orientation, 'Camera')).expect(200);
    const { at: colour } = await looksLike(await pictureOf(member.userId));
    const ends =
      direction === 'left to right'
        ? [colour(0.05, 0.5), colour(0.95, 0.5)]
        : [colour(0.5, 0.05), colour(0.5, 0.95)];
    expect(ends.map(nameOf)).toEqual([first, last]);
  });

  it('tells nothing of where and with what it was taken, nor what else its file hid', async () => {
    const jpeg = withExif(await thirds(60, 60, [RED, GREEN, BLUE]).jpeg(90), 1, 'SECRETCAMERA');
    expect((await looksLike(jpeg)).format).toBe('jpeg');
    await send(member, Buffer.concat([jpeg, Buffer.from('<script>SECRETTAIL</script>')])).expect(200);
    const fromJpeg = await pictureOf(member.userId);
    const comment = pngChunk('tEXt', Buffer.from('Comment\0SECRETCOMMENT'));
    await send(
      member,
      Buffer.concat([greyPng(50, 50, [comment]), Buffer.from('PK\x03\x04SECRETZIP')]),
    ).expect(200);
    const fromPng = await pictureOf(member.userId);
    for (const picture of [fromJpeg, fromPng]) {
      const text = picture.toString('latin1');
      expect(text.slice(0, 4) + text.slice(8, 12)).toBe('RIFFWEBP');
      expect(text).not.toMatch(/SECRET|Exif|EXIF|XMP |ICCP|GPS|script/);
      expect(picture.length).toBe(picture.readUInt32LE(4) + 8);
    }
  });

  it('is made small, however detailed', async () => {
    const noise = Buffer.alloc(600 * 600 * 4);
    for (let i = 0; i < noise.length; i += 1) noise[i] = (i * 7919) % 251;
    await send(member, await Transformer.fromRgbaPixels(noise, 600, 600).png()).expect(200);
    expect(await storedBytes(member.userId)).toBeLessThan(150_000);
  });
});

describe('what is no picture', () => {
  const POLYGLOTS: [string, Buffer][] = [
    ['an SVG named .png', SVG],
    ['an SVG with an XML head', XML_SVG],
    ['HTML', HTML],
    ['a GIF', GIF],
    ['a PDF', PDF],
    ['the first bytes of a PNG, and then a script', Buffer.concat([PNG.subarray(0, 8), HTML])],
    ['a JPEG that ends after its head', JPEG_START],
    ['a PNG cut in half', PNG.subarray(0, 45)],
    ['a BMP', Buffer.from(`BM${'\0'.repeat(60)}`, 'latin1')],
    ['nothing', Buffer.alloc(0)],
    ['random bytes', Buffer.from('8f3a0b77c2', 'hex')],
  ];
  test.each(POLYGLOTS)('is refused: %s', async (_, content) => {
    await send(client, png).expect(200);
    const before = await pictureOf(client.userId);
    await expectInvalidField(send(client, content), 'avatar');
    await expectInvalidField(sendText(client, dataUrl(content)), 'avatar');
    expect((await pictureOf(client.userId)).equals(before)).toBe(true);
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
  ])('is refused as text: %j', (avatar) => expectInvalidField(sendText(client, avatar), 'avatar'));

  it('is a picture that unpacks into too much, and it is not unpacked to find out', async () => {
    const bomb = greyPng(5_000, 5_000);
    expect(bomb.length).toBeLessThan(50_000);
    const body = await expectRefused(send(client, bomb), 400);
    expect(body.message).toContain('5000 × 5000');
    const claims = greyPng(1, 1);
    claims.writeUInt32BE(2 ** 31 - 1, 16);
    await expectInvalidField(send(client, claims), 'avatar');
  });

  it('is a colour profile that unpacks into too much: the picture is taken, its profile is not', async () => {
    const megabyte = Buffer.alloc(1024 * 1024);
    const packed = await buffer(Readable.from(Array<Buffer>(400).fill(megabyte)).pipe(createDeflate()));
    const laden = greyPng(60, 60, [pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), packed]))]);
    const mostTakenMegabytes = () => process.resourceUsage().maxRSS / 1024;
    const before = mostTakenMegabytes();
    await send(client, laden).expect(200);
    expect(mostTakenMegabytes() - before).toBeLessThan(200);
  });

  it('is a thread rather than a picture', async () => {
    await expectInvalidField(send(client, greyPng(20_000, 1)), 'avatar');
    await send(client, greyPng(200, 10)).expect(200);
  });

  it('is larger than 5 MB, either way', async () => {
    const large = Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]);
    await expectRefused(send(client, large), 413, 'too_large');
    await expectRefused(sendText(client, dataUrl(large)), 413, 'too_large');
    await expectRefused(sendText(client, dataUrl(Buffer.alloc(6 * 1024 * 1024))), 413, 'too_large');
    await send(client, Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024 - png.length)])).expect(200);
    await sendText(client, dataUrl(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024 - png.length)]))).expect(
      200,
    );
  });

  it('is in another field, or beside others', async () => {
    await expectInvalidField(
      client.put(at(client.userId)).attach('file', png, { filename: 'x.png' }),
      'file',
    );
    await expectInvalidField(
      client.put(at(client.userId)).field('user_id', '1').attach('avatar', png, { filename: 'x.png' }),
      'user_id',
    );
    await expectInvalidField(
      client.put(at(client.userId)).field('avatar', dataUrl(png).slice(0, 100)),
      'avatar',
    );
    await expectInvalidField(client.put(at(client.userId), { avatar: dataUrl(PNG), user_id: 1 }), 'user_id');
    await expectRefused(send(client, PNG, client.userId, 'nul\0.png'), 400);
  });

  it('is of another content type', async () => {
    const sent = (type: string) => client.put(at(client.userId)).set('Content-Type', type).send('x=1');
    await expectRefused(sent('application/x-www-form-urlencoded'), 415);
    await expectRefused(sent('image/png'), 415);
    await expectRefused(sent('multipart/form-data'), 415);
    await expectRefused(sent('multipart/form-data; boundary=x'), 400);
  });
});

describe('whose picture', () => {
  it('is set by oneself and by admins', async () => {
    const person = await home.person('client');
    await send(admin, png, person.userId).expect(200);
    for (const actor of [member, client]) {
      await expectRefused(send(actor, png, person.userId), 403);
      await expectRefused(actor.delete(at(person.userId)), 403);
    }
    await expectRefused(other.admin.delete(at(person.userId)), 404);
    await expectRefused(send(other.admin, png, person.userId), 404);
    await person.delete(at(person.userId)).expect(204);
    expect((await person.get('/api/users/me')).body.data.avatar_url).toBeNull();
    await expectRefused(person.get(at(person.userId)), 404);
    await person.delete(at(person.userId)).expect(204);
    const { rows } = await app.database.db.raw<{ rows: { action: string }[] }>(
      `SELECT action FROM audit_log WHERE object_type = 'user' AND object_id = ? ORDER BY audit_id`,
      [String(person.userId)],
    );
    expect(rows.map(({ action }) => action)).toEqual(['user.avatar_set', 'user.avatar_removed']);
  });

  it('is seen by oneself and by every admin and member, not by other clients, not by other organizations', async () => {
    const person = await home.person('member');
    await send(person, png).expect(200);
    await pictureOf(person.userId, person);
    await pictureOf(person.userId, member);
    await expectRefused(client.get(at(person.userId)), 403);
    await expectRefused(client.get(at(MISSING_ID)), 403);
    const foreign = await expectRefused(other.admin.get(at(person.userId)), 404);
    expect(foreign.message).toBe((await expectRefused(other.admin.get(at(MISSING_ID)), 404)).message);
    await expectRefused(supertest(app.app).get(at(person.userId)), 401);
    await admin.delete(`/api/users/${person.userId}`).expect(204);
    await expectRefused(member.get(at(person.userId)), 404);
    const [gone] = (await admin.get('/api/users?user_status=0').expect(200)).body.data;
    expect(gone.avatar_url).toBeNull();
  });

  it('is looked at in a page, by the cookie alone', async () => {
    await send(member, png).expect(200);
    const { cookie } = await signIn(app, member);
    await supertest(app.app).get(at(member.userId)).set('Cookie', cookie).expect(200);
    // Another site's form has no way to set one.
    const forged = supertest(app.app)
      .put(at(member.userId))
      .set('Cookie', cookie)
      .set('Origin', 'https://evil.example');
    await expectRefused(forged.attach('avatar', png, { filename: 'x.png' }), 403);
  });

  it.each(BAD_IDS)('has no id such as %s', async (id) => {
    await expectRefused(admin.get(`/api/users/${id}/avatar`), 400);
  });

  it('is one of several sent at once, whole', async () => {
    const pictures = await Promise.all([RED, GREEN, BLUE].map((c) => thirds(60, 60, [c, c, c]).png()));
    await Promise.all(pictures.map((picture) => send(member, picture).expect(200)));
    const { data } = (await member.get('/api/users/me')).body;
    const reply = await member.get(at(member.userId) + new URL(data.avatar_url).search).expect(200);
    expect(reply.headers['cache-control']).toBe('private, max-age=86400');
  });
});
