import { toKebabCase } from '../../../core/names.ts';
import type { Diagnostic, Program, SourceFile } from '../compiler/program.ts';
import type { FunctionDescription, ModuleDescription, Refusal } from '../description.ts';
import { FunctionFinder } from './find-functions.ts';
import type { Candidate } from './read-function.ts';
import { readFunction } from './read-function.ts';
import { Refused, UNRESOLVED, toRefusal } from './refused.ts';

export interface ReadModule {
  readonly description: ModuleDescription;
  /** Whether a type is unknown: the compiler may have read too few libraries. */
  readonly isIncomplete: boolean;
}

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,110}$/;

/** Reads all exported functions of a module. One that cannot be served hides no other. */
export function readModule(program: Program, file: SourceFile, modulePath: string): ReadModule {
  const functions: FunctionDescription[] = [];
  const refusals: Refusal[] = [];
  const names = new Map<string, string>();
  let isIncomplete = false;

  const refuse = (name: string, { reason, node }: Refused) => {
    const where = node?.getSourceFile() ?? file;
    const at = node ? (node.name ?? node).getStart() : 0;
    isIncomplete ||= reason === UNRESOLVED;
    const found = reason === UNRESOLVED ? unresolved(node, program, where) : undefined;
    refusals.push(toRefusal(name, found ? withAdvice(found.text) : reason, where, found?.start ?? at, modulePath));
  };

  const add = (candidate: Candidate) => {
    const { name, node } = candidate;
    try {
      checkName(name, names, node);
      functions.push(readFunction(candidate, program, modulePath));
      names.set(toKebabCase(name), name);
    } catch (thrown) {
      refuse(name, thrown instanceof Refused ? thrown : new Refused(broken(thrown), node));
    }
  };

  new FunctionFinder(program, add, refuse).inModule(file);
  return { description: { functions, refusals }, isIncomplete };
}

/** Compilers have bugs, and one function must not hide the others. */
function broken(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return `The compiler failed to read this function: ${message.split('\n')[0]}`;
}

function checkName(name: string, names: ReadonlyMap<string, string>, node: Candidate['node']): void {
  if (!NAME.test(name)) {
    throw new Refused(`"${name}" cannot be the name of a function on every wire; use letters, digits and "_"`, node);
  }
  const other = names.get(toKebabCase(name));
  if (other !== undefined)
    throw new Refused(`"${name}" and "${other}" have the same name on the command line; rename one`, node);
}

/** What the compiler says about a type that it does not know. */
function unresolved(node: Refused['node'], program: Program, file: SourceFile): Diagnostic | undefined {
  const isInside = ({ start }: Diagnostic) => node !== undefined && start >= node.pos && start <= node.end;
  const errors = program.errors(file.fileName);
  return errors.find(isInside) ?? errors[0];
}

function withAdvice(text: string): string {
  if (/^Cannot find name '[^']*'\.$/.test(text)) return `${text} Import or declare it.`;
  return text.startsWith('Cannot find module') ? `${text} Install it, or correct the path.` : text;
}
