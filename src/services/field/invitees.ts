import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { OptionalValues } from '../../domain/invitations/messages.ts';
import {
  emailKey,
  type ExistingRespondent,
  type InviteeInput,
  readInvitee,
  resolveRespondentRow,
  type RespondentInput,
} from '../../domain/import/respondent-row.ts';
import { duplicateOf, unknownObject } from '../../lib/error-messages.ts';
import { invalidFields } from '../../lib/errors.ts';
import { requireEntry, requireItem } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';

const CHUNK = 2_000;
const MAX_DETAILS = 20;

/** The outcome of an invitee. */
type InviteeOutcome = 'queued' | 'suppressed' | 'duplicate' | 'invalid';

export interface InviteeRow {
  /** Index in the list, from 0. */
  index: number;
  email: string | null;
  outcome: InviteeOutcome;
  /** null: not created yet, or not invited. */
  respondentId: number | null;
  /** The respondent is new in the workspace. */
  isNew: boolean;
  invitationId: number | null;
  /** Why no email is sent. */
  problems: { field: string; message: string }[];
}

/** A valid row with the data to write. */
export type Invitee = { row: InviteeRow; values: OptionalValues } & (
  | { writing: 'create'; person: Person }
  | { writing: 'update'; person: Person }
  /** null: an existing respondent, given by id. */
  | { writing: 'nothing'; person: Person | null }
);

type Person = RespondentInput & { email: string };

/** Reads a list of invitees: returns the valid rows, each address once. */
export function readInvitees(given: readonly InviteeInput[]): { rows: InviteeRow[]; respondents: Person[] } {
  const firstIndices = new Map<string, number>();
  const respondents: Person[] = [];
  const rows = given.map((one, index): InviteeRow => {
    const { person, problems } = readInvitee(one, index);
    const row: InviteeRow = {
      index,
      email: one.email.trim() === '' ? null : one.email.trim().slice(0, 254),
      outcome: problems.length > 0 ? 'invalid' : 'queued',
      respondentId: null,
      isNew: false,
      invitationId: null,
      problems,
    };
    if (problems.length > 0) return row;
    const first = firstIndices.get(emailKey(person.email));
    if (first !== undefined) {
      row.outcome = 'duplicate';
      row.problems.push({ field: 'email', message: duplicateOf(`respondents[${first}]`) });
      return row;
    }
    firstIndices.set(emailKey(person.email), index);
    respondents.push(person);
    return row;
  });
  return { rows, respondents };
}

/**
 * Decides the outcome of each row by the respondents of the workspace. The caller has locked the workspace's
 * respondents.
 */
export async function classifyInvitees({
  repositories,
  scope,
  linkId,
  rows,
  respondents,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  linkId: number;
  rows: InviteeRow[];
  respondents: readonly Person[];
}): Promise<Invitee[]> {
  const invitees: Invitee[] = [];
  const claimed = new Map<number, number>();
  for (let start = 0; start < respondents.length; start += CHUNK) {
    const part = respondents.slice(start, start + CHUNK);
    const known = await repositories.respondentImports.lockKnown(scope, part);
    const optedOut = await repositories.respondents.filterOptedOut(
      scope.organizationId,
      part.map(({ email }) => emailKey(email)),
    );
    const ids = [...known.byEmail.values(), ...known.byExternalId.values()].map((one) => one.respondentId);
    const invited = await repositories.invitations.listInvited(linkId, ids);
    for (const person of part) {
      const row = requireItem(rows, person.row, 'row');
      const byEmail = known.byEmail.get(emailKey(person.email)) ?? null;
      const byExternalId =
        person.externalId === null ? null : (known.byExternalId.get(person.externalId) ?? null);
      const resolution = resolveRespondentRow({
        input: person,
        byExternalId,
        byEmail,
        updateExisting: true,
      });
      if (resolution.outcome === 'failed') {
        row.outcome = 'invalid';
        row.problems.push({ field: resolution.problem.column, message: resolution.problem.message });
        continue;
      }
      const isNew = resolution.outcome === 'created';
      const respondent = byExternalId ?? byEmail;
      row.isNew = isNew;
      row.respondentId = isNew ? null : resolution.respondentId;
      const earlier = row.respondentId === null ? undefined : claimed.get(row.respondentId);
      if (row.respondentId !== null) claimed.set(row.respondentId, earlier ?? row.index);
      if (earlier !== undefined) {
        row.outcome = 'duplicate';
        row.problems.push({
          field: 'external_id',
          message: duplicateOf(`respondents[${earlier}]`),
        });
        continue;
      }
      classifyAddress({
        row,
        known: respondent,
        isAddressOptedOut: optedOut.has(emailKey(person.email)),
        invited,
      });
      if (row.outcome === 'duplicate') continue;
      invitees.push({
        row,
        person: row.outcome === 'suppressed' ? { ...person, optedOut: true } : person,
        writing: isNew ? 'create' : resolution.outcome === 'updated' ? 'update' : 'nothing',
        values: {
          name: person.name ?? respondent?.name ?? null,
          attributes: { ...respondent?.attributes, ...person.attributes },
        },
      });
    }
  }
  return invitees;
}

/** Finds respondents of the workspace by id. Throws 400 naming unknown ids. */
export async function findInvitees({
  repositories,
  scope,
  linkId,
  respondentIds,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  linkId: number;
  respondentIds: readonly number[];
}): Promise<{ rows: InviteeRow[]; invitees: Invitee[] }> {
  const known = new Map<number, ExistingRespondent>();
  for (let start = 0; start < respondentIds.length; start += CHUNK)
    for (const one of await repositories.respondentImports.lockByIds(
      scope,
      respondentIds.slice(start, start + CHUNK),
    ))
      known.set(one.respondentId, one);
  const missing = respondentIds.flatMap((id, index) => (known.has(id) ? [] : [{ id, index }]));
  if (missing.length > 0) {
    throw invalidFields(
      missing.slice(0, MAX_DETAILS).map(({ id, index }) => ({
        field: `respondent_ids[${index}]`,
        message: unknownObject({ kind: 'respondent', idOrCode: id, scope: 'in this workspace' }),
      })),
    );
  }
  const emails = [...known.values()].flatMap(({ email }) => (email === null ? [] : [emailKey(email)]));
  const optedOut = await repositories.respondents.filterOptedOut(scope.organizationId, emails);
  const invited = await repositories.invitations.listInvited(linkId, respondentIds);
  const invitees: Invitee[] = [];
  const firstIndices = new Map<number, number>();
  const rows = respondentIds.map((respondentId, index) => {
    const person = requireEntry(known, respondentId, 'respondent');
    const row: InviteeRow = {
      index,
      email: person.email,
      outcome: 'queued',
      respondentId,
      isNew: false,
      invitationId: null,
      problems: [],
    };
    const first = firstIndices.get(respondentId);
    if (first !== undefined) {
      row.outcome = 'duplicate';
      row.problems.push({ field: 'respondent_id', message: duplicateOf(`respondent_ids[${first}]`) });
      return row;
    }
    firstIndices.set(respondentId, index);
    if (person.email === null) {
      row.outcome = 'invalid';
      row.problems.push({ field: 'email', message: 'this respondent does not have an email address' });
      return row;
    }
    classifyAddress({ row, known: person, isAddressOptedOut: optedOut.has(emailKey(person.email)), invited });
    if (row.outcome !== 'duplicate')
      invitees.push({
        row,
        person: null,
        writing: 'nothing',
        values: { name: person.name, attributes: person.attributes },
      });
    return row;
  });
  return { rows, invitees };
}

function classifyAddress({
  row,
  known,
  isAddressOptedOut,
  invited,
}: {
  row: InviteeRow;
  known: ExistingRespondent | null;
  isAddressOptedOut: boolean;
  invited: ReadonlySet<number>;
}): void {
  if (known?.optedOut === true || isAddressOptedOut) {
    row.outcome = 'suppressed';
    row.problems.push({ field: 'email', message: 'has opted out' });
  } else if (known !== null && invited.has(known.respondentId)) {
    row.outcome = 'duplicate';
    row.problems.push({
      field: 'email',
      message: 'was already invited through this link; use resend to send the email again',
    });
  }
}
