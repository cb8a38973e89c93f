/**
 * Plugins that end or block the thread they run in, as loose files for `--path.plugins`. What happens is decided by the
 * message of an event; `where` says in which threads, so that a test can spare the host thread or the workers.
 */
import { pathToFileURL } from 'node:url'
import { binary } from './build.ts'

const library = new URL('../dist/plugin.js', pathToFileURL(binary)).href

/** `deaths` is also given to the input below, in the words of JavaScript. */
const deaths = `
const deaths = {
  // A list of small objects: one large allocation past the limit would end the process, not the thread.
  heap() { let list; for (;;) list = { list, value: Math.random() } },
  exit() { process.exit(3) },
  // Late enough for its batch to be out.
  timer() { setTimeout(() => { throw new Error('thrown by a timer') }, 500) },
  rejection() { void Promise.reject(new Error('rejected by nobody')) },
  loop() { for (;;) {} },
  async hang() { await new Promise(() => {}) },
  slow() { const end = performance.now() + 2; while (performance.now() < end) {} },
}
`

const filter = `
import { workerData } from 'node:worker_threads'
import { defineFilter, option } from '${library}'
${deaths}
export default defineFilter({
  name: 'lethal',
  summary: 'Ends the thread it runs in.',
  options: { where: option.string({ default: 'worker', doc: 'worker or host' }) },
  create: ({ options }) => ({
    filter(event) {
      const death = String(event.get('message')).trim()
      if (death === 'slow' ? workerData.role === 'host' : workerData.role === options.where) deaths[death]?.()
      return true
    },
  }),
})
`

const input = `
import { defineInput, option } from '${library}'
${deaths}
export default defineInput({
  name: 'lethal',
  summary: 'Makes one event, then ends its thread or never comes up.',
  options: {
    death: option.string({ default: 'timer', doc: 'what happens' }),
    after: option.number({ default: 0, doc: 'milliseconds' }),
    register: option.boolean({ default: false, doc: 'already while it is registered' }),
  },
  create: ({ options }) => {
    let stop
    const stopped = new Promise((resolve) => { stop = resolve })
    return {
      async register() { if (options.register) await deaths[options.death]() },
      async run() {
        setTimeout(() => deaths[options.death](), options.after)
        await stopped
      },
      stop() { if (options.death !== 'hang') stop() },
    }
  },
})
`

export const lethalFiles = { 'plugins/filters/lethal.js': filter, 'plugins/inputs/lethal.js': input }
export const lethalArgs = ['--path.plugins', 'plugins'] as const
/** Small heaps, so that running out of one takes a second. */
export const smallHeaps = { NODE_OPTIONS: '--max-old-space-size=64' }

/**
 * For threads that load no plugins: preloaded into every thread, it throws in the one whose entry file is named by a
 * file `kill-<entry>` in the working directory, and takes that file away. The control thread's is `millrace.js`.
 */
export const killHook = {
  'hook.cjs': `
const { rmSync, existsSync } = require('node:fs')
const { basename } = require('node:path')
setInterval(() => {
  // Not known yet when this is loaded.
  const order = 'kill-' + basename(process.argv[1] ?? '')
  if (!existsSync(order)) return
  rmSync(order)
  throw new Error('killed by a test')
}, 20).unref()
`,
}
export const killable = { NODE_OPTIONS: '--require ./hook.cjs' }
