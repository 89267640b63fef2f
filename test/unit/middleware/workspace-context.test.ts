import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { moveWorkspaceId } from '../../../src/middleware/workspace-context.ts';

const query = z.strictObject({ workspace_id: z.number().optional() });
const body = z.strictObject({ name: z.string().optional() });
const read = (
  sentQuery: object,
  sentBody: unknown,
  route: { query: z.ZodObject; body: z.ZodType } = { query, body },
) => moveWorkspaceId(route, { query: sentQuery, body: sentBody });

describe('workspace_id in a body', () => {
  it('narrows like in the query', () => {
    expect(read({}, { workspace_id: 7, name: 'x' })).toEqual({
      query: { workspace_id: 7 },
      body: { name: 'x' },
    });
    expect(read({ workspace_id: 7 }, { workspace_id: 7 })).toEqual({ query: { workspace_id: 7 }, body: {} });
  });

  it('that contradicts the query is rejected', () => {
    expect(() => read({ workspace_id: 8 }, { workspace_id: 7 })).toThrow(
      'workspace_id: is 7, but the query has 8',
    );
  });

  it.each(['7', 0, -1, 1.5, null, { $ne: 1 }])('rejects %j', (workspace_id) => {
    expect(() => read({}, { workspace_id })).toThrow('workspace_id: must be a positive whole number');
  });

  it('is left unchanged if the body defines it, or the route does not narrow', () => {
    const sent = { workspace_id: 7 };
    const moves = z.strictObject({ workspace_id: z.number() });
    expect(read({}, sent, { query, body: moves })).toEqual({ query: {}, body: sent });
    expect(read({}, sent, { query: z.strictObject({}), body })).toEqual({ query: {}, body: sent });
    expect(read({}, [sent])).toEqual({ query: {}, body: [sent] });
  });
});
