import { useState } from 'preact/hooks';
import type { Option } from '../../../../domain/survey/definition.ts';
import { fill, type Words } from '../words.ts';

/** Ignores case and accents, so that "ile" finds "Île-de-France". */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

interface OptionSearch {
  /** Options whose label holds what was typed, and those that are chosen. */
  found: readonly Option[];
  query: string;
  setQuery: (query: string) => void;
}

/** The options that a search box leaves. */
export function useOptionSearch(
  options: readonly Option[],
  isChosen: (option: Option) => boolean,
): OptionSearch {
  const [query, setQuery] = useState('');
  const wanted = folded(query);
  const found = options.filter((option) => folded(option.label).includes(wanted) || isChosen(option));
  return { found, query, setQuery };
}

interface SearchBoxProps {
  id: string;
  /** The id of what it filters. */
  controls: string;
  search: OptionSearch;
  total: number;
  words: Words;
}

/** A search box over the options of a question. Says to screen readers how many are left. */
export function SearchBox({
  id,
  controls,
  search: { found, query, setQuery },
  total,
  words,
}: SearchBoxProps) {
  const count = fill(words.options_found, { n: String(found.length), m: String(total) });
  return (
    <div class="option-search">
      <input
        id={id}
        type="search"
        class="field"
        autocomplete="off"
        aria-label={words.search_options}
        aria-controls={controls}
        placeholder={words.search_options}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter would send the page off.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <p class="hint" role="status">
        {query === '' ? '' : count}
      </p>
    </div>
  );
}
