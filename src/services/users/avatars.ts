import { createHash } from 'node:crypto';
import { invalid, notFound } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { AvatarRow, UserRow } from '../../repositories/users.ts';
import { collectBytes, pictureTooLarge, reencodePicture } from '../pictures.ts';
import { lockUser, refuseSuperadmin, type UserScope } from './users.ts';

const AVATAR_CONTENT_TYPE = 'image/webp';
const SIDE = 256;
const QUALITY = 85;
/** The long side is scaled together with the short one, so a very elongated picture would become huge. */
const MAX_RATIO = 20;

/** Renders an uploaded picture as an avatar: upright, cropped to a square, and small. */
function renderAvatar(bytes: Buffer): Promise<Buffer> {
  return reencodePicture('avatar', bytes, ({ picture, images, size: { width, height } }) => {
    if (Math.max(width, height) > MAX_RATIO * Math.min(width, height))
      throw invalid('avatar', `is ${width} × ${height} pixels, too elongated for a square avatar`);
    return picture.resize({ width: SIDE, height: SIDE, fit: images.ResizeFit.Cover }).webp(QUALITY);
  });
}

const MAX_AVATAR_BYTES = 5 * 1024 * 1024;
const VERSION_CHARACTERS = 16;

/** For example, `data:image/png;base64,…`. */
const DATA_URL = /^data:image\/(?:png|jpe?g|webp);base64,([A-Za-z0-9+/]*={0,2})$/;

/** The avatars of users. */
export class AvatarService {
  constructor(private readonly store: Store) {}

  async get({ by, userId }: UserScope): Promise<AvatarRow> {
    if ((await this.store.read.users.findById(by.organizationId, userId)) === null) throw notFound('user');
    const row = await this.store.read.users.findAvatar(by.organizationId, userId);
    if (row === null) throw notFound('picture');
    return row;
  }

  /** `sent`: the bytes of a file, or a data URL. */
  async set({ by, userId }: UserScope, sent: AsyncIterable<Buffer> | string): Promise<UserRow> {
    const user = await this.store.read.users.findById(by.organizationId, userId);
    if (user === null) throw notFound('user');
    refuseSuperadmin(by, user);
    const bytes =
      typeof sent === 'string' ? decodeDataUrl(sent) : await collectBytes('avatar', sent, MAX_AVATAR_BYTES);
    const picture = await renderAvatar(bytes);
    const version = createHash('sha256').update(picture).digest('hex').slice(0, VERSION_CHARACTERS);
    return this.store.transaction(async (repositories) => {
      await lockUser(repositories, by, userId);
      await repositories.users.saveAvatar(userId, AVATAR_CONTENT_TYPE, picture);
      await repositories.audit.record({
        by,
        action: 'user.avatar_set',
        objectType: 'user',
        objectId: userId,
      });
      return repositories.users.setAvatarVersion(userId, version);
    });
  }

  /** Has no effect if the user has no avatar. */
  async remove({ by, userId }: UserScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await lockUser(repositories, by, userId);
      if (!(await repositories.users.removeAvatar(userId))) return;
      await repositories.users.setAvatarVersion(userId, null);
      await repositories.audit.record({
        by,
        action: 'user.avatar_removed',
        objectType: 'user',
        objectId: userId,
      });
    });
  }
}

function decodeDataUrl(text: string): Buffer {
  const content = DATA_URL.exec(text)?.[1];
  if (content === undefined) {
    throw invalid('avatar', 'must be a data URL of a PNG, JPEG or WebP picture: data:image/png;base64,…');
  }
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > MAX_AVATAR_BYTES) throw pictureTooLarge('avatar', MAX_AVATAR_BYTES);
  return bytes;
}
