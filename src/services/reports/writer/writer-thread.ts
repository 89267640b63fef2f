import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import type { DeckSlide } from '../../../domain/reports/deck.ts';
import type { FromWriter, ToWriter, WriteRequest } from './messages.ts';

/** What writer-threads.ts starts: writes files, one after the other, each of the slides that it is handed. */
const port = parentPort!;

const PART_BYTES = 64 * 1024;

const send = (message: FromWriter, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

/** Of these there is at most one ahead. */
class Mailbox<T> {
  private readonly items: T[] = [];
  private arrived = () => {};

  put(item: T): void {
    this.items.push(item);
    this.arrived();
  }

  async next(): Promise<T> {
    if (this.items.length === 0) await new Promise<void>((resolve) => (this.arrived = resolve));
    return this.items.shift()!;
  }
}

const slides = new Mailbox<DeckSlide | null>();
const taken = new Mailbox<true>();

/** The next one is made while this one is written. */
async function* receiveSlides(): AsyncGenerator<DeckSlide> {
  send({ wants: 'slide' });
  for (;;) {
    const slide = await slides.next();
    if (slide === null) return;
    send({ wants: 'slide' });
    yield slide;
  }
}

/** Bytes of our own in few messages: they change hands uncopied. */
async function* repackChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(PART_BYTES);
  let size = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const some = chunk.subarray(at, at + PART_BYTES - size);
      part.set(some, size);
      size += some.length;
      at += some.length;
      if (size < PART_BYTES) continue;
      yield part;
      part = new Uint8Array(PART_BYTES);
      size = 0;
    }
  }
  if (size > 0) yield part.slice(0, size);
}

async function openWriter({ format, head }: WriteRequest) {
  if (format === 'pdf') {
    const { reportPdf } = await import('../../../exporters/pdf/report-pdf.ts');
    return reportPdf(head, receiveSlides());
  }
  const { reportPptx } = await import('../../../exporters/pptx/report-pptx.ts');
  return reportPptx(head, receiveSlides());
}

async function writeFile(order: WriteRequest): Promise<void> {
  for await (const bytes of repackChunks(await openWriter(order))) {
    send({ bytes }, [bytes.buffer]);
    await taken.next();
  }
  send({ wants: 'nothing' });
}

// What `write` throws is nobody's here: it ends the thread, and is thrown where the file was wanted.
for await (const [message] of on(port, 'message') as AsyncIterable<[ToWriter]>) {
  if ('order' in message) void writeFile(message.order);
  else if ('slide' in message) slides.put(message.slide);
  else taken.put(true);
}
