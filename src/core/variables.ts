import type { Environment, Log, Variables } from './context.ts';
import { isNonBlank } from './definition-problems.ts';
import { Memo } from './memo.ts';
import { safely } from './safely.ts';
import { unknownOptions } from './unknown-options.ts';
import type { Known } from './unknown-options.ts';

/** The variables that an app declares. A description alone: the app does not start without it. */
export interface DeclaredVariables {
  readonly [name: string]: string | DeclaredVariable;
}

export interface DeclaredVariable {
  readonly description: string;
  /** The app also works without it. */
  readonly optional?: boolean;
  /** The value of `context.env` if the variable is not passed. */
  readonly default?: string;
}

/** The app cannot run without a variable. By its name, commands recognise a mistake of the user. */
class MissingVariable extends Error {
  override readonly name = 'MissingVariable';
}

/** The variables of an app: those that it declares, and what is said about those that were not passed. */
export class AppVariables {
  readonly declared: ReadonlyMap<string, DeclaredVariable>;
  /** Whether the app does not start without some of them. */
  readonly areRequired: boolean;
  readonly #of = new Memo<Environment, Variables>();
  readonly #hinted = new Set<string>();

  constructor(
    private readonly app: string,
    given: DeclaredVariables,
    private readonly log: Log,
  ) {
    this.declared = new Map(
      Object.entries(given).map(([name, one]) => [name, typeof one === 'string' ? { description: one } : one]),
    );
    this.areRequired = [...this.declared.values()].some(isRequired);
  }

  /** One sentence for each required variable that was not passed: which, what it is, and how to pass it. */
  missingIn(given: Variables): string | undefined {
    const missing = [...this.declared].filter(([name, one]) => isRequired(one) && given.get(name) === undefined);
    return missing.map(([name, { description }]) => this.#missing(name, description)).join('\n') || undefined;
  }

  /** Throws if a required variable was not passed. */
  require(given: Variables): void {
    const missing = this.missingIn(given);
    // Whoever started the app is not to blame: the stack says nothing.
    if (missing !== undefined) throw Object.assign(new MissingVariable(missing), { stack: undefined });
  }

  /** The view of an environment that functions get: only what was passed, and declared defaults. */
  of(environment: Environment): Variables {
    const known = this.#of.get(environment);
    if (known) return known;
    const { env } = environment;
    const variables: Variables = {
      get: (name) => env.get(name) ?? this.#absent(name),
      list: () => ({ ...this.#defaults(), ...env.list() }),
    };
    this.#of.set(environment, variables);
    return variables;
  }

  /** Only for variables that were not passed, so that the others cost nothing. */
  #absent(name: string): string | undefined {
    const declared = this.declared.get(name);
    if (declared && isRequired(declared)) throw new MissingVariable(this.#missing(name, declared.description));
    if (!this.#hinted.has(name) && isInProcess(name)) {
      this.#hinted.add(name); // bounded by the variables of the process
      this.log.warn(`${name} ${NOT_PASSED}: ${howToPass(name)}`, { variable: name });
    }
    return declared?.default;
  }

  #defaults(): Record<string, string> {
    const defaults = [...this.declared].map(([name, one]) => [name, one.default] as const);
    return Object.fromEntries(defaults.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  #missing(name: string, description: string): string {
    const why = isInProcess(name) ? `, which ${NOT_PASSED}` : '';
    return `${this.app} needs the variable ${name} (${description.replace(/\.$/, '')})${why}: ${howToPass(name)}`;
  }
}

const isRequired = (one: DeclaredVariable) => one.optional !== true && one.default === undefined;

const NOT_PASSED = 'is set in this process but was not passed';

/** Never with its value, which may be a secret. */
function howToPass(name: string): string {
  return isInProcess(name)
    ? `--env ${name}, or env: { ${name}: process.env.${name} } in code`
    : `--env ${name}=<value>, or env: { ${name}: '…' } in code`;
}

/** An empty one counts as unset. Other runtimes than Node may have no variables, or may not let the app see them. */
function isInProcess(name: string): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, unknown> } };
  return safely(() => process?.env && Object.hasOwn(process.env, name) && process.env[name] !== '') === true;
}

const VARIABLE_OPTIONS = { description: true, optional: true, default: true } satisfies Known<DeclaredVariable>;

/** Repeats the checks of TypeScript, for JavaScript users. */
export function problemsInVariables(given: unknown): string[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return ["env must be an object: { DB_FILE: 'What it is' }"];
  return Object.entries(given).flatMap(([name, one]: [string, unknown]) => {
    const { description, optional, default: fallback } = (Object(one) ?? {}) as Record<string, unknown>;
    return [
      ...(typeof one === 'string' ? [] : unknownOptions(one, VARIABLE_OPTIONS, `env: "${name}"`)),
      ...(/^[A-Za-z_]\w*$/.test(name) ? [] : [`env: invalid name "${name}" (only letters, digits and "_")`]),
      ...(isNonBlank(typeof one === 'string' ? one : description) ? [] : [`env: "${name}" has no description`]),
      ...(optional === undefined || typeof optional === 'boolean'
        ? []
        : [`env: optional of "${name}" must be true or false`]),
      ...(fallback === undefined || typeof fallback === 'string'
        ? []
        : [`env: the default of "${name}" must be a string`]),
    ];
  });
}
