import { script } from '@bomb.sh/tab';

export const SHELLS = ['bash', 'zsh', 'fish'];

/** What a shell is to source so that it asks `<name> complete -- <words>`. */
export function scriptFor(shell: string, name: string): string {
  if (shell === 'bash') return bashScript(name);
  const text = linesOf(() => script(shell, name, name)).join('\n');
  if (shell !== 'zsh') return `${text}\n`;
  // As tab has it, zsh would end a value at its first colon, and insert it without quoting it.
  return `${text.replace('comp//:/\\:}', 'comp//:/\\\\:}').replace('completions -Q ', 'completions ')}\n`;
}

/**
 * Not tab's: that one needs the bash-completion package, cannot be sourced for two programs,
 * and completes neither file names nor `--flag=value`.
 */
function bashScript(name: string): string {
  const fn = `_${name.replaceAll(/\W/g, '_')}_complete`;
  return `# bash completion for ${name}

${fn}() {
  # COMP_WORDS is split at = and : as well; the program is to see --flag=value as one word.
  local IFS=$' \\t\\n' line=\${COMP_LINE:0:COMP_POINT} words word value prefix=
  read -d '' -ra words <<< "$line"
  [[ $line == *[[:blank:]] ]] && words+=('')
  word=\${words[\${#words[@]} - 1]}
  [[ $word == -*=* ]] && prefix=\${word%%=*}=
  # Of the word, readline replaces only what follows the last of these characters.
  local kept=\${word%"\${word##*["$COMP_WORDBREAKS"]}"}

  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    case $value in
      :4) compopt +o default 2> /dev/null ;;
      :0) ;;
      *)
        printf -v value %q "$prefix$value"
        COMPREPLY+=("\${value#"$kept"}")
        ;;
    esac
  done < <(${name} complete -- "\${words[@]:1}" 2> /dev/null)
}

# Where there is nothing to offer but file names, readline does that best.
complete -o default -F ${fn} ${name}
`;
}

/** tab prints; here its lines are wanted. */
export function linesOf(print: () => void): string[] {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => void lines.push(line);
  print();
  console.log = log;
  return lines;
}
