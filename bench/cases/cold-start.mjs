// From spawn to the first `GET /` that is answered with 200, and to the first event on standard output; both as
// multiples of what `node -e 0` takes from spawn to exit. Standard input stays open so that the pipeline lives on.
import { once } from 'node:events'
import { bareStart } from '../limits/bare-start.mjs'
import { measure } from '../measure.mjs'
import { pointCase, succeeded } from '../point.mjs'
import { answers } from '../ports.mjs'

const config = 'input { generator { count => 1 } stdin { } } output { stdout { codec => json_lines } }\n'

async function firstEventMs({ stdout, spawnedAt, signal }) {
  const [bytes] = await once(stdout, 'data', { signal })
  const ms = performance.now() - spawnedAt
  stdout.resume()
  if (!bytes.toString().includes('"Hello world!"'))
    throw new Error('the first output is not the generated event')
  return ms
}

async function apiAnswersMs({ apiPort, spawnedAt, signal }) {
  await answers(apiPort, signal)
  return performance.now() - spawnedAt
}

export default pointCase({
  id: 'cold-start',
  title: 'spawn to API answer and to first event',
  quantities: ['API answers ms', 'first event ms', 'from one to the other ms'],
  async limit(options) {
    const { wallMs } = succeeded(await measure(bareStart, options))
    return { 'API answers ms': wallMs, 'first event ms': wallMs, 'from one to the other ms': wallMs }
  },
  async product(start) {
    const values = {}
    const during = async (running) => {
      const [api, event] = await Promise.all([apiAnswersMs(running), firstEventMs(running)])
      values['API answers ms'] = api
      values['first event ms'] = event
      values['from one to the other ms'] = event - api
    }
    succeeded(
      await start(config, { stdin: 'pipe', stdout: 'pipe', during, flags: ['--search.enabled', 'true'] }),
    )
    return values
  },
})
