import { useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { type SplitColumns, useSplitColumns } from '../survey/split-columns.ts';
import {
  CHART_LABELS,
  CHARTS_OF_FIGURES,
  type ChartType,
  hasSeries,
  isOnGrid,
} from '../results/chart-types.ts';
import { type Figure, figuresOf, type QuestionData } from '../results/figure-kind.ts';
import { resizeChart } from './arrange-charts.ts';
import { chartFilterInWords } from './chart-filter.ts';
import {
  columnLabel,
  type FigureChange,
  measureOptions,
  readFigureChange,
  seriesCode,
  type ShownFigure,
} from './figure-change.ts';
import { cellsOf, CHART_SIZES, sizeName } from './chart-size.ts';
import { titleOf } from './page-dialogs.tsx';

type Dashboard = Schema<'DashboardWithPages'>;
type Chart = Schema<'DashboardChart'>;
type FigureChart = Schema<'FigureDashboardChart'>;
type Config = FigureChart['chart_config'];
type Question = Schema<'Question'>;

const t = texts.dashboards.chart;
const NOT_FOUND = 404;

const isFigure = (chart: Chart): chart is FigureChart => Object.hasOwn(CHART_LABELS, chart.chart_type);

interface DialogProps {
  dashboard: Dashboard;
  chart: Chart;
  onClose: () => void;
}

/** Changes the title, the size and the figures of a chart. */
export function ChangeChartDialog(props: DialogProps) {
  const { chart, onClose } = props;
  return (
    <Dialog title={t.heading} onClose={onClose}>
      {isFigure(chart) ? (
        <FigureChartForm {...props} chart={chart} />
      ) : (
        <ChartForm {...props} figure={null} hasSource />
      )}
    </Dialog>
  );
}

/** Loads the question and the survey of a chart. Without them its figures cannot change. */
function FigureChartForm({ chart, ...props }: DialogProps & { chart: FigureChart }) {
  const { survey_id: surveyId = 0, dimension } = chart.chart_config;
  const { question_id: questionId } = dimension;
  const survey = useQuery('/api/surveys/{id}', chart.survey_deleted ? null : { path: { id: surveyId } });
  const data = useQuery(
    '/api/responses/{surveyId}/question/{questionId}',
    questionId === undefined || chart.survey_deleted ? null : { path: { surveyId, questionId } },
  );
  if (chart.survey_deleted || survey.error?.status === NOT_FOUND)
    return <ChartForm {...props} chart={chart} figure={null} hasSource={false} />;
  const splitColumns = useSplitColumns(survey.data);
  const form = (questions: readonly Question[], kind: Figure['kind']) => (
    <ChartForm {...props} chart={chart} figure={{ chart, questions, kind, splitColumns }} hasSource />
  );
  return (
    <QueryView query={survey}>
      {({ pages }) => {
        const questions = pages.flatMap((page) => page.questions);
        // A column that is no question, and a question that is not published yet, have no figures on the Results page.
        if (questionId === undefined || data.error?.status === NOT_FOUND) return form(questions, 'choices');
        return (
          <QueryView query={data}>{(loaded) => form(questions, figureKind(loaded, dimension))}</QueryView>
        );
      }}
    </QueryView>
  );
}

/** The kind of the figure of a whole question or of one of its columns. */
function figureKind(data: QuestionData, { column_code: code }: Config['dimension']): Figure['kind'] {
  const column = data.distributions.filter((each) => each.column_code === code);
  const shown = column.length > 0 ? { ...data, whole: null, distributions: column } : data;
  return figuresOf(shown)[0]?.kind ?? 'choices';
}

function ChartForm({
  dashboard: { dashboard_id: id, pages, charts },
  chart,
  figure,
  hasSource,
  onClose,
}: DialogProps & { figure: ShownFigure | null; hasSource: boolean }) {
  const { chart_id: chartId, chart_type: type } = chart;
  const size = sizeName(chart);
  const [hasFilter, setHasFilter] = useState(true);
  const save = async (values: ReadonlyMap<string, string>) => {
    const title = titleOf(values.get('chart_title'));
    const change: Partial<FigureChange> =
      figure === null ? {} : readFigureChange(figure.chart, values, hasFilter);
    await changeApi('put', '/api/dashboards/{id}/charts/{chartId}', {
      path: { id, chartId },
      body: { chart_title: title, ...change },
    });
    const chosen = CHART_SIZES.find((each) => each === values.get('size')) ?? size;
    if (chosen !== size) {
      const resized = { chartId, size: cellsOf(change.chart_type ?? type, chosen) };
      const pageIds = pages.map(({ page_id: pageId }) => pageId);
      await changeApi('put', '/api/dashboards/{id}/charts/reorder', {
        path: { id },
        body: { charts: resizeChart(charts, pageIds, resized) },
      });
    }
    await reloadQueries('/api/dashboards');
    onClose();
    announce(t.saved(title ?? texts.dashboards.arrange.untitled));
  };
  return (
    <Form
      submit={t.save}
      onSubmit={async (values) => {
        try {
          await save(values);
        } catch (error) {
          throw error instanceof ApiError ? atFormFields(error) : error;
        }
      }}
      otherButtons={<CancelButton onClose={onClose} />}
    >
      {!hasSource && <p class="hint">{t.noSource}</p>}
      <Field name="chart_title" label={t.title} value={chart.chart_title ?? ''} />
      {figure !== null && (
        <FigureFields figure={figure} hasFilter={hasFilter} onRemoveFilter={() => setHasFilter(false)} />
      )}
      {isOnGrid(type) && (
        <SelectField
          name="size"
          label={t.size}
          value={size}
          options={CHART_SIZES.map((each) => [each, t.sizes[each]])}
        />
      )}
    </Form>
  );
}

function FigureFields({
  figure: { chart, kind, questions, splitColumns },
  hasFilter,
  onRemoveFilter,
}: {
  figure: ShownFigure;
  hasFilter: boolean;
  onRemoveFilter: () => void;
}) {
  const { chart_type: currentType, chart_config: config } = chart;
  const [type, setType] = useState<ChartType>(currentType);
  const suited = CHARTS_OF_FIGURES[kind];
  const types = suited.includes(currentType) ? suited : [currentType, ...suited];
  const measures = measureOptions({ chart, kind, questions }, type);
  const filter = config.filter ?? null;
  return (
    <>
      <SelectField
        name="chart_type"
        label={t.type}
        value={currentType}
        options={types.map((each) => [each, CHART_LABELS[each]])}
        onChange={(chosen) => setType(types.find((each) => each === chosen) ?? currentType)}
      />
      {measures.options.length > 0 && (
        <SelectField key={`${type}-measure`} name="aggregation" label={t.measure} {...measures} />
      )}
      {hasSeries(type) && <SplitField config={config} questions={questions} splitColumns={splitColumns} />}
      {filter !== null && (
        <fieldset class="labeled chart-filter">
          <legend>{t.filter}</legend>
          {hasFilter ? (
            <>
              <p>{chartFilterInWords(filter, questions)}</p>
              <button type="button" class="button small" onClick={onRemoveFilter}>
                {t.removeFilter}
              </button>
            </>
          ) : (
            <p class="hint" role="status">
              {t.filterRemoved}
            </p>
          )}
        </fieldset>
      )}
    </>
  );
}

/** Offers questions and derived columns except the one that is shown, and the current column if it is another one. */
function SplitField({
  config,
  questions,
  splitColumns,
}: {
  config: Config;
  questions: readonly Question[];
  splitColumns: SplitColumns;
}) {
  const { dimension } = config;
  const shown = questions.find(({ question_id: id }) => id === dimension.question_id)?.question_code;
  const offered = [...splitColumns.questions, ...splitColumns.arms, ...splitColumns.derived].filter(
    ({ code }) => code !== shown && code !== dimension.column_code,
  );
  const current = seriesCode(config, questions);
  const isOffered = current === '' || offered.some(({ code }) => code === current);
  return (
    <SelectField
      name="series"
      label={t.splitBy}
      value={current}
      options={[
        ['', t.noSplit],
        ...(isOffered ? [] : [[current, columnLabel(current, questions)] as const]),
        ...offered.map(({ code, label }) => [code, label] as const),
      ]}
    />
  );
}

/** The fields of the form for the members of a configuration. */
const FORM_FIELDS: Readonly<Record<string, string>> = {
  aggregation: 'aggregation',
  series: 'series',
  compare: 'series',
  position: 'size',
};

/** Moves the problems of a configuration to the fields of the form. What no field decides is a problem of the chart type. */
function atFormFields(error: ApiError): ApiError {
  const { kind, status, code, message, body } = error;
  const problems = error.problems.map(({ field, message: problem }) => {
    const member = /^chart_config\.(\w+)/.exec(field)?.[1];
    return { field: member === undefined ? field : (FORM_FIELDS[member] ?? 'chart_type'), message: problem };
  });
  return new ApiError(kind, { status, code, message, problems, body });
}
