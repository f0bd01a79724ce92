import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** The public entries. */
const DOORS = [
  'src/index.ts',
  'src/access.ts',
  'src/node.ts',
  'src/responses.ts',
  'src/client/client.ts',
  'src/frameworks/express.ts',
  'src/frameworks/fastify.ts',
  'src/frameworks/hono.ts',
  'src/audit/opentelemetry.ts',
  'src/testing/test-context.ts',
];

/** A node of the syntax tree, as far as it is used. */
interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * Finds every function that users pass to us, by parsing the sources: members of exported types and of types they refer
 * to, parameters of exported functions, and parameters of the methods of `ours`, the types that users call themselves.
 */
export function callablePlaces(ours: ReadonlySet<string>): string[] {
  const declared = new Map<string, Node>();
  const reached = new Set(DOORS.flatMap((file) => exportedBy(file, declared)));
  const found = new Set<string>();
  // Types that are referred to are added while iterating.
  for (const name of reached) {
    const node = declared.get(name);
    if (!node) throw new Error(`${name} is exported, and declared nowhere`);
    for (const place of placesIn(name, node, declared, ours)) found.add(place);
    for (const mentioned of typesIn(node))
      if (declared.has(mentioned) && !schemas.has(mentioned)) reached.add(mentioned);
  }
  return [...found].toSorted();
}

/** The types that a declaration refers to, except in function bodies. */
function typesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, typeName } = node as { type?: string; typeName?: { name?: string } };
  const own = type === 'TSTypeReference' && typeName?.name !== undefined ? [typeName.name] : [];
  const isCode = type === 'BlockStatement' || type === 'ClassBody' || type === 'VariableDeclarator';
  return isCode ? own : [...own, ...Object.values(node).flatMap(typesIn)];
}

function placesIn(name: string, node: Node, declared: Map<string, Node>, ours: ReadonlySet<string>): string[] {
  if (node.type === 'FunctionDeclaration') return parametersIn(name, node, declared);
  if (node.type === 'TSTypeAliasDeclaration') {
    if (!isFunction(node['typeAnnotation'] as Node, declared)) return [];
    return ours.has(name) ? [] : [name];
  }
  if (node.type !== 'TSInterfaceDeclaration') return [];
  return membersOf(node['body'] as Node).flatMap((member) => {
    const place = `${name}.${nameOf(member)}`;
    const signature = signatureOf(member, declared);
    if (!signature) return [];
    if (ours.has(name)) return parametersIn(place, signature, declared);
    return [
      place,
      ...membersOf(returnedBy(signature)).flatMap((inner) =>
        signatureOf(inner, declared) ? [`${place}.${nameOf(inner)}`] : [],
      ),
    ];
  });
}

function parametersIn(place: string, signature: Node, declared: Map<string, Node>): string[] {
  return ((signature['params'] ?? []) as Node[]).flatMap((parameter) => {
    const inner = (parameter['left'] ?? parameter) as Node;
    const type = typeOf(inner);
    return type && isFunction(type, declared) ? [`${place}(${String(inner['name'])})`] : [];
  });
}

/** A method, or a property with a function or a record of functions. */
function signatureOf(member: Node, declared: Map<string, Node>): Node | undefined {
  if (member.type === 'TSMethodSignature' || member.type === 'TSCallSignatureDeclaration') return member;
  const type = typeOf(member);
  if (!type) return undefined;
  const held =
    type.type === 'TSTypeLiteral' ? membersOf(type).find((inner) => inner.type === 'TSIndexSignature') : undefined;
  return functionIn((held && typeOf(held)) ?? type, declared);
}

const isFunction = (type: Node, declared: Map<string, Node>) => functionIn(type, declared) !== undefined;

function functionIn(type: Node, declared: Map<string, Node>): Node | undefined {
  switch (type.type) {
    case 'TSFunctionType':
      return type;
    case 'TSTypeQuery':
      return type; // typeof fetch
    case 'TSParenthesizedType':
      return functionIn(type['typeAnnotation'] as Node, declared);
    case 'TSTypeOperator':
      return type['operator'] === 'readonly' ? functionIn(type['typeAnnotation'] as Node, declared) : undefined;
    case 'TSArrayType':
      return functionIn(type['elementType'] as Node, declared);
    case 'TSUnionType':
      return (type['types'] as Node[]).map((one) => functionIn(one, declared)).find(Boolean);
    case 'TSTypeReference': {
      const name = String((type['typeName'] as Node)['name']);
      const alias = declared.get(name);
      if (alias?.type !== 'TSTypeAliasDeclaration') return undefined;
      // Without the alias itself, which may be recursive.
      const others = new Map(declared);
      others.delete(name);
      return functionIn(alias['typeAnnotation'] as Node, others);
    }
    default:
      return undefined;
  }
}

function returnedBy(signature: Node): Node {
  const returned = signature['returnType'] as Node | undefined;
  return (returned?.['typeAnnotation'] ?? {}) as Node;
}

const typeOf = (node: Node) => (node['typeAnnotation'] as Node | undefined)?.['typeAnnotation'] as Node | undefined;
const nameOf = (member: Node) => (member['key'] as { readonly name?: string } | undefined)?.name ?? 'call';
const membersOf = (node: Node) => (node['body'] ?? node['members'] ?? []) as Node[];

const read = new Set<string>();
/** Types of src/schema are skipped: the only user functions there belong to schema libraries. */
const schemas = new Set<string>();

/** The names that a file exports. Adds all declarations of it and its imports to `declared`. */
function exportedBy(file: string, declared: Map<string, Node>): string[] {
  const tree = parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }) as unknown as { readonly body: Node[] };
  const names: string[] = [];
  for (const statement of tree.body) {
    const source = (statement['source'] as { value?: string } | null | undefined)?.value;
    if (source?.startsWith('.')) {
      const next = join(dirname(file), source);
      if (!read.has(next)) {
        read.add(next);
        exportedBy(next, declared);
      }
    }
    const declaration = (statement['declaration'] ?? statement) as Node;
    const id = (declaration['id'] as { name?: string } | null | undefined)?.name;
    if (id !== undefined && !declared.has(id)) declared.set(id, declaration);
    if (id !== undefined && file.startsWith('src/schema/')) schemas.add(id);
    if (statement.type !== 'ExportNamedDeclaration') continue;
    if (id !== undefined) names.push(id);
    for (const variable of (declaration['declarations'] ?? []) as Node[]) {
      const variableName = String((variable['id'] as Node)['name']);
      declared.set(variableName, variable);
      names.push(variableName);
    }
    for (const one of (statement['specifiers'] ?? []) as Node[]) {
      const [local = '', exported = ''] = ['local', 'exported'].map((which) => String((one[which] as Node)['name']));
      const renamed = declared.get(local);
      if (renamed && !declared.has(exported)) declared.set(exported, renamed);
      names.push(exported);
    }
  }
  return names;
}
