import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Option } from '../../../../domain/survey/definition.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { fillPlaceholders, type Messages } from '../localization.ts';

/** Ignores case and accents, so that "ile" finds "Île-de-France". */
const foldCase = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

export interface OptionSearchProps {
  id: string;
  /** Id of the filtered list. */
  controls: string;
  options: readonly Option[];
  /** Selected options are always found. */
  isChosen: (option: Option) => boolean;
  messages: Messages;
  /** Renders the found options. */
  children: (found: readonly Option[]) => ComponentChildren;
}

/** A search box for the options of a question. It announces the number of matches to screen readers. */
export function OptionSearch({ id, controls, options, isChosen, messages, children }: OptionSearchProps) {
  const [query, setQuery] = useState('');
  const foldedQuery = foldCase(query);
  const found = options.filter((option) => foldCase(option.label).includes(foldedQuery) || isChosen(option));
  const count = fillPlaceholders(messages.options_found, {
    n: String(found.length),
    m: String(options.length),
  });
  return (
    <>
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
      {children(found)}
    </>
  );
}

export interface EnlargeProps {
  option: Option;
  messages: Messages;
}

export function Enlarge({ option: { label, image }, messages }: EnlargeProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <button
        type="button"
        class="enlarge"
        aria-label={fillPlaceholders(messages.enlarge, { label })}
        onClick={() => setIsOpen(true)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7" />
        </svg>
      </button>
      {isOpen && (
        <Dialog title={label} onClose={close}>
          <img class="enlarged" src={image ?? ''} alt="" referrerPolicy="no-referrer" />
          <div class="buttons">
            <button type="button" class="button" onClick={close}>
              {messages.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
