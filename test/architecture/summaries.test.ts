import { expect, it } from 'vitest';
import { routes } from '../../src/routes/index.ts';

it('summaries have at most 6 words, begin with a capital letter and end without a period', () => {
  const wrong = routes.filter(
    ({ summary }) => !/^[A-Z].*[^.]$/.test(summary) || summary.split(' ').length > 6,
  );
  expect(wrong.map(({ operationId, summary }) => `${operationId}: ${summary}`)).toEqual([]);
});

it('no two operations have the same summary', () => {
  const summaries = routes.map(({ summary }) => summary);
  expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual([]);
});
