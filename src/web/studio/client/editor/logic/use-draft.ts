import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * A stored value as it is edited, with parts that are not complete yet and therefore not stored. `write` returns what is stored of a
 * draft. When the stored value changes in another way, such as by undo, it replaces the draft.
 */
export function useDraft<Stored, Draft>(
  stored: Stored,
  { read, write }: { read: (stored: Stored) => Draft; write: (draft: Draft) => Stored },
  onChange: (stored: Stored) => void,
): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => read(stored));
  const emitted = useRef(JSON.stringify(stored));
  useEffect(() => {
    const text = JSON.stringify(stored);
    if (text === emitted.current) return;
    emitted.current = text;
    setDraft(read(stored));
  }, [stored]);
  const change = (changed: Draft) => {
    setDraft(changed);
    const result = write(changed);
    const text = JSON.stringify(result);
    if (text === emitted.current) return;
    emitted.current = text;
    onChange(result);
  };
  return [draft, change];
}
