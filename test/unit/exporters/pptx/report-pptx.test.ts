import ExcelJS from 'exceljs';
import { beforeAll, expect, test } from 'vitest';
import { createLayouts } from '../../../../src/exporters/pptx/layouts.ts';
import type { ChartFigures } from '../../../../src/domain/charts/chart-data.ts';
import { reportStyle, slidePageLayout } from '../../../../src/exporters/slide-page.ts';
import { createPptx } from './write-pptx.ts';
import { readZip } from '../../../support/read-zip.ts';
import { chart, chartSlide, classes, everySlide, figures, head, picture, SCALE } from './sample-deck.ts';

const GROUPS = ['18 to 34', '35 to 54', '55 and above'];
const HOSTILE = '<script>&"\'\u0007\u0000\ud800 {{x}} =1+1';
const CLEAN = '<script>&"\' {{x}} =1+1';

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((found) => found[1]!);

interface ParsedChart {
  categories: string[];
  series: { name: string; values: (number | null)[] }[];
}

/** What the XML of a chart draws. */
function parseChart(xml: string): ParsedChart {
  const series = matches(xml, /(<c:ser>[\s\S]*?<\/c:ser>)/g).map((item) => {
    const [values] = matches(item, /<c:val>([\s\S]*?)<\/c:val>/g);
    const count = Number(matches(values!, /<c:ptCount val="(\d+)"/g)[0]);
    const list = Array.from({ length: count }, (): number | null => null);
    for (const [, index, value] of values!.matchAll(/<c:pt idx="(\d+)"><c:v>([^<]*)<\/c:v>/g))
      list[Number(index)] = Number(value);
    return {
      name: matches(matches(item, /<c:tx>([\s\S]*?)<\/c:tx>/g)[0]!, /<c:v>([^<]*)<\/c:v>/g)[0]!,
      values: list,
    };
  });
  const [first] = matches(xml, /<c:cat>([\s\S]*?)<\/c:cat>/g);
  return { categories: matches(first!, /<c:v>([^<]*)<\/c:v>/g), series };
}

const chartsOf = (parts: ReadonlyMap<string, Buffer>) =>
  [...parts.keys()]
    .filter((path) => /^ppt\/charts\/chart\d+\.xml$/.test(path))
    .sort((item, other) => Number(/\d+/.exec(item)) - Number(/\d+/.exec(other)));

async function createWorkbook(
  parts: ReadonlyMap<string, Buffer>,
  path: string,
): Promise<ExcelJS.CellValue[][]> {
  const relations = parts.get(path.replace('charts/', 'charts/_rels/') + '.rels')!.toString();
  const [target] = matches(relations, /Target="\.\.\/(embeddings\/[^"]+)"/g);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(Uint8Array.from(parts.get(`ppt/${target}`)!).buffer);
  const rows: ExcelJS.CellValue[][] = [];
  book.getWorksheet('Sheet1')!.eachRow((row) => rows.push((row.values as ExcelJS.CellValue[]).slice(1)));
  return rows;
}

let reportParts: Map<string, Buffer>;
const xmlOf = (path: string) => reportParts.get(path)!.toString();

beforeAll(async () => {
  reportParts = await readZip(
    await createPptx(head({}, { style: { ...head().style, logo: picture } }), everySlide()),
  );
});

test('charts and their workbooks contain exactly the figures, with gaps for missing ones', async () => {
  const values = [12.345678901234567, null, 0, 1e-9, -3.25];
  const two = [
    { name: 'A', values },
    { name: 'B', values: values.map((value) => (value === null ? 7.1 : value * 3)) },
  ];
  const types = ['bar', 'horizontal-bar', 'stacked-bar', 'line', 'radar'] as const;
  const slides = types.map((type) =>
    chartSlide(
      type,
      chart({ type, categories: SCALE, series: two, seriesMeasure: 'nominal', aggregation: 'mean' }),
    ),
  );
  const parts = await readZip(await createPptx(head(), slides));
  const paths = chartsOf(parts);
  expect(paths).toHaveLength(types.length);
  for (const path of paths) {
    expect(parseChart(parts.get(path)!.toString())).toEqual({ categories: SCALE, series: two });
    const rows = await createWorkbook(parts, path);
    expect(rows[0]!.slice(1)).toEqual(['A', 'B']);
    expect(rows.slice(1).map(([name, first, second]) => [name, first ?? null, second])).toEqual(
      SCALE.map((name, index) => [name, values[index], two[1]!.values[index]]),
    );
  }
});

test('the rest category has its own colour, and the other bars that of the theme', async () => {
  const bars = chart({ type: 'bar', categories: SCALE, series: [{ values: [5, 4, 3, 2, 1] }] });
  const { categories, ...rest } = bars.figures as ChartFigures;
  const withRest = categories.map((one, index) => (index === 4 ? { ...one, is_rest: true as const } : one));
  const slide = chartSlide('Rest', { ...bars, figures: { ...rest, categories: withRest } });
  const parts = await readZip(await createPptx(head(), [slide]));
  const xml = parts.get(chartsOf(parts)[0]!)!.toString();
  expect(matches(xml, /<c:dPt>[\s\S]*?<a:(\w+ val="\w+")\/>/g)).toEqual([
    ...Array.from({ length: 4 }, () => 'schemeClr val="accent1"'),
    'srgbClr val="C9C5BE"',
  ]);
  expect(xml.indexOf('<c:dPt>')).toBeLessThan(xml.indexOf('<c:dLbls>'));
});

test('a histogram has adjacent columns, with values and names where they fit', async () => {
  const slides = [12, 30].map((count) => chartSlide('Ages', chart({ type: 'histogram', ...classes(count) })));
  const parts = await readZip(await createPptx(head(), slides));
  const [few, many] = chartsOf(parts).map((path) => parts.get(path)!.toString());
  for (const xml of [few!, many!]) {
    expect(xml).toContain('<c:barDir val="col"/>');
    expect(Number(/<c:gapWidth val="(\d+)"/.exec(xml)![1])).toBeLessThan(10);
  }
  const { categories, series } = classes(12);
  expect(parseChart(few!)).toEqual({ categories, series });
  expect(few).not.toContain('tickLblSkip val="2"');
  expect(few).toContain('<c:showVal val="1"/>');
  expect(Number(/<c:tickLblSkip val="(\d+)"/.exec(many!)![1])).toBeGreaterThan(1);
  expect(many).not.toContain('<c:showVal val="1"/>');
});

test('an area chart reads the same cells as its line', async () => {
  const series = GROUPS.slice(0, 2).map((name, index) => ({
    name,
    values: [1, 2, 3].map((value) => value + index),
  }));
  const area = chart({ type: 'area', categories: GROUPS, series, seriesMeasure: 'nominal' });
  const parts = await readZip(await createPptx(head(), [chartSlide('Area', area)]));
  const [path] = chartsOf(parts);
  const xml = parts.get(path!)!.toString();
  expect(parseChart(xml).series).toEqual([...series, ...series]);
  expect(matches(xml, /<c:val>[\s\S]*?<c:f>([^<]*)</g)).toEqual(
    ['B', 'C', 'B', 'C'].map((column) => `Sheet1!$${column}$2:$${column}$4`),
  );
  expect((await createWorkbook(parts, path!))[0]!.slice(1)).toEqual(GROUPS.slice(0, 2));
  expect(xml.match(/<c:legendEntry>/g)).toHaveLength(2);
});

test('labels match the page, followed by their letters', async () => {
  const letters = SCALE.map((_, index) => (index === 1 ? ['B', 'c'] : []));
  const series = GROUPS.map((name) => ({ name, values: [10, 20, 30, 40, 50], letters }));
  const parts = await readZip(
    await createPptx(head(), [
      chartSlide('Letters', chart({ type: 'bar', categories: SCALE, series, seriesMeasure: 'ordinal' })),
    ]),
  );
  const xml = parts.get(chartsOf(parts)[0]!)!.toString();
  expect(parseChart(xml).series.map(({ name }) => name)).toEqual(
    GROUPS.map((name, index) => `${name} (${'ABC'[index]})`),
  );
  const formats = new Set(
    matches(xml, /<c:numFmt formatCode="([^"]*)" sourceLinked="0"\/><c:spPr><a:noFill\/>/g),
  );
  expect(formats).toEqual(new Set(['#,##0&quot;%&quot;', '#,##0&quot;% Bc&quot;']));
});

test('colors match the page: ordered answers, the remainder, and those of the chart or report', async () => {
  const colors = ['#112233', '#445566'];
  const one = (options: object, rest = false) => {
    const coloredChart = chart(
      { type: 'bar', categories: ['a', 'b', 'c'], series: [{ values: [1, 2, 3] }] },
      { options },
    );
    if (rest && !('problem' in coloredChart.figures)) coloredChart.figures.categories[2]!.is_rest = true;
    return chartSlide('Colors', coloredChart);
  };
  const answers = chart({
    type: 'stacked-bar',
    categories: ['a'],
    series: SCALE.map((name) => ({ name, values: [20] })),
    seriesMeasure: 'ordinal',
  });
  const parts = await readZip(
    await createPptx(head({ color: '#c2185b' }), [
      one({}),
      one({ colors }, true),
      chartSlide('Ordered', answers),
    ]),
  );
  const [plain, chosen, ordered] = chartsOf(parts).map((path) => parts.get(path)!.toString());
  const fills = (xml: string) =>
    matches(xml, /<c:(?:ser|dPt)>[\s\S]*?<c:spPr><a:solidFill><a:\w+ val="(\w+)"\/>/g);
  const bars = (xml: string) => matches(xml, /<c:dPt>[\s\S]*?<a:(?:srgb|scheme)Clr val="(\w+)"\/>/g);
  expect(matches(plain!, /<c:tx>[\s\S]*?<\/c:tx>\s*<c:spPr><a:solidFill><a:schemeClr val="(\w+)"/g)).toEqual([
    'accent1',
  ]);
  expect(parts.get('ppt/theme/theme1.xml')!.toString()).toContain('<a:accent1><a:srgbClr val="C2185B"/>');
  expect(bars(chosen!)).toEqual(['112233', '445566', 'C9C5BE']);
  const { sequence: steps } = reportStyle({ color: '#c2185b', colors: [] });
  expect(fills(ordered!)).toEqual([0, 1, 3, 5, 6].map((step) => steps[step]!.fill.slice(1).toUpperCase()));
});

test('escapes markup and drops characters that XML does not allow', async () => {
  const hostile = chart(
    { type: 'bar', categories: [HOSTILE, 'b'], series: [{ name: HOSTILE, values: [1, 2] }] },
    { title: HOSTILE, alt: HOSTILE, source: [HOSTILE] },
  );
  const slides = [
    { ...chartSlide(HOSTILE, hostile), notes: HOSTILE },
    ...everySlide()
      .slice(22, 23)
      .map((slide) => ({ ...slide, title: HOSTILE })),
  ];
  const parts = await readZip(
    await createPptx(
      head({ footer: HOSTILE }, { title: HOSTILE, organization: HOSTILE, author: HOSTILE }),
      slides,
    ),
  );
  const slide = parts.get('ppt/slides/slide1.xml')!.toString();
  expect(slide).toContain(`<a:t>${escaped(CLEAN)}</a:t>`);
  expect(slide).toContain(`descr="${escaped(CLEAN)}"`);
  expect(parseChart(parts.get(chartsOf(parts)[0]!)!.toString()).categories).toEqual([escaped(CLEAN), 'b']);
  expect((await createWorkbook(parts, chartsOf(parts)[0]!))[1]![0]).toBe(CLEAN);
  for (const [path, content] of parts) {
    const xml = path.endsWith('.xlsx') ? '' : content.toString();
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    expect(xml, path).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]|<script/);
  }
});

test('a slide fills the placeholders of its layout, so that it can be restyled', () => {
  const slide = xmlOf('ppt/slides/slide4.xml');
  expect(matches(slide, /(<p:ph [^>]*\/>)/g)).toEqual([
    '<p:ph type="title"/>',
    '<p:ph type="chart" idx="14"/>',
    '<p:ph type="body" idx="13"/>',
    '<p:ph type="ftr" sz="quarter" idx="11"/>',
    '<p:ph type="sldNum" sz="quarter" idx="12"/>',
  ]);
  const [title] = matches(slide, /<p:ph type="title"\/>[\s\S]*?(<a:rPr[^>]*>.*?)<a:t>/g);
  expect(title).not.toMatch(/sz=|solidFill|latin/);
  const [layout] = matches(
    xmlOf('ppt/slides/_rels/slide4.xml.rels'),
    /Target="\.\.\/(slideLayouts\/[^"]+)"/g,
  );
  const placeholders = matches(xmlOf(`ppt/${layout}`), /<p:ph type="(\w+)"/g);
  expect(placeholders).toEqual(['title', 'chart', 'body', 'ftr', 'sldNum']);
  expect(matches(xmlOf('ppt/slideMasters/slideMaster1.xml'), /<p:ph type="(\w+)"/g)).toEqual([
    'title',
    'body',
    'ftr',
    'sldNum',
  ]);
});

test('every slide has a title, a text alternative and notes', () => {
  const kinds = everySlide();
  kinds.forEach((_, index) => {
    const slide = xmlOf(`ppt/slides/slide${index + 1}.xml`);
    expect(matches(slide, /<p:ph type="title"\/>[\s\S]*?<a:t>([^<]+)/g), `slide ${index + 1}`).toHaveLength(
      1,
    );
    const shown = matches(slide, /(<p:cNvPr id="\d+" name="(?:Chart|Table|Picture) \d+"[^>]*>)/g);
    for (const item of shown) expect(item).toMatch(/ descr="[^"]+"/);
    const notes = xmlOf(`ppt/notesSlides/notesSlide${index + 1}.xml`);
    expect(notes).toContain('<a:t>Say this.</a:t>');
    expect(notes).toContain('<a:t>Base: n = 1,204</a:t>');
  });
});

test('a hidden title is placed above the slide', async () => {
  const untitled = { ...everySlide()[22]!, title: null };
  const parts = await readZip(await createPptx(head(), [untitled]));
  const slide = parts.get('ppt/slides/slide1.xml')!.toString();
  expect(slide).toMatch(/<p:ph type="title"\/>[\s\S]*?<a:off x="\d+" y="-\d+"\/>[\s\S]*?<a:t>Energy</);
});

test('links refer only to web and email addresses', () => {
  const relations = [...reportParts.keys()]
    .filter((path) => path.endsWith('.rels'))
    .map(xmlOf)
    .join('');
  const outside = matches(relations, /Target="([^"]*)" TargetMode="External"/g);
  expect(new Set(outside)).toEqual(new Set(['https://example.org/method?a=1&amp;b=2']));
});

test('every relationship has an existing target with a content type and a unique id', () => {
  const types = xmlOf('[Content_Types].xml');
  for (const part of matches(types, /PartName="\/([^"]*)"/g)) expect(reportParts.has(part), part).toBe(true);
  for (const path of reportParts.keys()) {
    const isListed =
      types.includes(`PartName="/${path}"`) || types.includes(`Extension="${path.split('.').at(-1)}"`);
    expect(isListed, path).toBe(true);
    if (path.endsWith('.rels')) {
      const folder = path.replace(/_rels\/[^/]*$/, '');
      const ids = matches(xmlOf(path), / Id="([^"]*)"/g);
      expect(new Set(ids).size, path).toBe(ids.length);
      for (const [, target, mode] of xmlOf(path).matchAll(/Target="([^"]*)"( TargetMode="External")?/g)) {
        if (mode !== undefined) continue;
        const found = target!.startsWith('/')
          ? target!.slice(1)
          : new URL(target!, `file:///${folder}`).pathname.slice(1);
        expect(reportParts.has(found), `${path}: ${target}`).toBe(true);
      }
      const owner = path.replace('_rels/', '').replace(/\.rels$/, '');
      if (reportParts.has(owner))
        for (const used of matches(xmlOf(owner), / r:(?:id|embed)="([^"]+)"/g))
          expect(ids, `${owner}: ${used}`).toContain(used);
    }
    if (/^ppt\/(slides|slideLayouts|slideMasters)\/[^/]*\.xml$/.test(path)) {
      const ids = matches(xmlOf(path), /<p:cNvPr id="(\d+)"/g);
      expect(new Set(ids).size, path).toBe(ids.length);
      expect(xmlOf(path), path).not.toMatch(/<\/a:r><a:pPr/);
    }
  }
});

test('a report in Arabic is mirrored, and each text has its language', async () => {
  const arabic = 'ما مدى رضاك عن الخدمة';
  const title = {
    type: 'text' as const,
    title: arabic,
    markdown: `${arabic}\n\nPlain English`,
    part: null,
    notes: arabic,
  };
  const parts = await readZip(await createPptx(head({ language: 'ar-EG' }), [title, everySlide()[22]!]));
  const slide = parts.get('ppt/slides/slide1.xml')!.toString();
  expect(slide).toMatch(/<a:pPr rtl="1"\s+algn="r"[^>]*>/);
  expect(slide).toContain(`lang="ar-EG"`);
  expect(slide).toMatch(/lang="en-US"[^>]*>(?:<[^>]*>)*<a:t>Plain English/);
  expect(parts.get('ppt/slides/slide2.xml')!.toString()).toContain('<a:tblPr rtl="1" firstRow="1"/>');
  expect(parts.get('ppt/presentation.xml')!.toString()).toContain('rtl="1"');
  expect(parts.get('ppt/notesSlides/notesSlide1.xml')!.toString()).toMatch(
    /rtl="1"\/><a:r><a:rPr lang="ar-EG"/,
  );
});

test.each(['16:9', 'a4'] as const)('mirrors the %s layouts of a right-to-left report', (size) => {
  const page = slidePageLayout(size);
  const boxesOf = (isRtl: boolean) =>
    createLayouts(page, isRtl).flatMap(({ placeholders }) => placeholders.map(({ box }) => box));
  const mirrored = boxesOf(false).map((box) => ({ ...box, x: page.width - box.x - box.width }));
  expect(boxesOf(true)).toEqual(mirrored);
  expect(boxesOf(true)).not.toEqual(boxesOf(false));
});

test('fills the labels of a line over bars with the background of the slide', async () => {
  const slide = chartSlide(
    'Answers and mean',
    chart({
      type: 'line-bar',
      categories: ['Q1', 'Q2'],
      aggregation: 'count',
      series: [
        { name: 'Answers', values: [120, 130] },
        { name: 'Mean', values: [3.1, 3.2], drawn_as: 'line' },
      ],
    }),
  );
  const parts = await readZip(await createPptx(head(), [slide]));
  const xml = parts.get(chartsOf(parts)[0]!)!.toString();
  const [line] = matches(xml, /<c:lineChart>([\s\S]*?)<\/c:lineChart>/g);
  const [labels] = matches(line!, /<c:dLbls>([\s\S]*?)<\/c:dLbls>/g);
  expect(labels).toContain('<c:spPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill>');
  expect(labels).not.toContain('<c:spPr><a:noFill/>');
});

test.each([
  ['16:9', '<p:sldSz cx="12192000" cy="6858000"/>'],
  ['a4', '<p:sldSz cx="10692003" cy="7560056"/>'],
])('a page of %s has the expected size', async (size, expected) => {
  const parts = await readZip(
    await createPptx(head({ page_size: size, font: 'Inter Tight' }), everySlide().slice(0, 1)),
  );
  expect(parts.get('ppt/presentation.xml')!.toString()).toContain(expected);
  expect(parts.get('ppt/theme/theme1.xml')!.toString()).toContain('<a:latin typeface="Inter Tight"/>');
});

test('the file has a title, author and date', () => {
  const core = xmlOf('docProps/core.xml');
  expect(core).toContain('<dc:title>What people are like</dc:title>');
  expect(core).toContain('<dc:creator>Ada Writer</dc:creator>');
  expect(core).toContain('>2026-11-21T12:00:00Z</dcterms:created>');
  expect(core).toContain('<dc:language>en</dc:language>');
  expect(xmlOf('docProps/app.xml')).toContain('<Company>Probe &amp; Partners</Company>');
});

test('explains suppressed figures, and states when no answers exist', async () => {
  const empty = {
    ...figures({ type: 'bar', categories: [], series: [] }),
    base: { unweighted: 0, weighted: 0, effective: 0 },
  };
  const parts = await readZip(
    await createPptx(head(), [
      chartSlide('Empty', { ...chart({ type: 'bar', categories: [], series: [] }), figures: empty }),
      chartSlide('Gone', {
        ...chart({ type: 'bar', categories: [], series: [] }),
        figures: { problem: 'Its question was deleted.' },
      }),
    ]),
  );
  expect(parts.get('ppt/slides/slide1.xml')!.toString()).toContain('No answers yet');
  expect(parts.get('ppt/slides/slide2.xml')!.toString()).toContain('Its question was deleted.');
  expect(chartsOf(parts)).toEqual([]);
});

test('writes a report of 200 slides completely', async () => {
  const bar = chartSlide(
    'A chart',
    chart({ type: 'bar', categories: SCALE, series: [{ values: [1, 2, 3, 4, 5] }] }),
  );
  const slides = Array.from({ length: 200 }, (_, index) => (index % 5 === 0 ? bar : everySlide()[2]!));
  const parts = await readZip(await createPptx(head(), slides));
  expect(parts.has('ppt/slides/slide200.xml')).toBe(true);
  expect(chartsOf(parts)).toHaveLength(40);
  expect(matches(parts.get('ppt/presentation.xml')!.toString(), /<p:sldId id="(\d+)"/g)).toHaveLength(200);
}, 30_000);
