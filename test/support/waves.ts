import type { Actor } from './actors.ts';

export interface Wave {
  wave_id: number;
  survey_id: number;
  wave_name: string;
  wave_status: 'scheduled' | 'active' | 'ended';
  wave_start_date: string | null;
  wave_end_date: string | null;
  completed: number;
  target: number | null;
  created_at: string;
}

/** A wave, by default one that is open and does not end. */
export async function createWave(author: Actor, surveyId: number, body: object = {}): Promise<Wave> {
  const created = await author
    .post('/api/surveys/waves', { survey_id: surveyId, wave_name: 'Wave', ...body })
    .expect(201);
  return created.body.data;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time `days` days from now, in the format of a request. */
export const daysFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
