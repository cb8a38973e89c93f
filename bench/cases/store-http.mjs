// What a document costs the store when it comes over HTTP, in bodies of 5,000: CPU of the serving process without flushes
// and merges. They are sent by the official client of Elasticsearch if it is there (`npm run test:extra -- clients` installs
// it), otherwise in the same form by node:http; the report says which. The limit is the store itself, given the same
// documents in the same process, so the ratio is what HTTP adds: reading and splitting bodies, reading actions, writing
// answers.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dataFile } from '../generate/data-file.mjs'
import { pointCase } from '../point.mjs'
import { storeBundle } from '../store/bundle.mjs'

const DOCUMENTS = 1_000_000
const QUANTITY = 'ingest µs/doc'
const run = promisify(execFile)
const remarks = new Set()
const programs = join(import.meta.dirname, '..', 'store')

async function figures(program, events, directory, checkout) {
  const engine = await storeBundle(directory, {
    checkout,
    entry: 'http-engine.ts',
    output: { codeSplitting: false },
  })
  const args = [engine, dataFile('store-logs', events), join(directory, 'store')]
  const { stdout } = await run(process.execPath, [join(programs, program), ...args])
  const { ingest, client } = JSON.parse(stdout)
  if (client !== undefined) remarks.add(`documents sent by ${client}`)
  return { [QUANTITY]: ingest }
}

export default pointCase({
  id: 'store-http',
  title: 'documents into the search store over HTTP, CPU µs per document',
  quantities: [QUANTITY],
  remarks,
  async limit({ events = DOCUMENTS }) {
    const directory = mkdtempSync(join(tmpdir(), 'store-http-'))
    try {
      return await figures('ingest.mjs', events, directory)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
  product: (_start, { directory, checkout, events = DOCUMENTS }) =>
    figures('http.mjs', events, directory, checkout),
})
