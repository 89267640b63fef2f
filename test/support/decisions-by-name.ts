import ts from 'typescript';

/** Names of one kind, such as chart types, and how code refers to them. */
export interface NameRules {
  names: readonly string[];
  /** Whether a file can decide by such a name; others are not parsed. */
  mayDecide(text: string): boolean;
  /** Whether the name means nothing else: `line` is a chart type and much else, `line-bar` is not. */
  isUnmistakable(name: string): boolean;
  /** Whether a member holds such a name; `owner`: the code of its object or, for a destructured parameter, its type. */
  isMember(member: string, owner: string): boolean;
  /** The types of such names: `/^(ChartType|FigureChart)\b/`. */
  typeNames: RegExp;
  /** Whether `TABLE[name]` is a decision; not where all tables come from a registry. */
  forbidsLookups: boolean;
}

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** Returns the code of the object that a pattern destructures, or the type of a destructured parameter. */
function ownerOf(element: ts.BindingElement, source: ts.SourceFile): string {
  const { parent } = element.parent;
  if (ts.isVariableDeclaration(parent)) return parent.initializer?.getText(source) ?? '';
  if (ts.isParameter(parent)) return parent.type?.getText(source) ?? '';
  const member = parent.propertyName ?? parent.name;
  return ts.isIdentifier(member) ? member.text : '';
}

/** Variables that hold a name: destructured or read from a member, or of one of the types. */
function variablesWithNames(source: ts.SourceFile, rules: NameRules): ReadonlySet<string> {
  const variables = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name)) {
      const member = node.propertyName ?? node.name;
      if (ts.isIdentifier(member) && rules.isMember(member.text, ownerOf(node, source)))
        variables.add(node.name.text);
    }
    if ((ts.isParameter(node) || ts.isVariableDeclaration(node)) && ts.isIdentifier(node.name)) {
      if (rules.typeNames.test(node.type?.getText(source) ?? '')) variables.add(node.name.text);
      const value = ts.isVariableDeclaration(node) ? node.initializer : undefined;
      if (
        value &&
        ts.isPropertyAccessExpression(value) &&
        rules.isMember(value.name.text, value.expression.getText(source))
      )
        variables.add(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return variables;
}

/** Returns the places in a source file that decide by a name, as `file:line: code`. */
export function findDecisionsByName(file: string, text: string, rules: NameRules): string[] {
  if (!rules.mayDecide(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const variables = variablesWithNames(source, rules);
  const found: string[] = [];
  const report = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    found.push(`${file}:${line}: ${node.getText(source).split('\n')[0]}`);
  };
  const isName = (node: ts.Node) => ts.isStringLiteralLike(node) && rules.names.includes(node.text);
  const holdsName = (node: ts.Node): boolean =>
    ts.isIdentifier(node)
      ? variables.has(node.text)
      : ts.isPropertyAccessExpression(node) &&
        rules.isMember(node.name.text, node.expression.getText(source));
  const listsNames = (node: ts.Node): boolean =>
    (ts.isArrayLiteralExpression(node) && node.elements.some(isName)) ||
    (ts.isNewExpression(node) && (node.arguments ?? []).some(listsNames));
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind)) {
      const sides = [node.left, node.right];
      if (sides.some(isName) && sides.some(holdsName)) report(node);
    }
    if (ts.isSwitchStatement(node) && holdsName(node.expression)) report(node);
    // ['bar', 'line'].includes(chartType)
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.arguments.some(holdsName) &&
      listsNames(node.expression.expression)
    )
      report(node);
    // A table by name decides as a switch does.
    if (
      ts.isTypeReferenceNode(node) &&
      /^(Readonly)?Map$|^Record$/.test(node.typeName.getText(source)) &&
      rules.typeNames.test(node.typeArguments?.[0]?.getText(source) ?? '') &&
      !ts.isAsExpression(node.parent) &&
      !ts.isTypeParameterDeclaration(node.parent)
    )
      report(node);
    if (rules.forbidsLookups && ts.isElementAccessExpression(node) && holdsName(node.argumentExpression))
      report(node);
    // An unmistakable name may only be sent: { chart_type: 'kpi' }.
    if (ts.isStringLiteralLike(node) && isName(node) && rules.isUnmistakable(node.text)) {
      const { parent } = node;
      const isSent =
        ts.isPropertyAssignment(parent) &&
        rules.isMember(parent.name.getText(source), '') &&
        parent.name !== node;
      // `'multiple_choice' as const` is sent in the same way.
      const isConstant =
        ts.isAsExpression(parent) &&
        ts.isPropertyAssignment(parent.parent) &&
        rules.isMember(parent.parent.name.getText(source), '');
      if (!isSent && !isConstant) report(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
