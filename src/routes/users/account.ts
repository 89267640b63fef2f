import { z } from 'zod';
import { inHomeOrganization } from '../../domain/access/caller.ts';
import { anyUserInSession } from '../../http/access.ts';
import { idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply, withReply, fileReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { newPassword, passwordField, refuseCommonField } from '../request-fields.ts';
import { onSelfInSession, onSelfOrAdmin, onSelfOrMember, presentUser, userSchema } from './users.ts';
import { Readable } from 'node:stream';
import { multipart, multipartOrJson } from '../../http/multipart.ts';

export const changePasswordRoute = defineRoute({
  method: 'put',
  path: '/api/users/:id/change-password',
  operationId: 'changePassword',
  summary: 'Update your password',
  description:
    'Ends all your other sessions. You stay signed in: with a cookie, the reply sets a new one; with a bearer token, the ' +
    'reply has a new `access_token`. API keys are not revoked. More than `RATE_LIMIT_AUTH` wrong passwords in 15 minutes are 429.',
  access: onSelfInSession,
  params: z.strictObject({ id: idParam }),
  body: z.strictObject({
    current_password: passwordField,
    new_password: newPassword,
    refuse_common_password: refuseCommonField,
    include_token: z
      .boolean()
      .default(false)
      .describe('Return `access_token` also to a caller with a cookie'),
  }),
  example: {
    current_password: 'Harbour-lantern-42',
    new_password: 'Copper-violin-77',
  },
  reply: dataReply(
    z.strictObject({ password_changed: z.literal(true), access_token: z.string().optional() }),
  ),
  async handler({ services, caller, scope, body }) {
    const { token, lifetimeSeconds } = await services.ownSessions.changePassword(scope.by, {
      currentPassword: body.current_password,
      newPassword: body.new_password,
      refuseCommon: body.refuse_common_password,
    });
    const withToken = body.include_token || !caller.viaCookie;
    return withReply(
      { password_changed: true as const, ...(withToken ? { access_token: token } : {}) },
      caller.viaCookie ? { authCookie: { token, maxAgeSeconds: lifetimeSeconds } } : {},
    );
  },
});

const sessionSchema = z
  .strictObject({
    session_id: z.uuid(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .describe('Rounded to the minute; null: not used since the login'),
    expires_at: z.iso.datetime(),
    user_agent: z.string().nullable(),
    address: z.string().nullable().describe('IP address of the login'),
    current: z.boolean().describe('Whether this request uses the session'),
  })
  .meta({ id: 'Session' });

export const sessionRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/sessions',
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Returns the most recently used session first.',
    access: anyUserInSession,
    query: z.strictObject(pagingQuery),
    reply: listReply(sessionSchema),
    async handler({ services, caller, query }) {
      const sessions = (await services.ownSessions.list(caller)).map((row) => ({
        session_id: row.session_id,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
        expires_at: row.expires_at.toISOString(),
        user_agent: row.user_agent,
        address: row.address,
        current: row.session_id === caller.credentialId,
      }));
      return paginateItems(sessions, (session) => session.session_id, query);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/sessions',
    operationId: 'endOtherSessions',
    summary: 'End your other sessions',
    description: 'Ends all your sessions except the one that sends this request.',
    access: anyUserInSession,
    reply: emptyReply,
    handler: ({ services, caller }) => services.ownSessions.endOthers(inHomeOrganization(caller)),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/sessions/:id',
    operationId: 'endSession',
    summary: 'End a session',
    description: 'Later requests in that session get 401. Ending the current session signs you out.',
    access: { ...anyUserInSession, resource: 'session: own' },
    params: z.strictObject({ id: z.uuid('must be the session_id of a session') }),
    reply: emptyReply,
    async handler({ services, caller, params: { id } }) {
      const sessionId = id.toLowerCase();
      await services.ownSessions.end(inHomeOrganization(caller), sessionId);
      return withReply(undefined, sessionId === caller.credentialId ? { authCookie: null } : {});
    },
  }),
];

/** A data URL of 5 MB is a third larger, and both forms have other parts. */
const MAX_AVATAR_BODY_BYTES = 7.5 * 1024 * 1024;

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
      multipart('avatar', z.strictObject({}), { fileName: 'portrait.jpg', fields: {} }),
      z.strictObject({ avatar: z.string().describe('Data URL of the image: `data:image/png;base64,…`') }),
    ),
    example: {
      avatar:
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    maxBodyBytes: MAX_AVATAR_BODY_BYTES,
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
