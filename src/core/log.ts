import type { Log, LogFields } from './context.ts';
import { messageOf } from './failure.ts';
import { safely } from './safely.ts';

/** A log that never throws: if the author's log fails, the message goes to stderr. */
export function reliableLog(log: Log): Log {
  const guarded =
    (level: keyof Log): Log[keyof Log] =>
    (message, fields) => {
      safely(
        () => log[level](message, fields),
        (thrown) => consoleLog[level](message, { ...fields, logFailure: messageOf(thrown) }),
      );
    };
  return log === consoleLog
    ? log
    : { debug: guarded('debug'), info: guarded('info'), warn: guarded('warn'), error: guarded('error') };
}

/** On stderr, since stdout belongs to the wires: one line of JSON per message, or text if a person reads it. */
export const consoleLog: Log = {
  debug: (message, fields) => write('debug', message, fields),
  info: (message, fields) => write('info', message, fields),
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
};

function write(level: keyof Log, message: string, fields: LogFields = {}): void {
  const now = new Date();
  const time = now.toISOString();
  const { process } = globalThis as { process?: NodeProcess };
  const isForPeople = process?.stderr?.isTTY === true;
  try {
    console.error(
      isForPeople ? asText(level, now, message, fields, process) : toJson({ level, time, message, ...fields }),
    );
  } catch {
    // Cyclic fields must not fail the call that logs them.
    console.error(isForPeople ? asText(level, now, message, {}, process) : toJson({ level, time, message }));
  }
}

/** Other runtimes may have a part of it. */
interface NodeProcess {
  readonly stderr?: { readonly isTTY?: boolean };
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: () => string;
}

const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? one.toString() : one)) ?? 'undefined';

const LABELS = {
  debug: ['debug:', '90'],
  info: ['info:', '36'],
  warn: ['warning:', '33'],
  error: ['error:', '31'],
} as const;

function asText(level: keyof Log, now: Date, message: string, fields: LogFields, process: NodeProcess): string {
  const { stack, ...others } = fields;
  const [label, colour] = LABELS[level];
  const isPlain = Boolean(process.env?.['NO_COLOR']);
  const shown = Object.entries(others).map(([name, value]) => `${name}=${isWord(value) ? value : toJson(value)}`);
  const kind = typeof stack === 'string' ? /^(?!Error:)(\w+): /.exec(stack)?.[1] : undefined;
  const sentence = kind === undefined ? message : `${kind}: ${message}`;
  const paint = (code: string, text: string, end: string) => (isPlain ? text : `\x1b[${code}m${text}\x1b[${end}m`);
  const frames = typeof stack === 'string' ? framesOf(stack, process.cwd?.()) : [];
  return [
    [
      now.toTimeString().slice(0, 8),
      paint(colour, label, '39'),
      printable(sentence),
      ...(shown.length > 0 ? [paint('2', printable(shown.join(' ')), '22')] : []),
    ].join(' '),
    ...frames.map(printable),
  ].join('\n');
}

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w.:/@+-]+$/.test(value);

/** A caller must neither move the cursor nor write lines of their own. */
const printable = (text: string) =>
  text
    .replaceAll('\n', '\n    ')
    .replaceAll(/(?!\n)\p{Cc}/gu, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The folder of this package, unless this code is part of a bundle. */
export const OWN_FOLDER: string | undefined = /^(file:.*\/dist\/)chunks\/[^/]+$/.exec(import.meta.url)?.[1];

/** The stack frames without those of this package and of Node itself, unless there are no others. */
export function framesOf(stack: string, folder?: string): readonly string[] {
  const frames = stack.split('\n').filter((line) => /^ +at /.test(line));
  const own = frames.filter((line) => !isInternal(line));
  const shown = own.length > 0 ? own : frames;
  return folder === undefined ? shown : shown.map((line) => line.replace(`file://${folder}/`, ''));
}

const isInternal = (line: string) =>
  /[ (]node:|async Promise\./.test(line) || (OWN_FOLDER !== undefined && line.includes(OWN_FOLDER));
