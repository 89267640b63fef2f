import { useMemo } from 'preact/hooks';
import type { Schema } from '../../data/api.ts';
import { writeOutPages } from '../../data/written-out-questions.ts';
import { useQuery } from '../../data/queries.ts';
import { armColumnOf } from '../split-columns.ts';
import type { ResultsView } from '../results-view.ts';
import {
  fieldsAboutResponse,
  fieldsOfDerivedColumns,
  fieldsOfQuestions,
  type FilterField,
  findTarget,
  LINK_COLUMN,
  WAVE_COLUMN,
} from './filter-fields.ts';

const MAX_LISTED = 100;
const NAMED_COLUMNS = new Set([LINK_COLUMN, WAVE_COLUMN]);

/**
 * What the filters of a survey can ask. Names of links and waves, and the derived columns, are loaded when the dialog or a filter needs
 * them.
 */
export function useFilterFields(
  { survey_id: surveyId, pages, blocks, survey_settings: settings }: Schema<'SurveyWithPages'>,
  { filters }: ResultsView,
  isDialogOpen: boolean,
): FilterField[] {
  const needsNames = isDialogOpen || filters.some(({ code }) => NAMED_COLUMNS.has(code));
  const { data: links } = useQuery(
    '/api/surveys/{surveyId}/links',
    needsNames ? { path: { surveyId }, query: { limit: MAX_LISTED } } : null,
  );
  const { data: waves } = useQuery(
    '/api/surveys/waves',
    needsNames ? { query: { survey_id: surveyId, limit: MAX_LISTED } } : null,
  );
  const known = useMemo(
    () => [
      ...fieldsOfQuestions(writeOutPages({ pages, blocks })),
      ...fieldsAboutResponse({
        languages: [...new Set([settings.default_language, ...settings.languages])],
        // A personal link has one response at most.
        links: (links ?? []).filter(({ link_type: type }) => type !== 'unique'),
        waves: waves ?? [],
      }),
    ],
    [pages, blocks, settings, links, waves],
  );
  const needsColumns = isDialogOpen || filters.some((filter) => findTarget(known, filter) === undefined);
  const { data: grid } = useQuery(
    '/api/responses/{surveyId}/grid',
    needsColumns ? { path: { surveyId }, query: { limit: 1 } } : null,
  );
  return useMemo(
    () => [...known, ...fieldsOfDerivedColumns(grid?.columns ?? [], blocks.map(armColumnOf))],
    [known, grid?.columns, blocks],
  );
}
