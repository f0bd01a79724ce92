/**
 * `spec` names a function `functions.Add`. `portable` names it `functions_Add`, for MCP client applications that
 * reject the whole tool list if one name contains a dot.
 */
export type NamePolicy = 'spec' | 'portable';

/** The allowed operationIds: as MCP allows for tool names, and the subset that every client application accepts. */
const OPERATION_IDS: Record<NamePolicy, { readonly pattern: RegExp; readonly description: string }> = {
  spec: { pattern: /^[A-Za-z0-9_.-]{1,128}$/, description: '1 to 128 letters, digits, "_", "-" and "."' },
  portable: { pattern: /^[A-Za-z0-9_-]{1,64}$/, description: '1 to 64 letters, digits, "_" and "-"' },
};

const NAME = /^[A-Za-z][A-Za-z0-9_.-]*$/;

export interface Names {
  readonly name: string;
  /** The same string everywhere: OpenAPI operationId, MCP tool name, logs. Only this file derives it. */
  readonly operationId: string;
  /** The operationId under the other policy, which callers may use too. */
  readonly alias: string;
  /** The name on the command line as one word: `div-mod` for DivMod, `orders-list` for orders.List. */
  readonly command: string;
  /** The nested commands: `orders`, `list` for orders.List. One word for a function without a group. */
  readonly words: readonly string[];
  /** What is before the last dot of the name: `orders` for orders.List. */
  readonly group: string | undefined;
}

export function namesOf(name: string, operationId: string | undefined, policy: NamePolicy): Names {
  const spec = operationId ?? `functions.${name}`;
  const portable = spec.replaceAll('.', '_');
  const command = toKebabCase(name);
  const words = name.split('.').map(toKebabCase);
  // A word that is empty or looks like an option cannot be typed as a command.
  const isGrouped = words.length > 1 && words.every((word) => /^[a-z0-9]/.test(word));
  return {
    name,
    operationId: policy === 'spec' ? spec : portable,
    alias: policy === 'spec' ? portable : spec,
    command,
    words: isGrouped ? words : [command],
    group: isGrouped ? name.slice(0, name.lastIndexOf('.')) : undefined,
  };
}

export function problemsInNames(names: Names, policy: NamePolicy): string[] {
  const problems: string[] = [];
  if (!NAME.test(names.name)) {
    problems.push('a name must start with a letter and contain only letters, digits, "_", "-" and "."');
  }
  const { pattern, description } = OPERATION_IDS[policy];
  if (!pattern.test(names.operationId)) problems.push(`operationId "${names.operationId}" must be ${description}`);
  return problems;
}

/** `DivMod` and `HTTPGet` become `div-mod` and `http-get`. */
export function toKebabCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll(/[_.\s]+/g, '-')
    .toLowerCase();
}
