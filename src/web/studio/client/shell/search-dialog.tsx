import type { InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { AREAS } from '../../../shared/areas.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { navigate } from '../../../shared/client/navigation.tsx';
import { texts } from '../../texts.ts';
import { useQuery } from '../data/queries.ts';
import { useSession } from './session-context.tsx';

interface Result {
  group: string;
  label: string;
  path: string;
  /** A page of another application, which needs a new document. */
  isElsewhere: boolean;
}

const LIMIT = 8;
const DELAY_MS = 150;

const PAGES: readonly Result[] = AREAS.map(({ path, label }) => ({
  group: texts.search.pages,
  path,
  label,
  isElsewhere: false,
}));

/** Preact's types want a `datalist` for a combobox. */
const COMBOBOX = { type: 'search', role: 'combobox' } as InputHTMLAttributes;

/** Opens a survey, a dashboard or a page by a part of its name. A combobox with a list of results, as ARIA describes it. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState(0);
  const results = useResults(search);
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
      <ul
        class="search-results"
        role="listbox"
        id={`${id}-list`}
        aria-label={texts.search.results}
        ref={list}
      >
        {results.map((result, index) => (
          <li
            key={result.path}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === selected}
            onClick={() => open(result)}
            onPointerMove={() => setSelected(index)}
          >
            <span>{result.label}</span>
            <span class="soft">{result.group}</span>
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {results.length === 0 ? texts.search.none(search) : texts.search.hint}
      </p>
    </Dialog>
  );
}

/** Surveys and dashboards of the workspace whose names contain the text, and the pages of the studio. */
function useResults(search: string): readonly Result[] {
  const { workspace } = useSession();
  const parameters =
    workspace === null
      ? null
      : {
          query: {
            workspace_id: workspace.workspace_id,
            limit: LIMIT,
            ...(search === '' ? {} : { search }),
          },
        };
  const surveys = useQuery('/api/surveys', parameters, { keepPrevious: true });
  const dashboards = useQuery('/api/dashboards', parameters, { keepPrevious: true });
  const matches = ({ label }: Result) => label.toLowerCase().includes(search.toLowerCase());
  return [
    ...(surveys.data ?? []).map((survey) => ({
      group: texts.search.surveys,
      label: survey.survey_name,
      path: `/surveys/${survey.survey_id}/edit`,
      isElsewhere: false,
    })),
    ...(dashboards.data ?? []).map((dashboard) => ({
      group: texts.search.dashboards,
      label: dashboard.dashboard_name,
      path: `/dashboards/${dashboard.dashboard_id}`,
      isElsewhere: true,
    })),
    ...PAGES.filter(matches),
  ];
}
