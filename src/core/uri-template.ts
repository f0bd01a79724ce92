/** The variables in a URI template: `notes://{year}/{id}` has year and id. */
export type VariablesIn<Uri extends string> = Uri extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & VariablesIn<Rest>
  : {};

/** A URI with variables, each of which stands for one part of a path (RFC 6570, level 1). */
export interface UriTemplate {
  readonly names: readonly string[];
  /** What the variables are in a URI; undefined when it is another. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

export function compileTemplate(template: string): UriTemplate {
  const parts = template.split(/\{(\w+)\}/);
  const names = parts.filter((_, i) => i % 2 === 1);
  const pattern = parts.map((part, i) => (i % 2 === 1 ? '([^/?#]+)' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  const expression = new RegExp(`^${pattern.join('')}$`);
  return {
    names,
    match(uri) {
      const found = expression.exec(uri);
      if (!found) return undefined;
      try {
        return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]));
      } catch {
        return undefined; // a stray per cent sign
      }
    },
  };
}
