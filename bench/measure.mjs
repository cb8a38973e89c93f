// Runs one command and says what it cost: CPU time of its process tree, wall time, highest resident memory.
// CPU comes from bash's `time`: the kernel's own account of the child and of every descendant the child waited for,
// all threads, to the millisecond, complete at exit. Polling /proc/PID/stat has 10 ms ticks and loses the last
// ones; /usr/bin/time prints hundredths and is often not installed; a preload would change the subject.
// Memory comes from process-tree.mjs, because bash does not report it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { highWaterKb } from './process-tree.mjs'

// fd 3 carries the pid (the subshell keeps it across exec), fd 4 the report, fd 5 the command's own stderr.
// The braces matter: with a bare `time ( … exec … )`, bash 5.2 prints no report at all.
const SCRIPT = `TIMEFORMAT='usage %3U %3S'
exec 5>&2 2>&4
time { ( echo "$BASHPID" >&3; exec "$@" 2>&5 3>&- 4>&- 5>&- ); }
exit $?`

const POLL_MS = 20
const live = new Set()

// Each run is its own process group, so a kill reaches what the command started and nothing else.
function killGroup(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

process.on('exit', () => {
  for (const child of live) killGroup(child)
})
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

/**
 * `env` is added to the environment.
 * `during({ pid, stdin, stdout, spawnedAt, signal })`, when given, decides when the work is done: the command then
 * gets SIGTERM and wall time ends there; without it the command ends by itself. If `during` rejects, the command is
 * killed. `signal` is aborted when the run is over, for waits that would otherwise outlive it.
 */
export async function measure(command, options) {
  const { cwd, env, stdin = 'ignore', stdout = 'ignore', stderr = 'ignore', timeLimitMs, during } = options
  const spawnedAt = performance.now()
  const child = spawn('bash', ['-c', SCRIPT, 'bash', ...command], {
    cwd,
    env: env && { ...process.env, ...env },
    detached: true,
    stdio: [stdin, stdout, stderr, 'pipe', 'pipe'],
  })
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal, at: performance.now() }))
  })
  live.add(child)
  const report = text(child.stdio[4])
  const over = new AbortController()
  const state = { timedOut: false, maxRssKb: 0, doneAt: undefined, failure: undefined }
  const clock = setTimeout(() => {
    state.timedOut = true
    killGroup(child)
  }, timeLimitMs)
  let poll
  try {
    const pid = await readPid(child.stdio[3], exited)
    poll = setInterval(() => {
      state.maxRssKb = Math.max(state.maxRssKb, highWaterKb(pid))
    }, POLL_MS)
    if (during !== undefined)
      await conduct(child, pid, { during, spawnedAt, exited, state, signal: over.signal })
    const end = await exited
    return summary(end, await report, spawnedAt, state)
  } finally {
    over.abort()
    clearTimeout(clock)
    clearInterval(poll)
    killGroup(child)
    live.delete(child)
  }
}

async function readPid(stream, exited) {
  stream.setEncoding('utf8')
  const first = await Promise.race([once(stream, 'data'), exited.then(() => [''])])
  const pid = Number.parseInt(first[0], 10)
  if (!(pid > 1)) throw new Error('the command did not start')
  return pid
}

async function conduct(child, pid, { during, spawnedAt, exited, state, signal }) {
  const early = exited.then(({ code }) => {
    if (state.doneAt === undefined) throw new Error(`ended by itself with exit code ${code}`)
  })
  early.catch(() => {})
  try {
    await Promise.race([during({ pid, stdin: child.stdin, stdout: child.stdout, spawnedAt, signal }), early])
    state.doneAt = performance.now()
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    state.failure = error.message
    killGroup(child)
  }
}

function summary(end, report, spawnedAt, state) {
  // Some locales print a decimal comma; bash may add a line about the signal that ended the command.
  const usage = /^usage (\d+)[.,](\d{3}) (\d+)[.,](\d{3})$/m.exec(report)
  const micros = (whole, thousandths) => (Number(whole) * 1000 + Number(thousandths)) * 1000
  return {
    exitCode: end.code,
    timedOut: state.timedOut,
    failure: failureOf(end, usage, state),
    cpuUs: usage === null ? Number.NaN : micros(usage[1], usage[2]) + micros(usage[3], usage[4]),
    wallMs: (state.doneAt ?? end.at) - spawnedAt,
    maxRssKb: state.maxRssKb,
  }
}

// 143 is the shell's name for "ended by SIGTERM": expected when we sent it.
function failureOf(end, usage, state) {
  if (state.timedOut) return 'time limit reached'
  if (state.failure !== undefined) return state.failure
  if (usage === null) return 'no CPU report'
  const stopped = state.doneAt !== undefined && end.code === 143
  if (end.code !== 0 && !stopped) return `exit code ${end.code ?? end.signal}`
  return undefined
}
