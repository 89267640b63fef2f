import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { Ids } from '../../../lib/ids.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Invitee } from './invitees.ts';

const TOKEN_CHARACTERS = 20;
export const ROWS_PER_STATEMENT = 5_000;

/** Creates new respondents and updates changed ones. Sets the respondent of each row. */
export async function writePeople(
  { respondentImports }: Repositories,
  scope: SurveyScope,
  invitees: readonly Invitee[],
  now: Date,
): Promise<void> {
  const created = invitees.filter(({ writing }) => writing === 'create');
  for (let start = 0; start < created.length; start += ROWS_PER_STATEMENT) {
    const part = created.slice(start, start + ROWS_PER_STATEMENT);
    const ids = await respondentImports.insertMany(
      scope,
      part.map(({ person }) => person!),
      now,
    );
    part.forEach(({ row }, index) => (row.respondentId = ids[index]!));
  }
  const changed = invitees.filter(({ writing }) => writing === 'update');
  for (let start = 0; start < changed.length; start += ROWS_PER_STATEMENT) {
    const part = changed.slice(start, start + ROWS_PER_STATEMENT);
    const ids = part.map(({ row }) => row.respondentId!);
    await respondentImports.updateMany(
      scope,
      ids,
      part.map(({ person }) => person!),
      now,
    );
  }
}

/** Creates the invitations and sets them on the rows. Returns the ids of those that receive an email. */
export async function writeInvitations(
  { invitations }: Repositories,
  ids: Ids,
  scope: SurveyScope,
  linkId: number,
  invitees: readonly Invitee[],
): Promise<number[]> {
  const tokens = ids.token(2 * TOKEN_CHARACTERS * invitees.length);
  const tokenAt = (index: number) => tokens.slice(index * TOKEN_CHARACTERS, (index + 1) * TOKEN_CHARACTERS);
  const queued: number[] = [];
  for (let start = 0; start < invitees.length; start += ROWS_PER_STATEMENT) {
    const part = invitees.slice(start, start + ROWS_PER_STATEMENT);
    const respondents = part.map(({ row }, index) => ({
      respondentId: row.respondentId!,
      token: tokenAt(2 * (start + index)),
      optOutToken: tokenAt(2 * (start + index) + 1),
      status: row.outcome === 'suppressed' ? ('suppressed' as const) : ('queued' as const),
    }));
    const created = await invitations.createMany(scope, linkId, respondents);
    for (const { row } of part) {
      row.invitationId = created.get(row.respondentId!) ?? null;
      if (row.outcome === 'queued' && row.invitationId !== null) queued.push(row.invitationId);
    }
  }
  return queued;
}
