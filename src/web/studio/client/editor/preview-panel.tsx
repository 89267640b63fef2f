import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { componentTexts } from '../../../shared/client/texts.ts';
import { texts } from '../../texts.ts';
import { blocksTexts } from '../../texts/blocks.ts';
import { editorActionsTexts } from '../../texts/editor-actions.ts';
import { changeApi } from '../data/api.ts';
import { Waiting } from '../data/query-view.tsx';
import { sampledQuestions, SampleFields, type Samples } from './previous-samples.tsx';
import type { SurveyEditor } from './survey-editor.ts';
import { useTopic } from './use-topic.ts';

/** Saves often follow each other; the frame loads again after the last. */
const RELOAD_DELAY_MS = 800;
const DESKTOP_WIDTH = 1024;
/** How long a page may take to render after it has loaded. */
const RENDER_MS = 3_000;
/** A page that loads again scrolls to its question soon after it is rendered. */
const SETTLE_MS = 400;
const WIDTHS = ['phone', 'desktop'] as const;

type Preview = { kind: 'loading' } | { kind: 'failed'; error: ApiError } | { kind: 'loaded'; path: string };

/** The page of respondents with the draft, in a frame that follows the edits. */
export function PreviewPanel({
  editor,
  pageId,
  questionId,
}: {
  editor: SurveyEditor;
  pageId: number;
  /** The question that is edited; null: none. */
  questionId: number | null;
}) {
  const [preview, setPreview] = useState<Preview>({ kind: 'loading' });
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('phone');
  const [scale, setScale] = useState(1);
  /** Chosen arm codes by block_id. */
  const [arms, setArms] = useState<Readonly<Record<string, string>>>({});
  const [samples, setSamples] = useState<Samples>({});
  useTopic(editor.content, 'outline');
  const frame = useRef<HTMLIFrameElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [isLarge, setIsLarge] = useState(false);

  const load = async () => {
    setPreview({ kind: 'loading' });
    await editor.saving.flush();
    try {
      const { preview_url: url } = await changeApi('post', '/api/surveys/{id}/preview', {
        path: { id: editor.surveyId },
      });
      // The configured address of the server may differ from the one in use, and only the latter may be framed.
      setPreview({ kind: 'loaded', path: new URL(url).pathname });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setPreview({ kind: 'failed', error });
    }
  };
  useEffect(() => void load(), [editor]);
  // The frame shows the page that is edited. Its address stays, because another one would load it again.
  const chosenArms = Object.entries(arms).map(
    ([blockId, arm]) => `&arm-${blockId}=${encodeURIComponent(arm)}`,
  );
  const chosenSamples = Object.entries(samples).map(
    ([code, answer]) => `&${encodeURIComponent(code)}=${encodeURIComponent(answer)}`,
  );
  const place = `page-${pageId}${questionId === null ? '' : `-question-${questionId}`}${[...chosenArms, ...chosenSamples].join('')}`;
  const firstPlace = useRef(place);
  useEffect(() => {
    if (frame.current?.contentDocument === null) return;
    const shown = frame.current?.contentWindow?.location;
    // Without the path, the address would be relative to this page. `replace` leaves the history as it is.
    if (shown?.pathname.startsWith('/') === true) shown.replace(`${shown.pathname}${shown.search}#${place}`);
  }, [place]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = editor.content.subscribe('saved', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const shown = frame.current;
        // Without a connection the frame has a page of the browser, which this page cannot reload.
        if (shown !== null && shown.contentDocument === null) void load();
        else if (shown !== null) reloadInPlace(shown);
      }, RELOAD_DELAY_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [editor]);

  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setScale(element.clientWidth / DESKTOP_WIDTH));
    observer.observe(element);
    return () => observer.disconnect();
  }, [preview.kind]);

  return (
    <aside class="preview" aria-label={texts.editor.preview}>
      <div class="preview-bar">
        <div class="segments" role="group" aria-label={texts.editor.previewWidth}>
          {WIDTHS.map((each) => (
            <button key={each} type="button" aria-pressed={each === width} onClick={() => setWidth(each)}>
              {texts.editor[each]}
            </button>
          ))}
        </div>
        <span class="preview-actions">
          {preview.kind === 'loaded' && (
            <button type="button" class="plain" onClick={() => setIsLarge(true)}>
              {editorActionsTexts.enlargePreview}
            </button>
          )}
          <button type="button" class="plain" onClick={() => void load()}>
            {texts.editor.startOver}
          </button>
        </span>
      </div>
      {editor.content.blocks
        .filter((block) => block.arms.length > 0)
        .map((block) => {
          const name = block.block_title ?? block.block_code;
          return (
            <select
              key={block.block_id}
              class="field preview-arm"
              aria-label={blocksTexts.previewArm(name)}
              value={arms[block.block_id] ?? ''}
              onChange={({ currentTarget: { value } }) => {
                const others = Object.entries(arms).filter(([id]) => id !== String(block.block_id));
                setArms(Object.fromEntries(value === '' ? others : [...others, [block.block_id, value]]));
              }}
            >
              <option value="">{blocksTexts.anyArm(name)}</option>
              {block.arms.map(({ arm_code: code, arm_label: label }) => (
                <option key={code} value={code}>
                  {`${name}: ${label ?? code}`}
                </option>
              ))}
            </select>
          );
        })}
      <SampleFields questions={sampledQuestions(editor.content)} samples={samples} onChange={setSamples} />
      {preview.kind === 'loading' && <Waiting />}
      {preview.kind === 'failed' && (
        <div class="blank" role="alert">
          <p>{errorMessage(preview.error)}</p>
          <button type="button" class="button" onClick={() => void load()}>
            {componentTexts.tryAgain}
          </button>
        </div>
      )}
      {preview.kind === 'loaded' && (
        <div class={`preview-stage ${width}`} ref={stage}>
          <iframe
            key={preview.path}
            ref={frame}
            title={texts.editor.previewFrame}
            src={`${preview.path}#${firstPlace.current}`}
            {...(width === 'desktop' ? { style: { transform: `scale(${scale})` } } : {})}
          />
        </div>
      )}
      {isLarge && preview.kind === 'loaded' && (
        <Dialog title={texts.editor.preview} onClose={() => setIsLarge(false)}>
          <iframe class="preview-large" title={texts.editor.previewFrame} src={`${preview.path}#${place}`} />
          <div class="actions">
            <button type="button" class="button" onClick={() => setIsLarge(false)}>
              {editorActionsTexts.closePreview}
            </button>
          </div>
        </Dialog>
      )}
    </aside>
  );
}

/** Loads the frame again and shows the part of the page that was in view. */
function reloadInPlace(frame: HTMLIFrameElement): void {
  const top = frame.contentWindow?.scrollY ?? 0;
  frame.addEventListener(
    'load',
    () => {
      let until = performance.now() + RENDER_MS;
      let isRendered = false;
      const restore = () => {
        frame.contentWindow?.scrollTo({ top, behavior: 'instant' });
        // Before the page is rendered, it is too short.
        if (!isRendered && frame.contentWindow?.scrollY === top) {
          isRendered = true;
          until = Math.min(until, performance.now() + SETTLE_MS);
        }
        if (performance.now() < until) requestAnimationFrame(restore);
      };
      restore();
    },
    { once: true },
  );
  frame.contentWindow?.location.reload();
}
