import { useState } from 'preact/hooks';
import type { Option } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders, type Messages } from '../localization.ts';

/** Ignores case and accents, so that "ile" finds "Île-de-France". */
const foldCase = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

interface OptionSearch {
  /** Options whose label contains the query, and the selected options. */
  found: readonly Option[];
  query: string;
  setQuery: (query: string) => void;
}

/** State of a search box that filters options. */
export function useOptionSearch(
  options: readonly Option[],
  isChosen: (option: Option) => boolean,
): OptionSearch {
  const [query, setQuery] = useState('');
  const foldedQuery = foldCase(query);
  const found = options.filter((option) => foldCase(option.label).includes(foldedQuery) || isChosen(option));
  return { found, query, setQuery };
}

interface SearchBoxProps {
  id: string;
  /** Id of the filtered list. */
  controls: string;
  search: OptionSearch;
  total: number;
  messages: Messages;
}

/** A search box for the options of a question. It announces the number of matches to screen readers. */
export function SearchBox({
  id,
  controls,
  search: { found, query, setQuery },
  total,
  messages,
}: SearchBoxProps) {
  const count = fillPlaceholders(messages.options_found, { n: String(found.length), m: String(total) });
  return (
    <div class="option-search">
      <input
        id={id}
        type="search"
        class="field"
        autocomplete="off"
        aria-label={messages.search_options}
        aria-controls={controls}
        placeholder={messages.search_options}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter would submit the page.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <p class="hint" role="status">
        {query === '' ? '' : count}
      </p>
    </div>
  );
}
