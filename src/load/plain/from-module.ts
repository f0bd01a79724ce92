import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FunctionDefinition } from '../../core/function.ts';
import { bindModule } from '../../sources/module/bind-module.ts';
import { ModuleError } from '../module-error.ts';
import { callerFile } from './caller-file.ts';
import { frozenModule } from './frozen-modules.ts';
import { describeRefusals } from './refusals.ts';

/**
 * The functions of a plain TypeScript module, for `createApp({ functions })`. A relative path is relative to the file that calls
 * this. Functions that cannot be served are left out, with a warning of the process.
 */
export function fromModule(module: string | URL): Promise<readonly FunctionDefinition[]> {
  // Before anything is awaited: later, nobody knows who called.
  const path = module instanceof URL ? fileURLToPath(module) : resolve(dirname(callerFile(fromModule)), module);
  return readFunctions(path);
}

async function readFunctions(path: string): Promise<readonly FunctionDefinition[]> {
  const frozen = frozenModule(basename(path));
  if (frozen) return bindModule(...frozen);
  const [{ readModules }, { withoutUnservable }, { importModule }, { noteUsed }] = await Promise.all([
    import('./read-modules.ts'),
    import('./without-unservable.ts'),
    import('../load-app.ts'),
    import('./used-modules.ts'),
  ]);
  const described = await readModules([path]);
  if (described.modules.every(({ description }) => description.functions.length + description.refusals.length === 0))
    throw new ModuleError(`${path} exports no function`);
  const exports = await importModule(path);
  const { modules, refusals } = withoutUnservable(described, [exports], true);
  const [read] = modules;
  if (refusals.length > 0) {
    process.emitWarning(await describeRefusals(refusals), 'EverywireWarning');
    // Node prints it in the next tick, before which a short command may have ended.
    await new Promise((printed) => process.nextTick(printed));
  }
  noteUsed(read!);
  return bindModule(read!.description, exports);
}
