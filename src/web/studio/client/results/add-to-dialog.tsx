import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { navigate } from '../../../shared/client/navigation.tsx';
import { texts } from '../../texts.ts';
import { changeApi, readApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { type ResultsView, selectionFilter } from '../survey/results-view.ts';
import {
  CHART_LABELS,
  type ChartChoice,
  CHARTS_OF_FIGURES,
  type ChartType,
  hasSeries,
  showsPercent,
} from './chart-types.ts';
import type { Figure, QuestionData } from './figure-kind.ts';

const t = texts.results.addTo;
const NOTICE_MS = 10_000;
const MAX_LISTED = 500;
const NEW = 'new';

export type AddTarget = 'dashboard' | 'report';

/**
 * The dashboard or report that the user added a figure of the survey to last, in this tab. An id of another workspace is not in the list
 * of places and has no effect.
 */
const lastPlaceKey = (target: AddTarget, surveyId: number): string => `added-to-${target}-${surveyId}`;

/** Adds the figure of a question, with the filters and the comparison of the page, to a dashboard or a report. */
export function AddToDialog({
  target,
  surveyId,
  workspaceId,
  data,
  dimension,
  title: proposedTitle,
  kind,
  view,
  onClose,
}: {
  target: AddTarget;
  surveyId: number;
  /** Of the survey. The user may not change the dashboards and reports of every other workspace. */
  workspaceId: number;
  data: QuestionData;
  /** What the chart shows. */
  dimension: Schema<'FigureChartConfig'>['dimension'];
  /** Proposed for the chart. */
  title: string;
  kind: Figure['kind'];
  view: ResultsView;
  onClose: () => void;
}) {
  const listed = { query: { workspace_id: workspaceId, limit: MAX_LISTED } };
  const dashboards = useQuery('/api/dashboards', target === 'dashboard' ? listed : null);
  const reports = useQuery('/api/reports', target === 'report' ? listed : null);
  // The frame of the survey has loaded it.
  const survey = useQuery('/api/surveys/{id}', { path: { id: surveyId } });
  const words = t[target];
  const placeKey = lastPlaceKey(target, surveyId);
  const form = (places: readonly (readonly [id: number, name: string])[]) => (
    <AddForm
      places={places}
      words={words}
      lastPlace={sessionStorage.getItem(placeKey)}
      newName={survey.data?.survey_name ?? ''}
      title={proposedTitle}
      chartTypes={CHARTS_OF_FIGURES[kind]}
      onClose={onClose}
      onAdd={async ({ placeId, newName, title, chartType }) => {
        const filter = selectionFilter(view);
        const element = {
          chart_type: chartType,
          chart_config: {
            survey_id: surveyId,
            dimension,
            ...(showsPercent(kind, chartType) ? { aggregation: 'percent' as const } : {}),
            ...(view.compareBy === null || view.compareBy === data.question_code || !hasSeries(chartType)
              ? {}
              : { series: view.compareBy }),
            ...(filter === null ? {} : { filter }),
            ...(view.weight === null ? {} : { weight_column: view.weight }),
          },
        };
        const place = { id: placeId, newName, workspaceId };
        const addElement = target === 'dashboard' ? addToDashboard : addToReport;
        const usedId = await addElement(place, title, element);
        sessionStorage.setItem(placeKey, String(usedId));
        onClose();
        announce(words.added, {
          label: words.open,
          durationMs: NOTICE_MS,
          run: () => openPlace(target, usedId),
        });
      }}
    />
  );
  return (
    <Dialog title={words.title} onClose={onClose}>
      {target === 'dashboard' ? (
        <QueryView query={dashboards}>
          {(found) => form(found.map((each) => [each.dashboard_id, each.dashboard_name]))}
        </QueryView>
      ) : (
        <QueryView query={reports}>
          {(found) => form(found.map((each) => [each.report_id, each.report_name]))}
        </QueryView>
      )}
    </Dialog>
  );
}

/** Dashboards are another application, so they need a new document. */
function openPlace(target: AddTarget, id: number): void {
  if (target === 'dashboard') location.assign(`/dashboards/${id}`);
  else navigate(`/reports/${id}`);
}

interface NewElement {
  chart_type: ChartType;
  chart_config: Schema<'FigureChartConfig'>;
}

/** Where an element is added. */
interface Place {
  /** null: a new dashboard or report with the name. */
  id: number | null;
  newName: string;
  workspaceId: number;
}

/** Returns the id of the dashboard. Throws ApiError. */
async function addToDashboard(
  { id, newName, workspaceId }: Place,
  title: string,
  element: NewElement,
): Promise<number> {
  const body = { dashboard_name: newName, workspace_id: workspaceId };
  const dashboardId = id ?? (await changeApi('post', '/api/dashboards', { body })).dashboard_id;
  const { data: dashboard } = await readApi('/api/dashboards/{id}', { path: { id: dashboardId } });
  const page = dashboard.pages.at(-1);
  const pageId =
    page?.page_id ??
    (
      await changeApi('post', '/api/dashboards/{id}/pages', {
        path: { id: dashboardId },
        body: { page_title: t.newPage },
      })
    ).page_id;
  await changeApi('post', '/api/dashboards/{id}/charts', {
    path: { id: dashboardId },
    body: { page_id: pageId, chart_title: title, ...element },
  });
  await reloadQueries('/api/dashboards');
  return dashboardId;
}

/** Returns the id of the report. Throws ApiError. */
async function addToReport(
  { id, newName, workspaceId }: Place,
  title: string,
  element: NewElement,
): Promise<number> {
  const body = { report_name: newName, workspace_id: workspaceId };
  const reportId = id ?? (await changeApi('post', '/api/reports', { body })).report_id;
  await changeApi('post', '/api/reports/{reportId}/slides', {
    path: { reportId },
    body: { slide_type: 'chart', slide_title: title, slide_content: { charts: [element] } },
  });
  await reloadQueries('/api/reports');
  return reportId;
}

function AddForm({
  places,
  words,
  lastPlace,
  newName,
  title,
  chartTypes,
  onAdd,
  onClose,
}: {
  places: readonly (readonly [id: number, name: string])[];
  words: (typeof t)[AddTarget];
  /** The id of the place that is selected; null, or a place that is gone: a new one. */
  lastPlace: string | null;
  /** Proposed for a new place. */
  newName: string;
  title: string;
  chartTypes: ChartChoice;
  onAdd: (chosen: {
    placeId: number | null;
    newName: string;
    title: string;
    chartType: ChartType;
  }) => Promise<void>;
  onClose: () => void;
}) {
  const known = places.find(([id]) => String(id) === lastPlace);
  const [place, setPlace] = useState(known === undefined ? NEW : String(known[0]));
  return (
    <Form
      submit={t.add}
      onSubmit={(values) =>
        onAdd({
          placeId: place === NEW ? null : Number(place),
          newName: values.get(words.nameField) ?? '',
          title: values.get('chart_title') ?? '',
          chartType: chartTypes.find((each) => each === values.get('chart_type')) ?? chartTypes[0],
        })
      }
      otherButtons={<CancelButton onClose={onClose} />}
    >
      <div class="labeled">
        <label for="add-to-place">{words.place}</label>
        <select
          id="add-to-place"
          class="field"
          value={place}
          onChange={(event) => setPlace(event.currentTarget.value)}
        >
          <option value={NEW}>{words.create}</option>
          {places.map(([id, name]) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {place === NEW && <Field name={words.nameField} label={words.name} value={newName} />}
      <Field name="chart_title" label={t.chartTitle} value={title} />
      <SelectField
        name="chart_type"
        label={t.chartType}
        value={chartTypes[0]}
        options={chartTypes.map((type) => [type, CHART_LABELS[type]])}
      />
    </Form>
  );
}
