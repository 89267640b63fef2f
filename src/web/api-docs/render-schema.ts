import MarkdownIt from 'markdown-it';
import { html, type Html, trustedHtml } from '../shared/html.ts';
import { type ApiDocument, referencedName, resolveSchema, type Schema } from './api-document.ts';

/** Choices that fit in a line; the schema's own page lists more. */
const MAX_LISTED_VALUES = 40;

const texts = {
  name: 'Name',
  type: 'Type',
  description: 'Description',
  required: 'required',
  otherFields: 'any other name',
  fields: (subject: string) => `Fields of ${subject}`,
} as const;

const markdown = new MarkdownIt({ linkify: false });

/** Renders a description of the document, which is Markdown without HTML. */
export const renderText = (text: string | undefined): Html =>
  trustedHtml(text === undefined ? '' : markdown.render(text));

const renderLine = (text: string | undefined): Html =>
  trustedHtml(text === undefined ? '' : markdown.renderInline(text));

const schemaAddress = (name: string): string => `/api/docs/schemas/${name}`;

/** Renders what a value can be: "integer, at least 1", "list of Survey", "text or null". */
export function renderType(schema: Schema): Html {
  const name = referencedName(schema);
  if (name !== null) return html`<a href="${schemaAddress(name)}">${name}</a>`;
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return joinTypes(alternatives.map(renderType), ' or ');
  if (schema.allOf !== undefined) return joinTypes(schema.allOf.map(renderType), ' and ');
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) return renderValues(schema.enum);
  const types = [schema.type ?? 'any value'].flat();
  const isList = types.includes('array');
  const words = isList
    ? html`list of ${schema.items === undefined ? 'values' : renderType(schema.items)}`
    : html`${types.map(typeName).join(' or ')}`;
  return html`${words}${limitsOf(schema).map((limit) => `, ${limit}`)}`;
}

function joinTypes(types: readonly Html[], word: string): Html {
  return html`${types.map((type, index) => html`${index > 0 && word}${type}`)}`;
}

function renderValues(values: readonly unknown[]): Html {
  const listed = values.slice(0, MAX_LISTED_VALUES);
  const more = values.length - listed.length;
  return html`${listed.map(
    (value, index) => html`${index > 0 && ', '}<code>${JSON.stringify(value)}</code>`,
  )}${more > 0 && ` and ${more} more`}`;
}

const typeName = (type: string): string => (type === 'string' ? 'text' : type);

function limitsOf(schema: Schema): string[] {
  const { format, minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    format,
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minItems !== undefined && `at least ${minItems} items`,
    maxItems !== undefined && `at most ${maxItems} items`,
  ].filter((limit) => limit !== false && limit !== undefined);
}

/** A row of a table of fields or parameters. */
export interface FieldRow {
  name: string;
  isRequired: boolean;
  schema: Schema;
  description: string | undefined;
}

export function renderFieldRows(rows: readonly FieldRow[], label: string): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          <th scope="col">${texts.name}</th>
          <th scope="col">${texts.type}</th>
          <th scope="col">${texts.description}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, isRequired, schema, description }) =>
            html`<tr>
              <th scope="row">
                <code>${name}</code>${isRequired && html` <span class="soft">${texts.required}</span>`}
              </th>
              <td>${renderType(schema)}</td>
              <td>${renderLine(description)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/**
 * Renders a schema: its fields as a table, of alternatives each one, otherwise what the value can be. Schemas within it that have a name are
 * links. `subject` names it.
 */
export function renderSchema(document: ApiDocument, given: Schema, subject: string): Html {
  const schema = resolveSchema(document, given);
  const { properties, required = [], additionalProperties } = schema;
  const rows: FieldRow[] = Object.entries(properties ?? {}).map(([name, field]) => ({
    name,
    isRequired: required.includes(name),
    schema: field,
    description: field.description,
  }));
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
    rows.push({
      name: texts.otherFields,
      isRequired: false,
      schema: additionalProperties,
      description: additionalProperties.description,
    });
  if (rows.length === 0) return html`<p>${renderType(schema)}</p>`;
  return renderFieldRows(rows, texts.fields(subject));
}
