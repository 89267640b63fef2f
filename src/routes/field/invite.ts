import { z } from 'zod';
import { MAX_ATTRIBUTES } from '../../domain/respondents/attributes.ts';
import { messagesFor, VARIABLE_LIST } from '../../domain/invitations/messages.ts';
import { idNumber, idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, listReply, withReply } from '../../http/reply.ts';
import { notAllowedWith, requiredField, sizeAtMost } from '../../lib/error-messages.ts';
import { jobUrl } from '../../middleware/respond-async.ts';
import { type InviteResult, MAX_AHEAD_DAYS } from '../../services/field/invitations.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace, onSurvey, surveyQuery } from '../guards.ts';
import { deliverySchema } from './invitations.ts';
import { inviteToSurveyReplyExample } from './invite-examples.ts';

const MAX_RECIPIENTS = 10_000;
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_SUBJECT = 200;
const MAX_MESSAGE = 20_000;
const MAX_REMINDERS = 5;

const DEFAULTS = messagesFor('en').messages;

const sendAt = z.iso
  .datetime({ offset: true, error: 'must be a time with its offset such as 2026-03-01T09:30:00Z' })
  .transform((text) => new Date(text))
  .nullish()
  .describe(
    `When the emails are sent, at most ${MAX_AHEAD_DAYS} days ahead; without it, at once. Then it is checked again whether the survey is ` +
      'open and who still gets an email',
  )
  .meta({ override: { type: ['string', 'null'], format: 'date-time' } });
const sentAt = z.iso.datetime().nullable().describe('When the emails will be sent; null: at once');

const subject = z.string().trim().min(1, 'must not be empty').max(MAX_SUBJECT);
const message = z.string().trim().min(1, 'must not be empty').max(MAX_MESSAGE);

const recipient = z.strictObject({
  email: z.string().max(1_000),
  name: z.string().max(1_000).nullish(),
  external_id: z.string().max(1_000).nullish(),
  language: z.string().max(100).nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
});

const bodySchema = z
  .strictObject({
    respondents: z
      .array(recipient)
      .min(1, 'must not be empty')
      .max(MAX_RECIPIENTS)
      .optional()
      .describe(
        `At most ${MAX_RECIPIENTS} recipients. Invalid ones are reported in the reply; the others are invited`,
      ),
    respondent_ids: z
      .array(idNumber)
      .min(1, 'must not be empty')
      .max(MAX_RECIPIENTS)
      .optional()
      .describe('Instead of `respondents`: existing respondents of the workspace'),
    link_id: idNumber.describe('An open or unique link of the survey; its redirects, wave and quota apply'),
    subject: subject
      .optional()
      .describe(
        `One line without URLs. Variables: ${VARIABLE_LIST}. Default: \`${DEFAULTS.default_subject}\`, in the language of the recipient, otherwise of the survey`,
      ),
    message: message
      .optional()
      .describe(
        'Markdown (emphasis, links, headings, lists) with the same variables. An empty line starts a paragraph; URLs become links. {{link}} on a line of its own becomes a ' +
          'button; without {{link}} the button is added at the end. HTML is shown as text. Default: a short invitation with {{survey}} and ' +
          '{{link}} in the language of the recipient, otherwise of the survey (de, en, es, fr, pt or ar; otherwise English)',
      ),
    reminders: z
      .array(
        z.strictObject({
          after_days: z.int().min(1).max(365).describe('Days after the invitation was sent'),
          subject: subject.optional(),
          message: message.optional(),
        }),
      )
      .max(MAX_REMINDERS)
      .default([])
      .describe(
        'Sent to recipients who have not completed the survey; omitted texts are those of the invitation',
      ),
    send_at: sendAt,
    dry_run: z
      .boolean()
      .default(false)
      .describe('Return the same report without storing or sending anything'),
  })
  .superRefine((body, context) => {
    if ((body.respondents === undefined) === (body.respondent_ids === undefined))
      context.addIssue({
        code: 'custom',
        path: ['respondents'],
        message:
          body.respondents === undefined
            ? requiredField('unless respondent_ids is given')
            : notAllowedWith('respondent_ids'),
      });
  });

const reply = z
  .strictObject({
    job_id: z
      .int()
      .nullable()
      .describe('The job that sends the emails, see `GET /api/jobs/:id`; null: nothing is sent now'),
    status_url: z.url().nullable(),
    campaign_id: z.int().nullable(),
    send_at: sentAt,
    delivery: deliverySchema,
    subject: z
      .string()
      .describe(
        'Template before variables are replaced; the default text is shown in the language of the survey',
      ),
    message: z.string().describe('Like `subject`'),
    queued: z.int(),
    suppressed: z.int().describe('Recipients who opted out'),
    duplicates: z.int().describe('Repeated in the list, or already invited through this link'),
    invalid: z.int(),
    rows: z
      .array(
        z.strictObject({
          index: z.int().describe('Position in the request, from 0'),
          email: z.string().nullable(),
          outcome: z.enum(['queued', 'suppressed', 'duplicate', 'invalid']),
          respondent_id: z.int().nullable(),
          invitation_id: z.int().nullable(),
          problems: z.array(z.strictObject({ field: z.string(), message: z.string() })),
        }),
      )
      .describe('One per recipient, in the order of the request'),
    notes: z
      .array(z.string())
      .describe('Variables of the texts that are empty for some of the queued recipients'),
    dry_run: z.boolean(),
  })
  .meta({ id: 'InvitationResult' });

function present({
  inviteResult: { campaignId, jobId, texts, rows, notes },
  sendAt: time,
  delivery,
  dryRun,
  baseUrl,
}: {
  inviteResult: InviteResult;
  sendAt: Date | null;
  delivery: 'smtp' | 'outbox';
  dryRun: boolean;
  baseUrl: string;
}): z.input<typeof reply> {
  const having = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
  return {
    job_id: jobId,
    status_url: jobId === null ? null : jobUrl(baseUrl, jobId),
    campaign_id: campaignId,
    send_at: time?.toISOString() ?? null,
    delivery,
    ...texts,
    queued: having('queued'),
    suppressed: having('suppressed'),
    duplicates: having('duplicate'),
    invalid: having('invalid'),
    rows: rows.map((row) => ({
      index: row.index,
      email: row.email,
      outcome: row.outcome,
      respondent_id: row.respondentId,
      invitation_id: row.invitationId,
      problems: row.problems,
    })),
    notes,
    dry_run: dryRun,
  };
}

const params = z.strictObject({ surveyId: idParam });

const CLOSED =
  '`survey_not_published`, `survey_closed`, `link_paused`, `link_expired`, `wave_ended`: the survey cannot be answered through the link';

export const inviteRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/invite',
    operationId: 'inviteToSurvey',
    summary: 'Invite respondents by email',
    description:
      'Sends each recipient a personal link for one response.\n\n' +
      '- Recipients become respondents of the workspace, matched by email address: given fields are updated, omitted fields kept.\n' +
      '- A job sends the emails, each one once, at a limited rate and up to the daily limit of the organization.\n' +
      '- Not invited: respondents who opted out, repeated addresses, and respondents already invited through this link. Every ' +
      'email has an unsubscribe link.\n' +
      '- Without `subject` or `message` the default text is sent.\n' +
      '- In an anonymous survey responses are not linked to respondents, and no status shows who opened, started or completed it.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    body: bodySchema,
    example: {
      link_id: 1,
      respondents: [
        { email: 'amara@people.example', name: 'Amara', language: 'en', attributes: { region: 'north' } },
        { email: 'jonas@people.example', name: 'Jonas', language: 'de' },
      ],
      subject: 'Three minutes about coffee at work',
      message: 'Hello {{name}},\n\nplease tell us about coffee at work.\n\n{{link}}',
      reminders: [{ after_days: 5, subject: 'A reminder: coffee at work' }],
    },
    maxBodyBytes: MAX_BODY_BYTES,
    reply: dataReply(reply),
    status: 202,
    alternateStatuses: { 200: 'Nothing is sent: dry run, or no recipients remain' },
    errors: { 409: CLOSED },
    replyExample: inviteToSurveyReplyExample,
    async handler({ services, scope, body, request }) {
      const { invitations } = services;
      const invited = await invitations.invite(scope, {
        linkId: body.link_id,
        people:
          body.respondents === undefined
            ? { respondentIds: body.respondent_ids ?? [] }
            : { respondents: body.respondents },
        subject: body.subject ?? '',
        message: body.message ?? '',
        reminders: body.reminders.map((one) => ({
          afterDays: one.after_days,
          subject: one.subject,
          message: one.message,
        })),
        sendAt: body.send_at ?? null,
        dryRun: body.dry_run,
        requestId: request.id,
      });
      const shown = present({
        inviteResult: invited,
        sendAt: body.send_at ?? null,
        delivery: invitations.delivery,
        dryRun: body.dry_run,
        baseUrl: request.baseUrl,
      });
      return withReply(shown, { status: invited.campaignId === null ? 200 : 202 });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/invite/preview',
    operationId: 'previewInvitation',
    summary: 'Preview an invitation',
    description:
      'Returns the email as a recipient gets it, with the values of `recipient`, by default your own name and address. Its link opens the ' +
      'preview of the draft, whose answers do not count, and its unsubscribe link does nothing. With `send` it is also sent to you, never ' +
      'to anyone else.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    body: z.strictObject({
      subject: subject.optional().describe('As in an invitation'),
      message: message.optional().describe('As in an invitation'),
      recipient: z
        .strictObject({
          name: z.string().max(200).nullish(),
          email: z.string().max(254).optional(),
          language: z.string().max(35).nullish(),
          attributes: z
            .record(z.string(), z.union([z.string().max(2_000), z.number(), z.boolean()]))
            .refine((attributes) => Object.keys(attributes).length <= MAX_ATTRIBUTES, {
              error: sizeAtMost(MAX_ATTRIBUTES, 'attribute'),
            })
            .optional(),
        })
        .meta({ id: 'PreviewRecipient' })
        .optional(),
      send: z.boolean().default(false).describe('Send the email to your own address'),
    }),
    example: {
      subject: 'Three minutes about coffee at work',
      message: 'Hello {{name}},\n\nplease tell us about coffee at work.\n\n{{link}}',
      recipient: { name: 'Amara', attributes: { region: 'north' } },
    },
    reply: dataReply(
      z
        .strictObject({
          subject: z.string(),
          text: z.string().describe('The plain-text part'),
          html: z.string().describe('The HTML part, a whole document without scripts'),
          sent_to: z.string().nullable().describe('Your address; null: it was not sent'),
        })
        .meta({
          id: 'InvitationPreview',
          examples: [
            {
              subject: 'Three minutes about coffee at work',
              text: 'Hello Amara,\n\nplease tell us about coffee at work.',
              html: '<!doctype html><p>Hello Amara,</p><p>please tell us about coffee at work.</p>',
              sent_to: null,
            },
          ],
        }),
    ),
    extraRateLimitKey: ({ send }, caller) => (send ? `invitation preview ${caller.userId}` : null),
    idempotent: false,
    errors: {
      409: '`mail_not_configured`: no mail server is configured; `mail_refused`: it rejected the email',
      502: '`mail_server_failed`: the mail server did not accept the email',
    },
    async handler({ services, scope, body }) {
      const { recipient } = body;
      const email = await services.invitationPreviews.preview(scope, {
        subject: body.subject ?? '',
        message: body.message ?? '',
        recipient: {
          name: recipient?.name,
          email: recipient?.email,
          language: recipient?.language ?? null,
          attributes: recipient?.attributes ?? {},
        },
        isSent: body.send,
      });
      return { subject: email.subject, text: email.text, html: email.html, sent_to: email.sentTo };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/invite/:linkId/resend',
    operationId: 'resendInvitations',
    summary: 'Resend invitations',
    description:
      'Sends the invitation again, with the same personal link, to everyone invited through this link whose email was sent and ' +
      'who has neither completed the survey nor opted out. Recipients whose email bounced have to be invited again instead. In an ' +
      'anonymous survey `queued` counts those who completed it too, though they get no email: the number would show who answered.',
    access: onSurvey('edit'),
    params: params.extend({ linkId: idParam }),
    query: surveyQuery,
    body: z.strictObject({
      respondent_ids: z
        .array(idNumber)
        .min(1)
        .max(MAX_RECIPIENTS)
        .optional()
        .describe('Only these respondents'),
      only: z
        .enum(['not_started', 'partial'], { error: 'must be not_started or partial' })
        .optional()
        .describe(
          'Only respondents who have not started, or only those with a partial response (never the case in an anonymous survey)',
        ),
      subject: subject.optional().describe('Default: as in the invitation'),
      message: message.optional(),
      send_at: sendAt,
      dry_run: z.boolean().default(false),
    }),
    example: {
      only: 'not_started',
      subject: 'There is still time: coffee at work',
    },
    reply: dataReply(
      z
        .strictObject({
          job_id: z.int().nullable(),
          status_url: z.url().nullable(),
          campaign_id: z.int().nullable(),
          send_at: sentAt,
          delivery: deliverySchema,
          queued: z.int(),
          dry_run: z.boolean(),
        })
        .meta({
          id: 'ResendResult',
          examples: [
            {
              job_id: 13,
              status_url: 'https://canvass.example.org/api/jobs/13',
              campaign_id: 4,
              send_at: null,
              delivery: 'smtp',
              queued: 9,
              dry_run: false,
            },
          ],
        }),
    ),
    status: 202,
    alternateStatuses: { 200: 'Nothing is sent: dry run, or no recipients remain' },
    errors: { 409: `${CLOSED}; \`nobody_invited\`: no invitations exist for this link` },
    async handler({ services, scope, params: { linkId }, body, request }) {
      const { invitations } = services;
      const { queued, campaignId, jobId } = await invitations.resend(scope, linkId, {
        respondentIds: body.respondent_ids ?? null,
        only: body.only ?? null,
        subject: body.subject,
        message: body.message,
        sendAt: body.send_at ?? null,
        dryRun: body.dry_run,
        requestId: request.id,
      });
      const shown = {
        job_id: jobId,
        status_url: jobId === null ? null : jobUrl(request.baseUrl, jobId),
        campaign_id: campaignId,
        send_at: body.send_at?.toISOString() ?? null,
        delivery: invitations.delivery,
        queued,
        dry_run: body.dry_run,
      };
      return withReply(shown, { status: campaignId === null ? 200 : 202 });
    },
  }),
];

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
    const part = parseIdPage(query);
    const search = { surveyId: query.survey_id ?? null, email: query.email ?? null };
    const { found, total } = await services.outbox.list(scope, search, part);
    return toListPage({
      found,
      limit: part.limit,
      total,
      positionOf: (row) => row.mail_id,
      present: (email) => {
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
    });
  },
});
