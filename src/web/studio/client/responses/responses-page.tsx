import { useState } from 'preact/hooks';
import { ApiError, startJob } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { ConfirmDialog, useAction } from '../../../shared/client/form.tsx';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { Menu } from '../../../shared/client/menu.tsx';
import { followLink } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView, Waiting } from '../data/query-view.tsx';
import { CHOICE_TYPES } from '../results/figure-kind.ts';
import { FilterBar } from '../survey/filter-bar.tsx';
import { type ResultsView, selectionParameters, STATUS_FILTERS } from '../survey/results-view.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { shownColumnCodes } from './grid-columns.ts';
import { ResponseGrid } from './response-grid.tsx';
import { ResponsePanel } from './response-panel.tsx';
import './responses.css';
import { useGridRows } from './use-grid-rows.ts';

type Column = Schema<'Column'>;

const t = texts.responses;
const UNDO_MS = 10_000;
const ALL_RESPONSES: ResultsView = { status: 'all', filter: {}, compareBy: null };

/** All responses of the survey in a table, and each of them in a panel. */
export function ResponsesPage({ survey, canEdit }: SurveyTabProps) {
  const { survey_id: surveyId } = survey;
  // The columns are needed before the rows, because the API lists them without the sets of multiple choices.
  const first = useQuery('/api/responses/{surveyId}/grid', { path: { surveyId }, query: { limit: 1 } });
  return (
    <QueryView query={first}>
      {({ columns, rows }) =>
        rows.length === 0 ? (
          <Section title={t.title}>
            <div class="blank">
              <p class="title">{t.emptyTitle}</p>
              <p>{t.emptyAbout}</p>
              <a class="button primary" href={`/surveys/${surveyId}/collect`} onClick={followLink}>
                {t.toCollect}
              </a>
            </div>
          </Section>
        ) : (
          <Responses survey={survey} canEdit={canEdit} columns={columns} />
        )
      }
    </QueryView>
  );
}

function Responses({ survey, canEdit, columns }: SurveyTabProps & { columns: readonly Column[] }) {
  const { survey_id: surveyId } = survey;
  const questions = survey.pages.flatMap((page) => page.questions);
  const codes = shownColumnCodes(columns, questions);
  const [view, setView] = useState(ALL_RESPONSES);
  const [sort, setSort] = useState<string | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [version, setVersion] = useState(0);
  const [opened, setOpened] = useState<{ id: number; isDeleting: boolean } | null>(null);
  const shown = codes.filter((code) => !hidden.has(code));
  const grid = useGridRows(
    surveyId,
    {
      ...selectionParameters(view),
      columns: shown.length === 0 ? 'response_id' : shown.join(),
      sort: sort ?? undefined,
    },
    version,
  );
  const reload = async () => {
    setVersion((current) => current + 1);
    await reloadQueries('/api/responses', '/api/surveys');
  };
  const choices = questions.filter(({ question_type: type, retired }) => CHOICE_TYPES.has(type) && !retired);

  return (
    <Section
      title={t.title}
      about={grid.isLoaded ? t.count(grid.total) : undefined}
      action={
        <div class="buttons">
          <ColumnsButton
            columns={codes.map((code) => ({ code, label: labelOf(code, columns, questions) }))}
            hidden={hidden}
            onChange={setHidden}
          />
          <ExportMenu surveyId={surveyId} view={view} />
        </div>
      }
    >
      <FilterBar view={view} questions={choices} canCompare={false} onChange={setView} />
      {!grid.isLoaded && grid.error === null && <Waiting />}
      {grid.isLoaded && grid.rows.length === 0 ? (
        <div class="blank" role="status">
          <p class="title">{t.noMatch}</p>
          <p>{t.noMatchAbout}</p>
        </div>
      ) : (
        (grid.isLoaded || grid.error !== null) && (
          <ResponseGrid
            grid={{ ...grid, columns: grid.columns.filter(({ source }) => source !== 'metadata') }}
            sort={sort}
            onSort={setSort}
            onOpen={(id) => setOpened({ id, isDeleting: false })}
          />
        )
      )}
      {opened?.isDeleting === false && (
        <ResponsePanel
          surveyId={surveyId}
          responseId={opened.id}
          columnCodes={codes}
          onClose={() => setOpened(null)}
          onDelete={canEdit ? () => setOpened({ ...opened, isDeleting: true }) : null}
        />
      )}
      {opened?.isDeleting === true && (
        <ConfirmDialog
          title={t.deleteTitle(opened.id)}
          action={t.delete}
          onClose={() => setOpened(null)}
          onConfirm={() => deleteResponse(surveyId, opened.id, reload)}
        >
          {t.deleteAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}

const labelOf = (
  code: string,
  columns: readonly Column[],
  questions: readonly Schema<'Question'>[],
): string =>
  columns.find((column) => column.column_code === code)?.label ??
  questions.find((question) => question.question_code === code)?.question_text ??
  code;

/** Deletes a response, and offers to undo it: the API keeps deleted responses. */
async function deleteResponse(surveyId: number, id: number, reload: () => Promise<void>): Promise<void> {
  const { change_id: changeId } = await changeApi('post', '/api/responses/{surveyId}/bulk', {
    path: { surveyId },
    body: { action: 'delete', response_ids: [id] },
  });
  await reload();
  const undo = async () => {
    if (changeId === null) return;
    try {
      await changeApi('post', '/api/responses/{surveyId}/changes/{changeId}/undo', {
        path: { surveyId, changeId },
      });
      announce(t.restored(id));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      announce(t.notRestored(errorMessage(error)));
    }
    await reload();
  };
  announce(t.deleted(id), { label: t.undo, durationMs: UNDO_MS, run: () => void undo() });
}

function ExportMenu({ surveyId, view }: { surveyId: number; view: ResultsView }) {
  const { runAction, errorNotice } = useAction();
  const start = (format: keyof typeof t.formats) => async () => {
    const { status, filter } = selectionParameters(view);
    await startJob(`/api/responses/${surveyId}/export`, {
      format,
      status: STATUS_FILTERS.filter((each) => each !== 'all' && (status === 'all' || each === status)),
      ...(filter === undefined ? {} : { filter: JSON.parse(filter) as object }),
    });
    await reloadQueries('/api/jobs');
    announce(t.exportStarted);
  };
  return (
    <>
      {errorNotice}
      <Menu
        label={t.export}
        button={t.export}
        buttonClass="button"
        head={t.exportHead}
        items={(['csv', 'xlsx', 'spss'] as const).map((format) => ({
          label: t.formats[format],
          run: () => void runAction(start(format)),
        }))}
      />
    </>
  );
}

function ColumnsButton({
  columns,
  hidden,
  onChange,
}: {
  columns: readonly { code: string; label: string }[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = (code: string, isShown: boolean) => {
    const changed = new Set(hidden);
    if (isShown) changed.delete(code);
    else changed.add(code);
    onChange(changed);
  };
  return (
    <>
      <button type="button" class="button" onClick={() => setIsOpen(true)}>
        {t.columns}
      </button>
      {isOpen && (
        <Dialog title={t.columns} onClose={() => setIsOpen(false)}>
          <p>{t.columnsAbout}</p>
          <div class="column-choice">
            {columns.map(({ code, label }) => (
              <label key={code} class="check">
                <input
                  type="checkbox"
                  checked={!hidden.has(code)}
                  onChange={(event) => toggle(code, event.currentTarget.checked)}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
          <div class="buttons">
            <button type="button" class="button primary" onClick={() => setIsOpen(false)}>
              {t.done}
            </button>
            <button type="button" class="button" onClick={() => onChange(new Set())}>
              {t.showAll}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
