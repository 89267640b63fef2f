import type { Test } from 'supertest';
import { expect } from 'vitest';
import { describeReply } from './describe-reply.ts';

/** Ids that no path may take, with what makes them wrong. */
export const INVALID_IDS = [
  '0',
  '-1',
  '1.5',
  '0x1',
  '1e3',
  '+1',
  '01',
  '9007199254740993',
  '%00',
  'abc',
  '1%20',
];

/** An id that is well-formed and belongs to nothing. */
export const MISSING_ID = 99999999999999;

export interface Refusal {
  message: string;
  code: string;
  details: { field: string; message: string }[];
}

/** Expects the request to be refused with this status and the error envelope. Returns the envelope. */
export async function expectRefused(request: Test, status: number, code?: string): Promise<Refusal> {
  const reply = await request;
  const description = describeReply(reply);
  expect(reply.status, description).toBe(status);
  expect(reply.body, description).toMatchObject({
    error: 1,
    message: expect.any(String),
    request_id: reply.headers['x-request-id'],
  });
  const body = reply.body as Refusal;
  if (code !== undefined) expect(body.code, description).toBe(code);
  expect(Object.keys(body).sort(), description).toEqual([
    'code',
    'details',
    'error',
    'message',
    'request_id',
  ]);
  return body;
}

/** 400, and the details name this field. */
export async function expectInvalidField(request: Test, field: string): Promise<void> {
  const body = await expectRefused(request, 400, 'validation_failed');
  expect(
    body.details.map((detail) => detail.field),
    JSON.stringify(body),
  ).toContain(field);
}
