/**
 * `millrace doctor PATH`: which configurations run here, and what stands in the way of the others; nothing is
 * started. Exit code 0 when all run, 1 when one does not, 2 for a wrong command line.
 */
import { withoutGeneratedAccessors } from '../../event/accessors.ts'
import { noStore } from '../../plugin/no-store.ts'
import { SettingsError } from '../../settings/errors.ts'
import { readSettings } from '../../settings/read-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { closedBus } from '../../threads/bus/bus-client.ts'
import { planOptions, registryFor, workerEnvironment } from '../../threads/configuration/compose.ts'
import { variablesFor } from '../../threads/process-setup.ts'
import { type CommandOutput, guarded, processOutput } from '../command-output.ts'
import { home } from '../home.ts'
import { type ExamineTools, examine, type Verdict } from './doctor-examine.ts'
import { findConfigs } from './doctor-files.ts'
import { skippedText, summaryText, verdictText } from './doctor-report.ts'
import { Surroundings } from './doctor-stand-ins.ts'
import { summarise } from './doctor-summary.ts'

const usage = `Usage: millrace doctor [OPTIONS] PATH...

Examines a configuration file, or all configurations below a folder, and says of each whether it runs here and
what stands in the way. Nothing is started or changed. Files of one pipeline are judged one by one.

Options:
    --json                           Print one JSON document instead of text.
    --strict                         Refuse what Logstash itself would refuse.
    --path.settings DIR              Directory with logstash.yml and the keystore.
    --path.plugins DIR               Directory with plugins of your own; several allowed.
    --pipeline.ecs_compatibility M   Field names of the Elastic Common Schema: disabled, v1 or v8.
    --help                           Print this text.
`

const withValue: ReadonlySet<string> = new Set([
  '--path.settings',
  '--path.plugins',
  '--pipeline.ecs_compatibility',
])

interface Request {
  readonly paths: readonly string[]
  /** Flags of the settings. */
  readonly flags: readonly string[]
  readonly isJson: boolean
  readonly isHelp: boolean
}

export async function doctorCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return guarded(output, async () => {
    const request = parse(args)
    if (request.isHelp) {
      await output.print(usage)
      return 0
    }
    const settings = await readSettings({ argv: request.flags, env: process.env, home })
    return run(request, settings, output)
  })
}

async function run(request: Request, settings: Settings, output: CommandOutput): Promise<number> {
  withoutGeneratedAccessors()
  const tools = await toolsFor(settings)
  const verdicts: Verdict[] = []
  const skipped = []
  for (const path of request.paths) {
    const found = await findConfigs(path)
    if (found === undefined) throw new SettingsError(`there is no file or folder ${path}`)
    skipped.push(...found.skipped)
    for (const file of found.files) {
      const verdict = await examine(file, tools)
      verdicts.push(verdict)
      if (!request.isJson) await output.print(verdictText(verdict))
    }
  }
  const summary = summarise(verdicts)
  await output.print(
    request.isJson
      ? `${JSON.stringify({ summary, files: verdicts, skipped }, null, 2)}\n`
      : `${skippedText(skipped)}\n${summaryText(summary)}`,
  )
  return summary.runnable === summary.files && skipped.length === 0 ? 0 : 1
}

async function toolsFor(settings: Settings): Promise<ExamineTools> {
  const variables = await variablesFor(settings)
  const surroundings = new Surroundings(variables)
  const options = planOptions(settings, registryFor(settings), variables)
  const environment = workerEnvironment(settings, variables, closedBus, noStore)
  const { substitute, substituteId } = options
  const { standIn } = surroundings
  return {
    surroundings,
    options: {
      ...options,
      standIn,
      substitute: (text) => surroundings.keepUnknown(text, substitute),
      substituteId: (text) => surroundings.keepUnknown(text, substituteId),
    },
    environment: {
      ...environment,
      standIn,
      conditions: {
        ...environment.conditions,
        substitute: (text) => surroundings.keepUnknown(text, environment.conditions.substitute),
      },
    },
  }
}

function parse(args: readonly string[]): Request {
  const paths: string[] = []
  const flags: string[] = []
  let isJson = false
  let isHelp = false
  const left = [...args]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [name = argument] = argument.split('=', 1)
    if (argument === '--json') isJson = true
    else if (argument === '--help' || argument === '-h') isHelp = true
    else if (argument === '--strict') flags.push(argument)
    else if (withValue.has(name)) {
      flags.push(argument)
      const value = argument === name ? left.shift() : undefined
      if (argument === name && value === undefined) refuse(`option '${name}': no value provided`)
      if (value !== undefined) flags.push(value)
    } else if (argument === '--') paths.push(...left.splice(0))
    else if (argument.startsWith('-')) refuse(`Unrecognised option '${argument}'`)
    else paths.push(argument)
  }
  if (!isHelp && paths.length === 0) refuse('no file or folder given')
  return { paths, flags, isJson, isHelp }
}

function refuse(message: string): never {
  throw new SettingsError(`${message}\n\nSee: 'millrace doctor --help'`)
}
