import { useEffect } from 'preact/hooks';
import { isOwnRequest } from '../../../shared/client/api.ts';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { apiAddress, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';

type SurveyEvent = Schema<'SurveyEvent'>;

/** Changes within this time are loaded together. Replies to requests of this page also arrive within it. */
const TOGETHER_MS = 500;

/** Loads the survey again when someone else changes it. The browser reconnects when the stream ends. */
export function useLiveChanges(surveyId: number, revision: number): void {
  useEffect(() => {
    const path = apiAddress('/api/surveys/{id}/events', { path: { id: surveyId } });
    const stream = new EventSource(path);
    let pending: SurveyEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let known = revision;
    const load = () => {
      const foreign = pending.filter(
        ({ kind, request_id: id, revision: reached }) =>
          (kind === 'deleted' || reached > known) && (id === null || !isOwnRequest(id)),
      );
      known = Math.max(known, ...pending.map(({ revision: reached }) => reached));
      pending = [];
      if (foreign.length === 0) return;
      void reloadQueries(`/api/surveys/${surveyId}`);
      const name = foreign.findLast(({ changed_by: by }) => by !== null)?.changed_by?.user_name;
      if (name !== undefined) announce(texts.editor.changedBy(name));
    };
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      pending.push(JSON.parse(data) as SurveyEvent);
      clearTimeout(timer);
      timer = setTimeout(load, TOGETHER_MS);
    });
    // The server names the reason why it ends the stream; a lost connection has none.
    stream.addEventListener('error', (event) => {
      if (event instanceof MessageEvent) void reloadQueries(`/api/surveys/${surveyId}`);
    });
    return () => {
      stream.close();
      clearTimeout(timer);
    };
  }, [surveyId]);
}
