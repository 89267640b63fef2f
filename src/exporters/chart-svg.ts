import type { ChartDrawing } from '../domain/charts/drawing/chart-drawing.ts';

/** Loads echarts with the modules that the charts use. Loading takes a while, so it starts with the first chart. */
async function loadCharts() {
  const [core, charts, components, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ]);
  core.use([
    charts.BarChart,
    charts.LineChart,
    charts.PieChart,
    charts.RadarChart,
    charts.GaugeChart,
    components.GridComponent,
    components.RadarComponent,
    components.GraphicComponent,
    renderers.SVGRenderer,
  ]);
  return core;
}

let loading: ReturnType<typeof loadCharts> | null = null;

/** Draws charts as SVG without styles and scripts (`toStaticSvg`). */
export async function loadChartRenderer(): Promise<(drawing: ChartDrawing, name: string) => string> {
  const { init } = await (loading ??= loadCharts());
  return ({ option, width, height }, name) => {
    const size = { width: Math.round(width), height: Math.round(height) };
    const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
    try {
      chart.setOption(option);
      return toStaticSvg(chart.renderToSVGString(), name, size);
    } finally {
      // Otherwise its timer would keep the process alive.
      chart.dispose();
    }
  };
}

/**
 * Removes styles, which the content security policy of a page refuses. The same chart gives the same SVG: `name` makes its ids unique on a page.
 * echarts escapes category names, so quotation marks only delimit attributes.
 */
function toStaticSvg(
  svg: string,
  name: string,
  { width, height }: { width: number; height: number },
): string {
  return svg
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/ class="[^"]*"/g, '')
    .replace(/ ecmeta_(?:ssr_type|silent)="[^"]*"/g, '')
    .replace(/ ecmeta_series_index="/g, ' data-series="')
    .replace(/ ecmeta_data_index="/g, ' data-index="')
    .replace(/ style="([^"]*)"/g, (_, style: string) => styleToAttributes(style))
    .replace(/(id="|url\(#)zr\d+-/g, `$1${name}-`)
    .replace(/^<svg[^>]*>\s*<rect[^>]*fill="none"><\/rect>/, `<svg viewBox="0 0 ${width} ${height}">`)
    .replace(/<defs\s*>\s*<\/defs>/g, '')
    .replace(/\n+/g, '');
}

/** `font-size:12px;font-weight:600;` as attributes. The typeface is inherited from the page. */
function styleToAttributes(style: string): string {
  return style
    .split(';')
    .map((rule) => rule.split(':').map((part) => part.trim()))
    .filter(([key, value]) => value !== undefined && key !== 'font-family' && key !== '')
    .map(([key, value]) => ` ${key}="${value}"`)
    .join('');
}
