import { useCallback } from 'preact/hooks';
import './drag.css';

/** Where something is dropped: before or after the element with this id. */
export interface DropPlace {
  id: string;
  edge: 'before' | 'after';
}

/** Pixels that the pointer has to move before a press becomes a drag. */
const DRAG_THRESHOLD = 4;

function placeAt(
  group: string,
  x: number,
  y: number,
): { element: HTMLElement; edge: DropPlace['edge'] } | null {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>(`[data-drop-group="${group}"]`);
  if (element === null || element === undefined) return null;
  const { top, height } = element.getBoundingClientRect();
  return { element, edge: y < top + height / 2 ? 'before' : 'after' };
}

/**
 * Moving items by pointer. Returns the handler for `onPointerDown` of the handle of an item. Items are elements with `data-drop-group` and
 * `data-drop-id`; the one under the pointer gets `data-drop-edge`, so that nothing is rendered during the move. Escape cancels.
 */
export function useDrag(
  group: string,
  onDrop: (id: string, place: DropPlace) => void,
): (event: PointerEvent, id: string) => void {
  return useCallback(
    (event: PointerEvent, id: string) => {
      if (event.button !== 0) return;
      const start = event.clientY;
      let isDragging = false;
      let target: ReturnType<typeof placeAt> = null;
      const clear = () => {
        if (target !== null) delete target.element.dataset.dropEdge;
      };
      const move = ({ clientX, clientY }: PointerEvent) => {
        if (!isDragging && Math.abs(clientY - start) < DRAG_THRESHOLD) return;
        isDragging = true;
        clear();
        target = placeAt(group, clientX, clientY);
        if (target !== null) target.element.dataset.dropEdge = target.edge;
      };
      const stop = () => {
        clear();
        removeEventListener('pointermove', move);
        removeEventListener('pointerup', drop);
        removeEventListener('pointercancel', stop);
        removeEventListener('keydown', cancel);
      };
      const drop = () => {
        stop();
        const targetId = target?.element.dataset.dropId;
        if (isDragging && target !== null && targetId !== undefined && targetId !== id)
          onDrop(id, { id: targetId, edge: target.edge });
      };
      const cancel = ({ key }: KeyboardEvent) => {
        if (key === 'Escape') stop();
      };
      event.preventDefault();
      addEventListener('pointermove', move);
      addEventListener('pointerup', drop);
      addEventListener('pointercancel', stop);
      addEventListener('keydown', cancel);
    },
    [group, onDrop],
  );
}
