import { readFileSync, statSync } from 'node:fs';
import { auditRules } from '../../proof/audit-rules.ts';
import type { AuditOptions, AuditReport, Finding } from '../../proof/finding.ts';
import { UnreachableError } from '../../proof/finding.ts';
import type { ProfileName } from '../../responses/profiles/profile.ts';
import { rules } from '../../responses/rules/rules.ts';
import { suggest } from '../../schema/suggest.ts';
import type { Process } from '../process.ts';

export interface AuditFlags extends Omit<AuditOptions, 'headers' | 'all'> {
  readonly wire?: 'mcp' | 'openapi';
  readonly ignore?: readonly string[];
  readonly all?: boolean;
  readonly profile?: ProfileName;
  readonly json?: boolean;
  readonly header?: Readonly<Record<string, string>>;
}

type Options = AuditOptions & AuditFlags;

/** Exit codes: 0 nothing found, 1 something found, 2 wrong usage, 3 the target cannot be reached. */
export async function audit(proc: Process, words: readonly string[], flags: AuditFlags): Promise<number> {
  const { write } = proc.claimStdoutSync();
  const known = [...rules.map(({ id }) => id), ...Object.keys(auditRules)];
  const { ignore = [], all = false, header = {} } = flags;
  const unknown = ignore.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    const near = suggest(unknown, known);
    return fail(proc, `unknown rule: ${unknown}${near ? `\nDid you mean ${near}?` : ''}`, 2);
  }
  const run = auditOf(proc, words, { ...flags, all, headers: header });
  if (typeof run === 'string') return fail(proc, `${run}\nSee everywire audit --help`, 2);
  try {
    const found = await run();
    const report = { ...found, findings: found.findings.filter(({ rule }) => !ignore.includes(rule)) };
    const text = flags.json ? JSON.stringify(report, null, 2) : describeResult(report);
    write(`${text}\n`);
    return report.findings.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return fail(proc, error.message, 3);
  }
}

function fail(proc: Process, message: string, code: number): number {
  proc.printError(message);
  return code;
}

/** The audit of a target, or what is wrong with the target. */
function auditOf(proc: Process, words: readonly string[], options: Options): (() => Promise<AuditReport>) | string {
  const [target] = words;
  if (target === undefined) return 'expected a target: a URL, a file, or -- and a command';
  if (proc.argv.includes('--')) {
    return async () => (await import('../../proof/audit-mcp.ts')).auditMcp(words as [string], options);
  }
  if (words.length > 1) return `expected one target, got ${words.length}; a command comes after --`;
  if (/^https?:\/\//i.test(target)) return auditOfUrl(target, options);
  const found = statSync(proc.resolve(target), { throwIfNoEntry: false });
  if (!found) return `${target} is neither a URL that starts with http:// or https:// nor a file`;
  if (!found.isFile()) return `${target} is not a file`;
  if (/\.[cm]?[jt]sx?$/.test(target))
    return `${target} is a module; to check it, start it: everywire audit -- npx everywire mcp ${target}`;
  return async () => {
    const { auditLog } = await import('../../proof/audit-log.ts');
    return auditLog(readFileSync(proc.resolve(target), 'utf8'), target, options.profile);
  };
}

function auditOfUrl(target: string, options: Options): (() => Promise<AuditReport>) | string {
  if (!URL.canParse(target)) return `${target} is not a URL`;
  const url = new URL(target);
  const wire =
    options.wire ??
    (url.pathname.endsWith('.json') ? 'openapi' : /\/(?:mcp|sse)\/?$/.test(url.pathname) ? 'mcp' : undefined);
  if (wire === 'openapi') return async () => (await import('../../proof/audit-openapi.ts')).auditOpenApi(url, options);
  if (wire === 'mcp') return async () => (await import('../../proof/audit-mcp.ts')).auditMcp([url], options);
  return `cannot tell what ${target} is; add --wire mcp or --wire openapi`;
}

function describeResult({ findings, checked, skipped, responses }: AuditReport): string {
  const lines = [`${counted(responses, 'response')} of ${checked.join(', ') || 'nothing'}`];
  if (skipped.length > 0) {
    lines.push(`not called, since not annotated as read-only (--all calls them): ${skipped.join(', ')}`);
  }
  for (const [rule, list] of grouped(findings)) {
    const sentence = sentenceOf(rule);
    lines.push('', `${rule} (${sentence})`);
    for (const { subject, message, reproduce } of list.slice(0, SHOWN)) {
      lines.push(`  ${subject}: ${message.replace(` (${sentence})`, '')}`, `    ${reproduce}`);
    }
    if (list.length > SHOWN) lines.push(`  … and ${list.length - SHOWN} more`);
  }
  if (findings.length > 0) lines.push('', counted(findings.length, 'finding'));
  else lines.push(responses > 0 ? 'nothing found' : 'nothing was checked');
  return lines.join('\n');
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** At most so many findings per rule; --json has all. */
const SHOWN = 3;

function grouped(findings: readonly Finding[]): Map<string, Finding[]> {
  const byRule = new Map<string, Finding[]>();
  for (const finding of findings) byRule.set(finding.rule, [...(byRule.get(finding.rule) ?? []), finding]);
  return byRule;
}

function sentenceOf(id: string): string {
  const own: Readonly<Record<string, string>> = auditRules;
  return own[id] ?? rules.find((rule) => rule.id === id)?.sentence ?? 'a rule of another version';
}
