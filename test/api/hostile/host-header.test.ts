import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { createExpressServer } from '../../../src/http/http-server.ts';
import { appOn, useApp } from '../../support/app.ts';

const test = useApp();
const organization = useOrganization(test);

/** Sends the header lines as they are; returns the status and the body of the reply. */
function rawRequest(
  lines: string[],
  server: Server = test.server!,
): Promise<{ status: number; body: string }> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write([...lines, 'Connection: close', '', ''].join('\r\n')),
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string | Buffer) => (text += chunk.toString()));
    socket.once('error', reject).once('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), body: rest.join('\r\n\r\n') });
    });
  });
}

describe('the Host header', () => {
  it.each([
    ['two different hosts', ['Host: canvass.example', 'Host: evil.example']],
    ['a repeated host', ['Host: canvass.example', 'host: canvass.example']],
    ['two hosts, the first one empty', ['Host:', 'HOST: evil.example']],
    ['markup', ['Host: canvass.example"><script>']],
    ['a path', ['Host: canvass.example/evil']],
    ['user information', ['Host: canvass.example@evil.example']],
    ['two hosts in one line', ['Host: canvass.example, evil.example']],
  ])('with %s is rejected with 400, on the API and on pages', async (_what, hosts) => {
    for (const path of ['/api/health', '/api/users/me', '/', '/api/nothing']) {
      const reply = await rawRequest([
        `GET ${path} HTTP/1.1`,
        ...hosts,
        `X-API-Key: ${organization.admin.apiKey}`,
      ]);
      expect(reply.status).toBe(400);
      expect(reply.body).toContain('"code":"invalid_host"');
      expect(reply.body).not.toContain('evil');
    }
  });

  it('after 2,100 other headers is rejected as a duplicate', async () => {
    const server = createExpressServer(appOn(test.database).app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const others = Array<string>(2_100).fill('a: 1');
    const reply = await rawRequest(
      ['GET /api/health HTTP/1.1', 'Host: canvass.example', ...others, 'Host: evil.example'],
      server,
    );
    server.close();
    expect(reply.status).toBe(400);
    expect(reply.body).toContain('"code":"invalid_host"');
  });

  it.each(['canvass.example', 'canvass.example:8080', '127.0.0.1:3000', '[::1]:3000', 'my_service', ''])(
    'can be "%s"',
    async (host) => {
      expect((await rawRequest(['GET /api/health HTTP/1.1', `Host: ${host}`])).status).toBe(200);
    },
  );

  it('can be absent in HTTP/1.0', async () => {
    expect((await rawRequest(['GET /api/health HTTP/1.0'])).status).toBe(200);
  });
});
