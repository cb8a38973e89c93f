/** `millrace completion bash|zsh|fish`: a script that completes commands and flags, made from their tables. */
import { definitionOf, settingNames } from '../../settings/definitions.ts'
import { readArguments } from '../arguments.ts'
import { guarded, processOutput } from '../command-output.ts'

const usage = `Usage: millrace completion bash|zsh|fish

Prints a script that completes commands and flags:

    bash    source <(millrace completion bash)
    zsh     millrace completion zsh > "\${fpath[1]}/_millrace"
    fish    millrace completion fish > ~/.config/fish/completions/millrace.fish
`

export interface Completable {
  readonly name: string
  readonly doc: string
}

export async function completionCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return guarded(output, async () => {
    const given = readArguments(args, { command: 'completion' })
    const { commands } = await import('../commands.ts')
    const script = scripts[given.words[0] ?? '']
    if (script === undefined || given.has('--help')) {
      await output.print(usage)
      return given.has('--help') ? 0 : 2
    }
    await output.print(script(commands, flagNames()))
    return 0
  })
}

function flagNames(): Completable[] {
  return settingNames.flatMap((name) => {
    const { flag, doc } = definitionOf[name]
    if (flag === undefined || flag.hidden === true) return []
    return [flag.short, flag.long ?? `--${name}`].flatMap((one) =>
      one === undefined ? [] : [{ name: one, doc }],
    )
  })
}

type Script = (commands: readonly Completable[], flags: readonly Completable[]) => string

/** Flags of a command are taken from its own help, so that they cannot be others. */
const flagPattern = "'--[a-z][a-z._-]*'"

const scripts: Readonly<Record<string, Script>> = {
  bash: (commands, flags) => `_millrace() {
  local word="\${COMP_WORDS[COMP_CWORD]}" program="\${COMP_WORDS[0]}" command="\${COMP_WORDS[1]}"
  local commands="${commands.map(({ name }) => name).join(' ')}"
  if [ "$COMP_CWORD" -eq 1 ] && [ "\${word#-}" = "$word" ]; then
    COMPREPLY=($(compgen -W "$commands" -- "$word"))
  elif [ "\${word#-}" != "$word" ] && [ "\${command#-}" = "$command" ]; then
    COMPREPLY=($(compgen -W "$("$program" "$command" --help 2>/dev/null | grep -oE -- ${flagPattern} | sort -u)" -- "$word"))
  elif [ "\${word#-}" != "$word" ]; then
    COMPREPLY=($(compgen -W "${flags.map(({ name }) => name).join(' ')}" -- "$word"))
  elif [ "$command" = docs ]; then
    COMPREPLY=($(compgen -W "$("$program" docs 2>/dev/null | sed 's/^[a-z]*://' | tr -d ,)" -- "$word"))
  elif [ "$command" = completion ]; then
    COMPREPLY=($(compgen -W "bash zsh fish" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _millrace millrace logstash
`,
  zsh: (commands, flags) => `#compdef millrace logstash
local -a commands flags found
commands=(
${commands.map(({ name, doc }) => `  '${name}:${quoted(doc)}'`).join('\n')}
)
flags=(
${flags.map(({ name, doc }) => `  '${name.replaceAll(':', '\\:')}:${quoted(doc)}'`).join('\n')}
)
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  _describe 'command' commands
elif [[ $words[CURRENT] == -* && $words[2] != -* ]]; then
  found=(\${(f)"$($words[1] $words[2] --help 2>/dev/null | grep -oE -- ${flagPattern} | sort -u)"})
  compadd -a found
elif [[ $words[CURRENT] == -* ]]; then
  _describe 'flag' flags
elif [[ $words[2] == docs ]]; then
  found=(\${=$("$words[1]" docs 2>/dev/null | sed 's/^[a-z]*://' | tr -d ,)})
  compadd -a found
elif [[ $words[2] == completion ]]; then
  compadd bash zsh fish
else
  _files
fi
`,
  fish: (commands, flags) =>
    `${[
      ...commands.flatMap(({ name, doc }) => [
        `complete -c millrace -n __fish_use_subcommand -a ${name} -d '${unquoted(doc)}'`,
        `complete -c millrace -n '__fish_seen_subcommand_from ${name}; and string match -q -- "-*" (commandline -ct)' -a "(millrace ${name} --help 2>/dev/null | string match -ra -- ${flagPattern})"`,
      ]),
      `complete -c millrace -f -n '__fish_seen_subcommand_from docs' -a "(millrace docs 2>/dev/null | string replace -r '^[a-z]*:' '' | string replace -a ',' ' ' | string split -n ' ')"`,
      `complete -c millrace -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'`,
      ...flags.map(({ name, doc }) => {
        const kind = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
        return `complete -c millrace -n __fish_use_subcommand ${kind} -d '${unquoted(doc)}'`
      }),
    ].join('\n')}\n`,
}

/** Inside single quotes, where zsh takes a colon for the end of a name. */
function quoted(text: string): string {
  return unquoted(text).replaceAll(':', '\\:')
}

function unquoted(text: string): string {
  return text.replaceAll("'", '’')
}
