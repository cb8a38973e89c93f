/**
 * `millrace test`: runs test cases of a configuration, without a network or a disk. Exit code 0 when all hold, 1 when one
 * does not, 2 for a wrong command line or a configuration that cannot be loaded.
 */
import { stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SettingsError } from '../../settings/errors.ts'
import { InvalidConfiguration } from '../../threads/configuration/open-configuration.ts'
import { type Arguments, refuse, settingArguments, settingFlags } from '../arguments.ts'
import { type CommandOutput, paintFor, processOutput } from '../command-output.ts'
import { readConfiguration } from '../configs/given-configuration.ts'
import { runCommand } from '../run-command.ts'
import { type CaseFile, findCaseFiles } from './case-files.ts'
import { junitText } from './junit.ts'
import { type CaseResult, runCases } from './run-cases.ts'

const usage = `Usage: millrace test [OPTIONS] PATH...

Runs test cases: files of YAML or JSON, or all of them below a folder. Files of Logstash Filter Verifier are read as they
are. The configuration is that of -f, or the one a file names with \`config\`, or the *.conf files beside it.
Filters run for real; inputs and outputs do not run. Local times are UTC.

    fields: { type: syslog }            # for every event of the file
    testcases:
      - description: a login
        input: ["Oct  6 20:55:29 host sshd[99]: Accepted"]
        expected: [{ host: host, pid: "99" }]
    ignore: ["@timestamp"]              # not compared; \`partial: true\` compares only what is named

Options:
    -f, --path.config PATH    Configuration to test.
    --watch                   Run again whenever a file changes.
    --junit FILE              Write the results as JUnit XML too.
    --json                    Print the results as JSON.
    --path.settings DIR, --path.plugins DIR, --pipeline.ecs_compatibility MODE, --setting KEY=VALUE
`

export interface FileResult {
  readonly path: string
  readonly results: readonly CaseResult[]
  /** Why it could not be run. */
  readonly error?: string
}

const watchEvery = 300

const rules = {
  usage,
  command: 'test',
  switches: ['--watch', '--json'],
  values: ['-f', '--path.config', '--junit', ...settingFlags],
}

export async function testCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    if (given.words.length === 0) refuse('test', 'no file or folder given')
    // Before any date filter is made.
    process.env['TZ'] = 'UTC'
    const code = await runOnce(given, output)
    return given.has('--watch') ? watch(given, output) : code
  })
}

async function runOnce(given: Arguments, output: CommandOutput): Promise<number> {
  const started = performance.now()
  const files = (await Promise.all(given.words.map(findCaseFiles))).flat()
  if (files.length === 0) throw new SettingsError(`no test cases in ${given.words.join(', ')}`)
  const results: FileResult[] = []
  for (const file of files) results.push(await runFile(file, given))
  const seconds = (performance.now() - started) / 1000
  const junit = given.value('--junit')
  if (junit !== undefined) await writeFile(junit, junitText(results))
  await output.print(given.has('--json') ? jsonText(results) : reportText(results, seconds, output))
  if (results.some(({ error }) => error !== undefined)) return 2
  return results.every((file) => file.results.every(isGood)) ? 0 : 1
}

async function runFile(file: CaseFile, given: Arguments): Promise<FileResult> {
  const config =
    given.value('-f') ?? given.value('--path.config') ?? file.config ?? `${dirname(file.path)}/*.conf`
  const { path } = file
  try {
    const configuration = await readConfiguration(config, undefined, settingArguments(given))
    return { path, results: await runCases(file, configuration) }
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof InvalidConfiguration)) throw error
    return { path, results: [], error: error.message }
  }
}

const isGood = ({ differences }: CaseResult): boolean => differences.length === 0

function reportText(files: readonly FileResult[], seconds: number, output: CommandOutput): string {
  const { good, bad, dim } = paintFor(output)
  const lines: string[] = []
  for (const { path, results, error } of files) {
    if (error !== undefined) lines.push(`${bad('ERROR')} ${path}`, ...indented(error.split('\n')))
    for (const { name, differences } of results) {
      lines.push(`${differences.length === 0 ? good('ok') : bad('FAILED')} ${path} ${dim('·')} ${name}`)
      lines.push(...indented(differences).map((line) => (/^\s*\+/.test(line) ? good(line) : bad(line))))
    }
  }
  const all = files.flatMap(({ results }) => results)
  const failed = all.filter((result) => !isGood(result)).length
  const counts = `${all.length - failed} of ${all.length} cases hold`
  lines.push(
    '',
    `${failed === 0 ? good(counts) : bad(counts)}, ${files.length} files, ${seconds.toFixed(2)} s`,
  )
  return `${lines.join('\n')}\n`
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `    ${line}`)
}

function jsonText(files: readonly FileResult[]): string {
  return `${JSON.stringify({ files }, null, 2)}\n`
}

// ------------------------------------------------------------------------------------------------ watch

/** Until it is interrupted. */
async function watch(given: Arguments, output: CommandOutput): Promise<never> {
  let before = await stampOf(given)
  for (;;) {
    await wait(watchEvery)
    const now = await stampOf(given)
    if (now === before) continue
    before = now
    if (output.isTerminal) await output.print('\u001b[2J\u001b[H')
    await runOnce(given, output).catch((error: unknown) => {
      if (!(error instanceof SettingsError)) throw error
      output.tell(`ERROR: ${error.message}\n`)
    })
  }
}

/** Changes when a file does that takes part. */
async function stampOf(given: Arguments): Promise<string> {
  const { glob } = await import('../../storage/glob.ts')
  const named = [...given.words, ...given.all('-f'), ...given.all('--path.config')]
  const patterns = named.flatMap((path) => [path, `${path}/**/*`, `${dirname(path)}/*.conf`])
  const paths = (await Promise.all(patterns.map((pattern) => glob(pattern)))).flat()
  const stamps = await Promise.all(
    [...new Set(paths)].sort().map(async (path) => {
      const found = await stat(path).catch(() => undefined)
      return found === undefined || found.isDirectory() ? '' : `${path} ${found.mtimeMs} ${found.size}`
    }),
  )
  return stamps.join('\n')
}
