import type { InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { AREAS } from '../../../shared/areas.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { navigate } from '../../../shared/client/navigation.tsx';
import { componentTexts } from '../../../shared/client/texts.ts';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { useSession } from './session-context.tsx';

interface Result {
  group: string;
  label: string;
  /** Where it is, beside the label. */
  about?: string;
  path: string;
  /** A page of another application, which needs a new document. */
  isElsewhere: boolean;
}

const LIMIT = 8;
const DELAY_MS = 150;
/** The API finds nothing by fewer characters. */
const MIN_CHARACTERS = 2;
/** Recent surveys and dashboards are listed before something is typed. */
const RECENT = 5;

const PAGES: readonly Result[] = AREAS.map(({ path, label }) => ({
  group: texts.search.pages,
  path,
  label,
  isElsewhere: false,
}));

/** In the order of the results, which are listed group by group. */
const groupNames = (results: readonly Result[]): string[] => [...new Set(results.map(({ group }) => group))];

/** Preact's types want a `datalist` for a combobox. */
const COMBOBOX = { type: 'search', role: 'combobox' } as InputHTMLAttributes;

/** Opens a survey, a question, a dashboard, a report or a page by a part of its text. A combobox with a list of results, as ARIA describes it. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState(0);
  const { results, isLoading } = useResults(search);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => setSelected(0), [search]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  const open = ({ path, isElsewhere }: Result) => {
    onClose();
    if (isElsewhere) location.assign(path);
    else navigate(path);
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const result = results[selected];
    if (step !== 0) {
      event.preventDefault();
      setSelected((selected + step + results.length) % Math.max(1, results.length));
    } else if (event.key === 'Enter' && result !== undefined) {
      event.preventDefault();
      open(result);
    } else if (event.key === 'Escape') {
      // Browsers would only empty the field.
      event.preventDefault();
      onClose();
    }
  };

  return (
    <Dialog title={texts.search.title} onClose={onClose}>
      <input
        {...COMBOBOX}
        class="field"
        aria-label={texts.search.label}
        aria-expanded={results.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(results.length > 0 ? { 'aria-activedescendant': `${id}-${selected}` } : {})}
        placeholder={texts.search.label}
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      <div
        class="search-results"
        role="listbox"
        id={`${id}-list`}
        aria-label={texts.search.results}
        ref={list}
      >
        {groupNames(results).map((group) => (
          <div key={group} role="group" aria-label={group}>
            <p class="group" aria-hidden="true">
              {group}
            </p>
            {results.map(
              (result, index) =>
                result.group === group && (
                  <div
                    key={result.path}
                    role="option"
                    id={`${id}-${index}`}
                    aria-selected={index === selected}
                    onClick={() => open(result)}
                    onPointerMove={() => setSelected(index)}
                  >
                    <span class="label">{result.label}</span>
                    {result.about !== undefined && <span class="soft">{result.about}</span>}
                  </div>
                ),
            )}
          </div>
        ))}
      </div>
      <p class="hint" role="status">
        {results.length > 0
          ? texts.search.hint
          : isLoading
            ? componentTexts.loading
            : texts.search.none(search)}
      </p>
    </Dialog>
  );
}

/** Objects of the workspace whose texts contain the text, and the pages of the studio. Without a text: what is new. */
function useResults(search: string): { results: readonly Result[]; isLoading: boolean } {
  const { workspace } = useSession();
  const isSearching = search.length >= MIN_CHARACTERS;
  const workspaceId = workspace?.workspace_id ?? 0;
  const recent =
    workspace === null || isSearching ? null : { query: { workspace_id: workspaceId, limit: RECENT } };
  const surveys = useQuery('/api/surveys', recent, { keepPrevious: true });
  const dashboards = useQuery('/api/dashboards', recent, { keepPrevious: true });
  const found = useQuery(
    '/api/workspaces/{id}/search',
    workspace === null || !isSearching
      ? null
      : { path: { id: workspaceId }, query: { q: search, limit: LIMIT } },
    { keepPrevious: true },
  );
  const listed = isSearching
    ? found.data
    : { surveys: surveys.data ?? [], questions: [], dashboards: dashboards.data ?? [], reports: [] };
  const matches = ({ label }: Result) => label.toLowerCase().includes(search.toLowerCase());
  return {
    results: [
      ...(listed === undefined || listed === null ? [] : listResults(listed)),
      ...PAGES.filter(matches),
    ],
    isLoading: isSearching && found.data === undefined,
  };
}

interface FoundObjects extends Pick<Schema<'FoundObjects'>, 'questions' | 'reports'> {
  surveys: readonly Pick<Schema<'FoundSurvey'>, 'survey_id' | 'survey_name'>[];
  dashboards: readonly Pick<Schema<'FoundDashboard'>, 'dashboard_id' | 'dashboard_name'>[];
}

function listResults({ surveys, questions, dashboards, reports }: FoundObjects): Result[] {
  const t = texts.search;
  return [
    ...surveys.map((survey) => ({
      group: t.surveys,
      label: survey.survey_name,
      path: `/surveys/${survey.survey_id}/edit`,
      isElsewhere: false,
    })),
    ...questions.map((question) => ({
      group: t.questions,
      label: question.question_label,
      about: t.inSurvey(question.question_code, question.survey_name),
      path: `/surveys/${question.survey_id}/edit?question=${question.question_id}`,
      isElsewhere: false,
    })),
    ...dashboards.map((dashboard) => ({
      group: t.dashboards,
      label: dashboard.dashboard_name,
      path: `/dashboards/${dashboard.dashboard_id}`,
      isElsewhere: true,
    })),
    ...reports.map((report) => ({
      group: t.reports,
      label: report.report_name,
      path: `/reports/${report.report_id}`,
      isElsewhere: false,
    })),
  ];
}
