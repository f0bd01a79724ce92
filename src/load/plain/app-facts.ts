import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface AppFacts {
  readonly name: string;
  readonly version: string;
}

/**
 * What an app of plain modules is called: as its file, its folder, or the project that several modules belong to. The version is
 * that of the project.
 */
export function factsOf(paths: readonly string[], given: string): AppFacts {
  const project = nearestProject(dirname(paths[0]!));
  const isOne = paths.length === 1 && paths[0] === given;
  const name = isOne ? basename(given).replace(/\.[cm]?tsx?$/, '') : basename(given);
  return {
    name: given === '' ? (project?.name ?? basename(dirname(paths[0]!))) : name,
    version: project?.version ?? '0.0.0',
  };
}

/** The nearest package.json with a name or a version. Others only say how Node is to read .js files. */
function nearestProject(folder: string): Partial<AppFacts> | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const { name, version } = readManifest(join(at, 'package.json'));
    const facts = { ...(isText(name) && { name }), ...(isText(version) && { version }) };
    if (Object.keys(facts).length > 0) return facts;
    if (at === dirname(at)) return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function readManifest(path: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) ?? {}) as Record<string, unknown>;
  } catch {
    return {}; // missing or broken, which is for npm to say
  }
}
