import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';

type SlideData = Schema<'PreviewSlide'>;
type Chart = SlideData['charts'][number];
type Table = Schema<'SlideTable'>;

const t = texts.reports;

/** A slide as the files of the report have it. */
export function Slide({ slide, number }: { slide: SlideData; number: number }) {
  const {
    slide_type: type,
    title,
    part,
    subtitle,
    text_html: textHtml,
    charts,
    figures,
    table,
    image,
  } = slide;
  const isCover = type === 'title' || type === 'section';
  const name = title ?? t.slide(number);
  return (
    <li class={isCover ? 'slide cover' : 'slide'}>
      <p class="slide-number" aria-hidden="true">
        {number}
      </p>
      <h2 class={title === null ? 'visually-hidden' : ''}>
        {name}
        {part !== null && <span class="soft"> {t.part(part.number, part.total)}</span>}
      </h2>
      {subtitle !== null && <p class="slide-subtitle">{subtitle}</p>}
      {charts.length > 0 && (
        <div class={charts.length > 1 ? 'slide-charts several' : 'slide-charts'}>
          {charts.map((chart, index) => (
            <SlideChart key={index} chart={chart} name={name} />
          ))}
        </div>
      )}
      {figures.length > 0 && (
        <ul class="slide-figures">
          {figures.map(({ label, value, problem, change, source }, index) => (
            <li key={index}>
              <p>{label}</p>
              <p class="slide-value">{value ?? problem}</p>
              {change !== null && <p>{change}</p>}
              <Source lines={source} />
            </li>
          ))}
        </ul>
      )}
      {table !== null && <SlideTable table={table} name={name} />}
      {image !== null && (
        <figure>
          <img src={image.url} alt={image.alt} />
          {image.caption !== null && <figcaption>{image.caption}</figcaption>}
        </figure>
      )}
      {slide.problem !== null && <p class="soft">{slide.problem}</p>}
      {/* The server renders it without scripts. */}
      {textHtml !== null && <div class="slide-text" dangerouslySetInnerHTML={{ __html: textHtml }} />}
      {slide.methods.map(({ heading, facts, paragraphs, table: counts }, index) => (
        <section key={index}>
          <h3>{heading}</h3>
          {facts.length > 0 && (
            <dl class="slide-facts">
              {facts.map(([fact, value]) => (
                <div key={fact}>
                  <dt>{fact}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {paragraphs.map((paragraph, position) => (
            <p key={position}>{paragraph}</p>
          ))}
          {counts !== null && <SlideTable table={counts} name={heading} />}
        </section>
      ))}
    </li>
  );
}

/** Where a figure is from. */
const Source = ({ lines }: { lines: readonly string[] }) =>
  lines.length > 0 && <p class="slide-source">{lines.join(' · ')}</p>;

function SlideChart({
  chart: { title, svg, value, table, problem, alt, source },
  name,
}: {
  chart: Chart;
  name: string;
}) {
  return (
    <div class="slide-chart">
      {title !== null && <h3>{title}</h3>}
      {svg !== null && (
        <div class="scroll" tabIndex={0} role="region" aria-label={title ?? name}>
          <div role="img" aria-label={alt} dangerouslySetInnerHTML={{ __html: svg }} />
        </div>
      )}
      {value !== null && <p class="slide-value">{value}</p>}
      {table !== null && <SlideTable table={{ ...table, source: [] }} name={title ?? name} />}
      {problem !== null && <p class="soft">{problem}</p>}
      <Source lines={source} />
    </div>
  );
}

/** Adjacent columns with the same heading. */
function groupColumns(columns: Table['columns']): { heading: string; span: number }[] {
  const groups: { heading: string; span: number }[] = [];
  for (const { heading = '' } of columns) {
    const last = groups.at(-1);
    if (last?.heading === heading) last.span += 1;
    else groups.push({ heading, span: 1 });
  }
  return groups;
}

function SlideTable({ table: { corner, columns, rows, source }, name }: { table: Table; name: string }) {
  const groups = groupColumns(columns);
  const hasGroups = groups.some(({ heading }) => heading !== '');
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={name}>
        <table class="slide-table">
          <thead>
            {hasGroups && (
              <tr class="groups">
                <td />
                {groups.map(({ heading, span }, index) =>
                  heading === '' ? (
                    <td key={index} colSpan={span} />
                  ) : (
                    <th key={index} scope="colgroup" colSpan={span}>
                      {heading}
                    </th>
                  ),
                )}
              </tr>
            )}
            <tr>
              <th scope="col">{corner}</th>
              {columns.map(({ label, letter }, index) => (
                <th key={index} scope="col">
                  {label}
                  {letter !== null && <span class="letters"> ({letter})</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, kind, cells }, index) => (
              <tr key={index} class={kind}>
                <th scope="row" {...(kind === 'heading' ? { colSpan: columns.length + 1 } : {})}>
                  {label}
                </th>
                {cells.map(({ text, letters }, position) => (
                  <td key={position}>
                    {text}
                    {letters !== '' && <sup class="letters"> {letters}</sup>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Source lines={source} />
    </>
  );
}
