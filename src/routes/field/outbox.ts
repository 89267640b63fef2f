import { z } from 'zod';
import { idParam, pagingQuery, parseDescendingPage, toListPage } from '../../http/paging.ts';
import { listReply } from '../../http/reply.ts';
import { inWorkspace } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';

export const outboxRoute = defineRoute({
  method: 'get',
  path: '/api/outbox',
  operationId: 'listOutbox',
  summary: 'List undelivered invitations',
  description:
    'Returns the emails that would have been sent if no mail server (`SMTP_URL`) is configured, newest first. Requires edit ' +
    'permission, because the personal links allow answering for the respondents. Emails use the current data of each ' +
    'respondent; those of erased respondents are left out.',
  access: inWorkspace('edit'),
  query: z.strictObject({
    workspace_id: idParam.optional().describe('Default: the current workspace'),
    survey_id: idParam.optional().describe('Only invitations to this survey'),
    email: z.string().trim().min(1).max(254).optional().describe('Recipient address, ignoring case'),
    ...pagingQuery,
    limit: pagingQuery.limit.default(100),
  }),
  reply: listReply(
    z
      .strictObject({
        mail_id: z.int(),
        kept_at: z.iso.datetime(),
        survey_id: z.int(),
        link_id: z.int(),
        invitation_id: z.int(),
        respondent_id: z.int(),
        to: z.strictObject({ name: z.string().nullable(), email: z.string() }),
        subject: z.string(),
        text: z.string(),
        html: z.string(),
        link_url: z.string(),
        unsubscribe_url: z.string(),
      })
      .meta({ id: 'OutboxMessage' }),
  ),
  async handler({ services, scope, query }) {
    const part = parseDescendingPage(query);
    const search = { surveyId: query.survey_id ?? null, email: query.email ?? null };
    const { found, total } = await services.outbox.list(scope, search, part);
    return toListPage(
      found,
      { ...part, total },
      (row) => row.mail_id,
      (email) => {
        const { row, subject, text, html, surveyUrl, unsubscribeUrl } = services.outbox.render(email);
        return {
          mail_id: row.mail_id,
          kept_at: row.settled_at.toISOString(),
          survey_id: row.survey_id,
          link_id: row.link_id,
          invitation_id: row.invitation_id,
          respondent_id: row.respondent_id,
          to: { name: row.respondent_name, email: row.respondent_email },
          subject,
          text,
          html,
          link_url: surveyUrl,
          unsubscribe_url: unsubscribeUrl,
        };
      },
    );
  },
});
