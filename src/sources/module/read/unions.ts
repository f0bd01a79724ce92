import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Type } from '../compiler/program.ts';
import type { TypeReader } from './type-reader.ts';
import { isUnsendable } from './unsendable.ts';

/** Reads a union. `undefined` is not in it: whether a field may be missing is a matter of its object. */
export function readUnion(reader: TypeReader, type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
  const members = ordered(reader, type, hint);
  return combined(members.map((member) => (member.isBoolean ? { type: 'boolean' } : readMember(reader, member, node))));
}

/** The schema of a union of schemas. */
export function combined(schemas: readonly JsonSchema[]): JsonSchema {
  const branches = merged(schemas);
  if (branches.length === 1) return branches[0]!;
  const types = branches.map((branch) => branch.type);
  if (branches.every((branch) => Object.keys(branch).length === 1 && typeof branch.type === 'string')) {
    return { type: types as string[] };
  }
  return { [isDiscriminated(branches) ? 'oneOf' : 'anyOf']: branches };
}

/** Literals are many, and need nothing of what other types do. */
function readMember(reader: TypeReader, { type, hint }: Member, node: Node | undefined): JsonSchema {
  const { program } = reader;
  if (program.isA(type, 'StringLiteral')) return { type: 'string', const: program.literal(type) };
  return reader.read(type, hint, node);
}

interface Member {
  readonly type: Type;
  readonly hint: Node | undefined;
  /** Stands for both `true` and `false`. */
  readonly isBoolean: boolean;
}

/** The members in the order of the source, which compilers do not keep. */
function ordered(reader: TypeReader, type: Type, hint: Node | undefined): readonly Member[] {
  const { program } = reader;
  const places = new Map<number, { place: number; hint: Node }>();
  const alias = program.aliasOf(type);
  const declared = alias && program.declarations(alias).find((one) => program.is(one, 'TypeAliasDeclaration'))?.type;
  const annotated = reader.hints.members(hint);
  const nodes = annotated.length > 1 ? annotated : [...annotated, ...reader.hints.members(declared)];
  for (const [place, node] of nodes.entries()) {
    const named = program.typeAt(node);
    if (!named) continue;
    const parts = program.isA(named, 'Union') ? program.membersOf(named) : [named];
    for (const part of [named, ...parts]) if (!places.has(part.id)) places.set(part.id, { place, hint: node });
  }
  const members = sendable(reader, reader.present(type));
  const booleans = members.filter((member) => program.isA(member, 'BooleanLiteral'));
  return members
    .map((member, i) => ({
      type: member,
      hint: places.get(member.id)?.hint,
      place: places.get(member.id)?.place ?? Infinity,
      // Most have a place, and asking for their text takes longer than everything else.
      rank: () => rank(reader, member, i),
      isBoolean: booleans.length === 2 && member === booleans[0],
    }))
    .toSorted((a, b) => (a.place === b.place ? byNumber.compare(a.rank(), b.rank()) : a.place - b.place))
    .filter((member) => booleans.length < 2 || member.type !== booleans[1]);
}

const byNumber = new Intl.Collator('en', { numeric: true });

/** A caller may send what is not a function. */
function sendable(reader: TypeReader, members: readonly Type[]): readonly Type[] {
  if (reader.side === 'output') return members;
  const rest = members.filter((member) => !isUnsendable(reader, member));
  return rest.length > 0 ? rest : members;
}

/** Members of an enum by their place in the source; everything else by kind and text, which all compilers agree on. */
function rank({ program }: TypeReader, member: Type, i: number): string {
  if (program.isA(member, 'EnumLiteral')) {
    const symbol = program.symbolOf(member);
    const [declaration] = symbol ? program.declarations(symbol) : [];
    return `1 ${declaration?.pos ?? i}`;
  }
  if (program.isA(member, 'Null')) return '9';
  const isLiteral = program.isA(member, 'StringLiteral') || program.isA(member, 'NumberLiteral');
  return isLiteral ? `2 ${program.literal(member)}` : `3 ${program.text(member)}`;
}

/** Joins literals of one type, and leaves out those of a type that is there as a whole. */
function merged(branches: readonly JsonSchema[]): JsonSchema[] {
  const found: JsonSchema[] = [];
  const literals = new Map<string, unknown[]>();
  const whole = new Set(branches.filter((one) => Object.keys(one).length === 1).map(({ type }) => type));
  for (const branch of branches) {
    const { type } = branch;
    const isLiteral = typeof type === 'string' && Object.keys(branch).every((key) => key === 'type' || key === 'const');
    if (!isLiteral || !('const' in branch)) {
      if (!found.some((one) => JSON.stringify(one) === JSON.stringify(branch))) found.push(branch);
    } else if (!whole.has(type) && literals.has(type)) literals.get(type)!.push(branch.const);
    else if (!whole.has(type)) {
      const values = [branch.const];
      literals.set(type, values);
      found.push({ type, enum: values });
    }
  }
  return found.map((branch) => {
    if (branch.type === 'boolean' && branch.enum?.length === 2) return { type: 'boolean' };
    return branch.enum?.length === 1 ? { type: branch.type!, const: branch.enum[0] } : branch;
  });
}

/** Whether a field with one value in each branch tells them apart. */
function isDiscriminated(branches: readonly JsonSchema[]): boolean {
  const [first, ...others] = branches;
  if (!first?.properties || others.some((branch) => !branch.properties)) return false;
  return Object.keys(first.properties).some((name) => {
    const values = branches.map((branch) => {
      const field = Object.hasOwn(branch.properties!, name) ? branch.properties![name] : undefined;
      return field && 'const' in field && branch.required?.includes(name) ? JSON.stringify(field.const) : undefined;
    });
    return !values.includes(undefined) && new Set(values).size === values.length;
  });
}
