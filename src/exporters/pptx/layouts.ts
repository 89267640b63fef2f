import type { DeckSlide } from '../../domain/reports/deck.ts';
import { type Box, CHART_SHARE, mirrorBox, sideBySide, type SlidePage, TEXT_SIZES } from '../slide-page.ts';

/** A placeholder by type and index. */
export interface Placeholder {
  type: 'title' | 'body' | 'chart' | 'tbl' | 'pic' | 'ftr' | 'sldNum';
  index: number;
}

export type LayoutKey =
  | 'title'
  | 'section'
  | 'text'
  | 'chart'
  | 'chart-text'
  | 'two-charts'
  | 'table'
  | 'picture'
  | 'numbers'
  | 'method';

/** Placeholder indexes. They are the same in every layout, so that slides keep their content when their layout changes. */
export const PLACEHOLDERS = {
  title: { type: 'title', index: 0 },

  text: { type: 'body', index: 1 },
  footer: { type: 'ftr', index: 11 },
  number: { type: 'sldNum', index: 12 },
  source: { type: 'body', index: 13 },
  chart: { type: 'chart', index: 14 },
  secondChart: { type: 'chart', index: 15 },
  secondSource: { type: 'body', index: 16 },
  table: { type: 'tbl', index: 17 },
  picture: { type: 'pic', index: 18 },
  caption: { type: 'body', index: 19 },
  byline: { type: 'body', index: 22 },
  chartTitle: { type: 'body', index: 20 },
  secondChartTitle: { type: 'body', index: 21 },
} as const satisfies Record<string, Placeholder>;

export interface LayoutPlaceholder {
  placeholder: Placeholder;
  name: string;
  /** Shown while the placeholder is empty. */
  prompt: string;
  box: Box;
  anchor: 't' | 'ctr' | 'b';
  /** Absent: inherited from the master. */
  size?: number;
  bold?: boolean;
  tone?: 'soft' | 'on-accent' | 'ink';
}

export interface Layout {
  key: LayoutKey;
  name: string;
  /** The layout type of the format. */
  type: 'title' | 'secHead' | 'obj' | 'titleOnly' | 'cust';
  /** Whether the background has the accent color. */
  isColored: boolean;
  placeholders: LayoutPlaceholder[];
}

const CHART_TITLE_HEIGHT = 26;

/** The areas of a chart, from top to bottom. */
export interface ChartArea {
  title: Box;
  chart: Box;
  source: Box;
}

export function chartArea(
  box: Box,
  { hasTitle, sourceHeight }: { hasTitle: boolean; sourceHeight: number },
): ChartArea {
  const titleHeight = hasTitle ? CHART_TITLE_HEIGHT : 0;
  const footerHeight = sourceHeight === 0 ? 0 : sourceHeight + 8;
  return {
    title: { ...box, height: CHART_TITLE_HEIGHT },
    chart: { ...box, y: box.y + titleHeight, height: box.height - titleHeight - footerHeight },
    source: { ...box, y: box.y + box.height - sourceHeight, height: sourceHeight },
  };
}

const SOURCE_HEIGHT = 30;

/** The layouts of a report, in the order of the layout menu. */
export function createLayouts(page: SlidePage, isRtl: boolean): Layout[] {
  const { cover, body } = page;
  const fullArea = chartArea(body, { hasTitle: false, sourceHeight: SOURCE_HEIGHT });
  const [chartBox, textBox] = sideBySide(body, CHART_SHARE);
  const chartBesideText = chartArea(chartBox, { hasTitle: false, sourceHeight: SOURCE_HEIGHT });
  const halves = sideBySide(body, 0.5).map((box) =>
    chartArea(box, { hasTitle: true, sourceHeight: SOURCE_HEIGHT }),
  ) as [ChartArea, ChartArea];
  const title: LayoutPlaceholder = layoutPlaceholder({
    placeholder: PLACEHOLDERS.title,
    name: 'Title',
    prompt: 'Title',
    box: page.title,
    anchor: 'b',
  });
  const source = (box: Box, placeholder: Placeholder = PLACEHOLDERS.source): LayoutPlaceholder => ({
    ...layoutPlaceholder({ placeholder, name: 'Source', prompt: 'Source', box, anchor: 'b' }),
    size: TEXT_SIZES.source,
    tone: 'soft',
  });
  const chart = (box: Box, placeholder: Placeholder = PLACEHOLDERS.chart) =>
    layoutPlaceholder({ placeholder, name: 'Chart', prompt: 'Chart', box, anchor: 't' });
  const chartTitle = (box: Box, placeholder: Placeholder): LayoutPlaceholder => ({
    ...layoutPlaceholder({
      placeholder,
      name: 'Chart title',
      prompt: 'What the chart shows',
      box,
      anchor: 't',
    }),
    size: TEXT_SIZES.chartTitle,
    bold: true,
    tone: 'ink',
  });
  const text = (box: Box) =>
    layoutPlaceholder({ placeholder: PLACEHOLDERS.text, name: 'Text', prompt: 'Text', box, anchor: 't' });
  const layouts: Layout[] = [
    {
      key: 'title',
      name: 'Title',
      type: 'title',
      isColored: false,
      placeholders: [
        {
          ...layoutPlaceholder({
            placeholder: PLACEHOLDERS.title,
            name: 'Title',
            prompt: 'Title',
            box: cover.title,
            anchor: 't',
          }),
          size: TEXT_SIZES.cover,
          tone: 'ink',
        },
        {
          ...layoutPlaceholder({
            placeholder: PLACEHOLDERS.text,
            name: 'Subtitle',
            prompt: 'Subtitle',
            box: cover.subtitle,
            anchor: 't',
          }),
          size: TEXT_SIZES.subtitle,
          tone: 'soft',
        },
        {
          ...layoutPlaceholder({
            placeholder: PLACEHOLDERS.byline,
            name: 'Byline',
            prompt: 'Organization and date',
            box: page.byline,
            anchor: 't',
          }),
          size: TEXT_SIZES.small,
          tone: 'soft',
        },
      ],
    },
    {
      key: 'section',
      name: 'Section',
      type: 'secHead',
      isColored: true,
      placeholders: [
        {
          ...layoutPlaceholder({
            placeholder: PLACEHOLDERS.title,
            name: 'Title',
            prompt: 'Section',
            box: cover.title,
            anchor: 't',
          }),
          size: TEXT_SIZES.cover,
          tone: 'on-accent',
        },
        {
          ...layoutPlaceholder({
            placeholder: PLACEHOLDERS.text,
            name: 'Subtitle',
            prompt: 'Subtitle',
            box: cover.subtitle,
            anchor: 't',
          }),
          size: TEXT_SIZES.subtitle,
          tone: 'on-accent',
        },
      ],
    },
    { key: 'text', name: 'Text', type: 'obj', isColored: false, placeholders: [title, text(body)] },
    {
      key: 'chart',
      name: 'Chart',
      type: 'cust',
      isColored: false,
      placeholders: [title, chart(fullArea.chart), source(fullArea.source)],
    },
    {
      key: 'chart-text',
      name: 'Chart and text',
      type: 'cust',
      isColored: false,
      placeholders: [title, chart(chartBesideText.chart), source(chartBesideText.source), text(textBox)],
    },
    {
      key: 'two-charts',
      name: 'Two charts',
      type: 'cust',
      isColored: false,
      placeholders: [
        title,
        chartTitle(halves[0].title, PLACEHOLDERS.chartTitle),
        chart(halves[0].chart),
        source(halves[0].source),
        chartTitle(halves[1].title, PLACEHOLDERS.secondChartTitle),
        chart(halves[1].chart, PLACEHOLDERS.secondChart),
        source(halves[1].source, PLACEHOLDERS.secondSource),
      ],
    },
    {
      key: 'table',
      name: 'Table',
      type: 'cust',
      isColored: false,
      placeholders: [
        title,
        layoutPlaceholder({
          placeholder: PLACEHOLDERS.table,
          name: 'Table',
          prompt: 'Table',
          box: fullArea.chart,
          anchor: 't',
        }),
        source(fullArea.source),
      ],
    },
    {
      key: 'picture',
      name: 'Picture',
      type: 'cust',
      isColored: false,
      placeholders: [
        title,
        layoutPlaceholder({
          placeholder: PLACEHOLDERS.picture,
          name: 'Picture',
          prompt: 'Picture',
          box: fullArea.chart,
          anchor: 't',
        }),
        {
          ...source(fullArea.source, PLACEHOLDERS.caption),
          name: 'Caption',
          prompt: 'Caption',
          size: TEXT_SIZES.small,
        },
      ],
    },
    { key: 'numbers', name: 'Key figures', type: 'titleOnly', isColored: false, placeholders: [title] },
    { key: 'method', name: 'Method', type: 'titleOnly', isColored: false, placeholders: [title] },
  ];
  if (!isRtl) return layouts;
  return layouts.map((layout) => ({
    ...layout,
    placeholders: layout.placeholders.map((one) => ({ ...one, box: mirrorBox(one.box, page) })),
  }));
}

function layoutPlaceholder({
  placeholder,
  name,
  prompt,
  box,
  anchor,
}: {
  placeholder: Placeholder;
  name: string;
  prompt: string;
  box: Box;
  anchor: LayoutPlaceholder['anchor'];
}): LayoutPlaceholder {
  return { placeholder, name, prompt, box, anchor };
}

export function layoutFor(slide: DeckSlide): LayoutKey {
  switch (slide.type) {
    case 'image':
      return 'picture';
    case 'key-figures':
      return 'numbers';
    case 'chart':
      if (slide.charts.length > 1) return 'two-charts';
      return slide.markdown === null ? 'chart' : 'chart-text';
    default:
      return slide.type;
  }
}
