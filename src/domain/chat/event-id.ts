/** The id of a server-sent event: `<message_id>-<n>`. */
export interface EventId {
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
