import { useEffect, useRef } from 'preact/hooks';
import { fieldOf } from './fields/registry.ts';
import { isFramed } from './frame.ts';
import type { Session } from './session.ts';

/** How long a choice is shown before the next question. Longer than a double click, which a new screen ignores. */
const ADVANCE_MS = 600;

const CHOICES =
  '.question :is(.choices, .labeled-points, .no-answer) .choice input:is([type=radio], [type=checkbox])';
const POINTS = ':is(.points, .labeled-points) input';

/** Whether the device has a mouse or a touchpad, and so probably a keyboard. */
const hasPointer = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches;

/**
 * Returns the element of the question that gets the focus; null: the heading, where the page or the survey begins with a text. Screen
 * readers read a group with its legend. A phone would cover the question with its keyboard if a text field had the focus.
 */
function questionToFocus(): HTMLElement | null {
  const question = document.querySelector<HTMLElement>('.question');
  if (
    question === null ||
    document.querySelector('main :is(.intro, .page-title:not(.continued), .page > .prose)')
  )
    return null;
  const control = hasPointer() ? question.querySelector<HTMLElement>('.field') : null;
  const target =
    question instanceof HTMLFieldSetElement
      ? question
      : (control ?? question.querySelector<HTMLElement>('.question-text') ?? question);
  if (target !== control) target.tabIndex = -1;
  return target;
}

/** Returns what gets the focus on a new screen. */
export const focusTarget = (): HTMLElement | null => questionToFocus() ?? document.querySelector('main h1');

/** Answers the shown question by keys, and goes to the next one after a choice. Keys work only while the form has the focus. */
export function QuestionKeys({ session }: { session: Session }) {
  const hint = useRef<HTMLParagraphElement>(null);
  const { messages, screen } = session;
  const [view] = screen?.questions ?? [];
  const settings = view?.question.settings ?? {};
  const isMultiline = 'multiline' in settings && settings.multiline;
  const [before, after] = messages.press_key.split('{key}');

  useEffect(() => {
    if (!isFramed && document.activeElement === document.body) focusTarget()?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const form = hint.current?.closest('form');
    if (!form) return undefined;
    const keys = new Keys(session, form);
    return () => keys.stop();
  }, [session, screen?.key]);

  return (
    <p ref={hint} class="enter-hint" aria-hidden="true">
      {before}
      <kbd>{isMultiline ? `${MODIFIER} + ↵` : 'Enter ↵'}</kbd>
      {after}
    </p>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const MODIFIER = isApple ? '⌘' : 'Ctrl';

/** The keys and clicks of one screen. */
class Keys {
  private readonly listening = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the last input came from a pointer, or from a key that chooses. Arrow keys of radio buttons choose while they move. */
  private isDirect = false;
  /** The digit that was typed just before: 1 and 0 choose 10. */
  private digit = '';

  constructor(
    private readonly session: Session,
    private readonly form: HTMLFormElement,
  ) {
    const { signal } = this.listening;
    document.addEventListener('keydown', (event) => this.handleKey(event), { signal });
    form.addEventListener('pointerdown', () => this.wait(true), { signal });
    form.addEventListener('click', (event) => this.handleClick(event), { signal });
  }

  stop(): void {
    this.listening.abort();
    clearTimeout(this.timer);
  }

  private wait(isDirect: boolean): void {
    clearTimeout(this.timer);
    this.isDirect = isDirect;
  }

  private handleKey(event: KeyboardEvent): void {
    const { activeElement: active } = document;
    this.wait(false);
    if (event.defaultPrevented || event.isComposing || active === null || !this.form.contains(active)) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter') {
      const isOwnKey = active.matches('input,select,button,a,summary,audio,video');
      if (active instanceof HTMLTextAreaElement ? !hasModifier : isOwnKey || hasModifier) return;
      event.preventDefault();
      this.session.next();
      return;
    }
    const isTyping = active.matches('textarea,select,input:not([type=radio],[type=checkbox])');
    if (isTyping || hasModifier || event.altKey) return;
    const input = this.inputOf(event.key);
    if (input === undefined || input.disabled) return;
    event.preventDefault();
    this.isDirect = true;
    input.focus();
    input.click();
  }

  /** Returns the input that a digit or a letter chooses: a point by its number, an option by its place. */
  private inputOf(key: string): HTMLInputElement | undefined {
    const inputs = (selector: string) => [...this.form.querySelectorAll<HTMLInputElement>(selector)];
    if (/^\d$/.test(key)) {
      const both = this.digit + key;
      this.digit = key;
      setTimeout(() => (this.digit = ''), ADVANCE_MS);
      const points = inputs(POINTS);
      if (points.length > 0)
        return points.find(({ value }) => value === both) ?? points.find(({ value }) => value === key);
      return inputs(CHOICES)[Number(key) - 1];
    }
    return /^[a-z]$/i.test(key) ? inputs(CHOICES)[key.toLowerCase().charCodeAt(0) - 97] : undefined;
  }

  private handleClick({ target }: MouseEvent): void {
    const isChoice = target instanceof HTMLInputElement && target.type === 'radio';
    if (!isChoice || !this.isDirect) return;
    clearTimeout(this.timer);
    // The answer, which follows the click, can add a question.
    this.timer = setTimeout(() => {
      if (this.canAdvance(target.value)) this.session.next();
    }, ADVANCE_MS);
  }

  /** The last question waits for its button, and an option with a text field for its text. */
  private canAdvance(value: string): boolean {
    const { screen, isLastScreen } = this.session;
    const [view] = screen?.questions ?? [];
    // A group of radio buttons is one answer. A table has several groups.
    if (view === undefined || isLastScreen || fieldOf(view.question).role !== 'radiogroup') return false;
    return !view.options.some((option) => option.value === value && option.other);
  }
}
