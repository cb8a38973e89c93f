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

const scripts: Readonly<Record<string, Script>> = {
  bash: (commands, flags) => `_millrace() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ] && [ "\${word#-}" = "$word" ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
  elif [ "\${word#-}" != "$word" ]; then
    COMPREPLY=($(compgen -W "${flags.map(({ name }) => name).join(' ')}" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _millrace millrace logstash
`,
  zsh: (commands, flags) => `#compdef millrace logstash
local -a commands flags
commands=(
${commands.map(({ name, doc }) => `  '${name}:${quoted(doc)}'`).join('\n')}
)
flags=(
${flags.map(({ name, doc }) => `  '${name.replaceAll(':', '\\:')}:${quoted(doc)}'`).join('\n')}
)
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  _describe 'command' commands
elif [[ $words[CURRENT] == -* ]]; then
  _describe 'flag' flags
else
  _files
fi
`,
  fish: (commands, flags) =>
    `${[
      ...commands.map(
        ({ name, doc }) => `complete -c millrace -n __fish_use_subcommand -a ${name} -d '${quoted(doc)}'`,
      ),
      ...flags.map(({ name, doc }) => {
        const kind = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
        return `complete -c millrace ${kind} -d '${quoted(doc)}'`
      }),
    ].join('\n')}\n`,
}

/** Inside single quotes, and without what these shells take for an end. */
function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', '\\:')
}
