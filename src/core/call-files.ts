import type { FileStore, Files } from './files.ts';
import { handleRejection } from './safely.ts';

/** One call's view of the files, opened on first use. Methods do not need `this`: `({ files: { stat } })` works. */
export class CallFiles implements Files {
  readonly #store: FileStore;
  #opened: Files | undefined;

  constructor(store: FileStore) {
    this.#store = store;
  }

  get currentDirectory(): string {
    return this.#files.currentDirectory;
  }

  get changeDirectory(): Files['changeDirectory'] {
    return this.#bound('changeDirectory');
  }

  get read(): Files['read'] {
    return this.#bound('read');
  }

  get readText(): Files['readText'] {
    return this.#bound('readText');
  }

  get write(): Files['write'] {
    return this.#bound('write');
  }

  get rewrite(): Files['rewrite'] {
    return this.#bound('rewrite');
  }

  get append(): Files['append'] {
    return this.#bound('append');
  }

  get copy(): Files['copy'] {
    return this.#bound('copy');
  }

  get remove(): Files['remove'] {
    return this.#bound('remove');
  }

  get chmod(): Files['chmod'] {
    return this.#bound('chmod');
  }

  get makeDirectory(): Files['makeDirectory'] {
    return this.#bound('makeDirectory');
  }

  get stat(): Files['stat'] {
    return this.#bound('stat');
  }

  get list(): Files['list'] {
    return this.#bound('list');
  }

  get find(): Files['find'] {
    return this.#bound('find');
  }

  get #files(): Files {
    return (this.#opened ??= handleRejection(this.#store.open()));
  }

  #bound<Name extends Exclude<keyof Files, 'currentDirectory'>>(name: Name): Files[Name] {
    const files = this.#files;
    return files[name].bind(files) as Files[Name];
  }
}
