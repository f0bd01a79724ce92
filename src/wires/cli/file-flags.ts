import { invalidArguments } from '../../core/invalid-arguments.ts';
import type { Failed } from '../../core/outcome.ts';
import { shortPointer } from '../../schema/engine/place.ts';
import { isFileSchema } from '../../schema/file-form.ts';
import { received } from '../../schema/problem.ts';
import type { Problem } from '../../schema/problem.ts';
import type { Given } from './decode.ts';
import type { CliHost } from './decode-input.ts';
import { itemOf } from './flag-help.ts';

/** Opens the files that flags name as `@path`. Files can be given as JSON, too. */
export async function openFiles(
  given: readonly Given[],
  open: CliHost['openFile'],
): Promise<readonly Given[] | Failed> {
  const problems: Problem[] = [];
  const opened = await Promise.all(
    given.map(async ([flag, value]): Promise<Given> => {
      if (!Array.isArray(value) || !isFileSchema(itemOf(flag))) return [flag, value];
      const texts = value as readonly string[];
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
}
