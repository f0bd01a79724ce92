import { allowsType } from './allows-type.ts';
import { isRuledOut } from './engine/union-branches.ts';
import { describeFile, isBlob, isFileSchema } from './file-form.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { MORE_PROBLEMS } from './problem.ts';
import type { Problem } from './problem.ts';
import { typeOf } from './schema-tree.ts';
import { applicableSchemas, childSchemas, hasSecrets, isSecret } from './secrets.ts';

const REDACTED = '[redacted]';

/**
 * Copies a value for logs and audit records. Replaces what the schema marks as secret, what no schema describes (such
 * as a misspelt `pasword`), and what is nested too deeply.
 */
export function redact(value: unknown, root: JsonSchema, deepest: number): unknown {
  return redactAs(value, [root], root, deepest);
}

/** Redacts if any of the schemas that may apply says secret. */
function redactAs(value: unknown, declared: Iterable<unknown>, root: JsonSchema, levels: number): unknown {
  const all = [...declared];
  const schemas = applicableSchemas(all, root, (branch) => !isRuledOut(value, branch, root));
  const isHidden = levels === 0 || schemas.size === 0 || [...schemas].some(isSecret);
  if (isHidden || !all.some((schema) => isOfType(value, schema, root))) return REDACTED;
  if (Array.isArray(value)) {
    return value.map((item: unknown, i) => redactAs(item, childSchemas(schemas, i), root, levels - 1));
  }
  if (isBlob(value) || (isRecord(value) && [...schemas].some(isFileSchema))) return describeFile(value);
  if (!isRecord(value)) return typeof value === 'bigint' ? value.toString() : value;
  const named = Object.entries(value).map(([name, inner]) => [
    name,
    redactAs(inner, childSchemas(schemas, name), root, levels - 1),
  ]);
  return Object.fromEntries(named) as unknown;
}

/** A value of the wrong type is redacted: a string in place of an object may contain anything. */
function isOfType(value: unknown, declared: unknown, root: JsonSchema): boolean {
  const type = typeOf(value);
  return allowsType(declared, type, root) || (type === 'integer' && allowsType(declared, 'number', root));
}

const MAX_DEPTH = 100;
/** Messages may show the beginning of a secret only: four characters of it in a row are too many. */
const MAX_REVEALED = 3;

/** Replaces the messages of other code, such as a schema library, that show parts of a value's secrets. */
export function withoutSecrets(problems: readonly Problem[], value: unknown, root: JsonSchema): readonly Problem[] {
  if (!hasSecrets(root)) return problems;
  const secrets: string[] = [];
  collectHidden(value, redact(value, root, MAX_DEPTH), secrets);
  // The parts of all messages, so that each secret is read once: it may be as long as the body.
  const shown = new Map<string, Set<Problem>>();
  for (const problem of problems) {
    const text = problem === MORE_PROBLEMS ? '' : problem.message.toLowerCase();
    for (let i = 0; i < text.length; i++) {
      for (let length = 1; length <= Math.min(MAX_REVEALED + 1, text.length - i); length++) {
        const part = text.slice(i, i + length);
        const among = shown.get(part);
        if (among) among.add(problem);
        else shown.set(part, new Set([problem]));
      }
    }
  }
  const revealing = new Set<Problem>();
  for (const secret of secrets) {
    for (let i = 0; i === 0 || i + MAX_REVEALED < secret.length; i++) {
      const part = secret.slice(i, i + MAX_REVEALED + 1);
      for (const problem of shown.get(part) ?? []) revealing.add(problem);
      shown.delete(part); // a secret may repeat it
    }
  }
  return problems.map((one) => (revealing.has(one) ? { ...one, message: 'is not valid' } : one));
}

/** Collects what `redact` has replaced. */
function collectHidden(value: unknown, shown: unknown, secrets: string[]): void {
  if (typeof value !== 'object' || value === null) {
    if (shown === REDACTED) secrets.push(String(value).toLowerCase());
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    collectHidden(inner, shown === REDACTED ? REDACTED : (shown as Record<string, unknown>)[name], secrets);
  }
}
