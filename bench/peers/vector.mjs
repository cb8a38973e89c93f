// Vector: lines on standard input, because it ends by itself when that ends; VRL for the work; a file of JSON.
import { join } from 'node:path'
import { apacheCases } from './apache-cases.mjs'

const stdin = `[sources.in]
type = "stdin"
max_length = 1048576
`
const remap = (source) => `[transforms.work]
type = "remap"
inputs = ["in"]
source = '''
${source}'''
`
const toFile = ({ output }, from) => `[sinks.out]
type = "file"
inputs = ["${from}"]
path = "${output}"
encoding.codec = "json"
`

const run = (place, text, ends) => ({
  files: { 'vector.toml': `data_dir = "${place.directory}"\n${text}` },
  flags: ['--quiet', '--config', join(place.directory, 'vector.toml')],
  stdin: ends,
  ends,
})

const parse = 'parsed = parse_apache_log!(.message, format: "combined")\n'
const chain = `${parse}original = .message
. |= parsed
.message = original
status = int(parsed.status) ?? 0
if status >= 500 { .tags = ["error"] }
`
const apache = (place) => run(place, stdin + remap(chain) + toFile(place, 'work'), true)

export default {
  program: 'vector',
  version: ['--version'],
  sameOutput: [],
  cases: {
    'file-json': (place) => run(place, stdin + toFile(place, 'in'), true),
    'grok-null': (place) =>
      run(
        place,
        `${stdin}${remap(`${parse}. |= parsed\n`)}[sinks.out]\ntype = "blackhole"\ninputs = ["work"]\n`,
        true,
      ),
    ...apacheCases(apache),
    'tcp-json-mutate': (place) =>
      run(
        place,
        `[sources.in]
type = "socket"
mode = "tcp"
address = "127.0.0.1:${place.port}"
decoding.codec = "json"
${remap('if .level == "error" { .tags = ["alert"] }\n.message = del(.msg)\n.env = "prod"\n')}${toFile(place, 'work')}`,
        false,
      ),
  },
}
