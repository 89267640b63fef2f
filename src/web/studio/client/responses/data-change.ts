import { ApiError } from '../../../shared/client/api.ts';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi } from '../data/api.ts';

const t = texts.responses;
const UNDO_MS = 10_000;

/** Reverts a change of responses. Throws ApiError. */
export const undoChange = (surveyId: number, changeId: number): Promise<unknown> =>
  changeApi('post', '/api/responses/{surveyId}/changes/{changeId}/undo', { path: { surveyId, changeId } });

/** Says what was changed, and offers to undo it. `changeId` null: nothing was changed. */
export function announceChange(
  text: string,
  { surveyId, changeId, reload }: { surveyId: number; changeId: number | null; reload: () => Promise<void> },
): void {
  if (changeId === null) {
    announce(text);
    return;
  }
  const undo = async () => {
    try {
      await undoChange(surveyId, changeId);
      announce(t.undone);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      announce(t.notUndone(errorMessage(error)));
    }
    await reload();
  };
  announce(text, { label: t.undo, durationMs: UNDO_MS, run: () => void undo() });
}
