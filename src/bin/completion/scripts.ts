import { quoted } from '../../wires/cli/flag-example.ts';

/** By shell: the script that makes it run `<name> complete -- <words>` (see complete.ts for what that prints). */
export const SCRIPTS: ReadonlyMap<string, (name: string) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);

export const SHELLS: readonly string[] = [...SCRIPTS.keys()];

const functionNamed = (name: string) => `_${name.replaceAll(/\W/g, '_')}_complete`;

/** Works without the bash-completion package. */
function bashScript(name: string): string {
  const fn = functionNamed(name);
  return `# bash completion for ${name}

${fn}() {
  # COMP_WORDS is also split at = and :, but the program needs --flag=value as one word.
  local IFS=$' \\t\\n' line=\${COMP_LINE:0:COMP_POINT} words word value
  read -d '' -ra words <<< "$line"
  [[ $line == *[[:blank:]] ]] && words+=('')
  word=\${words[\${#words[@]} - 1]}
  # readline replaces only the part of the word after the last of these characters.
  local kept=\${word%"\${word##*["$COMP_WORDBREAKS"]}"}

  COMPREPLY=()
  while IFS= read -r value; do
    case $value in
      *$'\\t'*)
        printf -v value %q "\${value%%$'\\t'*}"
        COMPREPLY+=("\${value#"$kept"}")
        ;;
      :nofiles) compopt +o default 2> /dev/null ;;
    esac
  done < <(${quoted(name)} complete -- "\${words[@]:1}" 2> /dev/null)
}

# default: readline offers file names if there is nothing else.
complete -o default -F ${fn} ${quoted(name)}
`;
}

function zshScript(name: string): string {
  const fn = functionNamed(name);
  return `#compdef ${name}

${fn}() {
  local line value description files=yes
  local -a offers
  while IFS= read -r line; do
    case $line in
      *$'\\t'*)
        value=\${line%%$'\\t'*} description=\${line#*$'\\t'}
        value=\${value//\\\\/\\\\\\\\}
        # _describe splits at the first colon.
        offers+=("\${value//:/\\\\:}\${description:+:$description}")
        ;;
      :nofiles) files= ;;
    esac
  done < <(${quoted(name)} complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2> /dev/null)
  if [[ -n $files ]]; then
    _files
  else
    _describe '${name.replaceAll("'", '')}' offers
  fi
}

compdef ${fn} ${quoted(name)}
`;
}

function fishScript(name: string): string {
  const fn = functionNamed(name);
  return `# fish completion for ${name}

function ${fn}
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l files yes
    for line in (${quoted(name)} complete -- $words[2..-1] "$word" 2> /dev/null)
        if test "$line" = :nofiles
            set files
        else
            printf '%s\\n' $line
        end
    end
    if set -q files[1]
        __fish_complete_path "$word"
    end
end

complete -c ${quoted(name)} -f -a '(${fn})'
`;
}
