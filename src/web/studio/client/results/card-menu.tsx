import { useState } from 'preact/hooks';
import { downloadBlob } from '../../../shared/client/download.ts';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import type { ResultsView } from '../survey/results-view.ts';
import { AddToDialog, type AddTarget } from './add-to-dialog.tsx';
import { figuresOf, type QuestionData } from './figure-kind.ts';

const t = texts.results;

/** Pixels of the picture for each of the page, so that it is sharp in a document. */
const PICTURE_SCALE = 2;

/** Draws the card as a PNG picture, without its menu. */
async function drawPicture(card: HTMLElement): Promise<Blob> {
  const { toBlob } = await import('html-to-image');
  const picture = await toBlob(card, {
    pixelRatio: PICTURE_SCALE,
    // The fonts are those of the system.
    skipFonts: true,
    filter: (node) => !(node instanceof HTMLElement && node.classList.contains('menu')),
  });
  if (picture === null) throw new Error('The browser cannot write PNG pictures');
  return picture;
}

/** Puts the picture into the clipboard; browsers that refuse it get a file. */
async function copyPicture(card: HTMLElement, name: string): Promise<void> {
  const picture = drawPicture(card);
  try {
    // The picture is a promise, because some browsers allow writing only right after the click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    announce(t.pictureCopied);
  } catch (error) {
    // The clipboard is not available without HTTPS, and the user can forbid it.
    if (!(error instanceof DOMException || error instanceof TypeError || error instanceof ReferenceError))
      throw error;
    downloadBlob(await picture, `${name}.png`);
    announce(t.pictureSaved);
  }
}

/** What can be done with the figure of a question. */
export function CardMenu({
  surveyId,
  workspaceId,
  data,
  tableColumn,
  label,
  view,
  canEdit,
}: {
  surveyId: number;
  workspaceId: number;
  data: QuestionData;
  /** The column_code of the column of a side-by-side table; undefined: the question is no table. */
  tableColumn: string | undefined;
  /** Of the question. */
  label: string;
  view: ResultsView;
  canEdit: boolean;
}) {
  const [target, setTarget] = useState<AddTarget | null>(null);
  const [figure, ...others] = figuresOf(data);
  const nameOfFigure = [data.question_code, ...(tableColumn === undefined ? [] : [tableColumn])].join('_');
  // Several figures, of the items of a loop or the rows of a table, are no chart.
  const isOfParts = tableColumn !== undefined || isOfLoop(data);
  const isChart = figure !== undefined && (others.length === 0 || !isOfParts);
  const copy = () => {
    const card = document.getElementById(cardId(data.question_id, tableColumn));
    if (card !== null) void copyPicture(card, nameOfFigure);
  };
  return (
    <>
      <Menu
        label={t.cardActions(label)}
        button={<Icon name="more" />}
        items={[
          { label: t.copyPicture, run: copy },
          ...(canEdit && isChart
            ? [
                { label: t.addTo.dashboard.title, run: () => setTarget('dashboard') },
                { label: t.addTo.report.title, run: () => setTarget('report') },
              ]
            : []),
        ]}
      />
      {target !== null && isChart && (
        <AddToDialog
          target={target}
          surveyId={surveyId}
          workspaceId={workspaceId}
          data={data}
          dimension={
            tableColumn === undefined ? { question_id: data.question_id } : { column_code: nameOfFigure }
          }
          title={label}
          kind={figure.kind}
          view={view}
          onClose={() => setTarget(null)}
        />
      )}
    </>
  );
}

/** Whether a column is of an item of a loop: `Q5[A]`, `Q5[A]_1`. */
const isOfLoop = ({ columns }: QuestionData): boolean =>
  columns.some(({ column_code: code }) => code.includes('['));

export const cardId = (questionId: number, tableColumn?: string): string =>
  ['result', questionId, ...(tableColumn === undefined ? [] : [tableColumn])].join('-');
