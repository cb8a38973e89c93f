// A case that asks for one figure of a single start, such as a time or a size, instead of pushing events through.
// It names its quantities and gives one way to get them from Millrace and one from bare Node.
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { measure } from './measure.mjs'
import { freePorts } from './ports.mjs'
import { millraceCommand } from './subjects.mjs'
import { firstWords, withWorkDirectory } from './work-directory.mjs'

/**
 * `limit(options)` and `product(start, { directory, checkout, events })` answer the values, or throw; `start(config, run)` runs
 * Millrace once, with `directory` as its working directory; `checkout` has its sources. `baselines` has by name what does the same for a peer, as
 * `baseline(peer, { directory, events })`.
 */
export function pointCase(declared) {
  return { ...declared, kind: 'point', run: (subject, options) => run(declared, subject, options) }
}

async function run(declared, subject, options) {
  try {
    if (subject.kind === 'limit') return { values: await declared.limit(options) }
    return await withWorkDirectory(async (directory) => {
      if (subject.kind === 'peer')
        return { values: await declared.baselines[subject.name](subject, { ...options, directory }) }
      const start = (config, more) => startMillrace(subject, options, directory, config, more)
      const checkout = join(dirname(subject.launcher), '..')
      return { values: await declared.product(start, { directory, checkout, events: options.events }) }
    })
  } catch (error) {
    return { error: error.message, said: error.said }
  }
}

/** What a run cost; a run that failed throws instead. */
export function succeeded(usage) {
  if (usage.failure !== undefined) throw Object.assign(new Error(usage.failure), { said: usage.said })
  return usage
}

// `more`: `flags` for Millrace; `stdin`, `stdout`, `during` for measure. `during` is also told the API port.
async function startMillrace(subject, options, directory, config, { flags, stdin, stdout, during } = {}) {
  const [apiPort] = await freePorts(1)
  const file = join(directory, 'pipeline.conf')
  writeFileSync(file, config)
  const said = join(directory, 'said')
  const log = openSync(said, 'w')
  try {
    const command = millraceCommand(subject, {
      config: file,
      data: join(directory, 'data'),
      apiPort,
      more: flags,
    })
    const usage = await measure(command, {
      cwd: directory,
      stdin,
      stdout: stdout ?? log,
      stderr: log,
      timeLimitMs: options.timeLimitMs,
      during: during && ((running) => during({ ...running, apiPort })),
    })
    return usage.failure === undefined ? usage : { ...usage, said: firstWords(said) }
  } finally {
    closeSync(log)
  }
}
