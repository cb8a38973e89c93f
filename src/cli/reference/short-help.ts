/** What `millrace --help` says: commands and the flags people reach for, on one screen. */
import type { Command } from '../commands.ts'

export function shortHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 1
  const half = Math.ceil(commands.length / 2)
  const cell = ({ name, brief }: Command) => `${name.padEnd(width)} ${brief}`
  const left = commands.slice(0, half).map(cell)
  const column = Math.max(...left.map((text) => text.length)) + 3
  const rows = left.map((text, index) => {
    const right = commands[half + index]
    return `  ${right === undefined ? text : `${text.padEnd(column)}${cell(right)}`}`
  })
  return `${[
    'millrace -f PATH    run the pipelines of a file or folder, as logstash does',
    'millrace --demo     an example to look at, with the dashboard',
    '',
    '  -e TEXT   a configuration text      --path.settings DIR   logstash.yml',
    '  -t        check and exit            --path.data DIR       queues, store',
    '  -r        reload changed files      -w N                  workers',
    '',
    'Commands, each with --help:',
    ...rows,
    '',
    'All flags: millrace help flags',
  ].join('\n')}\n`
}
