import type { Test } from 'supertest';
import { expect } from 'vitest';

/** Ids that no path may take, with what makes them wrong. */
export const BAD_IDS = ['0', '-1', '1.5', '0x1', '1e3', '+1', '01', '9007199254740993', '%00', 'abc', '1%20'];

/** An id that is well-formed and belongs to nothing. */
export const MISSING_ID = 99999999999999;

/** The request is refused with this status and the error envelope, which is given back. */
export async function refused(
  request: Test,
  status: number,
  code?: string,
): Promise<{ message: string; code: string; details: { field: string; message: string }[] }> {
  const reply = await request;
  expect({ status: reply.status, body: reply.body as unknown }).toMatchObject({
    status,
    body: { error: 1, message: expect.any(String), request_id: reply.headers['x-request-id'] },
  });
  const body = reply.body as { message: string; code: string; details: { field: string; message: string }[] };
  if (code !== undefined) expect(body.code).toBe(code);
  expect(Object.keys(body).sort()).toEqual(['code', 'details', 'error', 'message', 'request_id']);
  return body;
}

/** 400, and the details name this field. */
export async function refusedFor(request: Test, field: string): Promise<void> {
  const body = await refused(request, 400, 'validation_failed');
  expect(body.details.map((detail) => detail.field)).toContain(field);
}
