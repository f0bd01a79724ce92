import { invalidArguments } from '../../core/invalid-arguments.ts';
import type { Failed } from '../../core/outcome.ts';
import { shortPointer } from '../../schema/engine/place.ts';
import { toBase64 } from '../../schema/base64.ts';
import { isBytesSchema, isFileSchema } from '../../schema/file-form.ts';
import { received } from '../../schema/problem.ts';
import type { Problem } from '../../schema/problem.ts';
import type { Given } from './decode.ts';
import type { CliHost } from './decode-input.ts';
import { itemOf } from './flag-help.ts';

/** Opens the files that flags name as `@path`. Files can be given as JSON, too, and bytes as base64. */
export async function openFiles(
  given: readonly Given[],
  { openFile: open, limits }: Pick<CliHost, 'openFile' | 'limits'>,
): Promise<readonly Given[] | Failed> {
  const problems: Problem[] = [];
  const opened = await Promise.all(
    given.map(async ([flag, value]): Promise<Given> => {
      const isBytes = isBytesSchema(itemOf(flag));
      if (!Array.isArray(value) || !(isBytes || isFileSchema(itemOf(flag)))) return [flag, value];
      const texts = value as readonly string[];
      if (isBytes) return [flag, await Promise.all(texts.map((text) => base64Of(text, flag)))];
      if (texts.every((text) => /^\s*[[{]/.test(text))) return [flag, texts];
      const add = (message: string) => void problems.push({ pointer: shortPointer(flag.path), message });
      const files: File[] = [];
      for (const text of flag.kind === 'list' ? texts : texts.slice(-1)) {
        const path = text.slice(1);
        const file = text.startsWith('@') ? await open(path).catch(() => undefined) : undefined;
        if (file) files.push(file);
        else
          add(
            text.startsWith('@') ? `cannot read ${received(path)}` : `expected a file as @path, got ${received(text)}`,
          );
      }
      return [flag, { files: flag.kind === 'list' ? files : files[0]! }];
    }),
  );
  return problems.length > 0 ? invalidArguments(problems) : opened;

  /** The bytes of a file as base64. `@` is no character of base64, so that no value is mistaken for a name. */
  async function base64Of(text: string, { path: place }: Given[0]): Promise<string> {
    if (!text.startsWith('@')) return text;
    const path = text.slice(1);
    const file = await open(path).catch(() => undefined);
    // In JSON, they would have to fit into a body.
    const limit = Math.floor((limits.body * 3) / 4);
    if (file && file.size <= limit) return toBase64(new Uint8Array(await file.arrayBuffer()));
    const message = file ? `${received(path)} is larger than ${limit} bytes` : `cannot read ${received(path)}`;
    problems.push({ pointer: shortPointer(place), message });
    return '';
  }
}
