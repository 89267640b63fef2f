import { expect, it } from 'vitest';
import type { Database } from '../../../src/db/connect.ts';
import { repositoriesOn } from '../../../src/repositories/repositories.ts';
import { SurveyRepository } from '../../../src/repositories/surveys.ts';

const database = {} as Database;

it('creates a repository once, on first use', () => {
  const repositories = repositoriesOn(database);
  expect(Object.keys((repositories as unknown as { created: object }).created)).toEqual([]);
  expect(repositories.surveys).toBeInstanceOf(SurveyRepository);
  expect(repositories.surveys).toBe(repositories.surveys);
  expect(Object.keys((repositories as unknown as { created: object }).created)).toEqual(['surveys']);
});

it('separates the repositories of two transactions', () => {
  expect(repositoriesOn(database).surveys).not.toBe(repositoriesOn(database).surveys);
});
