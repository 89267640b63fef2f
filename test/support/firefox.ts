import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { program } from './external-programs.ts';

/** Firefox by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), because Playwright needs a patched one. */
const PATH = ['firefox-esr', 'firefox'].find((name) => spawnSync(name, ['--version']).status === 0);
export const FIREFOX = program('Firefox', () => PATH !== undefined);

const START_MS = 30_000;
const TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/** A page of a headless Firefox. */
export class FirefoxPage {
  private nextId = 1;
  private context = '';
  private readonly waiting = new Map<number, (reply: BidiReply) => void>();

  private constructor(
    private readonly child: ChildProcess,
    private readonly profile: string,
    private readonly socket: Socket,
  ) {
    readMessages(socket, (text) => {
      const reply = JSON.parse(text) as BidiReply;
      if (typeof reply.id !== 'number') return;
      this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id);
    });
  }

  static async start(): Promise<FirefoxPage> {
    const profile = mkdtempSync(path.join(os.tmpdir(), 'canvass-firefox-'));
    // As if the window had the focus; without it, keys do not reach the parts of a date.
    writeFileSync(path.join(profile, 'user.js'), 'user_pref("focusmanager.testmode", true);\n');
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const child = spawn(PATH ?? 'firefox', args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, LANG: 'en_US.UTF-8' },
    });
    const port = await portOf(child);
    const page = new FirefoxPage(child, profile, await openSocket(port));
    await page.send('session.new', { capabilities: {} });
    const { contexts } = (await page.send('browsingContext.getTree', {})) as {
      contexts: { context: string }[];
    };
    page.context = contexts[0]!.context;
    return page;
  }

  async visit(url: string): Promise<void> {
    await this.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
    await this.send('browsingContext.activate', { context: this.context });
  }

  /** Sets the size of the page in CSS pixels. */
  async resize(width: number, height: number): Promise<void> {
    await this.send('browsingContext.setViewport', { context: this.context, viewport: { width, height } });
  }

  /** The value of an expression in the page, which JSON can express. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = (await this.send('script.evaluate', {
      expression: `JSON.stringify(${expression}) ?? 'null'`,
      target: { context: this.context },
      awaitPromise: true,
      userActivation: true,
    })) as { result?: { value: string }; exceptionDetails?: { text: string } };
    if (result === undefined) throw new Error(exceptionDetails?.text ?? 'no result');
    return JSON.parse(result.value);
  }

  /** Waits until the expression is true. */
  async waitFor(expression: string): Promise<void> {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await delay(POLL_MS))
      if ((await this.evaluate(`Boolean(${expression})`)) === true) return;
    throw new Error(
      `not true after ${TIMEOUT_MS} ms: ${expression}; the page is ${String(await this.evaluate('document.body.innerText'))}`,
    );
  }

  /** Clicks near the start of an element. */
  async click(selector: string): Promise<void> {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    await this.waitFor(element);
    const { x, y } = (await this.evaluate(
      `(({ left, top, height }) => ({ x: Math.round(left + 12), y: Math.round(top + height / 2) }))((${element}.scrollIntoView({ block: 'center' }), ${element}.getBoundingClientRect()))`,
    )) as { x: number; y: number };
    await this.perform('pointer', [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
  }

  /** Types characters, and keys such as `\uE007` (Enter), as WebDriver numbers them. */
  async type(keys: string): Promise<void> {
    const actions = [...keys].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.perform('key', actions);
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.socket.destroy();
    this.child.kill();
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async perform(type: 'pointer' | 'key', actions: object[]): Promise<void> {
    await this.send('input.performActions', {
      context: this.context,
      actions: [
        { type, id: type, ...(type === 'pointer' ? { parameters: { pointerType: 'mouse' } } : {}), actions },
      ],
    });
  }

  private async send(method: string, params: object): Promise<object> {
    const id = this.nextId++;
    const reply = await new Promise<BidiReply>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Firefox did not answer ${method}`)), START_MS);
      this.waiting.set(id, (received) => {
        clearTimeout(timer);
        resolve(received);
      });
      this.socket.write(textFrame(JSON.stringify({ id, method, params })));
    });
    if (reply.type === 'error') throw new Error(`${method}: ${reply.error ?? ''} ${reply.message ?? ''}`);
    return reply.result ?? {};
  }
}

interface BidiReply {
  id?: number;
  type: 'success' | 'error' | 'event';
  result?: object;
  error?: string;
  message?: string;
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`Firefox did not start: ${output}`)), START_MS);
    child.stderr?.on('data', (data: Buffer) => {
      output += data.toString();
      const port = /BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
  });
}

/** Opens a WebSocket (RFC 6455), which Node.js 20 has no client for. */
function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    };
    request({ host: '127.0.0.1', port, path: '/session', headers })
      .on('upgrade', (_reply, socket: Socket) => resolve(socket))
      .on('error', reject)
      .end();
  });
}

function textFrame(text: string): Buffer {
  const data = Buffer.from(text);
  const isShort = data.length < 126;
  if (data.length > 0xffff) throw new Error('a message to Firefox has more than 65,535 bytes');
  const length = isShort
    ? Buffer.from([0x80 | data.length])
    : Buffer.from([0x80 | 126, data.length >> 8, data.length & 0xff]);
  const mask = Buffer.from([1, 2, 3, 4]);
  const masked = data.map((byte, i) => byte ^ mask[i % 4]!);
  return Buffer.concat([Buffer.from([0x81]), length, mask, masked]);
}

function readMessages(socket: Socket, onMessage: (text: string) => void): void {
  let bytes = Buffer.alloc(0);
  let message = '';
  socket.on('data', (data) => {
    bytes = Buffer.concat([bytes, data]);
    for (;;) {
      if (bytes.length < 2) return;
      const short = bytes[1]! & 0x7f;
      const start = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (bytes.length < start) return;
      const length =
        short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
      if (bytes.length < start + length) return;
      message += bytes.toString('utf8', start, start + length);
      const isLast = (bytes[0]! & 0x80) !== 0;
      bytes = bytes.subarray(start + length);
      if (!isLast) continue;
      onMessage(message);
      message = '';
    }
  });
}
