// Logstash runs the very configuration that Millrace runs, in every case that writes a file or nothing: its own
// start-up messages go to standard output, where they would mix with events. The events must be the same ones.
import { join } from 'node:path'

const same = (place, { config, apiPort }) => ({
  files: { 'pipeline.conf': config },
  flags: [
    ...['-f', join(place.directory, 'pipeline.conf')],
    ...['--path.data', join(place.directory, 'data')],
    ...['--path.logs', join(place.directory, 'logs')],
    ...['--api.http.port', String(apiPort)],
    ...['-w', '1'],
    ...['--pipeline.ecs_compatibility', 'disabled'],
    ...['--log.level', 'error'],
  ],
  ends: place.feed === 'file',
})

const ids = [
  'file-json',
  'tcp-json-mutate',
  'json-bulk',
  'apache-full',
  'apache-utf8-1',
  'apache-utf8-100',
  'apache-parity',
]

export default {
  program: 'logstash',
  version: ['--version'],
  sameOutput: ids,
  cases: Object.fromEntries(ids.map((id) => [id, same])),
}
