/** The pipeline under load: three inputs, grok, the store and a file; and the filter that ends worker threads. */
import { pathToFileURL } from 'node:url'
import { binary } from '../support/build.ts'

export interface Ports {
  readonly tcp: number
  readonly beats: number
  readonly http: number
}

/** `generation` is stored with each event: it changes with every reload. */
export function pipelineConfig(ports: Ports, folder: string, generation: number): string {
  return `
input {
  tcp { host => "127.0.0.1" port => ${ports.tcp} codec => json_lines }
  beats { host => "127.0.0.1" port => ${ports.beats} }
  http { host => "127.0.0.1" port => ${ports.http} codec => json }
}
filter {
  soak_kill { folder => "${folder}/kills" }
  grok { match => { "message" => "%{COMBINEDAPACHELOG}" } }
  mutate {
    convert => { "seq" => "integer" }
    add_field => { "generation" => "${generation}" }
  }
}
output {
  millrace { index => "soak-%{+yyyy.MM.dd.HH}" }
  file { path => "${folder}/out.lines" codec => line { format => "%{via} %{seq}" } }
}
`
}

/**
 * Ends the thread it runs in, once for each value of the field `soak_kill`: a batch that is replayed must not end the
 * next worker. The host thread is left alone: it owns the sockets and the memory queue. It is kept busy instead, because
 * a further worker only starts when the first one cannot keep up.
 */
/** Of the host thread, for each marked event. */
const busyMillis = 5

export const killFilter = `
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { defineFilter, option } from '${new URL('../dist/plugin.js', pathToFileURL(binary)).href}'

export default defineFilter({
  name: 'soak_kill',
  summary: 'Ends its worker thread when an event says so.',
  options: { folder: option.string({ required: true, doc: 'Remembers which events did it.' }) },
  create({ options: { folder } }) {
    mkdirSync(folder, { recursive: true })
    let done
    return {
      filter(event) {
        const mark = event.get('soak_kill')
        if (mark === undefined || mark === done) return true
        const path = join(folder, String(mark))
        if (existsSync(path)) {
          done = mark
          return true
        }
        if (workerData?.role !== 'worker') {
          for (const end = performance.now() + ${busyMillis}; performance.now() < end; );
          return true
        }
        try {
          closeSync(openSync(path, 'wx'))
        } catch {
          return true
        }
        process.exit(1)
      },
    }
  },
})
`
