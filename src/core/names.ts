/**
 * `spec` names a function `functions.Add`. `portable` names it `functions_Add`, for the MCP hosts
 * that refuse a whole list of tools over one dot.
 */
export type NamePolicy = 'spec' | 'portable';

/** What an operationId may look like: MCP's tool names, and the narrower set that every host takes. */
const SHAPES: Record<NamePolicy, { readonly pattern: RegExp; readonly says: string }> = {
  spec: { pattern: /^[A-Za-z0-9_.-]{1,128}$/, says: '1 to 128 letters, digits, "_", "-" and "."' },
  portable: { pattern: /^[A-Za-z0-9_-]{1,64}$/, says: '1 to 64 letters, digits, "_" and "-"' },
};

const NAME = /^[A-Za-z][A-Za-z0-9_.-]*$/;

export interface Names {
  readonly name: string;
  /** The OpenAPI operationId, the MCP tool name, the name in logs: one string, from this one place. */
  readonly operationId: string;
  /** Its name under the other policy, which callers may use too. */
  readonly alias: string;
  /** Its name as a command: `div-mod` for DivMod. */
  readonly command: string;
}

export function namesOf(name: string, given: string | undefined, policy: NamePolicy): Names {
  const spec = given ?? `functions.${name}`;
  const portable = spec.replaceAll('.', '_');
  return {
    name,
    operationId: policy === 'spec' ? spec : portable,
    alias: policy === 'spec' ? portable : spec,
    command: kebab(name),
  };
}

export function problemsInNames(names: Names, policy: NamePolicy): string[] {
  const problems: string[] = [];
  if (!NAME.test(names.name)) {
    problems.push('a name starts with a letter and goes on with letters, digits, "_", "-" and "."');
  }
  const { pattern, says } = SHAPES[policy];
  if (!pattern.test(names.operationId)) problems.push(`operationId "${names.operationId}" must be ${says}`);
  return problems;
}

/** `DivMod` and `HTTPGet` become `div-mod` and `http-get`. */
export function kebab(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll(/[_.\s]+/g, '-')
    .toLowerCase();
}
