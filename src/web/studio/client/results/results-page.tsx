import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { followLink } from '../../../shared/client/navigation.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { PART_SEPARATOR, questionLabel, questionTitle } from '../data/question-label.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import type { QuestionSettings } from '../question-types/question-type.ts';
import { type EditedColumn, tableColumnsOf } from '../question-types/table-columns.ts';
import { type MatrixRow, rowsOf } from '../question-types/tables.ts';
import { takesAnswers } from '../question-types/registry.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { findSplitColumn, type SplitColumn, useSplitColumns } from '../survey/split-columns.ts';
import { useRefresh } from '../survey/use-refresh.ts';
import { CardMenu, cardId } from './card-menu.tsx';
import { Comparison, comparableColumns } from './comparison.tsx';
import { formatCount, type Unit } from './describe-figures.ts';
import { withWeightedShares } from './weighted-figures.ts';
import { type Figure, figuresOf, type QuestionData, reservedHeightRem } from './figure-kind.ts';
import { ExportButton, useTestsCounted } from '../survey/export-dialog.tsx';
import { FilterBar } from '../survey/filters/filter-bar.tsx';
import { QuestionFigure } from './question-figure.tsx';
import { DEFAULT_VIEW, type ResultsView, selectionParameters } from '../survey/results-view.ts';
import { useResultsView } from '../survey/use-results-view.ts';
import './results.css';
import './print.css';
import { usePrinting } from './use-printing.ts';

type Question = Schema<'Question'>;
type Stats = Schema<'ResponseStats'>;

const t = texts.results;
/** Status of a request that the API cannot understand, such as a filter from an old address. */
const INVALID = 400;

/** A card for each question of the survey, with a figure that suits its type. */
export function ResultsPage({ survey, canEdit }: SurveyTabProps) {
  const { survey_id: surveyId } = survey;
  const [chosenView, changeView] = useResultsView(DEFAULT_VIEW);
  const weights = useWeights(surveyId, survey.published_version !== null);
  // The weight of an address may have been deleted.
  const hasWeight = weights?.some(({ code }) => code === chosenView.weight) ?? true;
  const view = hasWeight ? chosenView : { ...chosenView, weight: null };
  const { filter, ...inclusion } = selectionParameters(view);
  const stats = useQuery(
    '/api/responses/{surveyId}/stats',
    {
      path: { surveyId },
      query: { filter, include_test: inclusion.include_test, quality: 'exclude_confirmed' },
    },
    { keepPrevious: true },
  );
  const areTestsCounted = useTestsCounted(surveyId);
  const splitColumns = useSplitColumns(survey);
  const publishedTitles = usePublishedTitles(survey);
  const cards = useRef<HTMLOListElement>(null);
  const { showsAll, print } = usePrinting(cards);
  useRefresh(`/api/responses/${surveyId}/stats`);
  useReloadOfFigures(surveyId, stats.data);
  if (survey.published_version === null) {
    return (
      <Empty
        title={t.draftTitle}
        about={canEdit ? t.draftAbout : t.emptyAboutViewer}
        path={`/surveys/${surveyId}/edit`}
        action={canEdit ? t.toEdit : null}
      />
    );
  }
  const cardsOfSurvey = listCards(survey.pages.flatMap((page) => page.questions));
  if (stats.error?.status === INVALID && view.filters.length > 0) {
    return (
      <Section title={t.title}>
        <div class="blank" role="alert">
          <p class="title">{t.refused}</p>
          <p>{errorMessage(stats.error)}</p>
          <button type="button" class="button" onClick={() => changeView({ ...view, filters: [] })}>
            {texts.filters.clear}
          </button>
        </div>
      </Section>
    );
  }
  return (
    <QueryView query={stats}>
      {(counts) =>
        counts.total + counts.test + counts.counted.quality_excluded === 0 && view.filters.length === 0 ? (
          <Empty
            title={t.emptyTitle}
            about={canEdit ? t.emptyAbout : t.emptyAboutViewer}
            path={`/surveys/${surveyId}/collect`}
            action={t.toCollect}
          />
        ) : (
          <Section
            title={t.title}
            about={
              <ResponseCounts
                stats={counts}
                areTestsCounted={areTestsCounted}
                view={view}
                onChange={changeView}
              />
            }
            action={
              <div class="buttons">
                <button type="button" class="button" onClick={print}>
                  {t.print}
                </button>
                <ExportButton surveyId={surveyId} view={view} />
              </div>
            }
          >
            <FilterBar
              survey={survey}
              view={view}
              splitColumns={splitColumns}
              weights={weights ?? []}
              onChange={changeView}
            />
            {cardsOfSurvey.length === 0 && <p class="blank">{t.noQuestions}</p>}
            <p class="printed-view incomplete-print">{t.incompletePrint}</p>
            <ol
              ref={cards}
              class={view.compareBy === null ? 'result-cards in-columns' : 'result-cards'}
              aria-label={t.questions}
            >
              {cardsOfSurvey.map(({ question, number, column }) => (
                <QuestionCard
                  key={cardId(question.question_id, column?.column_code)}
                  number={number}
                  question={question}
                  column={column}
                  title={[
                    publishedTitles.get(question.question_id) ?? questionTitle(question),
                    ...(column === null ? [] : [column.column_label]),
                  ].join(PART_SEPARATOR)}
                  surveyId={surveyId}
                  workspaceId={survey.workspace_id}
                  view={view}
                  canEdit={canEdit}
                  responses={counts.total}
                  isShown={showsAll}
                  compareBy={findSplitColumn(splitColumns, view.compareBy) ?? null}
                />
              ))}
            </ol>
          </Section>
        )
      }
    </QueryView>
  );
}

/** The weights of the survey; undefined until they are known. */
function useWeights(surveyId: number, isPublished: boolean): readonly SplitColumn[] | undefined {
  const { data } = useQuery(
    '/api/responses/{surveyId}/weighting',
    isPublished ? { path: { surveyId } } : null,
  );
  return data?.map(({ column_code: code, label }) => ({ code, label }));
}

/** The titles that respondents know, by question_id, where the draft may have others. */
function usePublishedTitles({
  survey_id: id,
  published_version: version,
  has_unpublished_changes: isChanged,
}: SurveyTabProps['survey']): ReadonlyMap<number, string> {
  const { data } = useQuery(
    '/api/surveys/{id}/versions/{version}',
    version === null || !isChanged ? null : { path: { id, version } },
  );
  const questions = data?.pages.flatMap((page) => page.questions) ?? [];
  return new Map(questions.map((question) => [question.question_id, questionTitle(question)]));
}

/** Reloads the figures when the number of responses has changed, rather than all of them at every refresh. */
function useReloadOfFigures(surveyId: number, stats: Stats | undefined): void {
  const counted = stats === undefined ? null : JSON.stringify(stats);
  const previous = useRef(counted);
  useEffect(() => {
    const isFirst = previous.current === null;
    previous.current = counted;
    if (isFirst || counted === null) return;
    void reloadQueries(`/api/responses/${surveyId}/question`, `/api/responses/${surveyId}/grid`);
  }, [counted]);
}

function Empty({
  title,
  about,
  path,
  action,
}: {
  title: string;
  about: string;
  path: string;
  /** The text of the link; null: none. */
  action: string | null;
}) {
  return (
    <Section title={t.title}>
      <div class="blank">
        <p class="title">{title}</p>
        <p>{about}</p>
        {action !== null && (
          <a class="button primary" href={path} onClick={followLink}>
            {action}
          </a>
        )}
      </div>
    </Section>
  );
}

function ResponseCounts({
  stats,
  areTestsCounted,
  view,
  onChange,
}: {
  stats: Stats;
  areTestsCounted: boolean;
  view: ResultsView;
  onChange: (view: ResultsView) => void;
}) {
  const { total, test, complete, partial, screened_out: screenedOut } = stats;
  const { quality_excluded: flagged } = stats.counted;
  const areTestsShown = view.scope === 'with_tests';
  return (
    <>
      <strong>{view.filters.length > 0 ? t.matching(total) : t.responses(total)}</strong>
      {total > 0 && ` · ${t.byStatus(formatCount(complete), formatCount(partial), formatCount(screenedOut))}`}
      {areTestsCounted && total === 0 && test > 0 && ` · ${texts.collect.testCount(test)}. ${t.testNotice}`}
      {flagged > 0 && ` · ${t.flagged(flagged)}`}
      {!areTestsCounted && (test > 0 || areTestsShown) && (
        <span class="result-tests">
          {areTestsShown ? t.testsShown(test) : t.testsHidden(test)}{' '}
          <button
            type="button"
            class="plain"
            onClick={() => onChange({ ...view, scope: areTestsShown ? 'counted' : 'with_tests' })}
          >
            {areTestsShown ? t.hideTests : t.showTests}
          </button>
        </span>
      )}
    </>
  );
}

/** A card of the results: a question, or a column of a side-by-side table. */
interface Card {
  question: Question;
  /** From 1. The columns of a table have the same. */
  number: number;
  /** null: the question is no table. */
  column: EditedColumn | null;
}

function listCards(questions: readonly Question[]): Card[] {
  const cards: Card[] = [];
  for (const question of questions.filter(({ retired }) => !retired)) {
    const number = (cards.at(-1)?.number ?? 0) + 1;
    const columns = tableColumnsOf(question);
    if (columns.length > 0) cards.push(...columns.map((column) => ({ question, number, column })));
    else if (takesAnswers(question)) cards.push({ question, number, column: null });
  }
  return cards;
}

interface CardProps extends Pick<Card, 'question' | 'column'> {
  surveyId: number;
  workspaceId: number;
  view: ResultsView;
  compareBy: SplitColumn | null;
  canEdit: boolean;
}

/** Of a histogram. Numbers and dates with fewer different values have a bar for each. */
const MAX_GROUPS = 12;
/** Cards load when they are this near to the visible part of the page. */
const LOAD_MARGIN = '500px';

function QuestionCard({
  number,
  title,
  responses,
  isShown,
  ...props
}: CardProps & {
  number: number;
  title: string;
  /** Responses of the survey. */
  responses: number;
  /** Whether the card loads wherever it is. */
  isShown: boolean;
}) {
  const card = useRef<HTMLLIElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (card.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setIsNear(true);
        observer.disconnect();
      },
      { rootMargin: LOAD_MARGIN },
    );
    observer.observe(card.current);
    return () => observer.disconnect();
  }, []);
  const { question, column } = props;
  return (
    <li
      ref={card}
      id={cardId(question.question_id, column?.column_code)}
      class={isNear || isShown ? 'card result-card' : 'card result-card not-loaded'}
      style={{ minBlockSize: `${reservedHeightRem(question, responses)}rem` }}
    >
      {isNear || isShown ? (
        <CardContent number={number} title={title} {...props} />
      ) : (
        <CardHead number={number} text={title} />
      )}
    </li>
  );
}

function CardHead({ number, text, menu }: { number: number; text: string; menu?: ComponentChildren }) {
  return (
    <header>
      <h2>
        <span class="soft">{number}</span> {text}
      </h2>
      {menu}
    </header>
  );
}

function CardContent({
  number,
  title,
  question,
  column,
  surveyId,
  workspaceId,
  view,
  compareBy,
  canEdit,
}: CardProps & { number: number; title: string }) {
  const query = useQuery(
    '/api/responses/{surveyId}/question/{questionId}',
    {
      path: { surveyId, questionId: question.question_id },
      query: {
        ...selectionParameters(view),
        max_groups: MAX_GROUPS,
        weight: view.weight ?? undefined,
        ...(column !== null && { table_column: column.column_code }),
      },
    },
    { keepPrevious: true },
  );
  const { data } = query;
  const label = [questionLabel(question), ...(column === null ? [] : [column.column_label])].join(
    PART_SEPARATOR,
  );
  return (
    <>
      <CardHead
        number={number}
        text={title}
        menu={
          data !== undefined && (
            <CardMenu
              surveyId={surveyId}
              workspaceId={workspaceId}
              data={data}
              tableColumn={column?.column_code}
              label={label}
              view={view}
              canEdit={canEdit}
            />
          )
        }
      />
      {query.error?.status === 404 ? (
        <p class="soft">{t.notPublished}</p>
      ) : (
        <QueryView query={query}>
          {(loaded) => (
            <CardFigures
              data={view.weight === null ? loaded : withWeightedShares(loaded)}
              rows={column === null ? [] : rowsOf(question)}
              label={label}
              unit={unitOf(column?.column_settings ?? question.question_settings)}
              surveyId={surveyId}
              view={view}
              compareBy={compareBy}
            />
          )}
        </QueryView>
      )}
    </>
  );
}

/** The texts around the number in the questionnaire are its unit. */
function unitOf({ prefix, suffix }: QuestionSettings): Unit {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return { before: textOf(prefix), after: textOf(suffix) === '' ? '' : `\u00a0${textOf(suffix)}` };
}

/** Whether a column is of an item of a loop: `Q5[A]`, `Q5[A]_1`. */
const isOfItem = (columnCode: string): boolean => columnCode.includes('[');

/** The label of a figure for one item of a loop, or one row of a table. */
function labelOfPart(data: QuestionData, rows: readonly MatrixRow[], figure: Figure): ComponentChildren {
  if ('whole' in figure) return null;
  const code = figure.kind === 'texts' ? figure.columnCode : figure.distribution.column_code;
  const row = rows.find(({ row_code: each }) => code.endsWith(`_${each}`));
  if (row !== undefined) return <h3>{row.row_label}</h3>;
  const column = data.columns.find(({ column_code: each }) => each === code);
  return isOfItem(code) && <h3>{column?.label ?? code}</h3>;
}

function CardFigures({
  data,
  rows,
  label,
  unit,
  surveyId,
  view,
  compareBy,
}: Pick<CardProps, 'surveyId' | 'view' | 'compareBy'> & {
  data: QuestionData;
  /** Of a side-by-side table. */
  rows: readonly MatrixRow[];
  /** Of the question. */
  label: string;
  unit: Unit;
}) {
  const columns = comparableColumns(data);
  if (compareBy !== null && compareBy.code !== data.question_code && columns.length > 0) {
    return (
      <Comparison
        surveyId={surveyId}
        data={data}
        columns={columns}
        label={label}
        compareBy={compareBy}
        view={view}
      />
    );
  }
  return (
    <>
      {figuresOf(data).map((figure, position) => (
        <Fragment key={position}>
          {labelOfPart(data, rows, figure)}
          <QuestionFigure
            figure={figure}
            unit={unit}
            data={data}
            label={label}
            surveyId={surveyId}
            view={view}
          />
        </Fragment>
      ))}
    </>
  );
}
