import type { ComponentChildren } from 'preact';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { componentTexts } from '../../../shared/client/texts.ts';
import type { Query } from './queries.ts';

export function Waiting() {
  return (
    <div class="card waiting" aria-busy="true">
      <p class="visually-hidden">{componentTexts.loading}</p>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Data that are loading, failed or loaded. Data from before a failed reload stay visible. */
export function QueryView<T>({
  query,
  children,
}: {
  query: Query<T>;
  children: (data: T) => ComponentChildren;
}) {
  const { data, error, reload } = query;
  if (data !== undefined) return <>{children(data)}</>;
  if (error === null) return <Waiting />;
  return (
    <div class="blank" role="alert">
      <p>{errorMessage(error)}</p>
      <button type="button" class="button" onClick={() => void reload()}>
        {componentTexts.tryAgain}
      </button>
    </div>
  );
}
