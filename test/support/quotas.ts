import type { Actor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Wave } from './waves.ts';

/** Matches respondents who gave this answer. */
export const answersAre = (code: string, right: string | number, operator = 'equals') => ({
  left: { code },
  operator,
  right,
});
export const both = (...conditions: object[]) => ({ connector: 'and', conditions });
export const ALL_RESPONDENTS = { conditions: [] };

export const cell = (cell_label: string, condition: object, target: number | null = null) => ({
  cell_label,
  condition,
  target,
});
export const quota = (quota_name: string, cells: object[], mode = 'hard') => ({ quota_name, mode, cells });

export interface CellReply {
  cell_id: number;
  cell_label: string;
  target: number | null;
  completed: number;
  pending: number;
  over_quota: number;
  remaining: number | null;
  [field: string]: unknown;
}
interface QuotaReply {
  quota_id: number;
  quota_name: string;
  mode: string;
  cells: CellReply[];
}

const address = ({ wave_id: id }: Pick<Wave, 'wave_id'>) => `/api/surveys/waves/${id}/quotas`;

export async function setQuotas(author: Actor, wave: Wave, ...quotas: object[]): Promise<QuotaReply[]> {
  return (await author.patch(address(wave), { quotas }).expect(200)).body.data.quotas;
}
export async function getQuotas(author: Actor, wave: Wave): Promise<QuotaReply[]> {
  return (await author.get(address(wave)).expect(200)).body.data.quotas;
}

/** By label, over all quotas: `completed`, with `+pending` and `!over_quota` where there are any. */
export async function quotaCounts(author: Actor, wave: Wave): Promise<Record<string, string>> {
  const cells = (await getQuotas(author, wave)).flatMap((one) => one.cells);
  return Object.fromEntries(
    cells.map(({ cell_label, completed, pending, over_quota }) => [
      cell_label,
      `${completed}${pending > 0 ? `+${pending}` : ''}${over_quota > 0 ? `!${over_quota}` : ''}`,
    ]),
  );
}

/** Sets the expiry of all quota reservations of a wave into the past. */
export async function expireQuotaReservations(test: TestApp, wave: Wave): Promise<void> {
  await test.database.db.raw(
    `UPDATE quota_reservations SET reserved_until = now() - interval '1 second' WHERE wave_id = ?`,
    [wave.wave_id],
  );
}
