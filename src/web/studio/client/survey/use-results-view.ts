import { useEffect, useState } from 'preact/hooks';
import { navigate } from '../../../shared/client/navigation.tsx';
import { parseResultsView, type ResultsView, resultsViewQuery } from './results-view.ts';

/** The view in the address, so that a link shares it. Changing it adds an entry to the history. `defaults` must not change. */
export function useResultsView(defaults: ResultsView): [ResultsView, (view: ResultsView) => void] {
  const [view, setView] = useState(() => parseResultsView(location.search, defaults));
  useEffect(() => {
    const readAddress = () => setView(parseResultsView(location.search, defaults));
    addEventListener('popstate', readAddress);
    return () => removeEventListener('popstate', readAddress);
  }, []);
  const changeView = (changed: ResultsView) => {
    navigate(location.pathname + resultsViewQuery(changed, defaults));
    setView(changed);
  };
  return [view, changeView];
}
