import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/dataset/response-row.ts';
import { idText } from '../../http/paging.ts';
import { file } from '../../http/reply.ts';
import { unprocessable } from '../../lib/errors.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../route.ts';
import { selectionOf, selectionQuery } from './selection-query.ts';

const shown = z.enum(['code', 'label', 'both']);
const filterObject = z.record(z.string(), z.json());

export const exportRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/export',
  operationId: 'exportResponses',
  summary: 'The responses as a file',
  description:
    "The reply is the file itself, streamed. CSV is UTF-8 with CRLF (RFC 4180); a text that a spreadsheet would run as a formula gets a `'` " +
    'unless `escape_formulas` is false. Complete responses unless `status` says otherwise.',
  access: onSurvey('view'),
  params: z.strictObject({ surveyId: idText }),
  query: z.strictObject({ workspace_id: selectionQuery.workspace_id }),
  body: z.strictObject({
    format: z.enum(['csv', 'xlsx', 'spss']).default('csv'),
    filters: filterObject.optional(),
    filter: filterObject.optional(),
    columns: z
      .array(z.string().min(1).max(120))
      .min(1)
      .max(5_000)
      .optional()
      .describe('Absent: every column'),
    values: shown.default('code').describe('`code` is the option_value; `both` adds a column `<code>_label`'),
    headers: shown.default('code'),
    multiple: z.enum(['columns', 'set', 'both']).default('columns'),
    status: z.array(z.enum(RESPONSE_STATUSES)).min(1).optional(),
    include_test: z.boolean().default(true),
    delimiter: z.enum([',', ';', '\t', '|']).default(','),
    bom: z.boolean().default(false),
    escape_formulas: z.boolean().default(true),
  }),
  reply: file('text/csv'),
  errors: { 422: 'This installation cannot write that format' },
  async handler({ services, scope, body }) {
    if (body.format !== 'csv') {
      throw unprocessable('format_not_available', `format: ${body.format} cannot be written yet; use csv`);
    }
    const chunks = await services.responseExport.csv(scope, {
      ...selectionOf(body, ['complete']),
      columns: body.columns ?? null,
      values: body.values,
      headers: body.headers,
      multiple: body.multiple,
      delimiter: body.delimiter,
      bom: body.bom,
      escapeFormulas: body.escape_formulas,
    });
    return { contentType: 'text/csv; charset=utf-8', filename: `survey-${scope.surveyId}.csv`, chunks };
  },
});
