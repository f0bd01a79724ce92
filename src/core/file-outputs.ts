import { isBytesSchema, isFileSchema } from '../schema/file-form.ts';
import { hasFiles } from '../schema/revive.ts';
import { isFileHandle } from './file-handle.ts';
import { compileResults } from './input-output.ts';
import type { Results, Returned } from './input-output.ts';
import type { Limits } from './limits.ts';

/** Whether the result is one file, and not data that contains files. */
export function returnsFile(returned: Returned): boolean {
  return returned.kind === 'one' && isFileSchema(returned.schema.json);
}

/** Whether the result is bytes, which a command can save as they are. */
export function returnsBytes(returned: Returned): boolean {
  return returned.kind === 'one' && isBytesSchema(returned.schema.json);
}

/** The checks for returned values that may contain files. Reading them is loaded when the first one is returned. */
export function withFiles(returned: Returned, { depth, file: limit }: Limits): Results {
  if (returned.kind === 'none') return compileResults(returned, depth);
  const schemas = returned.kind === 'one' ? [returned.schema] : returned.schemas;
  if (!schemas.some(({ json }) => hasFiles(json))) return compileResults(returned, depth);
  const results = compileResults(returned, depth, true);
  if (!returnsFile(returned)) {
    return {
      confirm: results.confirm,
      async release(value) {
        const released = await results.release(value);
        if (released.problems) return released;
        return (await import('./file-results.ts')).readFilesInside(released.value, limit);
      },
    };
  }
  const [{ parse } = { parse: undefined }] = schemas;
  return {
    confirm: (value) => (isFileHandle(value) ? { value } : results.confirm(value)),
    async release(value, state) {
      holdErrors(value);
      return (await import('./file-results.ts')).releaseFile(value, { parse, limit, state });
    },
  };
}

/**
 * A Node stream that fails before it is read, such as that of a missing file, would end the process. A later reader
 * gets the error.
 */
function holdErrors(value: unknown): void {
  const { stream } = (value ?? {}) as { readonly stream?: { on?: (event: 'error', listener: () => void) => unknown } };
  if (typeof stream?.on === 'function') stream.on('error', () => {});
}
