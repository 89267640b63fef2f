import { z } from 'zod';
import { idParam } from '../../http/paging.ts';
import { eventsReply } from '../../http/reply.ts';
import type { SurveyEvent } from '../../services/surveys/survey-events.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';

const eventSchema = z
  .strictObject({
    kind: z
      .string()
      .describe(
        'connected: the first event; changes_missed: changes may have been missed. Otherwise what changed, as in the audit log: ' +
          'question_created, question_updated, question_deleted, questions_reordered, page_created, page_updated, page_deleted, ' +
          'pages_reordered, updated (fields of the survey), published, version_restored or deleted (which can be missing, because access ends with it). New kinds may be added',
      ),
    survey_id: z.int(),
    page_id: z.int().nullable().describe('The changed page'),
    question_id: z.int().nullable().describe('The changed question'),
    fields: z.array(z.string()).describe('With `updated`: the changed fields of the survey'),
    revision: z.int().describe('`revision` of the survey after the change'),
    changed_by: z
      .strictObject({ user_id: z.int(), user_name: z.string() })
      .nullable()
      .describe('null with connected and changes_missed'),
    request_id: z
      .string()
      .nullable()
      .describe('X-Request-Id of the request that made the change, by which a client recognizes its own'),
  })
  .meta({
    id: 'SurveyEvent',
    examples: [
      {
        kind: 'question_updated',
        survey_id: 1,
        page_id: null,
        question_id: 7,
        fields: [],
        revision: 28,
        changed_by: { user_id: 2, user_name: 'Grace Okafor' },
        request_id: '01JD7Q0Z9V6W',
      },
    ],
  });

async function* presentEvents(events: AsyncIterable<SurveyEvent>, surveyId: number) {
  for await (const { kind, revision, change } of events)
    yield {
      data: {
        kind,
        survey_id: surveyId,
        page_id: change?.pageId ?? null,
        question_id: change?.questionId ?? null,
        fields: change?.fields ?? [],
        revision,
        changed_by: change === null ? null : { user_id: change.userId, user_name: change.userName },
        request_id: change?.requestId ?? null,
      },
    };
}

export const surveyEventsRoute = defineRoute({
  method: 'get',
  path: '/api/surveys/:id/events',
  operationId: 'watchSurvey',
  summary: 'Stream changes of a survey',
  description:
    'Streams server-sent events: `connected` with the current `revision`, then an event for each change of the draft and its settings by ' +
    'anyone, in any process, after it is committed. Events have no content: read what changed, and compare its `etag`. Open the stream, then ' +
    'read the survey, so that no change is missed; read it again after `connected` or `changes_missed` with another revision than yours. A ' +
    'comment every 15 seconds keeps the connection open. If access is lost or the session ends, an `error` event is sent within seconds and ' +
    'the stream ends; it also ends when the server stops. Reconnect then (an EventSource does so after a second). At most 20 streams per ' +
    'user and process (429 `too_many_streams`).',
  access: onSurvey('view'),
  params: z.strictObject({ id: idParam }),
  query: surveyQuery,
  reply: eventsReply(eventSchema),
  handler: ({ services, scope, request }) => ({
    events: presentEvents(services.surveyEvents.open(scope, request.signal), scope.surveyId),
  }),
});
