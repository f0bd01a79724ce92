import { Command, InvalidArgumentError, Option } from 'commander';
import { profileNames } from '../../responses/profiles/profile.ts';
import type { AuditFlags } from './run-audit.ts';
import type { Process } from '../process.ts';
import { wholeNumber } from '../options/whole-number.ts';

export function auditCommand(proc: Process): Command {
  const command = new Command('audit')
    .description('check the responses of an MCP server, an OpenAPI service or a log against the rules')
    .usage('[options] <target>\n       everywire audit [options] -- <command> [arguments]')
    .argument('[target...]', 'the URL of an MCP server or an OpenAPI document, or a file of JSON lines')
    .addOption(new Option('--wire <kind>', 'what the URL is, if its path does not show it').choices(['mcp', 'openapi']))
    .option('--calls <number>', 'calls of each tool with valid arguments', wholeNumber(), 5)
    .option('--seed <number>', 'chooses the generated arguments', wholeNumber(), 1)
    .option('--all', 'also call tools that are not annotated as read-only')
    .option('--ignore <rule>', 'a rule to ignore; repeatable', collect)
    .option('--header <name: value>', 'sent with every request over HTTP; repeatable', addHeader)
    .option('--timeout <milliseconds>', 'how long to wait for each response', wholeNumber(1), 10_000)
    .addOption(new Option('--profile <name>', 'the profile of the bodies in a log').choices(profileNames))
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Examples:
  everywire audit http://127.0.0.1:8080/mcp
  everywire audit https://example.com/openapi.json --header 'authorization: Bearer …'
  everywire audit -- npx -y @modelcontextprotocol/server-everything
  everywire audit responses.jsonl

Exit codes: 0 nothing found, 1 something found, 2 wrong usage, 3 the target cannot be reached.`,
    );
  return command.action(async (words: string[]) => {
    const { audit } = await import('./run-audit.ts');
    proc.end(await audit(proc, words, command.opts<AuditFlags>()));
  });
}

const collect = (text: string, sofar: readonly string[] = []) => [...sofar, text];

function addHeader(text: string, sofar: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("expected 'name: value'");
  return { ...sofar, [name]: value };
}
