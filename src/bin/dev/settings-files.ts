import { resolve } from 'node:path';
import { CONFIG_NAMES } from '../../load/find-config.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { usedConfig } from '../options/used-config.ts';
import { importedFiles } from './imported-files.ts';

/** The files that options come from, also those that would be used if they existed. */
export function settingsFiles(env: EnvironmentFlags['env']): readonly string[] {
  const used = usedConfig();
  const envFiles = (env?.given ?? []).flatMap(([flag, text]) => (flag === '--env-file' ? [text] : []));
  const configs = used === undefined ? CONFIG_NAMES : importedFiles([used]);
  return [...configs, ...envFiles].map((path) => resolve(path));
}
