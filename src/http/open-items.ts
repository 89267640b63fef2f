import type { EventEmitter } from 'node:events';

/**
 * Replies or connections that have not been closed. They are in slots that are used again, not in a Set: a Set copies its entries when it is full, and
 * each copy that it leaves behind keeps its entries in memory until the next full garbage collection.
 */
export class OpenItems<Item extends EventEmitter> implements Iterable<Item> {
  private readonly slots: (Item | null)[] = [];
  private readonly freeSlots: number[] = [];

  /** Adds an item until its event `close`. */
  add(item: Item): void {
    const slot = this.freeSlots.pop() ?? this.slots.length;
    this.slots[slot] = item;
    item.once('close', () => {
      this.slots[slot] = null;
      this.freeSlots.push(slot);
    });
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const item of this.slots) if (item !== null) yield item;
  }
}
