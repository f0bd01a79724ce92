/** A configuration file that is in use. */
export interface LoadedConfig {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What it says about a command: its own section, and what is said about all. `dev` serves as `serve` does. */
export function configuredFor(
  config: LoadedConfig | undefined,
  section: string,
): readonly Readonly<Record<string, unknown>>[] {
  if (!config) return [];
  const { env, envFile, mount, store } = config.values;
  const sections = section === 'dev' ? ['serve', 'dev'] : [section];
  const named = sections.map((name) => (config.values[name] ?? {}) as Readonly<Record<string, unknown>>);
  return [{ env, envFile, mount, store }, ...named];
}
