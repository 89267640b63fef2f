import { randomId } from './draft.ts';

/**
 * A random mark that this browser keeps for one survey, so that a second response from it is seen as one. It is made only where the
 * survey looks for such, says nothing of the device, and is another one for every survey.
 */
export function getDeviceId(surveyId: number): string | null {
  const key = `canvass:device:${surveyId}`;
  try {
    const kept = localStorage.getItem(key) ?? randomId();
    localStorage.setItem(key, kept);
    return kept;
  } catch {
    return null;
  }
}
