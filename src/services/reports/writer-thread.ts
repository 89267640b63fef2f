import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import type { DeckSlide } from '../../domain/reports/deck.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { FromWriter, ToWriter, WriteRequest } from './report-writer.ts';

/** Entry point of the threads of report-writer.ts: writes one file after another from the slides that it receives. */
const port = requireValue(parentPort, 'parent port');

const PART_BYTES = 64 * 1024;

const send = (message: FromWriter, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

/** Holds at most one item. */
class Mailbox<T> {
  private readonly items: T[] = [];
  private arrived = () => {};

  put(item: T): void {
    this.items.push(item);
    this.arrived();
  }

  async next(): Promise<T> {
    for (;;) {
      const item = this.items.shift();
      if (item !== undefined) return item;
      await new Promise<void>((resolve) => (this.arrived = resolve));
    }
  }
}

const slides = new Mailbox<DeckSlide | null>();
const acknowledgements = new Mailbox<true>();

/** Requests the next slide while this one is written. */
async function* receiveSlides(): AsyncGenerator<DeckSlide> {
  send({ request: 'slide' });
  for (;;) {
    const slide = await slides.next();
    if (slide === null) return;
    send({ request: 'slide' });
    yield slide;
  }
}

/** Repacks chunks into few messages whose buffers are transferred without copying. */
async function* repackChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(PART_BYTES);
  let size = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const slice = chunk.subarray(at, at + PART_BYTES - size);
      part.set(slice, size);
      size += slice.length;
      at += slice.length;
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
    const { writeReportPdf } = await import('../../exporters/pdf/report-pdf.ts');
    return writeReportPdf(head, receiveSlides());
  }
  const { writeReportPptx } = await import('../../exporters/pptx/report-pptx.ts');
  return writeReportPptx(head, receiveSlides());
}

async function writeFile(order: WriteRequest): Promise<void> {
  for await (const bytes of repackChunks(await openWriter(order))) {
    send({ bytes }, [bytes.buffer]);
    await acknowledgements.next();
  }
  send({ request: 'nothing' });
}

// An error of `writeFile` is not handled here: it ends the thread and is thrown to the caller of WriterThreads.
for await (const [message] of on(port, 'message') as AsyncIterable<[ToWriter]>) {
  if ('order' in message) void writeFile(message.order);
  else if ('slide' in message) slides.put(message.slide);
  else acknowledgements.put(true);
}
