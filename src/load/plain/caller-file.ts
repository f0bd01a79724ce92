import { fileURLToPath } from 'node:url';
import { ModuleError } from '../module-error.ts';

/** The file that calls a function of ours. */
export function callerFile(callee: (...args: never[]) => unknown): string {
  const before = {
    prepareStackTrace: Reflect.get(Error, 'prepareStackTrace') as unknown,
    stackTraceLimit: Error.stackTraceLimit,
  };
  const holder: { stack?: NodeJS.CallSite[] } = {};
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_error, sites) => sites;
    Error.captureStackTrace(holder, callee);
    const file = holder.stack?.[0]?.getScriptNameOrSourceURL() ?? '';
    if (file.startsWith('file:')) return fileURLToPath(file);
    if (file.startsWith('/') || /^[A-Za-z]:[\\/]/.test(file)) return file;
  } finally {
    Object.assign(Error, before);
  }
  throw new ModuleError(
    'fromModule cannot tell from which file it is called; give it a URL: new URL(…, import.meta.url)',
  );
}
