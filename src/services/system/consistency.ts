import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_TABLES } from '../../db/distribution/response-tables.ts';
import { formatList } from '../../lib/error-messages.ts';
import {
  RESPONSE_REFERENCES,
  type ResponseReference,
  type StoredCopy,
} from '../../repositories/consistency.ts';
import type { Store } from '../../repositories/store.ts';

const REFERENCES_AT_ONCE = 10_000;
/** Longer than a change takes that is written to two servers. */
const SECOND_LOOK_MS = 1_000;

/**
 * Compares what the database stores twice or cannot check by foreign keys: references of responses to definitions, counts, and the limits
 * that are stored with definitions and beside the responses.
 */
export class ConsistencyService {
  constructor(private readonly store: Store) {}

  /**
   * Returns what is wrong, in words, and the number of surveys. Changes nothing and may run while responses arrive: what is found once only
   * was being changed.
   */
  async check(): Promise<{ surveys: number; problems: string[] }> {
    const first = await this.look();
    if (first.problems.length === 0) return first;
    await sleep(SECOND_LOOK_MS);
    const second = await this.look();
    const again = new Set(second.problems);
    return { ...second, problems: first.problems.filter((problem) => again.has(problem)) };
  }

  private async look(): Promise<{ surveys: number; problems: string[] }> {
    const { consistency } = this.store.read;
    const problems: string[] = [];
    const stored = new Map<string, number[]>();
    for (const table of RESPONSE_TABLES) stored.set(table, await consistency.listSurveys(table));
    // Read last: rows of a survey are written after the survey.
    const surveys = await consistency.listSurveys('surveys');
    const known = new Set(surveys);
    for (const [table, ids] of stored) {
      const unknown = ids.filter((id) => !known.has(id));
      if (unknown.length > 0)
        problems.push(`${table} has rows of surveys that do not exist: ${formatList(unknown, 20, String)}`);
    }
    for (const surveyId of surveys)
      for (const problem of await this.checkSurvey(surveyId)) problems.push(`Survey ${surveyId}: ${problem}`);
    return { surveys: surveys.length, problems };
  }

  private async checkSurvey(surveyId: number): Promise<string[]> {
    const { consistency } = this.store.read;
    const problems: string[] = [];
    for (const reference of RESPONSE_REFERENCES) {
      const missing = await this.findMissing(reference, surveyId);
      if (missing.length > 0)
        problems.push(
          `${reference.table}.${reference.column} names ${reference.definitions} that do not exist: ${formatList(missing, 20, String)}`,
        );
    }
    for (const { name, counted, rows } of await consistency.listWrongCounts(surveyId))
      problems.push(`${name}: ${counted} are counted, but there are ${rows}`);
    problems.push(
      ...compareCopies(
        'the quota revision of wave',
        await consistency.listQuotaRevisions('waves', surveyId),
        await consistency.listQuotaRevisions('wave_quotas', surveyId),
      ),
      ...compareCopies(
        'the limit of link',
        await consistency.listLinkLimits('links', surveyId),
        await consistency.listLinkLimits('link_limits', surveyId),
      ),
    );
    return problems;
  }

  private async findMissing(reference: ResponseReference, surveyId: number): Promise<number[]> {
    const { consistency } = this.store.read;
    const missing: number[] = [];
    for (let after = 0; ;) {
      const ids = await consistency.listReferences(reference, surveyId, { after, limit: REFERENCES_AT_ONCE });
      if (ids.length === 0) return missing;
      missing.push(...(await consistency.findMissing(reference, ids)));
      after = ids.at(-1) ?? after;
    }
  }
}

function compareCopies(
  what: string,
  definitions: readonly StoredCopy[],
  copies: readonly StoredCopy[],
): string[] {
  const defined = new Map(definitions.map(({ id, value }) => [id, value]));
  const copied = new Map(copies.map(({ id, value }) => [id, value]));
  return [...new Set([...defined.keys(), ...copied.keys()])]
    .filter((id) => defined.get(id) !== copied.get(id))
    .map(
      (id) =>
        `${what} ${id} is ${defined.get(id) ?? 'not set'}, but ${copied.get(id) ?? 'not set'} beside the responses`,
    );
}
