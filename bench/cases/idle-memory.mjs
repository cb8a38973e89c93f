// Resident memory of a started node that has nothing to do: a heartbeat pipeline, 15 seconds after the API answers,
// because V8 collects what the start left after eight of them.
// The floor is Node with one timer, 15 seconds after its start.
import { setTimeout as sleep } from 'node:timers/promises'
import { bareIdle } from '../limits/bare-start.mjs'
import { measure } from '../measure.mjs'
import { pointCase, succeeded } from '../point.mjs'
import { answers } from '../ports.mjs'
import { residentKb } from '../process-tree.mjs'

const IDLE_MS = 15_000
const config = 'input { heartbeat { interval => 1 } } output { null { } }\n'

async function idleMb({ pid, signal }) {
  await sleep(IDLE_MS, undefined, { signal })
  return residentKb(pid) / 1024
}

export default pointCase({
  id: 'idle-memory',
  title: 'resident memory after 15 idle seconds',
  quantities: ['RSS MB'],
  async limit(options) {
    const values = {}
    const during = async (running) => {
      values['RSS MB'] = await idleMb(running)
    }
    succeeded(await measure(bareIdle, { ...options, during }))
    return values
  },
  async product(start) {
    const values = {}
    const during = async (running) => {
      await answers(running.apiPort, running.signal)
      values['RSS MB'] = await idleMb(running)
    }
    succeeded(await start(config, { during, flags: ['--search.enabled', 'true'] }))
    return values
  },
})
