/** For tests: clusters that listen and outputs that send to them, both ended after each test. */
import { afterEach } from 'vitest'
import { outputFor, type TestOptions, type TestSettings } from '../../../plugin/testing.ts'
import elasticsearch from '../elasticsearch.ts'
import { type BulkSink, bulkSink, type SinkBehaviour } from './test-bulk-sink.ts'

export const atEnd: (() => unknown)[] = []

afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

export async function sink(behaviour: SinkBehaviour = {}, place: { tls?: boolean; port?: number } = {}) {
  const made = await bulkSink(behaviour, place)
  atEnd.push(() => made.close())
  return made
}

export async function output(
  { url }: Pick<BulkSink, 'url'>,
  options: TestOptions = {},
  settings: TestSettings = {},
  definition = elasticsearch,
) {
  const quick = { hosts: [url], retry_initial_interval: 0, resurrect_delay: 0 }
  const made = outputFor(definition, { ...quick, ...options }, settings)
  await made.instance.register!()
  atEnd.unshift(() => made.instance.close!())
  return made
}
