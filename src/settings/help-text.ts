/** The text of `--help`, made from the table of settings so that it can not be incomplete. */
import { definitionOf, settingNames } from './definitions.ts'

export interface CommandHelp {
  readonly name: string
  readonly doc: string
}

const column = 44
const width = 110

export function helpText(commands: readonly CommandHelp[] = [], program = 'bin/logstash'): string {
  const lines = ['Usage:', `    ${program} [OPTIONS]`]
  if (commands.length > 0) lines.push(`    ${program} COMMAND [ARGUMENTS]`)
  lines.push('', 'Options:')
  for (const name of settingNames) {
    const { flag, doc, options, default: standard } = definitionOf[name]
    if (flag === undefined || flag.hidden === true) continue
    const switches = [flag.short, flag.long ?? `--${name}`].filter((part) => part !== undefined).join(', ')
    const left = flag.argument === undefined ? switches : `${switches} ${flag.argument}`
    const choices = options === undefined ? '' : ` One of ${options.join(', ')}.`
    const isTold =
      typeof standard !== 'function' && standard !== null && standard !== false && !Array.isArray(standard)
    lines.push(...entry(left, `${doc}${choices}${isTold ? ` (default: ${standard})` : ''}`))
  }
  lines.push(...entry('-S, --setting KEY=VALUE', 'Any setting of logstash.yml; can be given several times.'))
  lines.push(...entry('-V, --version', 'Print the version and exit.'))
  lines.push(...entry('-h, --help', 'Print this text and exit.'))
  if (commands.length > 0) {
    lines.push('', 'Commands:')
    for (const { name, doc } of commands) lines.push(...entry(name, doc))
  }
  return `${lines.join('\n')}\n`
}

function entry(left: string, text: string): string[] {
  const rows: string[] = []
  let row = ''
  for (const word of text.split(' ')) {
    if (row !== '' && column + row.length + 1 + word.length > width) {
      rows.push(row)
      row = word
    } else {
      row = row === '' ? word : `${row} ${word}`
    }
  }
  rows.push(row)
  const head = `    ${left}`
  const lines = rows.map((part) => ' '.repeat(column) + part)
  if (head.length >= column - 1) return [head, ...lines]
  lines[0] = head.padEnd(column) + (rows[0] ?? '')
  return lines
}
