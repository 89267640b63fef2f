import { cloneDraft, type Draft } from './requests/draft.ts';
import { listValueRefs } from './requests/value-paths.ts';

const MAX_TRIES = 40;

/** Returns a smaller request with the same finding. The number of tries is limited. */
export async function simpler(draft: Draft, stillShows: (draft: Draft) => Promise<boolean>): Promise<Draft> {
  let best = draft;
  let tries = 0;
  const attempt = async (change: (draft: Draft) => void): Promise<void> => {
    if ((tries += 1) > MAX_TRIES) return;
    const tried = cloneDraft(best);
    change(tried);
    if (await stillShows(tried)) best = tried;
  };
  for (const name of Object.keys(draft.headers)) await attempt((tried) => delete tried.headers[name]);
  for (const pair of draft.query)
    await attempt((tried) => (tried.query = tried.query.filter((each) => each !== pair)));
  if (draft.body.kind !== 'json') return best;
  // From the outside in: removing a value also removes its content.
  for (const { path } of listValueRefs(draft.body.value)) {
    if (!has(best, path)) continue;
    await attempt((tried) => {
      if (tried.body.kind === 'json')
        listValueRefs(tried.body.value)
          .find((place) => place.path === path)
          ?.remove();
    });
  }
  return best;
}

const has = ({ body }: Draft, path: string): boolean =>
  body.kind === 'json' && listValueRefs(body.value).some((place) => place.path === path);
