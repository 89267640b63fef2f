import type { Actor } from './actors.ts';
import { startResponse } from './start-response.ts';
import {
  both,
  cell,
  type CellReply,
  ALL_RESPONDENTS,
  quota,
  getQuotas,
  setQuotas,
  answersAre,
} from './quotas.ts';
import type { PublishedSurvey } from './surveys.ts';
import { type Wave, createWave } from './waves.ts';

/** A survey that asks Gender, Age and More, a page each. */
export interface FieldworkFixtures {
  author: Actor;
  /** The same respondents at several processes. */
  processes: readonly Actor[];
  survey: PublishedSurvey;
  /** A quarter of an hour passes. */
  expireReservations: (wave: Wave) => Promise<void>;
}

interface Race {
  wave: Wave;
  linkToken: string;
}

/** Behavior of respondents: submit everything at once or page by page, abandon the survey, or change an answer. */
const RESPONDENT_COUNT = 50;
const TARGETS = { '1 1': 3, '1 2': 4, '2 1': 2, '2 2': 5 };

/** One round: interlocked cells, a soft quota and a counter, and a link whose own quota is larger than all cells together. */
export async function runQuotaRace({ author, processes, survey }: FieldworkFixtures): Promise<Race> {
  const wave = await createWave(author, survey.surveyId, {});
  const cells = Object.entries(TARGETS).map(([name, target]) => {
    const [gender, age] = name.split(' ') as [string, string];
    return cell(name, both(answersAre('Gender', gender), answersAre('Age', age)), target);
  });
  const total = Object.values(TARGETS).reduce((sum, target) => sum + target, 0);
  await setQuotas(
    author,
    wave,
    quota('Interlocked', cells),
    quota('Total', [cell('Total', ALL_RESPONDENTS, total)]),
  );
  const link = await author
    .post(`/api/surveys/${survey.surveyId}/links`, { wave_id: wave.wave_id, link_quota: 60 })
    .expect(201);
  const linkToken: string = link.body.data.link_token;
  await Promise.all(
    Array.from({ length: RESPONDENT_COUNT }, async (_, index) => {
      const by = processes[index % processes.length]!;
      const Gender = String((index % 2) + 1);
      const Age = String((Math.floor(index / 2) % 2) + 1);
      if (index % 5 < 2) {
        await by.post(`/api/public/s/${linkToken}/responses`, { answers: { Gender, Age } }).expect(201);
        return;
      }
      const response = await startResponse(by, linkToken);
      const other = index % 7 === 0 ? String(3 - Number(Age)) : Age;
      await response.save({ Gender }, survey.pageIds[0]).expect(200);
      await response.save({ Age: other }, survey.pageIds[1]).expect(200);
      if (index % 5 === 4) return;
      if (other !== Age) await response.save({ Age }, survey.pageIds[1]).expect(200);
      await response.complete().expect(200);
    }),
  );
  return { wave, linkToken };
}

/** Expires abandoned reservations and submits enough responses to fill every cell twice. */
export async function fillQuotas(
  { processes, expireReservations }: FieldworkFixtures,
  { wave, linkToken }: Race,
): Promise<void> {
  await expireReservations(wave);
  const expected = Object.entries(TARGETS).flatMap(([name, target]) => Array<string>(target).fill(name));
  await Promise.all(
    expected.map((name, index) => {
      const [Gender, Age] = name.split(' ');
      const by = processes[index % processes.length]!;
      // The link may be full by now; the one that the survey was published with is not.
      return by.post(`/api/public/s/${linkToken}/responses`, { answers: { Gender, Age } });
    }),
  );
}

/** Returns each cell from the API with the number of stored rows. */
export async function reportedAndStoredCounts(
  author: Actor,
  wave: Wave,
  stored: ReadonlyMap<number, number>,
): Promise<(CellReply & { rows: number })[]> {
  const cells = (await getQuotas(author, wave)).flatMap((one) => one.cells);
  return cells.map((one) => ({ ...one, rows: stored.get(one.cell_id) ?? 0 }));
}
