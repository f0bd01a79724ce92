import { basename } from 'node:path';
import { obstaclesIn } from '../../init/obstacles.ts';
import { isPackageName, suggestName } from '../../init/package-name.ts';
import type { Client } from '../../wires/mcp/client-config.ts';
import type { Process } from '../process.ts';
import type { InitFlags } from './init.ts';

/** Everything that must be known before something is written. */
export interface InitChoices {
  /** As typed. */
  readonly folder: string;
  readonly name: string;
  readonly docker: boolean;
  readonly ci: boolean;
  readonly mcp: readonly Client[];
  readonly install: boolean;
}

export function defaultsFor(
  proc: Process,
  folder: string,
  { name, docker = false, ci, mcp = [], install = false }: InitFlags,
): InitChoices {
  return { folder, name: name ?? suggestName(basename(proc.resolve(folder))), docker, ci, mcp, install };
}

export function nameProblem(name: string): string | undefined {
  return isPackageName(name)
    ? undefined
    : `${JSON.stringify(name)} cannot be the name of a package; try ${suggestName(name)}`;
}

/** Why a project cannot be created there. */
export function folderProblem(proc: Process, folder: string, files: readonly string[] = []): string | undefined {
  try {
    const obstacles = obstaclesIn(proc.resolve(folder), files);
    if (obstacles === true) return `${folder} is not a folder`;
    if (obstacles.length === 0) return undefined;
    const shown = obstacles.slice(0, SHOWN).join(', ');
    const more = obstacles.length > SHOWN ? ` and ${obstacles.length - SHOWN} more` : '';
    const where = folder === '.' ? 'The current folder' : folder;
    return `${where} is not empty: it has ${shown}${more}; choose another folder, or move them away`;
  } catch (error) {
    return `${folder} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

const SHOWN = 5;
