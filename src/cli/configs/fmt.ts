/**
 * `millrace fmt`: formats configurations. Comments stay, the meaning stays. Exit code 0, with `--check` 1 when a file is
 * not formatted, 2 when one cannot be read.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { renderDiagnostic } from '../../lang/diagnostic.ts'
import { format } from '../../lang/format.ts'
import { diagnose } from '../../lang/hints.ts'
import { SyntaxFailure } from '../../lang/syntax-failure.ts'
import { refuse } from '../arguments.ts'
import { type CommandOutput, processOutput } from '../command-output.ts'
import { findConfigs } from '../doctor/doctor-files.ts'
import { runCommand } from '../run-command.ts'
import { standardInput } from '../standard-input.ts'

const usage = `Usage: millrace fmt [--check] PATH...
       millrace fmt - < FILE

Formats configuration files, or all below a folder: two blanks per level, one option per line. Comments are kept and the
meaning stays the same. With - it formats standard input to standard output.

Options:
    --check    Change nothing; name the files that are not formatted, exit code 1.
`

const rules = { usage, command: 'fmt', switches: ['--check'] }

export async function fmtCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    if (given.words.length === 0) refuse('fmt', 'no file or folder given')
    let code = 0
    for (const path of given.words) {
      if (path === '-') {
        const text = await standardInput()
        const formatted = formattedOr(text, 'standard input', output)
        if (formatted === undefined) code = 2
        else await output.print(formatted)
        continue
      }
      const found = await findConfigs(path)
      if (found === undefined) refuse('fmt', `there is no file or folder ${path}`)
      for (const file of found.files) {
        const result = await formatFile(file.path, given.has('--check'), output)
        code = Math.max(code, result)
      }
    }
    return code
  })
}

async function formatFile(path: string, isCheck: boolean, output: CommandOutput): Promise<number> {
  const text = await readFile(path, 'utf8')
  const formatted = formattedOr(text, path, output)
  if (formatted === undefined) return 2
  if (formatted === text) return 0
  await output.print(`${path}\n`)
  if (isCheck) return 1
  await writeFile(path, formatted)
  return 0
}

function formattedOr(text: string, name: string, output: CommandOutput): string | undefined {
  try {
    return format(text, { escapeAware: true })
  } catch (error) {
    const message =
      error instanceof SyntaxFailure
        ? renderDiagnostic(diagnose(text, error), text, name)
        : `${name}: ${(error as Error).message}`
    output.tell(`${message}\n`)
    return undefined
  }
}
