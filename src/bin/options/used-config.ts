/** A configuration file that is in use. */
export interface LoadedConfig {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
}

let used: LoadedConfig | undefined;

/** Remembers the configuration of this process: the command of a function is parsed after that of `everywire call`. */
export function useConfig(config: LoadedConfig): void {
  used = config;
}

/** Its file. */
export function usedConfig(): string | undefined {
  return used?.file;
}

/** What it says about a command: its own section, and what is said about all. `dev` serves as `serve` does. */
export function configuredFor(section: string): readonly Readonly<Record<string, unknown>>[] {
  if (!used) return [];
  const { env, envFile, mount, store } = used.values;
  const sections = section === 'dev' ? ['serve', 'dev'] : [section];
  const named = sections.map((name) => (used!.values[name] ?? {}) as Readonly<Record<string, unknown>>);
  return [{ env, envFile, mount, store }, ...named];
}
