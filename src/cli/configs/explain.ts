/**
 * `millrace explain`: what a configuration comes to. Every file that takes part and in which order, the plan with the
 * place each part comes from, branches that no event can take, and the merged text. Secrets are not shown.
 */

import { conditionText } from '../../lang/inline-text.ts'
import { parseConfig } from '../../lang/parser.ts'
import { print } from '../../lang/printer.ts'
import { buildPlan, type Plan, type PlannedPlugin, type Stage } from '../../pipeline/plan/plan.ts'
import { SettingsError } from '../../settings/errors.ts'
import { concealing } from '../../threads/configuration/concealing.ts'
import { explain } from '../../threads/configuration/configuration-failure.ts'
import { toolsFor } from '../../threads/configuration/open-configuration.ts'
import { refuse, settingArguments, settingFlags } from '../arguments.ts'
import { paintFor, processOutput } from '../command-output.ts'
import { runCommand } from '../run-command.ts'
import { deadParts } from './explain-dead.ts'
import { readConfiguration } from './given-configuration.ts'

const usage = `Usage: millrace explain [OPTIONS] PATH
       millrace explain -e TEXT

Shows what a configuration comes to: its files in their order, the plan with the place each part comes from, branches no
event can take, and the merged text. Nothing is started, and secrets are not shown.

Options:
    -e TEXT      A configuration text instead of a file or folder.
    --plan       Leave out the merged text.
    --json       The plan as JSON.
    --path.settings DIR, --path.plugins DIR, --pipeline.ecs_compatibility MODE, --setting KEY=VALUE
`

const rules = {
  usage,
  command: 'explain',
  switches: ['--plan', '--json'],
  values: ['-e', '-f', ...settingFlags],
}

export async function explainCommand(args: readonly string[], output = processOutput()): Promise<number> {
  return runCommand(args, output, rules, async (given) => {
    const path = given.words[0] ?? given.value('-f')
    const text = given.value('-e')
    if (path === undefined && text === undefined) refuse('explain', 'no configuration given')
    const { settings, parts } = await readConfiguration(path, text, settingArguments(given))
    const hide = concealing(parts)
    const { options } = await toolsFor(settings)
    const { plan, diagnostics } = await buildPlan(parts, options)
    if (plan === undefined) {
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      throw new SettingsError(hide(errors.map((one) => explain(one, parts)).join('\n\n')))
    }
    const dead = deadParts(plan)
    if (given.has('--json')) {
      await output.print(hide(`${JSON.stringify(planData(plan, dead), null, 2)}\n`))
      return 0
    }
    const paint = paintFor(output)
    const lines = [
      paint.strong(`${parts.length} ${parts.length === 1 ? 'file' : 'files'}, in this order:`),
      ...parts.map(({ id }, index) => `  ${index + 1}. ${id}`),
      '',
      paint.strong('Plan:'),
      ...sectionLines(
        'input',
        plan.inputs.map((plugin) => ({ kind: 'plugin', plugin }) as const),
      ),
      ...sectionLines('filter', plan.filters),
      ...sectionLines('output', plan.outputs),
    ]
    if (dead.length > 0)
      lines.push('', paint.bad('Never reached:'), ...dead.map(({ place, why }) => `  ${place}  ${why}`))
    if (diagnostics.length > 0)
      lines.push(
        '',
        paint.strong('Worth knowing:'),
        ...diagnostics.map((one) => `  ${one.file}:${one.line}:${one.column}  ${one.brief ?? one.message}`),
      )
    if (!given.has('--plan'))
      for (const { id, text: source } of parts)
        lines.push(
          '',
          paint.dim(`# ----- ${id}`),
          print(parseConfig(source, { escapeAware: true }).config).trimEnd(),
        )
    await output.print(`${hide(lines.join('\n'))}\n`)
    return 0
  })
}

const placeColumn = 44

function sectionLines(name: string, stages: readonly Stage[]): string[] {
  return stages.length === 0 ? [] : [`  ${name}`, ...stageLines(stages, 2)]
}

function stageLines(stages: readonly Stage[], depth: number): string[] {
  const indent = '  '.repeat(depth)
  return stages.flatMap((stage) => {
    if (stage.kind === 'plugin')
      return [`${`${indent}${stage.plugin.name}`.padEnd(placeColumn)} ${placeOf(stage.plugin)}`]
    const { condition, part, matching, otherwise } = stage
    const head = `${indent}if ${conditionText(condition)}`.padEnd(placeColumn)
    const lines = [`${head} ${part.id}:${condition.place.line}`, ...stageLines(matching, depth + 1)]
    return otherwise.length === 0 ? lines : [...lines, `${indent}else`, ...stageLines(otherwise, depth + 1)]
  })
}

function placeOf({ part, node, id, explicitId }: PlannedPlugin): string {
  return `${part.id}:${node.place.line}${explicitId ? `  id ${id}` : ''}`
}

function planData(plan: Plan, dead: ReturnType<typeof deadParts>) {
  const plugin = ({ type, name, id, part, node }: PlannedPlugin) => ({
    type,
    name,
    id,
    file: part.id,
    line: node.place.line,
    column: node.place.column,
  })
  const stages = (list: readonly Stage[]): unknown[] =>
    list.map((stage) =>
      stage.kind === 'plugin'
        ? plugin(stage.plugin)
        : {
            if: conditionText(stage.condition),
            file: stage.part.id,
            line: stage.condition.place.line,
            matching: stages(stage.matching),
            otherwise: stages(stage.otherwise),
          },
    )
  return {
    files: plan.parts.map(({ id }) => id),
    inputs: plan.inputs.map(plugin),
    filters: stages(plan.filters),
    outputs: stages(plan.outputs),
    dead,
  }
}
