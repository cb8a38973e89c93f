/**
 * `-t`: reads every configured pipeline, reports every problem of all of them in one run, starts nothing.
 */
import { setFlagsFromString } from 'node:v8'
import { PipelineLoader } from '../../agent/load-pipelines.ts'
import type { PipelineConfig } from '../../agent/pipeline-state.ts'
import { withoutGeneratedAccessors } from '../../event/accessors.ts'
import { Logger } from '../../log/logger.ts'
import { configureLogging } from '../../log/sink.ts'
import { checkPlan } from '../../pipeline/plan/check.ts'
import { noStore } from '../../plugin/no-store.ts'
import type { Settings } from '../../settings/settings.ts'
import { closedBus } from '../../threads/bus/bus-client.ts'
import {
  hideSecretsOf,
  isOrdered,
  planOptions,
  registryFor,
  workerEnvironment,
} from '../../threads/configuration/compose.ts'
import { explain } from '../../threads/configuration/configuration-failure.ts'
import { logging, variablesFor } from '../../threads/process-setup.ts'
import { queueProblems } from '../../threads/queues/queue-problems.ts'

export async function checkConfiguration(settings: Settings): Promise<number> {
  // A check runs everything once: optimising code costs more than it gives.
  setFlagsFromString('--no-opt')
  withoutGeneratedAccessors()
  configureLogging(logging(settings))
  const logger = new Logger('logstash.runner')
  try {
    const variables = await variablesFor(settings)
    const configs = await new PipelineLoader(settings, variables).load()
    let problems = 0
    for (const config of configs) problems += await checkPipeline(config, logger)
    if (problems > 0) return 1
  } catch (error) {
    logger.fatal(`The given configuration is invalid. Reason: ${(error as Error).message}`)
    return 1
  }
  process.stdout.write('Configuration OK\n')
  logger.info('Using config.test_and_exit mode. Config Validation Result: OK. Exiting Logstash')
  return 0
}

/** Number of errors; each is printed with its place. */
async function checkPipeline({ settings, parts }: PipelineConfig, logger: Logger): Promise<number> {
  const wrong = queueProblems(settings)
  for (const problem of wrong) logger.fatal(`The given configuration is invalid. Reason: ${problem}`)
  isOrdered(settings)
  hideSecretsOf(parts)
  const variables = await variablesFor(settings)
  const options = planOptions(settings, registryFor(settings), variables)
  const diagnostics = await checkPlan(
    parts,
    options,
    workerEnvironment(settings, variables, closedBus, noStore),
  )
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === 'warning') logger.warn(explain(diagnostic, parts))
  }
  for (const diagnostic of errors) {
    logger.fatal(`The given configuration is invalid. Reason: ${explain(diagnostic, parts)}`)
  }
  return wrong.length + errors.length
}
