import { useRef } from 'preact/hooks';

interface FieldEvent {
  readonly currentTarget: HTMLInputElement;
}

/**
 * Returns the handlers of a text field that select its text when it gets the focus, if the text only stands for what the user will write,
 * so that typing replaces it. The press of a mouse places the caret after the focus, so the text is selected again at its release.
 */
export function useSelectOnFocus(isPlaceholder: (value: string) => boolean) {
  const pressed = useRef<HTMLInputElement | null>(null);
  const select = ({ currentTarget: input }: FieldEvent) => {
    if (isPlaceholder(input.value)) input.select();
  };
  return {
    onFocus: select,
    onMouseDown: ({ currentTarget: input }: FieldEvent) => {
      pressed.current = input === document.activeElement ? null : input;
    },
    onMouseUp: (event: FieldEvent) => {
      if (pressed.current === event.currentTarget) select(event);
      pressed.current = null;
    },
  };
}
