import { type IncomingMessage, request } from 'node:http';

export interface StreamedEvent {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

/** The state that an EventSource keeps between connections. */
export class EventClient {
  readonly events: StreamedEvent[] = [];
  lastEventId: string | null = null;
  /** How long the server asks to wait before coming again. */
  retryMs: number | null = null;

  /** `ended`: the stream ended normally; `broken`: it broke off; a number: the status of a reply that is not a stream. */
  async follow(
    url: string,
    { apiKey, body }: { apiKey: string; body?: object },
  ): Promise<{ over: Promise<'ended' | 'broken' | number> }> {
    const reply = await this.open(url, apiKey, body);
    const { statusCode = 0 } = reply;
    reply.setEncoding('utf8').on('error', () => undefined);
    if (statusCode !== 200) reply.resume();
    else this.read(reply);
    const over = new Promise<'ended' | 'broken' | number>((resolve) =>
      reply.once('close', () =>
        resolve(statusCode !== 200 ? statusCode : reply.complete ? 'ended' : 'broken'),
      ),
    );
    return { over };
  }

  private open(url: string, apiKey: string, body: object | undefined): Promise<IncomingMessage> {
    const headers = {
      'X-API-Key': apiKey,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(this.lastEventId === null ? {} : { 'Last-Event-ID': this.lastEventId }),
    };
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: false });
    return new Promise((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  private read(reply: IncomingMessage): void {
    let rest = '';
    reply.on('data', (part: string) => {
      const whole = (rest + part).split('\n\n');
      rest = whole.pop()!;
      for (const block of whole) this.parseBlock(block);
    });
  }

  /** By the standard, a block without data is not an event. */
  private parseBlock(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line)!;
      if (name !== '') fields.set(name!, value!);
    }
    if (fields.has('retry')) this.retryMs = Number(fields.get('retry'));
    this.lastEventId = fields.get('id') ?? this.lastEventId;
    const data = fields.get('data');
    if (data === undefined) return;
    this.events.push({
      event: fields.get('event') ?? 'message',
      id: this.lastEventId ?? '',
      data: JSON.parse(data) as Record<string, unknown>,
    });
  }
}
