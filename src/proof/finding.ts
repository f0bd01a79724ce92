import { messageOf } from '../core/failure.ts';

/** A violation of a rule, and how to reproduce it. */
export interface Finding {
  readonly rule: string;
  /** The tool, the operation or the line of a log. */
  readonly subject: string;
  readonly message: string;
  /** One line that reproduces it. */
  readonly reproduce: string;
}

/** The result of an audit. */
export interface AuditReport {
  readonly findings: readonly Finding[];
  /** The tools or operations that were called, or the log. */
  readonly checked: readonly string[];
  /** Not called, since they may change something. */
  readonly skipped: readonly string[];
  /** The number of checked responses. */
  readonly responses: number;
}

export interface AuditOptions {
  /** The number of valid calls of each tool. */
  readonly calls: number;
  readonly seed: number;
  /** Whether to call tools that are not declared read-only. */
  readonly all: boolean;
  /** Milliseconds to wait for each response. */
  readonly timeout: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The target cannot be reached. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Why a connection failed. fetch hides the reason in a chain of causes. */
export function reasonOf(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return code;
  }
  return messageOf(thrown);
}
