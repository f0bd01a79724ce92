/** What somebody chose for a new project. */
export interface Project {
  /** Of the package. */
  readonly name: string;
  /** The version of everywire that it depends on, as package.json has it. */
  readonly everywire: string;
  readonly docker: boolean;
  readonly ci: boolean;
  /** Configuration files of MCP client applications, by path. */
  readonly clientFiles: Readonly<Record<string, string>>;
}

/** The module that is served. Its name is that of the app: in the OpenAPI document, and for MCP clients. */
export function modulePath({ name }: Pick<Project, 'name'>): string {
  return `src/${shortName(name)}.ts`;
}

/** The name where a scope and dots are not allowed: of a file, an image, and a server in the list of an MCP client. */
export function shortName(name: string): string {
  return name
    .replace(/^@.*\//, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');
}
