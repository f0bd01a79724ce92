import type { Node, Program, Sym } from '../compiler/program.ts';
import { readJsDoc } from './jsdoc.ts';
import type { JsDoc } from './jsdoc.ts';

/**
 * What the source says in addition to the type. The compiler forgets the names of aliases of primitives (`type int = number`)
 * and the order of unions, so both are read in the annotation.
 */
export class Hints {
  constructor(private readonly program: Program) {}

  /** The annotation without parentheses and `readonly`. */
  bare(node: Node | undefined): Node | undefined {
    let inner = node;
    while (
      inner &&
      (this.program.is(inner, 'ParenthesizedType') ||
        this.program.is(inner, 'TypeOperator') ||
        this.program.is(inner, 'OptionalType') ||
        this.program.is(inner, 'RestType') ||
        this.program.is(inner, 'NamedTupleMember'))
    )
      inner = inner.type;
    return inner;
  }

  /** The declaration of the alias that an annotation names: `int` for `x: int`. */
  alias(node: Node | undefined): Node | undefined {
    const symbol = this.#referenced(node);
    return symbol && this.program.declarations(symbol).find((one) => this.program.is(one, 'TypeAliasDeclaration'));
  }

  #referenced(node: Node | undefined): Sym | undefined {
    const bare = this.bare(node);
    if (!bare || !this.program.is(bare, 'TypeReference') || !bare.typeName) return undefined;
    return this.program.symbolAt(bare.typeName);
  }

  /** The aliases that an annotation goes through, outermost first. */
  aliases(node: Node | undefined): readonly Node[] {
    const found: Node[] = [];
    for (let alias = this.alias(node); alias && found.length < 10; alias = this.alias(alias.type)) found.push(alias);
    return found;
  }

  /** The annotation behind aliases without type parameters. */
  resolved(node: Node | undefined): Node | undefined {
    const last = this.aliases(node).at(-1);
    return this.bare(last && (last.typeParameters ?? []).length === 0 ? last.type : node);
  }

  /** The annotation of a type argument: of `Promise<int>`, `int`. */
  argument(node: Node | undefined, index: number): Node | undefined {
    const resolved = this.resolved(node);
    return resolved && this.program.is(resolved, 'TypeReference') ? resolved.typeArguments?.[index] : undefined;
  }

  /** The annotation of the items of an array. */
  item(node: Node | undefined): Node | undefined {
    const resolved = this.resolved(node);
    if (!resolved) return undefined;
    return this.program.is(resolved, 'ArrayType') ? resolved.elementType : this.argument(node, 0);
  }

  /** The annotations of the elements of a tuple. */
  elements(node: Node | undefined): readonly Node[] {
    const resolved = this.resolved(node);
    return resolved && this.program.is(resolved, 'TupleType') ? (resolved.elements ?? []) : [];
  }

  /** The members of a union, in the order of the source, through aliases. */
  members(node: Node | undefined, levels = 10): readonly Node[] {
    const resolved = this.resolved(node);
    if (!resolved || levels === 0) return [];
    if (!this.program.is(resolved, 'UnionType')) return [resolved];
    return (resolved.types ?? []).flatMap((member) => {
      const inner = this.resolved(member);
      return inner && this.program.is(inner, 'UnionType') ? this.members(inner, levels - 1) : [member];
    });
  }

  docs(declaration: Node | undefined): JsDoc {
    if (!declaration) return { description: '', tags: [] };
    return readJsDoc(declaration.getSourceFile().text, this.#documented(declaration).pos);
  }

  /** `const f = …` is documented at its statement. */
  #documented(declaration: Node): Node {
    let node = declaration;
    if (this.program.is(node, 'VariableDeclaration') && node.parent?.parent) node = node.parent.parent;
    return node;
  }
}
