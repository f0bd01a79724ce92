import type { Node, Program, Type } from '../compiler/program.ts';
import { isBuiltIn } from './known-types.ts';
import { Refused, UNRESOLVED } from './refused.ts';

/** Refuses a type with a base that the compiler does not know: it would be read without the fields of that base. */
export function checkBases(type: Type, node: Node | undefined, program: Program, seen = new Set<number>()): void {
  const symbol = program.symbolOf(type);
  if (!symbol || !(program.has(symbol, 'Interface') || program.has(symbol, 'Class'))) return;
  if (seen.has(type.id)) return;
  seen.add(type.id);
  for (const base of program.declarations(symbol).flatMap((one) => basesIn(one, program))) {
    const own = base.getSourceFile().fileName.includes('/node_modules/') ? node : base;
    if (!isKnown(base, program)) throw new Refused(UNRESOLVED, own);
    const inner = program.typeAt(base);
    const name = inner && program.symbolOf(inner);
    if (inner && name && !isBuiltIn(name, program)) checkBases(inner, node, program, seen);
  }
}

function basesIn(declaration: Node, program: Program): readonly Node[] {
  const { heritageClauses = [] } = declaration as Node & {
    heritageClauses?: readonly (Node & { readonly token: number })[];
  };
  return heritageClauses
    .filter(({ token }) => program.is({ kind: token } as Node, 'ExtendsKeyword'))
    .flatMap(({ types }) => types ?? []);
}

/** Of `extends mixin(Base)` and other expressions, nothing is asked. */
function isKnown({ expression }: Node, program: Program): boolean {
  const isName = (one: Node) => program.is(one, 'Identifier') || program.is(one, 'PropertyAccessExpression');
  if (!expression || !isName(expression)) return true;
  const symbol = program.symbolAt(expression.name ?? expression);
  return symbol !== undefined && program.declarations(symbol).length > 0;
}
