import type { ComponentChildren } from 'preact';
import { errorMessage } from './error-messages.ts';
import type { ListState } from './use-list.ts';
import { texts } from '../texts.ts';

/** A list that is loading, failed, empty or loaded. */
export function ListView<T>({
  list,
  label,
  empty,
  children,
}: {
  list: ListState<T>;
  label: string;
  /** Shown instead of an empty list. */
  empty: ComponentChildren;
  children: (item: T) => ComponentChildren;
}) {
  const { items, error, isBusy, loadMore, reload } = list;
  if (error !== null) {
    return (
      <div class="card blank" role="alert">
        <p>{errorMessage(error)}</p>
        <button type="button" class="quiet" onClick={() => void reload()}>
          {texts.common.tryAgain}
        </button>
      </div>
    );
  }
  if (items === null) {
    return (
      <div class="card waiting" aria-busy="true">
        <p class="visually-hidden">{texts.common.loading}</p>
        <i />
        <i />
        <i />
      </div>
    );
  }
  if (items.length === 0) return <div class="card blank">{empty}</div>;
  return (
    <>
      <ul class="card rows" aria-label={label} aria-busy={isBusy}>
        {items.map(children)}
      </ul>
      {loadMore !== null && (
        <button
          type="button"
          class="quiet more"
          aria-disabled={isBusy}
          onClick={() => void (isBusy ? null : loadMore())}
        >
          {texts.common.showMore}
        </button>
      )}
    </>
  );
}
