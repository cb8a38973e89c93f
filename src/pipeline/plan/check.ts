/**
 * Checks a pipeline without starting it: the plan, then each plugin created and each condition compiled
 * on its own, so that one problem does not hide the next.
 */
import type { Diagnostic } from '../../lang/diagnostic.ts'
import { Board } from '../../metrics/board.ts'
import { type ExecutionEnvironment, PluginFactory } from '../run/plugin-factory.ts'
import { keysOf } from './board-keys.ts'
import { CodeScope } from './code-scope.ts'
import { compileCondition } from './condition-compile.ts'
import { ConfigurationError } from './configuration-error.ts'
import {
  buildPlan,
  conditionsOf,
  type Plan,
  type PlannedPlugin,
  type PlanOptions,
  pluginsOf,
} from './plan.ts'
import type { SourcePart } from './source.ts'

export type CheckEnvironment = Omit<
  ExecutionEnvironment,
  'plan' | 'board' | 'row' | 'write' | 'abort' | 'ordered'
>

/** Says more about a plugin that could not be created than its error does. */
type Refine = (diagnostic: Diagnostic, error: unknown, plugin: PlannedPlugin) => Diagnostic

export async function checkPlan(
  parts: readonly SourcePart[],
  options: PlanOptions,
  env: CheckEnvironment,
): Promise<Diagnostic[]> {
  const { draft, diagnostics } = await buildPlan(parts, options)
  return [...diagnostics, ...checkDraft(draft, env)]
}

/** What is wrong with plugins and conditions of a plan whose options are all valid. */
export function checkDraft(
  draft: Plan,
  env: CheckEnvironment,
  refine: Refine = (diagnostic) => diagnostic,
): Diagnostic[] {
  return [...checkPlugins(draft, env, refine), ...checkConditions(draft, env)]
}

/** Creates plugins of a plan that nobody runs: their figures are seen by nobody. */
export function idleFactory(plan: Plan, env: CheckEnvironment): PluginFactory {
  return new PluginFactory({
    ...env,
    plan,
    board: Board.create(keysOf(plan), 1),
    row: 0,
    ordered: false,
    abort: new AbortController().signal,
    write: () => undefined,
  })
}

function checkPlugins(plan: Plan, env: CheckEnvironment, refine: Refine): Diagnostic[] {
  const factory = idleFactory(plan, env)
  const created: [PlannedPlugin[], (plugin: PlannedPlugin) => unknown][] = [
    [plan.inputs, (plugin) => factory.input(plugin)],
    [pluginsOf(plan.filters), (plugin) => factory.filter(plugin)],
    [pluginsOf(plan.outputs), (plugin) => factory.output(plugin)],
  ]
  return created.flatMap(([plugins, create]) =>
    plugins.flatMap((plugin) =>
      attempt(
        () => create(plugin),
        plugin.part,
        plugin.node.place,
        (diagnostic, error) => refine(diagnostic, error, plugin),
      ),
    ),
  )
}

function checkConditions(plan: Plan, env: CheckEnvironment): Diagnostic[] {
  return conditionsOf([...plan.filters, ...plan.outputs]).flatMap((stage) =>
    attempt(
      () => compileCondition(stage.condition, new CodeScope(), env.conditions),
      stage.part,
      stage.condition.place,
    ),
  )
}

function attempt(
  action: () => unknown,
  part: SourcePart,
  fallback: ConfigurationError['place'] & object,
  refine: (diagnostic: Diagnostic, error: unknown) => Diagnostic = (diagnostic) => diagnostic,
): Diagnostic[] {
  try {
    action()
    return []
  } catch (error) {
    const place = error instanceof ConfigurationError && error.place !== undefined ? error.place : fallback
    const hint = error instanceof ConfigurationError ? error.hint : undefined
    const { line, column, start, end } = place
    const message = (error as Error).message
    const diagnostic: Diagnostic = {
      severity: 'error',
      code: 'configuration',
      message,
      file: part.id,
      line,
      column,
      start,
      end,
      ...(hint !== undefined && { hint }),
    }
    return [refine(diagnostic, error)]
  }
}
