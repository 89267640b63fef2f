import { html, type Html } from '../shared/html.ts';
import type { ApiDocument, Content, LocatedOperation, Operation } from './api-document.ts';
import { renderFieldRows, renderSchema, renderText, renderType } from './render-schema.ts';

const JSON_TYPE = 'application/json';

const texts = {
  parameters: 'Parameters',
  parametersOf: (summary: string) => `Parameters: ${summary}`,
  body: 'Body',
  optionalBody: 'Body (optional)',
  replies: 'Replies',
  request: 'Example of a request',
  reply: 'Example of a reply',
  exampleOf: (title: string, summary: string) => `${title}: ${summary}`,
} as const;

/** Renders an operation: what it does, its parameters, its body and its replies, with examples. */
export function renderOperation(document: ApiDocument, located: LocatedOperation): Html {
  const { method, path, operation } = located;
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const rows = parameters.map(({ name, required = false, schema, description }) => ({
    name,
    isRequired: required,
    schema,
    description,
  }));
  const request = requestExample(located);
  const reply = exampleIn(Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content);
  return html`<section class="operation" aria-labelledby="${operationId}">
    <h2 id="${operationId}">${summary}</h2>
    <p class="endpoint"><strong>${method}</strong> <code>${path}</code></p>
    ${renderText(operation.description)}
    ${
      rows.length > 0 &&
      html`<h3>${texts.parameters}</h3>
        ${renderFieldRows(rows, texts.parametersOf(summary))}`
    }
    ${
      requestBody !== undefined &&
      html`<h3>${requestBody.required === false ? texts.optionalBody : texts.body}</h3>
        ${Object.entries(requestBody.content).map(([type, { schema }]) =>
          renderContent(document, { type, schema, summary }),
        )}`
    }
    <h3>${texts.replies}</h3>
    ${renderReplies(responses)}
    ${request !== null && renderExample(texts.request, { summary, text: request })}
    ${reply !== null && renderExample(texts.reply, { summary, text: reply })}
  </section>`;
}

function renderContent(
  document: ApiDocument,
  { type, schema, summary }: { type: string; schema: Content['schema']; summary: string },
): Html {
  return html`${type !== JSON_TYPE && html`<p><code>${type}</code></p>`}
  ${schema !== undefined && renderSchema(document, schema, `${texts.body}: ${summary}`)}`;
}

function renderReplies(responses: Operation['responses']): Html {
  return html`<ul>
    ${Object.entries(responses).map(([status, { description, content = {} }]) => {
      const types = Object.entries(content).map(([type, { schema }]) =>
        schema === undefined ? html`<code>${type}</code>` : renderType(schema),
      );
      return html`<li>
        <strong>${status}</strong> ${renderText(description)}
        ${types.length > 0 && html`<p>${types.map((type, index) => html`${index > 0 && ', '}${type}`)}</p>`}
      </li>`;
    })}
  </ul>`;
}

function renderExample(title: string, { summary, text }: { summary: string; text: string }): Html {
  return html`<details>
    <summary>${title}</summary>
    <pre tabindex="0" role="region" aria-label="${texts.exampleOf(title, summary)}"><code>${text}</code></pre>
  </details>`;
}

/** The example of JSON content, over several lines; null: it has none. */
function exampleIn(content: Record<string, Content> | undefined): string | null {
  const json = content?.[JSON_TYPE];
  const example = json?.example ?? Object.values(json?.examples ?? {})[0]?.value;
  return example === undefined ? null : JSON.stringify(example, null, 2);
}

/** The request as a command for a terminal. `$SERVER` and `$KEY` are variables that the reader sets. */
function requestExample({ method, path, operation }: LocatedOperation): string | null {
  const { requestBody } = operation;
  const body = exampleIn(requestBody?.content);
  if (requestBody !== undefined && body === null) return null;
  const line = `curl -X ${method} -H "X-API-Key: $KEY" "$SERVER${path}"`;
  if (body === null) return line;
  return `${line} \\\n  -H 'Content-Type: application/json' -d '${body.replaceAll("'", String.raw`'\''`)}'`;
}
