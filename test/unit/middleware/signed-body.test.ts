import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anyone } from '../../../src/http/access.ts';
import { dataReply } from '../../../src/http/reply.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { routeDefiner, signedBody } from '../../../src/http/define-route.ts';
import { useRouter } from '../../support/bare-router.ts';

const route = routeDefiner<null>()({
  method: 'post',
  path: '/t/signed/x',
  operationId: 'takeSigned',
  summary: 'x',
  access: anyone,
  query: z.strictObject({ a: z.string().optional() }),
  body: signedBody('X-Signature', {}),
  maxBodyBytes: 40,
  reply: dataReply(z.strictObject({ hex: z.string(), signature: z.string().nullable() })),
  handler: ({ body }) => ({ hex: body.bytes.toString('hex'), signature: body.signature }),
});
const router = useRouter([route]);
const send = (body: string, type = 'application/json; charset=utf-8') =>
  supertest(router.server).post('/t/signed/x').set('Content-Type', type).send(body);

describe('a signed body', () => {
  it('reaches the handler byte for byte with its signature', async () => {
    for (const text of ['{ "b" : 1,\n"a":2 }', '{"__proto__":1}', 'no JSON at all', '\0', 'ä€😀']) {
      const reply = await send(text).set('x-signature', 's=1').expect(200);
      expect(reply.body.data).toEqual({ hex: Buffer.from(text).toString('hex'), signature: 's=1' });
    }
  });

  it('may lack body or signature, which the handler validates', async () => {
    expect((await send('').expect(200)).body.data).toEqual({ hex: '', signature: null });
  });

  it('is limited in size, with or without a declared length', async () => {
    await send('x'.repeat(40)).expect(200);
    await send('x'.repeat(41)).expect(413);
    const chunked = supertest(router.server).post('/t/signed/x').set('Content-Type', 'application/json');
    chunked.set('Transfer-Encoding', 'chunked');
    chunked.write('x'.repeat(41));
    await chunked.expect(413);
  });

  it('must have the JSON type without compression', async () => {
    await send('{}', 'text/plain').expect(415);
    await send('a=1', 'application/x-www-form-urlencoded').expect(415);
    await supertest(router.server).post('/t/signed/x').expect(415);
    await send('{}').set('Content-Encoding', 'gzip').expect(415);
  });

  it('leaves path and query to their schemas', async () => {
    const reply = await supertest(router.server)
      .post('/t/signed/x?b=1')
      .set('Content-Type', 'application/json')
      .send('{}')
      .expect(400);
    expect(reply.body.details).toEqual([{ field: 'b', message: 'is not a known field' }]);
  });

  it('ignores idempotency keys', () => {
    expect(route.idempotent).toBe(false);
  });

  it('is documented with its header', () => {
    const { paths } = openApiDocument([{ name: 't', description: '', routes: [route] }], '1');
    expect(paths?.['/t/signed/x']?.post).toMatchObject({
      parameters: expect.arrayContaining([expect.objectContaining({ in: 'header', name: 'X-Signature' })]),
      requestBody: { content: { 'application/json': {} } },
    });
  });
});
