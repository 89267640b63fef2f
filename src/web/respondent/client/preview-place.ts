import type { StoredAnswers } from '../../../domain/questions/answers/codec.ts';
import type { RenderedSurvey } from '../../../domain/survey/logic/render-survey.ts';
import type { PreparedDefinition } from '../../../domain/survey/prepared-definition.ts';
import { type Draft, randomId } from './draft.ts';

/** What a preview shows of a session. */
interface PreviewedSession {
  readonly rendered: RenderedSurvey;
  readonly prepared: PreparedDefinition;
  readonly draft: Draft;
  showInPreview(pageId: number, questionId: number | null): void;
  beginPreview(submissionId: string, previous: StoredAnswers): void;
}

/** Enough for several blocks with many arms. */
const MAX_SEEDS = 5_000;

/** Follows the address of a preview, in which the frame has the page, the question, and the arms and earlier answers that the author has chosen, after #. */
export function followAddress(session: PreviewedSession): void {
  const show = () => showPlace(session, location.hash);
  if (location.hash !== '') show();
  addEventListener('hashchange', show);
}

function showPlace(session: PreviewedSession, hash: string): void {
  const [place = '', ...chosen] = hash.split('&');
  const isSample = (each: string) => each.startsWith('previous.');
  const arms = chosen.filter((each) => !isSample(each));
  chooseSamples(session, chosen.filter(isSample));
  if (arms.length > 0) chooseArms(session, arms);
  const ids = /^#page-(\d+)(?:-question-(\d+))?$/.exec(place);
  const { pages } = session.rendered;
  const shown = pages.find(({ page }) => page.id === Number(ids?.[1]));
  if (shown === undefined) return;
  const view = shown.questions.find(({ question }) => question.id === Number(ids?.[2]));
  // Before the author has chosen anything, the survey begins as for respondents, with its welcome page.
  const isBeginning = view === undefined && shown === pages[0];
  if (isBeginning && session.draft.pageId === null) return;
  session.showInPreview(shown.page.id, view?.question.id ?? null);
  setTimeout(() =>
    document.querySelector(`[data-code="${view?.question.code}"]`)?.scrollIntoView({ block: 'center' }),
  );
}

/** Begins again with other earlier answers, each as `previous.Q3="2"`. */
function chooseSamples(session: PreviewedSession, samples: readonly string[]): void {
  const previous = Object.fromEntries(
    samples.map((sample) => {
      const [code = '', answer = 'null'] = sample.split('=').map(decodeURIComponent);
      return [code, JSON.parse(answer) as StoredAnswers[string]];
    }),
  );
  const { previous: before = {}, submissionId } = session.draft;
  if (JSON.stringify(before) !== JSON.stringify(previous)) session.beginPreview(submissionId, previous);
}

/** Finds a seed that gives the chosen arms, each as `arm-12=A`. What was answered belongs to another response. */
function chooseArms(session: PreviewedSession, arms: readonly string[]): void {
  const chosen = arms.map((each) => decodeURIComponent(each).replace(/^arm-/, '').split('='));
  const fits = (seed: string) => {
    const arranged = session.prepared.arrange?.({ seed, arms: {}, awaitsArms: false });
    return chosen.every(([blockId, arm]) => arranged?.arms.get(Number(blockId)) === arm);
  };
  let seed = session.draft.submissionId;
  if (fits(seed)) return;
  for (let tries = 0; !fits(seed) && tries < MAX_SEEDS; tries++) seed = randomId();
  session.beginPreview(seed, session.draft.previous ?? {});
}
