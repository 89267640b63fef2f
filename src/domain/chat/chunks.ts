/** The id of a server-sent event: `<message_id>-<n>`. */
interface EventId {
  messageId: number;
  /** From 1; 0 is before the first. */
  number: number;
}

export const formatEventId = ({ messageId, number }: EventId): string => `${messageId}-${number}`;

/** Returns null if the text is not a valid event id. */
export function parseEventId(text: string): EventId | null {
  const parts = /^([1-9]\d{0,14})-(\d{1,6})$/.exec(text);
  return parts === null ? null : { messageId: Number(parts[1]), number: Number(parts[2]) };
}

const CHUNK_CHARACTERS = 40;

/** Splits a text into chunks of a few words. The chunks joined give the text. */
export function* splitIntoChunks(text: string, maxCharacters = CHUNK_CHARACTERS): Generator<string> {
  let chunk = '';
  for (const word of text.match(/\s*\S+|\s+$/gu) ?? []) {
    if (chunk !== '' && chunk.length + word.length > maxCharacters) {
      yield chunk;
      chunk = '';
    }
    chunk += word;
  }
  if (chunk !== '') yield chunk;
}

/** Sanitizes streamed model output for storage: removes NUL and lone surrogates, and limits the total length. */
export class TextSanitizer {
  private readonly maxCharacters: number;
  private length = 0;
  private pendingSurrogate = '';

  constructor(most: number) {
    this.maxCharacters = most;
  }

  get isFull(): boolean {
    return this.length >= this.maxCharacters;
  }

  /** Returns the text that is complete so far. */
  push(text: string): string {
    const buffered = (this.pendingSurrogate + text).replaceAll('\0', '');
    const last = buffered.charCodeAt(buffered.length - 1);
    // The second half of the surrogate pair arrives in the next chunk.
    const cut = last >= 0xd800 && last <= 0xdbff ? buffered.length - 1 : buffered.length;
    this.pendingSurrogate = buffered.slice(cut);
    const output = buffered.slice(0, Math.min(cut, this.maxCharacters - this.length)).toWellFormed();
    this.length += output.length;
    return output;
  }
}
