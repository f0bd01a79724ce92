/** How the app is started on other wires, so that they can be compared. */
export interface ConsoleOptions {
  /** A program and its arguments. */
  readonly command?: readonly [string, ...string[]] | undefined;
  /** The options for variables and mounts, as that program takes them. */
  readonly flags?: readonly string[] | undefined;
}
