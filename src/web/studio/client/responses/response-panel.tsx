import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { TextAreaField } from '../../../shared/client/fields.tsx';
import { ConfirmDialog, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { AnswersForm } from './answers-form.tsx';
import { announceChange } from './data-change.ts';
import { formatDuration, languageName } from './grid-columns.ts';
import { ResponseAnswers } from './response-answers.tsx';
import { ResponseReview } from './response-review.tsx';

type Row = Schema<'ResponseRow'>;

const t = texts.responses;
const MAX_LINKS = 1000;

/** One response: how it was collected, its flags, the answers by question, and comments. */
export function ResponsePanel({
  surveyId,
  responseId,
  position,
  total,
  columnCodes,
  pages,
  canEdit,
  reload,
  onGo,
  onClose,
}: {
  surveyId: number;
  responseId: number;
  /** Of the response in the table, from 1. */
  position: number;
  /** Rows of the table. */
  total: number;
  columnCodes: readonly string[];
  /** Of the survey. */
  pages: Schema<'SurveyWithPages'>['pages'];
  canEdit: boolean;
  /** Reloads what shows responses. */
  reload: () => Promise<void>;
  /** Opens the previous (-1) or the next (1) response of the table. */
  onGo: (step: -1 | 1) => void;
  onClose: () => void;
}) {
  const [mode, setMode] = useState<'show' | 'edit' | 'delete' | 'erase'>('show');
  const query = useQuery('/api/responses/{surveyId}/grid', {
    path: { surveyId },
    query: {
      filter: JSON.stringify({
        left: { type: 'column', code: 'response_id' },
        operator: 'equals',
        right: responseId,
      }),
      columns: columnCodes.join(),
      include_not_shown: true,
      limit: 1,
    },
  });
  if (mode === 'delete') {
    return (
      <ConfirmDialog
        title={t.deleteTitle(responseId)}
        action={t.delete}
        onClose={onClose}
        onConfirm={() => deleteResponse(surveyId, responseId, reload)}
      >
        {t.deleteAbout}
      </ConfirmDialog>
    );
  }
  if (mode === 'erase') {
    return (
      <ConfirmDialog
        title={t.eraseTitle(responseId)}
        action={t.erase}
        onClose={onClose}
        onConfirm={() => eraseResponse(surveyId, responseId, reload)}
      >
        {t.eraseAbout}
      </ConfirmDialog>
    );
  }
  return (
    <Dialog title={t.response(responseId)} onClose={onClose}>
      {mode === 'show' && total > 1 && (
        <nav class="response-neighbors" aria-label={t.neighbors}>
          <button type="button" class="button small" aria-disabled={position <= 1} onClick={() => onGo(-1)}>
            {t.previous}
          </button>
          <span class="soft">{t.position(position, total)}</span>
          <button
            type="button"
            class="button small"
            aria-disabled={position >= total}
            onClick={() => onGo(1)}
          >
            {t.next}
          </button>
        </nav>
      )}
      <QueryView query={query}>
        {({ rows: [row], columns }) =>
          row === undefined ? (
            <p>{t.gone}</p>
          ) : mode === 'edit' ? (
            <AnswersForm
              surveyId={surveyId}
              row={row}
              columns={columns}
              reload={reload}
              onDone={() => setMode('show')}
            />
          ) : (
            <div class="response-panel">
              <Facts row={row} surveyId={surveyId} />
              <ResponseReview row={row} surveyId={surveyId} canEdit={canEdit} reload={reload} />
              <div class="response-answers-head">
                <h3>{t.answers}</h3>
                {canEdit && (
                  <button type="button" class="button small" onClick={() => setMode('edit')}>
                    {t.edit.open}
                  </button>
                )}
              </div>
              <ResponseAnswers pages={pages} columns={columns} row={row} />
              <Comments surveyId={surveyId} responseId={responseId} />
            </div>
          )
        }
      </QueryView>
      {mode === 'show' && (
        <div class="separated-actions">
          <button type="button" class="button" onClick={onClose}>
            {t.close}
          </button>
          {canEdit && (
            <>
              <button type="button" class="button danger" onClick={() => setMode('erase')}>
                {t.erase}
              </button>
              <button type="button" class="button danger" onClick={() => setMode('delete')}>
                {t.delete}
              </button>
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** Deletes a response, and offers to undo it: the API keeps deleted responses. */
async function deleteResponse(surveyId: number, id: number, reload: () => Promise<void>): Promise<void> {
  const { change_id: changeId } = await changeApi('post', '/api/responses/{surveyId}/bulk', {
    path: { surveyId },
    body: { action: 'delete', response_ids: [id] },
  });
  await reload();
  announceChange(t.deleted(id), { surveyId, changeId, reload });
}

/** Erases a response. Nothing can be undone. */
async function eraseResponse(surveyId: number, id: number, reload: () => Promise<void>): Promise<void> {
  await changeApi('post', '/api/responses/{surveyId}/rows/{responseId}/erase', {
    path: { surveyId, responseId: id },
    body: {},
  });
  await reload();
  announce(t.erased(id));
}

function Facts({ row, surveyId }: { row: Row; surveyId: number }) {
  const { data: links = [] } = useQuery('/api/surveys/{surveyId}/links', {
    path: { surveyId },
    query: { limit: MAX_LINKS },
  });
  const link = links.find(({ link_id: id }) => id === row.link_id);
  const facts: [string, ComponentChildren][] = [
    [
      t.status,
      <>
        {t.statuses[row.response_status]}
        {row.is_test && ` · ${t.test}`}
        {row.edited && ` · ${t.edited}`}
      </>,
    ],
    [t.started, <DateTime at={row.started_at} />],
    ...(row.completed_at === null
      ? []
      : [[t.completed, <DateTime at={row.completed_at} />] satisfies [string, ComponentChildren]]),
    ...factIf(t.duration, row.duration_seconds === null ? null : formatDuration(row.duration_seconds)),
    ...factIf(t.link, link?.link_name ?? null),
    ...factIf(t.language, row.language === null ? null : languageName(row.language)),
    ...factIf(t.externalId, row.external_id),
    ...factIf(t.version, String(row.survey_version)),
  ];
  return (
    <dl class="response-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const factIf = (name: string, value: string | null): [string, ComponentChildren][] =>
  value === null ? [] : [[name, value]];

function Comments({ surveyId, responseId }: { surveyId: number; responseId: number }) {
  const query = useQuery('/api/responses/{surveyId}/comments', {
    path: { surveyId },
    query: { response_id: responseId },
  });
  return (
    <>
      <h3>{t.commentsTitle}</h3>
      <QueryView query={query}>
        {(comments) =>
          comments.length > 0 && (
            <ul class="response-comments">
              {comments.map((comment) => (
                <li key={comment.comment_id}>
                  <p class="soft">
                    {comment.user_name}, <DateTime at={comment.created_at} />
                  </p>
                  <p>{comment.comment_text}</p>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <Form
        submit={t.addComment}
        onSubmit={async (values, form) => {
          await changeApi('post', '/api/responses/{surveyId}/comments', {
            path: { surveyId },
            body: { response_id: responseId, comment_text: values.get('comment_text') ?? '' },
          });
          form.reset();
          await reloadQueries(`/api/responses/${surveyId}/comments`);
          announce(t.commentAdded);
        }}
      >
        <TextAreaField name="comment_text" label={t.comment} />
      </Form>
    </>
  );
}
