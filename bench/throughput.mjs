// A case that pushes events through and asks for CPU time per event. It declares its config, its data, how the data
// is fed and the rule of its digest; this file runs it, the same way for every subject.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { awaitLines } from './await-lines.mjs'
import { digestFile } from './digest.mjs'
import { dataFile } from './generate/data-file.mjs'
import { measure } from './measure.mjs'
import { freePorts } from './ports.mjs'
import { millraceCommand } from './subjects.mjs'
import { firstWords, withWorkDirectory } from './work-directory.mjs'

/**
 * `feed`: `none` (the subject makes its events), `file` (it opens `place.input`), `stdin`, or `tcp` (a sender
 * connects to `place.port`). `output`: `stdout` or `file` (it writes `place.output`). `config(place)` is the pipeline,
 * `limit(place)` the program in limits/ and its arguments.
 */
export function throughputCase(declared) {
  return {
    ...declared,
    kind: 'throughput',
    quantities: ['CPU µs/event', 'events/s', 'max RSS MB'],
    run: (subject, options) => withWorkDirectory((directory) => run(declared, subject, options, directory)),
  }
}

async function run(declared, subject, options, directory) {
  const events = options.events ?? declared.events
  const [port, apiPort] = await freePorts(2)
  const input = declared.data === undefined ? undefined : dataFile(declared.data, events)
  const place = { directory, input, output: join(directory, 'out'), port, events }
  const usage = await runMeasured(declared, commandOf(declared, subject, place, apiPort), place, options)
  if (usage.failure !== undefined) {
    return { error: usage.failure, said: firstWords(join(directory, 'stderr')) }
  }
  return {
    events,
    values: {
      'CPU µs/event': usage.cpuUs / events,
      'events/s': events / (usage.wallMs / 1000),
      'max RSS MB': usage.maxRssKb / 1024,
    },
    digest: digestFile(place.output, declared.digest, options.known),
  }
}

function commandOf(declared, subject, place, apiPort) {
  if (subject.kind === 'limit') {
    const [program, ...parameters] = declared.limit(place)
    return [process.execPath, join(import.meta.dirname, 'limits', program), ...parameters.map(String)]
  }
  const config = join(place.directory, 'pipeline.conf')
  writeFileSync(config, declared.config(place))
  return millraceCommand(subject, { config, data: join(place.directory, 'data'), apiPort })
}

async function runMeasured(declared, command, place, options) {
  const open = []
  const opened = (path, flags) => {
    const file = openSync(path, flags)
    open.push(file)
    return file
  }
  try {
    return await measure(command, {
      cwd: place.directory,
      stdin: declared.feed === 'stdin' ? opened(place.input, 'r') : 'ignore',
      stdout: declared.output === 'stdout' ? opened(place.output, 'w') : 'ignore',
      stderr: opened(join(place.directory, 'stderr'), 'w'),
      timeLimitMs: options.timeLimitMs,
      during: declared.feed === 'tcp' ? ({ signal }) => sendAll(place, signal) : undefined,
    })
  } finally {
    for (const file of open) closeSync(file)
  }
}

// The sender is a process of its own and no child of the subject: its CPU time is nobody's.
async function sendAll(place, signal) {
  const sender = join(import.meta.dirname, 'tcp-send.mjs')
  const sending = spawn(process.execPath, [sender, String(place.port), place.input], {
    stdio: ['ignore', 'ignore', 'ignore'],
    signal,
  })
  const stop = () => sending.kill()
  process.once('exit', stop)
  sending.once('exit', () => process.removeListener('exit', stop))
  const sent = once(sending, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the sender ended with exit code ${code}`)
  })
  await Promise.all([sent, awaitLines(place.output, place.events, signal)])
}
