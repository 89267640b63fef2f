import { z } from 'zod';
import { ENTRY_MISMATCHES, EXIT_MISMATCHES } from '../../domain/survey/panel-checks.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import { MAX_LISTED_MISMATCHES } from '../../repositories/link-signatures.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';

const params = z.strictObject({ surveyId: idParam, linkId: idParam });
const reason = z
  .enum([...ENTRY_MISMATCHES, ...EXIT_MISMATCHES])
  .describe(
    'Of an entry: missing, invalid, expired, used (the signature has started a response) or no_key. Of an exit: without_entry (the response ' +
      'was not started with a valid signature) or repeated (another response with its external_id has ended)',
  );
const direction = z.enum(['entry', 'exit']);

/** Signing keys of panel links, and entries and exits that do not match. */
export const linkSigningRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/links/:linkId/signing-key',
    operationId: 'createLinkSigningKey',
    summary: 'Create a signing key',
    description:
      'Creates the key with which a panel signs the entries of its members, and with which exits are signed. Replaces an earlier key: ' +
      'its signatures become invalid at once. Only an encrypted copy is stored, so the reply is the only place where the key is ' +
      'shown. From then on every entry through the link is checked, and mismatches are recorded; with `requires_signature` they are refused. 409 ' +
      '`not_a_panel_link`: the link is of another type.',
    access: onSurvey('edit'),
    idempotent: false,
    params,
    query: surveyQuery,
    reply: dataReply(
      z
        .strictObject({
          link_id: z.int(),
          signing_key: z.string().describe('The key; its text in UTF-8 is the key of the HMAC'),
          signing_key_created_at: z.iso.datetime(),
        })
        .meta({
          id: 'LinkSigningKey',
          examples: [
            {
              link_id: 2,
              signing_key: 'cvl_EXAMPLE',
              signing_key_created_at: '2026-09-01T08:00:00.000Z',
            },
          ],
        }),
    ),
    status: 201,
    errors: { 409: 'The link is not of type panel' },
    async handler({ services, scope, params: { linkId } }) {
      const { key, createdAt } = await services.linkSigning.createKey(scope, linkId);
      return { link_id: linkId, signing_key: key, signing_key_created_at: createdAt.toISOString() };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/links/:linkId/signing-key',
    operationId: 'revokeLinkSigningKey',
    summary: 'Revoke a signing key',
    description:
      'Signatures with the key become invalid at once. A link with `requires_signature` then refuses all new respondents until it has a new key.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    reply: emptyReply,
    async handler({ services, scope, params: { linkId } }) {
      await services.linkSigning.revokeKey(scope, linkId);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links/:linkId/mismatches',
    operationId: 'listLinkMismatches',
    summary: 'List mismatches of a link',
    description:
      'Returns the number of entries and exits of panel members that do not match, by reason, and the latest ' +
      `${MAX_LISTED_MISMATCHES} of the last 30 days, newest first. Requires edit permission, because it contains ids of panel members.`,
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    reply: dataReply(
      z
        .strictObject({
          counts: z.array(z.strictObject({ direction, reason, count: z.int() })),
          latest: z.array(
            z.strictObject({
              direction,
              reason,
              external_id: z.string().nullable().describe('As it was sent; null: none was sent'),
              response_id: z.int().nullable().describe('null: the entry was refused'),
              occurred_at: z.iso.datetime().describe('In an anonymous survey the beginning of the day (UTC)'),
            }),
          ),
        })
        .meta({
          id: 'LinkMismatches',
          examples: [
            {
              counts: [{ direction: 'entry', reason: 'used', count: 1 }],
              latest: [
                {
                  direction: 'entry',
                  reason: 'used',
                  external_id: 'm-1041',
                  response_id: null,
                  occurred_at: '2026-09-01T08:00:00.000Z',
                },
              ],
            },
          ],
        }),
    ),
    async handler({ services, scope, params: { linkId } }) {
      const { counts, latest } = await services.linkSigning.listMismatches(scope, linkId);
      return {
        counts: counts.map((row) => ({
          direction: row.direction,
          reason: row.reason,
          count: row.mismatch_count,
        })),
        latest: latest.map((row) => ({
          direction: row.direction,
          reason: row.reason,
          external_id: row.external_id,
          response_id: row.response_id,
          occurred_at: row.occurred_at.toISOString(),
        })),
      };
    },
  }),
];
