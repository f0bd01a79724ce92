import type { Data } from '../core/files.ts';
import { FolderError } from './folder.ts';
import type { Folder, Stat } from './folder.ts';
import { stepsOf } from './virtual-path.ts';
import type { Steps } from './virtual-path.ts';

interface MemoryFile {
  mode: number;
  modified: Date;
  bytes: Uint8Array;
}

interface MemoryDirectory {
  mode: number;
  modified: Date;
  children: Map<string, MemoryFile | MemoryDirectory>;
}

/** A folder in memory, for tests. Behaves like a folder of the host, without links. */
export function memoryFolder(files: { readonly [path: string]: Data } = {}): Folder {
  const top = newDirectory();
  for (const [path, data] of Object.entries(files)) {
    const steps = stepsOf(path, []);
    for (let depth = 1; depth < steps.length; depth++) makeDirectory(steps.slice(0, depth));
    put(steps, typeof data === 'string' ? new TextEncoder().encode(data) : data.slice());
  }

  return {
    stat: async (steps) => {
      const found = find(steps);
      return found && statOf(found);
    },
    list: async (steps) => [...directory(steps).children].map(([name, found]) => ({ name, ...statOf(found) })),
    open: async (steps) => {
      const { bytes } = file(steps);
      return {
        size: bytes.length,
        read: async (offset, length) => bytes.slice(offset, offset + length),
        close: async () => {},
      };
    },
    write: async (steps, content) => {
      const parts: Uint8Array[] = [];
      for await (const part of content) parts.push(part.slice());
      put(steps, concat(parts));
    },
    append: async (steps, data) => put(steps, concat([find(steps) ? file(steps).bytes : new Uint8Array(), data])),
    remove: async (steps, recursive) => {
      const found = existing(steps);
      if (isDirectory(found) && found.children.size > 0 && !recursive) throw new FolderError('notEmpty');
      directory(steps.slice(0, -1)).children.delete(nameOf(steps));
    },
    chmod: async (steps, mode) => {
      existing(steps).mode = mode;
    },
    makeDirectory: async (steps) => makeDirectory(steps),
  };

  function find(steps: Steps): MemoryFile | MemoryDirectory | undefined {
    let found: MemoryFile | MemoryDirectory | undefined = top;
    for (const name of steps) {
      if (!found) return undefined;
      if (!isDirectory(found)) throw new FolderError('notDirectory');
      found = found.children.get(checkedName(name));
    }
    return found;
  }

  function existing(steps: Steps): MemoryFile | MemoryDirectory {
    const found = find(steps);
    if (!found) throw new FolderError('missing');
    return found;
  }

  function directory(steps: Steps): MemoryDirectory {
    const found = existing(steps);
    if (!isDirectory(found)) throw new FolderError('notDirectory');
    return found;
  }

  function file(steps: Steps): MemoryFile {
    const found = existing(steps);
    if (isDirectory(found)) throw new FolderError('directory');
    return found;
  }

  function put(steps: Steps, bytes: Uint8Array): void {
    const { children } = directory(steps.slice(0, -1));
    const old = find(steps);
    if (old && isDirectory(old)) throw new FolderError('directory');
    children.set(nameOf(steps), { mode: old?.mode ?? 0o644, modified: new Date(), bytes });
  }

  function makeDirectory(steps: Steps): void {
    const found = find(steps);
    if (found && !isDirectory(found)) throw new FolderError('notDirectory');
    if (!found) directory(steps.slice(0, -1)).children.set(nameOf(steps), newDirectory());
  }
}

const newDirectory = (): MemoryDirectory => ({ mode: 0o755, modified: new Date(), children: new Map() });

const isDirectory = (found: MemoryFile | MemoryDirectory): found is MemoryDirectory => 'children' in found;

function statOf(found: MemoryFile | MemoryDirectory): Stat {
  const { mode, modified } = found;
  return isDirectory(found)
    ? { kind: 'directory', size: 0, mode, modified }
    : { kind: 'file', size: found.bytes.length, mode, modified };
}

function nameOf(steps: Steps): string {
  return steps.at(-1) ?? '';
}

const MAX_NAME_LENGTH = 255;

/** The same limit as common file systems. */
function checkedName(name: string): string {
  if (new TextEncoder().encode(name).length > MAX_NAME_LENGTH) throw new FolderError('tooLong');
  return name;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
