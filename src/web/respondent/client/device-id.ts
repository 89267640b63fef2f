import { randomId } from './draft.ts';

/**
 * Returns a random id that this browser keeps for one survey, so that the server can detect several responses from one browser. It is
 * different for each survey and contains no data of the device. null if the browser does not allow storage.
 */
export function getDeviceId(surveyId: number): string | null {
  const key = `canvass:device:${surveyId}`;
  try {
    const id = localStorage.getItem(key) ?? randomId();
    localStorage.setItem(key, id);
    return id;
  } catch {
    return null;
  }
}
