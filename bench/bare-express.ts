/** The yardstick of requests: an Express application that does nothing but `res.json`. */
import express from 'express';
import type { AddressInfo } from 'node:net';

const app = express();
let sized: unknown = null;

app.get('/plain', (_request, response) => {
  response.json({ ok: true });
});
app.get('/sized', (_request, response) => {
  response.json(sized);
});
app.post('/plain', (_request, response) => {
  response.json({ ok: true });
});
app.post('/parsed', express.json(), (_request, response) => {
  response.json({ ok: true });
});

// What /sized answers with is told over the process channel.
process.on('message', (text: string) => {
  sized = JSON.parse(text);
  process.send?.('set');
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once('SIGTERM', () => process.exit(0));
