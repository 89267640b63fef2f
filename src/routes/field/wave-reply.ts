import { z } from 'zod';
import { WAVE_STATUSES, waveStatusOf } from '../../domain/survey/status.ts';
import type { WaveRow } from '../../repositories/waves.ts';

export const waveStatus = z.enum(WAVE_STATUSES, { error: `must be one of ${WAVE_STATUSES.join(', ')}` });

export const waveSchema = z
  .strictObject({
    wave_id: z.int(),
    survey_id: z.int(),
    wave_name: z.string(),
    wave_status: waveStatus.describe(
      'Derived from the dates: scheduled before the start, ended from the end on',
    ),
    wave_start_date: z.iso.datetime().nullable().describe('null: no start date'),
    wave_end_date: z.iso.datetime().nullable().describe('Exclusive end; null: no end date'),
    completed: z.int().describe('Complete responses that are neither deleted nor test'),
    target: z
      .int()
      .nullable()
      .describe('Target number of complete responses; by default that of its largest quota'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Wave' });

export const presentWave = (wave: WaveRow, now: Date) => ({
  wave_id: wave.wave_id,
  survey_id: wave.survey_id,
  wave_name: wave.wave_name,
  wave_status: waveStatusOf({ start: wave.wave_start_date, end: wave.wave_end_date }, now),
  wave_start_date: wave.wave_start_date?.toISOString() ?? null,
  wave_end_date: wave.wave_end_date?.toISOString() ?? null,
  completed: wave.completed,
  target: wave.target,
  created_at: wave.created_at.toISOString(),
});
