import type { Node, Program, Signature } from '../compiler/program.ts';
import type { FunctionDescription } from '../description.ts';
import { readErrors } from './errors.ts';
import { readExamples } from './examples.ts';
import { readFacts } from './facts.ts';
import type { JsDoc } from './jsdoc.ts';
import { humanise } from './names.ts';
import { readParameters } from './parameters.ts';
import { Refused, positionOf } from './refused.ts';
import { readResult } from './results.ts';

/** An exported function that was found, before its types are read. */
export interface Candidate {
  readonly name: string;
  readonly path: readonly string[];
  readonly of: FunctionDescription['of'];
  readonly signatures: readonly Signature[];
  /** Where it is declared. */
  readonly node: Node;
  /** The docs of what surrounds it, if it has none. */
  readonly docs: JsDoc;
}

/** Reads a function. Throws `Refused` if it cannot be served. */
export function readFunction(candidate: Candidate, program: Program, modulePath: string): FunctionDescription {
  const { name, node, docs, signatures } = candidate;
  const [signature] = signatures;
  if (!signature) throw new Refused('This is no function', node);
  if (signatures.length > 1) {
    throw new Refused(
      `The function has ${signatures.length} overloads, and callers cannot choose one; export one function for each, or one signature with unions`,
      node,
    );
  }
  const declaration = program.declarationOf(signature) ?? node;
  const input = readParameters(signature, declaration, docs, program);
  const { result, yields } = readResult(signature, declaration, docs, program);
  const errors = readErrors(declaration, docs, program);
  const file = node.getSourceFile();
  const described = {
    name,
    path: candidate.path,
    of: candidate.of,
    description: docs.description === '' ? humanise(name.split('.').at(-1)!) : docs.description,
    ...readFacts(docs),
    ...(Object.keys(errors).length > 0 && { errors }),
    parameters: input.parameters,
    input: input.schema,
    result,
    ...(yields && { yields }),
    position: positionOf(file, (node.name ?? node).getStart(), modulePath),
  };
  const examples = readExamples(docs, described);
  return examples.length > 0 ? { ...described, examples } : described;
}
