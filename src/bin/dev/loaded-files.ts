import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isForeign } from './imported-files.ts';

/** The files of the code that was compiled so far, or could not be. */
export interface LoadedFiles {
  files(): readonly string[];
  close(): void;
}

/** V8 reports every script, whichever way it was loaded: natively, through hooks, or with a compiler of its own. */
export async function watchLoading(): Promise<LoadedFiles> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connect();
  const urls = new Set<string>();
  for (const event of ['Debugger.scriptParsed', 'Debugger.scriptFailedToParse'] as const)
    session.on(event, ({ params }: { readonly params: { readonly url: string } }) => urls.add(params.url));
  // A `debugger` statement would stop this process for ever.
  session.post('Debugger.setSkipAllPauses', { skip: true });
  session.post('Debugger.enable');
  session.post('Debugger.setSkipAllPauses', { skip: true });
  return {
    files: () => [...urls].flatMap(fileAt).filter((path) => !isForeign(path)),
    close: () => session.disconnect(),
  };
}

function fileAt(url: string): readonly string[] {
  try {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    return /^(?:\/|[A-Za-z]:\\)/.test(path) && existsSync(path) ? [path] : [];
  } catch {
    return []; // not an address of a file
  }
}
