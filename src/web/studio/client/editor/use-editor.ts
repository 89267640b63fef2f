import { useEffect, useState } from 'preact/hooks';
import type { SurveyEditor } from './survey-editor.ts';

/** Renders again whenever the topic of the editor changes. */
export function useEditorTopic(editor: SurveyEditor, topic: string): void {
  const [, rerender] = useState({});
  useEffect(() => {
    const unsubscribe = editor.subscribe(topic, () => rerender({}));
    // The topic may have changed between rendering and this effect.
    rerender({});
    return unsubscribe;
  }, [editor, topic]);
}
