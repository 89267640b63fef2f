import { useCallback, useState } from 'preact/hooks';
import { followLink } from '../../../shared/client/navigation.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { columnLabel } from '../data/question-label.ts';
import { writeOutPages } from '../data/written-out-questions.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView, Waiting } from '../data/query-view.tsx';
import { ExportButton, useTestsCounted } from '../survey/export-dialog.tsx';
import { FLAGS_COLUMN } from '../survey/filters/filter-fields.ts';
import { FilterBar } from '../survey/filters/filter-bar.tsx';
import {
  countedConditions,
  DEFAULT_VIEW,
  type ResultsView,
  type Scope,
  selectionParameters,
} from '../survey/results-view.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { useResultsView } from '../survey/use-results-view.ts';
import { ChangeLog } from './change-log.tsx';
import { ALL_COLUMNS, ColumnsDialog } from './columns-dialog.tsx';
import { shownColumnCodes } from './grid-columns.ts';
import { QualityPanel } from './quality-panel.tsx';
import { FIXED_COLUMNS, type LinkNames, ResponseGrid } from './response-grid.tsx';
import { ResponsePanel } from './response-panel.tsx';
import './responses.css';
import { NOTHING_SELECTED, SelectionBar } from './selection-bar.tsx';
import { type GridRows, useGridRows } from './use-grid-rows.ts';

type Column = Schema<'Column'>;

const t = texts.responses;
const ALL_RESPONSES: ResultsView = { ...DEFAULT_VIEW, status: 'all', scope: 'all' };
const LIST_SCOPES: readonly Scope[] = ['all', 'counted', 'left_out', 'tests'];

type OpenDialog =
  { kind: 'response'; id: number; index: number } | { kind: 'changes' | 'quality' | 'columns' };

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
  const pages = writeOutPages(survey, columns);
  const questions = pages.flatMap((page) => page.questions);
  const codes = shownColumnCodes(columns, questions);
  const labels = shortLabels(codes, columns, questions);
  const [view, setView] = useResultsView(ALL_RESPONSES);
  const areTestsCounted = useTestsCounted(surveyId);
  const conditions = view.scope === 'counted' ? countedConditions(areTestsCounted) : [];
  const links = useLinkNames(surveyId);
  const [sort, setSort] = useState<string | null>(null);
  const [choice, setChoice] = useState(ALL_COLUMNS);
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const [version, setVersion] = useState(0);
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const closeDialog = () => setOpenDialog(null);
  const shown = codes.filter((code) => !choice.hidden.has(code));
  const frozen = shown.filter((code) => choice.frozen.has(code));
  const inOrder = [...frozen, ...shown.filter((code) => !choice.frozen.has(code))];
  const grid = useGridRows(
    surveyId,
    {
      ...selectionParameters({ ...view, scope: view.scope === 'counted' ? 'all' : view.scope }, conditions),
      columns: inOrder.length === 0 ? 'response_id' : inOrder.join(),
      sort: sort ?? undefined,
    },
    version,
  );
  const reload = useCallback(async () => {
    setVersion((current) => current + 1);
    await reloadQueries('/api/responses', '/api/surveys');
  }, []);
  const changeView = (changed: ResultsView) => {
    setView(changed);
    setSelection(NOTHING_SELECTED);
  };
  const select = (id: number, isSelected: boolean) => {
    const ids = new Set(selection.kind === 'some' ? selection.ids : []);
    if (isSelected) ids.add(id);
    else ids.delete(id);
    setSelection({ kind: 'some', ids });
  };
  /** Opens the response of a row of the table. Rows beside it are loaded, so that the next one can be opened from there. */
  const openResponse = (index: number) => {
    const row = grid.rowAt(index);
    if (row === undefined) return;
    setOpenDialog({ kind: 'response', id: row.response_id, index });
    if (grid.rowAt(index + 1) === undefined || grid.rowAt(index - 1) === undefined)
      grid.show(Math.max(0, index - 1), Math.min(grid.total, index + 2));
  };
  const openers = [
    ['quality', t.quality.title],
    ['changes', t.changes.title],
    ['columns', t.columns],
  ] as const;

  return (
    <Section
      title={t.title}
      about={grid.isLoaded ? describeCounts(grid) : undefined}
      action={
        <div class="buttons">
          {openers.map(([kind, label]) => (
            <button key={kind} type="button" class="button" onClick={() => setOpenDialog({ kind })}>
              {label}
            </button>
          ))}
          <ExportButton surveyId={surveyId} view={view} />
        </div>
      }
    >
      <FilterBar survey={survey} view={view} scopes={LIST_SCOPES} onChange={changeView} />
      <SelectionBar
        surveyId={surveyId}
        selection={selection}
        total={grid.total}
        view={view}
        conditions={conditions}
        onSelect={setSelection}
        reload={reload}
      />
      {!grid.isLoaded && grid.error === null && <Waiting />}
      {grid.isLoaded && grid.total === 0 ? (
        <div class="blank" role="status">
          <p class="title">{t.noMatch}</p>
          <p>{t.noMatchAbout}</p>
        </div>
      ) : (
        (grid.isLoaded || grid.error !== null) && (
          <ResponseGrid
            grid={grid}
            fixed={FIXED_COLUMNS.filter(({ code }) => !choice.hidden.has(code))}
            links={links}
            columns={grid.columns.filter(({ source }) => source !== 'metadata')}
            labels={labels}
            frozenCount={frozen.length}
            sort={sort}
            onSort={setSort}
            onOpen={openResponse}
            selection={selection}
            onSelect={canEdit ? select : null}
          />
        )
      )}
      {openDialog?.kind === 'response' && (
        <ResponsePanel
          key={openDialog.id}
          surveyId={surveyId}
          responseId={openDialog.id}
          position={openDialog.index + 1}
          total={grid.total}
          onGo={(step) => openResponse(openDialog.index + step)}
          columnCodes={codes}
          pages={pages}
          canEdit={canEdit}
          reload={reload}
          onClose={closeDialog}
        />
      )}
      {openDialog?.kind === 'changes' && (
        <ChangeLog surveyId={surveyId} canEdit={canEdit} reload={reload} onClose={closeDialog} />
      )}
      {openDialog?.kind === 'quality' && (
        <QualityPanel
          surveyId={surveyId}
          canEdit={canEdit}
          reload={reload}
          onShow={(check) => {
            closeDialog();
            changeView({
              ...ALL_RESPONSES,
              filters: [{ code: FLAGS_COLUMN, part: null, operator: 'contains', values: [check] }],
            });
          }}
          onClose={closeDialog}
        />
      )}
      {openDialog?.kind === 'columns' && (
        <ColumnsDialog
          columns={[
            ...FIXED_COLUMNS.map(({ code, label }) => ({ code, label, canFreeze: false })),
            ...codes.map((code) => ({ code, label: labels.get(code) ?? code, canFreeze: true })),
          ]}
          choice={choice}
          onChange={setChoice}
          onClose={closeDialog}
        />
      )}
    </Section>
  );
}

const MAX_LINKS = 1_000;

/** The names of the links of the survey. Personal links have none. */
function useLinkNames(surveyId: number): LinkNames {
  const { data = [] } = useQuery('/api/surveys/{surveyId}/links', {
    path: { surveyId },
    query: { limit: MAX_LINKS },
  });
  return new Map(
    data
      .filter(({ link_type: type }) => type !== 'unique')
      .map(({ link_id: id, link_name: name }) => [id, name]),
  );
}

/** How many responses the list has, and how many of them the results do not count for which reason. */
function describeCounts({ total, counted }: GridRows): string {
  const { test_responses_included: tests = 0, quality_included: leftOut = 0 } = counted ?? {};
  return [
    t.count(total),
    ...(tests === 0 ? [] : [t.testCount(tests)]),
    ...(leftOut === 0 ? [] : [t.leftOutCount(leftOut)]),
  ].join(' · ');
}

/** Labels columns with the short names of their questions. The set of a multiple choice is not among the columns. */
function shortLabels(
  codes: readonly string[],
  columns: readonly Column[],
  questions: readonly Schema<'Question'>[],
): ReadonlyMap<string, string> {
  const byId = new Map(questions.map((question) => [question.question_id, question]));
  const byCode = new Map(questions.map((question) => [question.question_code, question]));
  const known = new Map(columns.map((column) => [column.column_code, column]));
  return new Map(
    codes.map((code) => {
      const column = known.get(code) ?? { column_code: code, label: code, question_id: null };
      const question = byCode.get(code) ?? byId.get(column.question_id ?? 0);
      return [code, columnLabel(column, question)];
    }),
  );
}
