import { messageOf } from '../core/failure.ts';

/** Something that breaks a rule, and how to see it again. */
export interface Finding {
  readonly rule: string;
  /** The tool or operation, or the line of a log. */
  readonly subject: string;
  readonly message: string;
  /** One line that shows it again. */
  readonly reproduce: string;
}

/** What an audit did, and what it found. */
export interface AuditReport {
  readonly findings: readonly Finding[];
  /** What was called, or read. */
  readonly checked: readonly string[];
  /** What was not called, since it may change something. */
  readonly skipped: readonly string[];
  /** How many responses were looked at. */
  readonly responses: number;
}

export interface AuditOptions {
  /** Calls of each tool with valid arguments. */
  readonly calls: number;
  readonly seed: number;
  /** Whether tools may be called that do not say that they change nothing. */
  readonly all: boolean;
  /** Milliseconds to wait for each answer. */
  readonly timeout: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The target could not be asked at all. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Why a connection failed: fetch says it in the cause of its error, or in the cause of that. */
export function reasonOf(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return code;
  }
  return messageOf(thrown);
}
