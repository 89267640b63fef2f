/** The baseline for requests: an Express application that only calls `res.json`. */
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

// Messages of the process channel: `cpu` asks for the processor time; any other message is the body of /sized.
process.on('message', (text: string) => {
  if (text !== 'cpu') sized = JSON.parse(text);
  process.send?.(process.cpuUsage());
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once('SIGTERM', () => process.exit(0));
