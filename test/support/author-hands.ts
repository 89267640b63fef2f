import type { Locator, Page } from 'playwright-core';

/** How a person works with a page: with a mouse, or with the keyboard alone. Text is typed in both cases. */
export interface AuthorHands {
  /** Presses a button, follows a link, or changes a checkbox. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(target: Locator, text: string): Promise<void>;
  /** Chooses an entry of a list. */
  choose(list: Locator, label: string): Promise<void>;
  /** Opens a menu and chooses the item. */
  pick(menu: Locator, item: Locator): Promise<void>;
}

export function mouseHands(page: Page): AuthorHands {
  const press = (target: Locator) => target.click();
  return {
    press,
    async write(target, text) {
      await target.click({ clickCount: 3 });
      await page.keyboard.insertText(text);
    },
    // The browser draws the entries outside the page, where no test can point at them.
    async choose(list, label) {
      await list.click();
      await list.selectOption({ label });
    },
    async pick(menu, item) {
      await press(menu);
      await press(item);
    },
  };
}

/** Enough to cross a page with many questions. */
const MAX_KEYS = 400;

/** Runs in the browser: 0 where the element has the focus, otherwise on which side of the focus it is in the document. */
const directionTo = (element: unknown): number => {
  const { document } = globalThis as unknown as {
    document: { activeElement: { compareDocumentPosition(other: unknown): number } };
  };
  if (element === document.activeElement) return 0;
  const PRECEDING = 2;
  return (document.activeElement.compareDocumentPosition(element) & PRECEDING) === 0 ? 1 : -1;
};

const chosenLabel = (list: unknown): string =>
  (list as { selectedOptions: { label: string }[] }).selectedOptions[0]?.label ?? '';

export function keyboardHands(page: Page): AuthorHands {
  const { keyboard } = page;
  const reach = async (target: Locator): Promise<void> => {
    for (let keys = 0; keys < MAX_KEYS; keys += 1) {
      const direction = await target.evaluate(directionTo);
      if (direction === 0) return;
      await keyboard.press(direction > 0 ? 'Tab' : 'Shift+Tab');
    }
    throw new Error(`Tab never reached ${String(target)}`);
  };
  const press = async (target: Locator) => {
    await reach(target);
    const isBox = await target.evaluate((element) => (element as { type?: string }).type === 'checkbox');
    await keyboard.press(isBox ? 'Space' : 'Enter');
  };
  return {
    press,
    async write(target, text) {
      await reach(target);
      await keyboard.press('Control+a');
      await keyboard.insertText(text);
    },
    async choose(list, label) {
      await reach(list);
      await keyboard.press('Home');
      for (let keys = 0; keys < MAX_KEYS; keys += 1) {
        if ((await list.evaluate(chosenLabel)) === label) return;
        await keyboard.press('ArrowDown');
      }
      throw new Error(`No entry “${label}” in ${String(list)}`);
    },
    async pick(menu, item) {
      await press(menu);
      await item.waitFor();
      for (let keys = 0; keys < MAX_KEYS; keys += 1) {
        if ((await item.evaluate(directionTo)) === 0) {
          await keyboard.press('Enter');
          return;
        }
        await keyboard.press('ArrowDown');
      }
      throw new Error(`No key reached ${String(item)}`);
    },
  };
}
