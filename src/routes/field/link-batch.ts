import { z } from 'zod';
import { idNumber } from '../../http/paging.ts';
import { data, withReply } from '../../http/reply.ts';
import { mutuallyExclusive, notAllowedWith, required } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import type { NewLink } from '../../repositories/links.ts';
import { onSurveyInBody } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { surveyQuery } from '../in-workspace.ts';
import { linkSchema, linkType, presentLink } from '../link-reply.ts';
import { linkFields, newLink, newLinkSchema } from './link-fields.ts';

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

export const linkBatchRoute = defineRoute({
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
  reply: data(
    z
      .strictObject({
        action: batchSchema.shape.action,
        count: z.int().describe('Number of links created or changed'),
        links: z.array(linkSchema).optional().describe('create: the links'),
      })
      .meta({ id: 'LinkBatch' }),
  ),
  status: 201,
  alternateStatuses: { 200: 'Links were updated or deleted' },
  async handler({ services, scope, body, request }) {
    const { action } = body;
    if (action === 'create') {
      const waveField = (index: number) => (body.links === undefined ? 'wave_id' : `links[${index}].wave_id`);
      const { survey_status: status } = await services.surveys.get(scope);
      const created = await services.linkBatches.create(
        scope,
        linksOf(body, await services.surveys.timeZone(scope)),
        waveField,
      );
      const now = services.links.now();
      const links = created.map((link) =>
        presentLink(link, status, { scope, baseUrl: request.baseUrl, now }),
      );
      return { action, count: created.length, links };
    }
    refuseBeside(body, ['links', 'count', 'link_type', ...LINK_FIELDS], notAllowedWith(action));
    if (body.link_ids === undefined) throw invalid('link_ids', required(`with ${action}`));
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
  if (count === undefined) throw invalid('count', required('unless links is given'));
  const link = newLink({ ...fields, link_type: fields.link_type ?? 'unique' }, zone);
  return Array.from({ length: count }, () => link);
}

function refuseBeside(body: Partial<Batch>, fields: readonly (keyof Batch)[], message: string): void {
  for (const field of fields) if (body[field] !== undefined) throw invalid(field, message);
}
