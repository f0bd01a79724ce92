import { FolderError } from './folder.ts';

/** For `catch`: ignores errors with this code. */
export function ignoring(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}

const FOLDER_ERRORS: Record<string, ConstructorParameters<typeof FolderError>[0]> = {
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
  // From readlink: it is no longer a link.
  EINVAL: 'changed',
};

/** Replaces errors of the host, whose messages contain host paths. */
export async function hidingHostErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new FolderError(FOLDER_ERRORS[String(error.code)] ?? 'broken');
  }
}
