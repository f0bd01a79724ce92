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

/** The module that is served, in every new project. */
export const MODULE = 'src/functions.ts';

/** The name where a scope and dots are not allowed: of an image, and of a server in the list of an MCP client. */
export function shortName(name: string): string {
  return name.replace(/^@.*\//, '').replaceAll(/[^a-z0-9]+/g, '-');
}
