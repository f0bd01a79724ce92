import type { App } from '../app/app.ts';
import { checkApp, describeOther, isApp } from '../app/is-app.ts';
import type { Limits } from '../core/limits.ts';
import { isThenable } from '../core/safely.ts';
import { parseBase } from '../wires/http/target.ts';

/** Apps by the path below which they are served: `{ '/v1': v1, '/v2': v2 }`. */
export type Apps = Readonly<Record<string, App>>;

/** An app and its path; empty for the root. */
export interface Mount {
  readonly base: string;
  readonly app: App;
}

/** The paths that belong to the whole server. */
export const SERVER_PATHS: readonly string[] = ['/healthz', '/readyz', '*'];

/** Reads the apps of a server, the longest path first. Throws if a path is wrong. */
export function mountsOf(apps: Apps): readonly Mount[] {
  if (typeof apps !== 'object' || apps === null || isApp(apps) || isThenable(apps)) {
    const given = isApp(apps) ? 'serve(app) serves a single one' : `this is ${describeOther(apps)}`;
    throw new TypeError(`createServer needs apps by path, such as { '/v1': app }; ${given}`);
  }
  const mounts = Object.entries(apps).map(([path, app]) => {
    const base = parseBase(path, 'createServer: the path of an app');
    checkApp(app, `createServer: "${path}"`);
    if (SERVER_PATHS.includes(base)) throw new TypeError(`createServer: "${path}" belongs to the whole server`);
    return { base, app };
  });
  if (mounts.length === 0) throw new TypeError('createServer needs at least one app');
  const bases = mounts.map(({ base }) => base);
  const twice = bases.find((base, i) => bases.indexOf(base) < i);
  if (twice !== undefined) throw new TypeError(`createServer: two apps have the path "${twice || '/'}"`);
  return mounts.toSorted((a, b) => b.base.length - a.base.length);
}

export type ServerLimits = Pick<Limits, 'headers' | 'headersTimeout' | 'requestTimeout' | 'responseTimeout' | 'drain'>;

/** The limits of a server with several apps: a request is known to be for one of them only after its headers. */
export function serverLimits(mounts: readonly Mount[]): ServerLimits {
  const largest = (name: keyof ServerLimits) => Math.max(...mounts.map(({ app }) => app.limits[name]));
  /** 0 is no limit. */
  const longest = (name: keyof ServerLimits) => (mounts.some(({ app }) => app.limits[name] === 0) ? 0 : largest(name));
  return {
    headers: largest('headers'),
    headersTimeout: longest('headersTimeout'),
    requestTimeout: longest('requestTimeout'),
    responseTimeout: longest('responseTimeout'),
    drain: largest('drain'),
  };
}
