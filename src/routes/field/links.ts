import { Readable } from 'node:stream';
import { z } from 'zod';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import { DEFAULT_LINK_NAMES } from '../../domain/survey/status.ts';
import { redirectProblem, respondentTitle, surveySettingsOf } from '../../domain/survey/survey-settings.ts';
import { idNumber, idParam, integerParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, emptyReply, fileReply, listReply, withReply } from '../../http/reply.ts';
import { resolveEnd, surveyTimestamp } from '../../http/timestamp-schemas.ts';
import {
  mutuallyExclusive,
  notAllowedWith,
  onlyPermittedTo,
  requiredField,
} from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import { slugSchema } from '../../lib/slugs.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import type { LinkRow, NewLink } from '../../repositories/links.ts';
import { surveyStatusAt } from '../../domain/survey/survey-settings.ts';
import { defineRoute } from '../define-route.ts';
import { embedCode } from './embed-code.ts';
import { inWorkspace, onSurvey, onSurveyInBody, readOnly, surveyQuery } from '../guards.ts';
import {
  LINK_EXAMPLE,
  canViewLinkUrl,
  linkSchema,
  linkStatus,
  linkType,
  presentLink,
  tokenUrl,
} from '../link-reply.ts';

const MAX_QUOTA = 100_000_000;

const redirect = z
  .string()
  .superRefine((template, context) => {
    const message = redirectProblem(template);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .nullable()
  .optional();

/** Fields of a link that can be set at creation and changed. */
const linkFields = {
  link_name: z.string().trim().min(1).max(200).optional(),
  link_slug: slugSchema
    .min(3)
    .nullish()
    .describe(
      'A readable address, such as `/s/brand-tracker`, beside that of the token, which keeps working. Unique in the installation: a taken one is ' +
        'refused with a free one (409 `slug_taken`). Not for unique links. null: none',
    ),
  link_quota: z
    .int()
    .min(1)
    .max(MAX_QUOTA)
    .nullish()
    .describe(
      'Maximum number of complete responses; null: no limit. A started response reserves a place for 15 minutes after its last activity. A ' +
        'unique link allows one complete response and can be started twice',
    ),
  expires_at: surveyTimestamp
    .nullish()
    .describe(
      'No response can start after this time. A date without a time includes that day in the time zone of the survey',
    ),
  wave_id: idNumber
    .nullish()
    .describe(
      'A wave of the survey: the link is open while that wave is active. null: while any wave is active',
    ),
  redirects: z
    .strictObject({
      complete: redirect,
      screen_out: redirect,
      over_quota: redirect,
      quality: redirect,
      default: redirect,
    })
    .nullish()
    .describe(
      'Where respondents are redirected at the end. `default` applies to outcomes without a redirect, then the redirect_url of the survey. ' +
        '{{external_id}} in a URL is replaced with that of the respondent, {{status}} with the outcome, and {{signed_at}} and {{signature}} ' +
        'with the signature of the exit (empty without a signing key)',
    ),
  requires_signature: z
    .boolean()
    .optional()
    .describe(
      'Only links of type panel: refuses respondents without a valid signature of the panel. Without a signing key, all are refused. Default: false',
    ),
};

const newLinkSchema = z.strictObject({
  link_type: linkType.default('open'),
  ...linkFields,
  link_name: linkFields.link_name.describe('Default: derived from the type, such as "Public link"'),
});

/** Filters of link lists. */
const linkFilters = {
  link_type: linkType.optional().describe('Only links of this type'),
  link_status: linkStatus.optional().describe('Current status'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name, ignoring case, or a whole link_token'),
};

/** `zone`: time zone of the survey. */
function newLink(body: z.output<typeof newLinkSchema>, zone: TimeZone): NewLink {
  return {
    type: body.link_type,
    name: body.link_name ?? DEFAULT_LINK_NAMES[body.link_type],
    slug: body.link_slug ?? null,
    quota: body.link_quota ?? null,
    expiresAt: resolveEnd(body.expires_at ?? null, zone),
    redirects: body.redirects ?? {},
    waveId: body.wave_id ?? null,
    requiresSignature: body.requires_signature ?? false,
  };
}

const MAX_LINKS = 10_000;
const MAX_BODY_BYTES = 10_000_000;

const batchSchema = z.strictObject({
  action: z.enum(['create', 'pause', 'activate', 'delete'], {
    error: 'must be create, pause, activate or delete',
  }),
  survey_id: idNumber,
  link_ids: z
    .array(idNumber)
    .min(1)
    .max(MAX_LINKS)
    .optional()
    .describe('Required by pause, activate and delete'),
  links: z.array(newLinkSchema).min(1).max(MAX_LINKS).optional().describe('create: one object per link'),
  count: z
    .int()
    .min(1)
    .max(MAX_LINKS)
    .optional()
    .describe('create: this many identical links with the fields below'),
  link_type: linkType.optional().describe('With count. Default: unique'),
  ...linkFields,
});

const linkBatchRoute = defineRoute({
  method: 'post',
  path: '/api/surveys/links/batch',
  operationId: 'changeLinks',
  summary: 'Create or update several links',
  description:
    `Changes up to ${MAX_LINKS} links, all or none. \`create\` requires \`links\` or \`count\` and returns the new links in order ` +
    '(201). The other actions require `link_ids`, all of the same survey. 404: the survey does not exist.',
  access: onSurveyInBody('edit'),
  query: surveyQuery,
  body: batchSchema,
  example: {
    action: 'create',
    survey_id: 1,
    count: 3,
    link_type: 'unique',
    link_name: 'Panel invitations',
  },
  maxBodyBytes: MAX_BODY_BYTES,
  reply: dataReply(
    z
      .strictObject({
        action: batchSchema.shape.action,
        count: z.int().describe('Number of links created or changed'),
        links: z.array(linkSchema).optional().describe('create: the links'),
      })
      .meta({
        id: 'LinkBatch',
        examples: [
          {
            action: 'create',
            count: 1,
            links: [{ ...LINK_EXAMPLE, link_type: 'unique', link_name: 'Panel', link_quota: null }],
          },
        ],
      }),
  ),
  status: 201,
  alternateStatuses: { 200: 'Links were updated or deleted' },
  async handler({ services, scope, body, request }) {
    const { action } = body;
    if (action === 'create') {
      const fieldOf = (index: number, field: string) =>
        body.links === undefined ? field : `links[${index}].${field}`;
      const status = await services.surveys.getStatus(scope);
      const created = await services.linkBatches.create(
        scope,
        linksOf(body, await services.surveys.timeZone(scope)),
        fieldOf,
      );
      const now = services.links.now();
      const links = created.map((link) =>
        presentLink(link, status, { scope, baseUrl: request.baseUrl, now }),
      );
      return { action, count: created.length, links };
    }
    refuseBeside(body, ['links', 'count', 'link_type', ...LINK_FIELDS], notAllowedWith(action));
    if (body.link_ids === undefined) throw invalid('link_ids', requiredField(`with ${action}`));
    const count = await services.linkBatches.change(scope, action, body.link_ids);
    return withReply({ action, count }, { status: 200 });
  },
});

type Batch = z.output<typeof batchSchema>;

const LINK_FIELDS = Object.keys(linkFields) as (keyof typeof linkFields)[];

function linksOf(
  { action: _, survey_id: __, link_ids, links, count, ...fields }: Batch,
  zone: TimeZone,
): NewLink[] {
  refuseBeside({ link_ids }, ['link_ids'], notAllowedWith('create'));
  if (links !== undefined && count !== undefined) throw mutuallyExclusive('count', 'links');
  if (links !== undefined) {
    refuseBeside(fields, ['link_type', ...LINK_FIELDS], `${notAllowedWith('links')}; set it in each link`);
    return links.map((link) => newLink(link, zone));
  }
  if (count === undefined) throw invalid('count', requiredField('unless links is given'));
  if (count > 1 && typeof fields.link_slug === 'string') throw invalid('link_slug', notAllowedWith('count'));
  const link = newLink({ ...fields, link_type: fields.link_type ?? 'unique' }, zone);
  return Array.from({ length: count }, () => link);
}

function refuseBeside(body: Partial<Batch>, fields: readonly (keyof Batch)[], message: string): void {
  for (const field of fields) if (body[field] !== undefined) throw invalid(field, message);
}

const linkListRoute = defineRoute({
  method: 'get',
  path: '/api/surveys/links',
  operationId: 'listLinks',
  summary: 'List links of a workspace',
  description:
    'Returns the links of all surveys of the workspace, newest first. `meta.total` is the number of all matches.',
  access: inWorkspace('view'),
  query: z.strictObject({
    workspace_id: idParam.optional().describe('Default: the current workspace'),
    survey_id: idParam.optional().describe('Only links of this survey'),
    ...linkFilters,
    ...pagingQuery,
  }),
  reply: listReply(linkSchema),
  async handler({ services, scope, query, request }) {
    const part = parseIdPage(query);
    const { found, total } = await services.links.list(
      scope,
      {
        surveyId: query.survey_id ?? null,
        type: query.link_type ?? null,
        status: query.link_status ?? null,
        text: query.search ?? null,
      },
      { order: 'newest_first', ...part },
    );
    const now = services.links.now();
    return toListPage({
      found,
      limit: part.limit,
      total,
      positionOf: (link) => link.link_id,
      present: (link) =>
        presentLink(link, surveyStatusAt(link.survey_status, link, now), {
          scope,
          baseUrl: request.baseUrl,
          now,
        }),
    });
  },
});

const params = z.strictObject({ surveyId: idParam });
const linkParams = params.extend({ linkId: idParam });

export const linkRoutes = [
  linkListRoute,
  linkBatchRoute,
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links',
    operationId: 'listSurveyLinks',
    summary: 'List links of a survey',
    description: 'Returns the oldest link first.',
    access: onSurvey('view'),
    params,
    query: surveyQuery.extend({ ...linkFilters, ...pagingQuery }),
    reply: listReply(linkSchema),
    async handler({ services, scope, query, request }) {
      const part = parseIdPage(query);
      const { found, total } = await services.links.list(
        scope,
        {
          surveyId: scope.surveyId,
          type: query.link_type ?? null,
          status: query.link_status ?? null,
          text: query.search ?? null,
        },
        { order: 'oldest_first', ...part },
      );
      const now = services.links.now();
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (link) => link.link_id,
        present: (link) =>
          presentLink(link, surveyStatusAt(link.survey_status, link, now), {
            scope,
            baseUrl: request.baseUrl,
            now,
          }),
      });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/links',
    operationId: 'createSurveyLink',
    summary: 'Create a link',
    description:
      '`open`: for many respondents. `unique`: for one respondent. `panel`: for a panel that passes an `external_id` for each ' +
      'respondent. The link accepts responses while the survey is active.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    body: newLinkSchema,
    example: {
      link_type: 'open',
      link_name: 'Newsletter',
      link_quota: 500,
      expires_at: '2027-12-31T23:59:59Z',
      redirects: { complete: 'https://panel.example/complete' },
    },
    reply: dataReply(linkSchema),
    status: 201,
    async handler({ services, scope, body, request }) {
      const status = await services.surveys.getStatus(scope);
      const link = await services.links.create(scope, newLink(body, await services.surveys.timeZone(scope)));
      return presentLink(link, status, { scope, baseUrl: request.baseUrl, now: services.links.now() });
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/links/:linkId',
    operationId: 'updateSurveyLink',
    summary: 'Update a link',
    description:
      'Omitted fields keep their values. null removes a quota, an expiry or a redirect; null for `redirects` removes all ' +
      'redirects. `link_status` pauses (`paused`) or resumes (`active`) the link; other statuses and read-only fields are ' +
      'ignored, so a link can be sent back as it was read. A quota below the number of complete responses makes the link full. ' +
      'Responses in progress when a quota is set are counted as reservations in it.',
    access: onSurvey('edit'),
    params: linkParams,
    query: surveyQuery,
    body: z.strictObject({
      ...linkFields,
      link_status: linkStatus.optional().describe('active or paused; other statuses are ignored'),
      link_type: linkType.optional().describe('Cannot be changed'),
      link_id: readOnly,
      survey_id: readOnly,
      link_token: readOnly,
      link_url: readOnly,
      response_count: readOnly,
      complete_count: readOnly,
      signing_key_created_at: readOnly,
      entry_mismatch_count: readOnly,
      exit_mismatch_count: readOnly,
      created_at: readOnly,
    }),
    example: {
      link_name: 'Newsletter, December',
      link_quota: 800,
    },
    reply: dataReply(linkSchema),
    async handler({ services, scope, params: { linkId }, body, request }) {
      const status = body.link_status;
      const link = await services.links.update(scope, linkId, {
        type: body.link_type,
        name: body.link_name,
        slug: body.link_slug,
        quota: body.link_quota,
        state: status === 'active' || status === 'paused' ? status : undefined,
        expiresAt: resolveEnd(body.expires_at, await services.surveys.timeZone(scope)),
        redirects: body.redirects,
        waveId: body.wave_id,
        requiresSignature: body.requires_signature,
      });
      const surveyStatus = await services.surveys.getStatus(scope);
      return presentLink(link, surveyStatus, { scope, baseUrl: request.baseUrl, now: services.links.now() });
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/links/:linkId',
    operationId: 'deleteSurveyLink',
    summary: 'Delete a link',
    description:
      'New visitors get 410. Respondents who already started can finish within an hour. Collected responses remain.',
    access: onSurvey('edit'),
    params: linkParams,
    query: surveyQuery,
    reply: emptyReply,
    handler: ({ services, scope, params: { linkId } }) => services.links.delete(scope, linkId),
  }),
];

const qrParams = z.strictObject({ surveyId: idParam, linkId: idParam });

/** QR code and embed snippet of a link. */
export const linkQrRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links/:linkId/qr',
    operationId: 'getSurveyLinkQr',
    summary: 'Get the QR code',
    description:
      'The QR code of a `unique` link requires edit permission, because the link belongs to one respondent.',
    access: onSurvey('view'),
    params: qrParams,
    query: surveyQuery.extend({
      format: z
        .enum(['svg', 'png'], { error: 'must be svg or png' })
        .default('svg')
        .describe('File type of the image'),
      size: integerParam(64, 2_048).default(512).describe('Width and height in pixels, including the margin'),
    }),
    reply: fileReply('image/svg+xml', 'image/png'),
    async handler({ services, scope, params: { linkId }, query: { format, size }, request }) {
      const link = await services.links.get(scope, linkId);
      refuseHiddenAddress(link, scope);
      const code = await createQrCode(tokenUrl(link, request.baseUrl), format, size);
      return {
        contentType: format === 'svg' ? 'image/svg+xml' : 'image/png',
        filename: `link-${link.link_id}.${format}`,
        chunks: Readable.from([code]),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links/:linkId/embed',
    operationId: 'getSurveyLinkEmbed',
    summary: 'Get the embed code',
    description:
      'Returns an `<iframe>` snippet with a script that gives the frame the height of the survey. Pages of other origins can embed the survey only if they are listed in its ' +
      '`embed_origins`. A `unique` link requires edit permission.',
    access: onSurvey('view'),
    params: qrParams,
    query: surveyQuery.extend({
      height: integerParam(200, 4_000)
        .default(700)
        .describe(
          'Height of the frame in pixels until the survey has loaded, and where scripts are not allowed',
        ),
    }),
    reply: dataReply(
      z.strictObject({ html: z.string(), url: z.string() }).meta({
        id: 'LinkEmbed',
        examples: [
          {
            html: embedCode({ url: LINK_EXAMPLE.link_url, title: 'Coffee at work', heightPixels: 700 }),
            url: LINK_EXAMPLE.link_url,
          },
        ],
      }),
    ),
    async handler({ services, scope, params: { linkId }, query: { height }, request }) {
      const link = await services.links.get(scope, linkId);
      refuseHiddenAddress(link, scope);
      const { survey_name: projectName, survey_settings: settings } = await services.surveys.get(scope);
      const name = respondentTitle(projectName, surveySettingsOf(settings));
      const url = tokenUrl(link, request.baseUrl);
      return { html: embedCode({ url, title: name, heightPixels: height }), url };
    },
  }),
];

function refuseHiddenAddress(link: LinkRow, scope: SurveyScope): void {
  if (!canViewLinkUrl(link, scope))
    throw onlyPermittedTo(
      'an editor of the survey',
      'view the address of a link that belongs to one respondent',
    );
}

/** Readers need four modules of white around the code (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/** Creates a square QR code, black on white, that is readable with up to 15 % damage. `sizePixels` is the length of a side with its margin. */
async function createQrCode(text: string, format: 'svg' | 'png', sizePixels: number): Promise<Buffer> {
  const { default: QRCode } = await import('qrcode');
  const options = { errorCorrectionLevel: 'M', margin: QUIET_MODULES, width: sizePixels } as const;
  return format === 'png'
    ? QRCode.toBuffer(text, { ...options, type: 'png' })
    : Buffer.from(await QRCode.toString(text, { ...options, type: 'svg' }));
}
