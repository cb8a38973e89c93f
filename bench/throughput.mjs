// A case that pushes events through and asks for CPU time per event. It declares its config, its data, how the data
// is fed and the rule of its digest; this file runs it, the same way for every subject.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { awaitLines } from './await-lines.mjs'
import { digestFile } from './digest.mjs'
import { dataFile } from './generate/data-file.mjs'
import { measure } from './measure.mjs'
import { peerRun } from './peers/index.mjs'
import { freePorts } from './ports.mjs'
import { millraceCommand } from './subjects.mjs'
import { firstWords, withWorkDirectory } from './work-directory.mjs'

/**
 * `feed`: `none` (the subject makes its events), `file` (it opens `place.input`), `stdin`, or `tcp` (a sender
 * connects to `place.port`). `output`: `stdout`, `file` (it writes `place.output`) or `bulk-sink` (it sends bulk requests
 * to `place.sinkPort`, whose documents come to the same file). `config(place)` is the pipeline, `limit(place)` the
 * program in limits/ and its arguments.
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
  const [port, apiPort, sinkPort] = await freePorts(3)
  const input = declared.data === undefined ? undefined : dataFile(declared.data, events)
  const output = join(directory, 'out')
  const place = { directory, input, output, port, sinkPort, events, feed: declared.feed }
  const stopSink = declared.output === 'bulk-sink' ? await startSink(place) : () => {}
  const start = startOf(declared, subject, place, apiPort)
  const usage = await runMeasured(declared, start, place, options).finally(stopSink)
  if (usage.failure !== undefined) {
    const said = wordsOf(declared, place)
    return { error: usage.failure, said: subject.kind === 'peer' ? complaintOf(said) : said }
  }
  return {
    events,
    values: {
      'CPU µs/event': usage.cpuUs / events,
      'events/s': events / (usage.wallMs / 1000),
      'max RSS MB': usage.maxRssKb / 1024,
    },
    digest: digestFile(output, digestRule(declared, subject), options.known),
  }
}

// Logs go to either stream; where standard output is the output, they are mixed with it.
function wordsOf(declared, { directory, output }) {
  const streams = declared.output === 'stdout' ? ['said', output] : ['said']
  return streams.map((name) => firstWords(resolve(directory, name))).join('\n')
}

// Its first line about an error, or simply its first one.
function complaintOf(said) {
  const lines = said.split('\n')
  return lines.find((line) => /error|fail|fatal/i.test(line)) ?? lines[0]
}

// A peer's fields have other names, so only its lines are counted, unless it promises the same output.
function digestRule({ id, digest }, subject) {
  if (subject.kind !== 'peer' || digest.kind === 'empty' || subject.peer.sameOutput.includes(id))
    return digest
  return { kind: 'count' }
}

// What to start, where its input comes from, and whether it ends by itself when that does.
function startOf(declared, subject, place, apiPort) {
  const own = { stdin: declared.feed === 'stdin', ends: declared.feed !== 'tcp' }
  if (subject.kind === 'limit') {
    const [program, ...parameters] = declared.limit(place)
    return {
      ...own,
      command: [process.execPath, join(import.meta.dirname, 'limits', program), ...parameters.map(String)],
    }
  }
  const config = declared.config(place)
  if (subject.kind === 'peer') return peerRun(subject, declared.id, place, { config, apiPort })
  const file = join(place.directory, 'pipeline.conf')
  writeFileSync(file, config)
  const data = join(place.directory, 'data')
  return { ...own, command: millraceCommand(subject, { config: file, data, apiPort }) }
}

async function runMeasured(declared, { command, env, stdin, ends }, place, options) {
  const open = []
  const opened = (path, flags) => {
    const file = openSync(path, flags)
    open.push(file)
    return file
  }
  try {
    const said = opened(join(place.directory, 'said'), 'a')
    return await measure(command, {
      cwd: place.directory,
      env,
      stdin: stdin ? opened(place.input, 'r') : 'ignore',
      stdout: declared.output === 'stdout' ? opened(place.output, 'w') : said,
      stderr: said,
      timeLimitMs: options.timeLimitMs,
      during: ends ? undefined : ({ signal }) => untilWritten(declared, place, signal),
    })
  } finally {
    for (const file of open) closeSync(file)
  }
}

// Like the sender, the receiver is no child of the subject.
async function startSink({ sinkPort, output }) {
  const program = join(import.meta.dirname, 'bulk-sink.mjs')
  const sink = spawn(process.execPath, [program, String(sinkPort), output], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const stop = () => sink.kill()
  process.once('exit', stop)
  sink.once('exit', () => process.removeListener('exit', stop))
  await Promise.race([
    once(sink.stdout, 'data'),
    once(sink, 'exit').then(() => {
      throw new Error('the sink did not start')
    }),
  ])
  return stop
}

async function untilWritten(declared, place, signal) {
  const written = awaitLines(place.output, place.events, signal)
  await (declared.feed === 'tcp' ? Promise.all([sendAll(place, signal), written]) : written)
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
  const [code] = await once(sending, 'exit')
  if (code !== 0) throw new Error(`the sender ended with exit code ${code}`)
}
