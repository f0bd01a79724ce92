import { Trouble } from './folder.ts';

/** For catch: nothing, where this is what went wrong. */
export function ignoring(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}

const TROUBLES: Record<string, ConstructorParameters<typeof Trouble>[0]> = {
  ENOENT: 'missing',
  ENOTDIR: 'notDirectory',
  EISDIR: 'directory',
  ENOTEMPTY: 'notEmpty',
  EEXIST: 'changed',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'readOnly',
  ENAMETOOLONG: 'tooLong',
  ELOOP: 'loop',
  ENOSPC: 'full',
  EDQUOT: 'full',
  ENXIO: 'notFile',
  // What was a link a moment ago is none now.
  EINVAL: 'changed',
};

/** The host's words hold its paths; ours do not. */
export async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Trouble(TROUBLES[String(error.code)] ?? 'broken');
  }
}
