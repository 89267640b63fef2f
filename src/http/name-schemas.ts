/** A JSON schema, or a part of a document that is one. */
type Node = Record<string, unknown>;

/**
 * Gives every object schema of an OpenAPI document a name in `components.schemas`, so that generated clients have a type for each.
 * An object without a name of its own is named after the schema and the member that hold it (`Crosstab` and `tables`:
 * `CrosstabTable`); equal objects share the first name. Changes the document.
 */
export function nameInlineObjects(schemas: Record<string, Node>): void {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas))
    if (isObjectSchema(schema)) names.set(keyOf(schema), name);

  function visit(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((item) => visit(item, name));
    if (typeof value !== 'object' || value === null) return value;
    const node = value as Node;
    visitMembers(node, name);
    return isObjectSchema(node) ? reference(node, name) : node;
  }

  function visitMembers(node: Node, name: string): void {
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === 'properties') {
        const properties = value as Record<string, unknown>;
        for (const [member, schema] of Object.entries(properties))
          properties[member] = visit(schema, name + pascalCase(member));
      } else if (keyword === 'items') node[keyword] = visit(value, singular(name));
      else if (Array.isArray(value) && SUBSCHEMAS.has(keyword))
        node[keyword] = value.map((form) => visit(form, name + discriminatorOf(form)));
      else if (SUBSCHEMAS.has(keyword)) node[keyword] = visit(value, name);
    }
  }

  /** Moves the object into the components, and leaves a reference with its description. */
  function reference(node: Node, preferredName: string): Node {
    const { description, default: defaultValue, ...schema } = node;
    const key = keyOf(schema);
    let name = names.get(key);
    if (name === undefined) {
      name = preferredName;
      for (let number = 2; name in schemas; number += 1) name = `${preferredName}${number}`;
      schemas[name] = schema;
      names.set(key, name);
    }
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description === undefined ? {} : { description }),
      ...(defaultValue === undefined ? {} : { default: defaultValue }),
    };
  }

  for (const [name, schema] of Object.entries({ ...schemas })) visitMembers(schema, name);
}

/**
 * Says the default of each member in its description instead of the keyword `default`: openapi-typescript makes a member with a default
 * required in requests. Changes the schemas.
 */
export function describeDefaults(schemas: Record<string, unknown>): void {
  for (const schema of Object.values(schemas)) describeDefault(schema);
}

function describeDefault(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(describeDefault);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  const node = schema as Node;
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'properties') describeDefaults(value as Record<string, unknown>);
    else describeDefault(value);
  }
  if (!('default' in node)) return;
  const { default: defaultValue, description } = node;
  delete node['default'];
  if (defaultValue === null) return;
  const text = `Default: \`${typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)}\``;
  node['description'] = typeof description === 'string' ? `${description}. ${text}` : text;
}

const SUBSCHEMAS: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'additionalProperties',
  'prefixItems',
  'not',
]);

function isObjectSchema(node: Node): boolean {
  return node['type'] === 'object' && typeof node['properties'] === 'object';
}

/** Returns the same key for schemas that differ only in their description. */
function keyOf({ description: _description, ...schema }: Node): string {
  return JSON.stringify(schema);
}

/** `Login` of a form that has a member with the constant "login": it tells the forms of a union apart. */
function discriminatorOf(form: unknown): string {
  const properties = (form as Node)['properties'] as Record<string, Node> | undefined;
  const constant = Object.values(properties ?? {}).find((schema) => typeof schema['const'] === 'string');
  return constant === undefined ? '' : pascalCase(constant['const'] as string);
}

function pascalCase(member: string): string {
  return member
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

/** `CrosstabTables` holds one `CrosstabTable`. */
function singular(name: string): string {
  if (name.endsWith('eries')) return `${name}Item`;
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}
