import type { LanguageRequest } from './fake-language-server.ts';

/** As much of JSON schema as structured outputs have. */
interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minItems?: number;
}

type Item = Record<string, unknown>;

const POSITIVE = /love|great|excellent|good|happy|excelente|liebe|toll/i;
const NEGATIVE = /hate|bad|terrible|slow|awful|broken|odio|hasse|schlecht/i;
const WORD = /\p{L}{4,}/gu;
const MAX_THEMES = 5;

/** A plausible answer: an instance of the schema, built deterministically from the data in the request. */
export function plausibleAnswer(request: LanguageRequest): string {
  const schema = schemaOf(request);
  if (schema !== null) return JSON.stringify(instance(schema, '', {}, dataOf(request)));
  return `You said: ${lastTextOf(request)}`;
}

/** The JSON that came in the last message of the user, wherever in it. */
export function dataOf(request: LanguageRequest): Item {
  for (const { role, content } of [...request.body.messages].reverse()) {
    if (role !== 'user' || typeof content !== 'string') continue;
    for (let start = content.indexOf('{'); start >= 0; start = content.indexOf('{', start + 1)) {
      const found = parseObject(content.slice(start, content.lastIndexOf('}') + 1));
      if (found !== null) return found;
    }
  }
  return {};
}

function schemaOf({ body }: LanguageRequest): JsonSchema | null {
  const format = body.response_format;
  if (format?.type === 'json_schema') return format.json_schema?.schema ?? null;
  // Requests without a schema have it at the end of the system message.
  const content = asText(body.messages.find(({ role }) => role === 'system')?.content);
  const start = content.indexOf('{"');
  return start < 0 ? null : parseObject(content.slice(start));
}

function lastTextOf({ body }: LanguageRequest): string {
  const last = body.messages.findLast(({ role }) => role === 'user')?.content;
  return typeof last === 'string' ? last : '';
}

function instance(schema: JsonSchema, name: string, item: Item, data: Item): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf !== undefined) {
    const [first] = schema.anyOf.filter(({ type }) => type !== 'null');
    return name === 'category' ? (matches(item, data)[0] ?? null) : instance(first!, name, item, data);
  }
  if (schema.enum !== undefined) return name === 'sentiment' ? sentimentOf(item) : schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, value]) => [key, instance(value, key, item, data)]),
    );
  if (type === 'array') return list(schema, name, item, data);
  if (type === 'string') return text(name, item, data);
  if (type === 'boolean') return true;
  if (name === 'category') return matches(item, data)[0] ?? null;
  if (typeof item[name] === 'number') return item[name];
  return name === 'confidence' ? 0.9 : 1;
}

function list(schema: JsonSchema, name: string, item: Item, data: Item): unknown[] {
  const { items = {}, minItems = 0 } = schema;
  const texts = itemsOf(data.texts);
  const of = (each: Item) => instance(items, name, each, data);
  if (items.properties?.id !== undefined) return [...texts, ...itemsOf(data.facts)].map(of);
  if (items.properties === undefined) {
    if (name === 'keywords') return [item.name];
    if (name === 'themes') return matches(item, data);
    if (name === 'from') return [item.number];
    if (items.type === 'string') return [text(name, item, data)];
    return idsWith(asText(item.name), texts);
  }
  if (name === 'points') {
    const written = itemsOf(data.parts).flatMap((part) => itemsOf(part.points));
    return [...texts, ...written].slice(0, 3).map((each) => of({ ...each, name: each.text }));
  }
  const proposed = itemsOf(data.proposals);
  const themes =
    proposed.length > 0 ? mergeByName(proposed) : commonWords(texts).map((word) => ({ name: word }));
  const most = typeof data.most === 'number' ? data.most : MAX_THEMES;
  return themes.slice(0, Math.max(minItems, most)).map((each) => ({ ...(of(each) as Item), ...each }));
}

function text(name: string, item: Item, data: Item): string {
  const own = item[name];
  if (typeof own === 'string') return own;
  if (name === 'translation') return `[${String(data.target_language)}] ${String(item.text)}`;
  if (name === 'language') return 'en';
  if (name === 'summary') return `${itemsOf(data.texts).length + itemsOf(data.parts).length} were read.`;
  if (name === 'headline') return `Finding: ${String(item.kind)}`;
  if (name === 'explanation') return String(item.statement);
  if (name === 'suggestion') return 'Look into it.';
  if (name === 'text') return String(item.name);
  return `About ${asText(item.name) || name}`;
}

function sentimentOf(item: Item): string {
  const content = String(item.text);
  if (NEGATIVE.test(content)) return 'negative';
  return POSITIVE.test(content) ? 'positive' : 'neutral';
}

/** Returns the numbers of the categories or themes whose name or keyword occurs in the text. */
function matches(item: Item, data: Item): unknown[] {
  const content = String(item.text).toLowerCase();
  const named = [...itemsOf(data.categories), ...itemsOf(data.themes)];
  return named
    .filter(({ name, keywords }) => {
      const words = [name, ...(Array.isArray(keywords) ? keywords : [])].map((word) => String(word));
      return words.some((word) => word !== '' && content.includes(word.toLowerCase()));
    })
    .map(({ number }) => number);
}

function commonWords(texts: readonly Item[]): string[] {
  const counts = new Map<string, number>();
  for (const { text: content } of texts)
    for (const word of new Set(String(content).toLowerCase().match(WORD) ?? []))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return common.map(([word]) => word);
}

function mergeByName(proposals: readonly Item[]): Item[] {
  const byName = new Map(proposals.map((proposal) => [String(proposal.name), proposal]));
  return [...byName.values()];
}

function idsWith(word: string, texts: readonly Item[]): unknown[] {
  const found = texts.filter(({ text: content }) =>
    String(content).toLowerCase().includes(word.toLowerCase()),
  );
  return found.slice(0, 3).map(({ id }) => id);
}

function itemsOf(value: unknown): Item[] {
  return Array.isArray(value)
    ? value.filter((one): one is Item => typeof one === 'object' && one !== null)
    : [];
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

function parseObject(json: string): Item | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Item) : null;
  } catch {
    return null;
  }
}
