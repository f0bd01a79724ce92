import { filesTooLarge } from '../../core/file-sizes.ts';
import type { Limits } from '../../core/limits.ts';
import type { Failed } from '../../core/outcome.ts';
import { GrowingBytes } from '../../core/growing-bytes.ts';
import type { Spool } from '../http/message.ts';
import { tooLarge } from '../json-body.ts';
import type { Pairs } from '../query/url-encoded.ts';
import { MultipartMistake } from './parser.ts';
import type { PartEvent } from './parser.ts';
import { readPartHeaders } from './part-headers.ts';
import type { PartHeaders } from './part-headers.ts';

/** A file: where its bytes are among those that were stored. */
interface StoredFile extends PartHeaders {
  readonly start: number;
  readonly end: number;
}

/** Collects the parts of a form: strings in memory, the bytes of all files one after the other in the spool. */
export class FormReader {
  readonly #spool: Spool;
  readonly #found: (readonly [name: string, value: string | StoredFile])[] = [];
  #part: PartHeaders | undefined;
  #text = new GrowingBytes();
  #start = 0;
  #fileSize = 0;
  /** Bytes of all strings so far. */
  textSize = 0;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** Why the next bytes of the current part are too many. */
  refuse(length: number, overhead: number, { file, body }: Limits): Failed | undefined {
    if (this.#part?.fileName !== undefined) return this.#fileSize + length > file ? filesTooLarge(file) : undefined;
    return this.textSize + overhead + length > body ? tooLarge(body) : undefined;
  }

  take(event: PartEvent): void | Promise<void> {
    if (event === 'end') return this.#endPart();
    if ('headers' in event) {
      this.#part = readPartHeaders(event.headers);
      this.#start = this.#fileSize;
      return undefined;
    }
    const { data } = event;
    if (this.#part?.fileName === undefined) {
      this.textSize += data.length;
      this.#text.add(data);
      return undefined;
    }
    this.#fileSize += data.length;
    return this.#spool.write(data);
  }

  #endPart(): void {
    const part = this.#part!;
    const [start, end] = [this.#start, this.#fileSize];
    if (part.fileName === undefined) this.#found.push([part.name, decode(this.#text.bytes, part.name)]);
    // Browsers send this for a field in which no file was chosen.
    else if (part.fileName !== '' || end > start) this.#found.push([part.name, { ...part, start, end }]);
    this.#text = new GrowingBytes();
  }

  /** The names and values, in their order. */
  async end(): Promise<Pairs<string | File>> {
    const blob = await this.#spool.end();
    return this.#found.map(([name, value]) => [name, typeof value === 'string' ? value : toFile(value, blob)]);
  }
}

/** Refers to the bytes; nothing is read. */
function toFile({ fileName = '', type, start, end }: StoredFile, blob: Blob): File {
  return new File([blob.slice(start, end)], fileName, { type });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array, name: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new MultipartMistake(`${JSON.stringify(name.slice(0, 60))} is not UTF-8`);
  }
}
