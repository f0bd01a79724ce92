/** Variables and folders for functions. */
interface EnvironmentConfig {
  /** Variables that functions may read. */
  readonly env?: { readonly [name: string]: string };
  /** Files of `NAME=VALUE` lines. */
  readonly envFile?: string | readonly string[];
  /** Folders that functions may use: `./data:/data:ro`. */
  readonly mount?: readonly string[];
}

interface StoreConfig {
  /** Where processes of the app meet: `redis://…` or `postgres://…`. */
  readonly store?: string;
}

interface OriginConfig {
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
}

interface VerboseConfig {
  readonly verbose?: boolean;
}

interface TokenConfig {
  /** A file with the token or API key to call with. */
  readonly tokenFile?: string;
}

interface BodyConfig {
  readonly json?: boolean;
  readonly profile?: 'plain' | 'envelope' | 'status' | 'problem' | 'mcp';
  readonly format?: 'text' | 'table' | 'json' | 'jsonl' | 'yaml';
}

interface ServingConfig extends EnvironmentConfig, StoreConfig, OriginConfig, VerboseConfig {
  readonly port?: number;
  readonly host?: string;
  readonly compression?: boolean;
  /** `false`: leaves tasks to other processes. */
  readonly worker?: boolean;
  readonly quiet?: boolean;
  /** Whether the console is shown; by default on this machine only, outside production. */
  readonly console?: boolean;
  /** MCP tool names without dots. */
  readonly names?: 'portable';
}

/** `everywire.config.ts`: defaults for the options of each command, by the name of the option in camelCase. */
export interface Config extends EnvironmentConfig, StoreConfig {
  readonly serve?: ServingConfig & {
    readonly tlsCert?: string;
    readonly tlsKey?: string;
    /** Processes to serve with; `auto` for as many as there are cores. */
    readonly workers?: number | 'auto';
  };
  /** What is not set here is as for `serve`. */
  readonly dev?: ServingConfig;
  readonly mcp?: EnvironmentConfig & StoreConfig & TokenConfig & VerboseConfig & { readonly names?: 'portable' };
  readonly cgi?: EnvironmentConfig & StoreConfig & OriginConfig & VerboseConfig;
  readonly call?: EnvironmentConfig &
    StoreConfig &
    TokenConfig &
    BodyConfig & {
      readonly detach?: boolean;
      readonly cancelOnExit?: boolean;
    };
  readonly tasks?: EnvironmentConfig &
    StoreConfig &
    TokenConfig &
    BodyConfig & {
      readonly cancelOnExit?: boolean;
      readonly input?: string;
      readonly limit?: number;
      readonly out?: string;
    };
  readonly worker?: EnvironmentConfig &
    StoreConfig &
    VerboseConfig & {
      readonly concurrency?: number;
      readonly quiet?: boolean;
    };
  readonly mcpConfig?: EnvironmentConfig & { readonly for?: string };
  readonly openapi?: EnvironmentConfig & {
    readonly openapiVersion?: '3.1' | '3.0';
    readonly profiles?: 'own' | 'all';
    readonly server?: string;
  };
  readonly schema?: EnvironmentConfig & { readonly json?: boolean };
  readonly build?: { readonly out?: string; readonly external?: readonly string[]; readonly copyExternals?: boolean };
  readonly containerize?: {
    readonly image?: string;
    readonly push?: boolean;
    readonly dockerfileOnly?: boolean;
    readonly baseDigest?: string;
  };
  readonly parity?: EnvironmentConfig & {
    readonly calls?: number;
    readonly seed?: number;
    readonly all?: boolean;
    readonly json?: boolean;
  };
  readonly audit?: {
    readonly wire?: 'mcp' | 'openapi';
    readonly calls?: number;
    readonly seed?: number;
    readonly all?: boolean;
    readonly ignore?: readonly string[];
    readonly header?: readonly string[];
    readonly timeout?: number;
    readonly profile?: 'plain' | 'envelope' | 'status' | 'problem' | 'mcp';
    readonly json?: boolean;
  };
}
