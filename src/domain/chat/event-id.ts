/** Which event of which answer a client got last: `<message_id>-<n>`. */
export interface EventId {
  messageId: number;
  /** From 1; 0 is before the first. */
  number: number;
}

export const formatEventId = ({ messageId, number }: EventId): string => `${messageId}-${number}`;

/** null: it is none of ours. */
export function parseEventId(text: string): EventId | null {
  const parts = /^([1-9]\d{0,14})-(\d{1,6})$/.exec(text);
  return parts === null ? null : { messageId: Number(parts[1]), number: Number(parts[2]) };
}
