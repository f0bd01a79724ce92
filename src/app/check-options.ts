import { consoleLog } from '../core/log.ts';
import type { Log } from '../core/context.ts';
import { guardModes } from '../responses/guard.ts';
import { profileNames } from '../responses/profiles/profile.ts';
import type { ThrownOptions } from '../core/codes.ts';
import { isNonBlank, problemsInErrors } from '../core/definition-problems.ts';
import type { AuditOptions } from '../audit/record.ts';
import { unknownOptions } from '../core/unknown-options.ts';
import { problemsInVariables } from '../core/variables.ts';
import type { Known } from '../core/unknown-options.ts';
import { isRecord } from '../schema/json-schema.ts';
import { problemsInAccess } from '../access/check-options.ts';
import type { AppOptions, License } from './app.ts';
import { problemsInCors } from './cors-options.ts';

const APP_OPTIONS = {
  name: true,
  version: true,
  description: true,
  functions: true,
  resources: true,
  prompts: true,
  license: true,
  tags: true,
  names: true,
  middleware: true,
  start: true,
  stop: true,
  env: true,
  strict: true,
  descriptions: true,
  coerce: true,
  errors: true,
  thrown: true,
  limits: true,
  redis: true,
  store: true,
  log: true,
  http: true,
  cors: true,
  profile: true,
  check: true,
  audit: true,
  clock: true,
  secret: true,
  access: true,
  console: true,
} satisfies Known<AppOptions>;

const LICENSE_OPTIONS = { name: true, url: true, identifier: true } satisfies Known<License>;
const AUDIT_OPTIONS = { to: true, arguments: true } satisfies Known<AuditOptions>;

/** Repeats the checks of TypeScript, for JavaScript users. */
export function problemsInOptions(options: AppOptions): string[] {
  const {
    functions,
    names = 'spec',
    errors = 'shown',
    middleware = [],
    profile = 'plain',
    check = 'observe',
  } = options;
  const problems = [
    ...unknownOptions(options, APP_OPTIONS, 'createApp'),
    ...unknownOptions(options.license, LICENSE_OPTIONS, 'license'),
    ...unknownOptions(options.audit, AUDIT_OPTIONS, 'audit'),
  ];
  for (const option of ['name', 'version'] as const) {
    const value: unknown = options[option];
    if (typeof value !== 'string' && value !== undefined)
      problems.push(`${option} must be a string, not ${JSON.stringify(value)}`);
    else if (!isNonBlank(value)) problems.push(`the app has no ${option}`);
  }
  if (!Array.isArray(functions)) problems.push('functions must be a list');
  const oneOf = (option: string, value: unknown, allowed: readonly unknown[]) => {
    const listed = allowed.map((name) => JSON.stringify(name)).join(' or ');
    if (!allowed.includes(value)) problems.push(`${option} must be ${listed}, not ${JSON.stringify(value)}`);
  };
  oneOf('names', names, ['spec', 'portable']);
  oneOf('errors', errors, ['shown', 'masked']);
  oneOf('profile', profile, profileNames);
  oneOf('check', check, guardModes);
  if (options.descriptions !== undefined) oneOf('descriptions', options.descriptions, ['required', 'optional']);
  if (!isHttp(options.http ?? {})) problems.push('http must be { method: "GET" }; a path belongs to a function');
  if (!Array.isArray(middleware) || middleware.some((layer) => typeof layer !== 'function')) {
    problems.push('middleware must be a list of functions');
  }
  for (const hook of ['start', 'stop'] as const) {
    if (options[hook] !== undefined && typeof options[hook] !== 'function') problems.push(`${hook} must be a function`);
  }
  if (options.thrown !== undefined) problems.push(...problemsInThrown(options.thrown));
  if (options.env !== undefined) problems.push(...problemsInVariables(options.env));
  const sinks = options.audit === undefined ? [] : [(options.audit as AppOptions['audit'] | null)?.to].flat();
  if (sinks.some((sink) => typeof sink !== 'function' && typeof sink?.begin !== 'function')) {
    problems.push('audit.to must be a sink, such as auditConsole() or a function, or a list of them');
  }
  if (options.secret !== undefined && new TextEncoder().encode(options.secret).length < 32) {
    problems.push('secret must be a string of at least 32 bytes');
  }
  if (options.console !== undefined) oneOf('console', options.console, [true, false]);
  if (options.access !== undefined) problems.push(...problemsInAccess(options.access));
  if (options.cors !== undefined) problems.push(...problemsInCors(options.cors));
  if (options.clock !== undefined && typeof options.clock !== 'function') problems.push('clock must be a function');
  if (!isLog(options.log ?? consoleLog)) problems.push('log must have the functions debug, info, warn and error');
  return problems;
}

const THROWN_OPTIONS = { classes: true, ownCodes: true } satisfies Known<ThrownOptions>;

function problemsInThrown(thrown: ThrownOptions): string[] {
  if (!isRecord(thrown)) return ['thrown must be { classes, ownCodes }'];
  const { classes = {}, ownCodes = [] } = thrown as ThrownOptions;
  const problems = [
    ...unknownOptions(thrown, THROWN_OPTIONS, 'thrown'),
    ...problemsInErrors(classes, 'thrown.classes'),
    ...Object.entries(Object(classes) as object)
      .filter(([, error]: [string, unknown]) => isRecord(error) && error['class'] === undefined)
      .map(([code]) => `thrown.classes: "${code}" has no class`),
  ];
  if (!Array.isArray(ownCodes)) return [...problems, 'thrown.ownCodes must be a list of classes'];
  for (const one of ownCodes as readonly unknown[]) {
    const name = typeof one === 'function' ? one.name : one;
    if (typeof name !== 'string' || name === '')
      problems.push('thrown.ownCodes must be a list of classes, or of their names');
    else if (BUILT_IN.has(name)) problems.push(`thrown.ownCodes: ${name} ${NOT_OWN}`);
  }
  return problems;
}

/** Errors of Node and of packages are of these classes. They have codes, too, and messages that are not for callers. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'DOMException',
  'SuppressedError',
  'SystemError',
  'NodeError',
]);
const NOT_OWN = 'is also the class of errors that are not for callers, such as those of Node; use a class of your own';

function isLog(log: Partial<Log>): boolean {
  return (['debug', 'info', 'warn', 'error'] as const).every((level) => typeof log[level] === 'function');
}

function isHttp(http: unknown): boolean {
  if (!isRecord(http)) return false;
  return Object.entries(http).every(([name, value]) => name === 'method' && (value === undefined || value === 'GET'));
}
