import { Readable } from 'node:stream';
import { z } from 'zod';
import { idParam } from '../../http/paging.ts';
import { multipart, multipartOrJson } from '../../http/multipart.ts';
import { dataReply, emptyReply, fileReply, withReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { onSelfOrAdmin, onSelfOrMember, presentUser, userSchema } from './users.ts';

/** A data URL of 5 MB is a third larger, and both forms have other parts. */
const MAX_BODY_BYTES = 7.5 * 1024 * 1024;

const params = z.strictObject({ id: idParam });

export const avatarRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/users/:id/avatar',
    operationId: 'getUserAvatar',
    summary: "Get a user's picture",
    description:
      'Returns a 256 × 256 WebP image. Users can get their own picture; members and admins those of all users of the ' +
      'organization. The address in `avatar_url` can be cached for a day. 404 if the user has no picture.',
    access: onSelfOrMember,
    params,
    query: z.strictObject({
      v: z
        .string()
        .max(100)
        .optional()
        .describe('Version of the picture, from `avatar_url`; for caching only'),
    }),
    reply: fileReply('image/webp'),
    async handler({ services, scope, query }) {
      const avatar = await services.avatars.get(scope);
      const isThatOne = query.v === avatar.avatar_version;
      const headers = {
        'Cache-Control': isThatOne ? 'private, max-age=86400' : 'private, no-cache',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Content-Length': String(avatar.picture.length),
      };
      const reply = {
        contentType: avatar.content_type,
        filename: `user-${scope.userId}.webp`,
        inline: true,
        chunks: Readable.from([avatar.picture]),
      };
      return withReply(reply, { headers });
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/users/:id/avatar',
    operationId: 'setUserAvatar',
    summary: "Replace a user's picture",
    description:
      'Send multipart/form-data with the file in `avatar`, or JSON with a data URL. PNG, JPEG or WebP (detected from the ' +
      'content), at most 5 MB and 24 megapixels. The image is rotated upright, cropped to a 256 × 256 square and re-encoded, ' +
      'which removes all metadata such as location and camera. The reply has the new `avatar_url`.',
    access: onSelfOrAdmin,
    params,
    body: multipartOrJson(
      multipart('avatar', z.strictObject({})),
      z.strictObject({ avatar: z.string().describe('Data URL of the image: `data:image/png;base64,…`') }),
    ),
    example: {
      avatar:
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    maxBodyBytes: MAX_BODY_BYTES,
    reply: dataReply(userSchema),
    errors: { 413: 'The file is larger than 5 MB' },
    async handler({ services, scope, body, request }) {
      const user = await services.avatars.set(scope, 'chunks' in body ? body.chunks : body.avatar);
      return presentUser(user, request.baseUrl);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/users/:id/avatar',
    operationId: 'deleteUserAvatar',
    summary: "Delete a user's picture",
    description: 'Deletes the picture.',
    access: onSelfOrAdmin,
    params,
    reply: emptyReply,
    handler: ({ services, scope }) => services.avatars.remove(scope),
  }),
];
