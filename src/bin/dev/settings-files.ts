import { CONFIG_NAMES } from '../../load/find-config.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import type { Process } from '../process.ts';
import { importedFiles } from './imported-files.ts';

/** The files that options come from, also those that would be used if they existed. */
export function settingsFiles(proc: Process, env: EnvironmentFlags['env']): readonly string[] {
  const used = proc.state.config?.file;
  const envFiles = (env?.given ?? []).flatMap(([flag, text]) => (flag === '--env-file' ? [text] : []));
  const configs = used === undefined ? CONFIG_NAMES : importedFiles([used]);
  return [...configs, ...envFiles].map((path) => proc.resolve(path));
}
