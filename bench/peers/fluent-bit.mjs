// Fluent Bit: tail or tcp in, the parsers it ships, its file output in JSON. In apache-parity its output must equal
// ours. Its buffers keep their default size, which is the faster one for files. type_converter logs every `-` it
// cannot convert, which costs a fifth of its speed, so there the log is off.
import { join } from 'node:path'
import { apacheCases } from './apache-cases.mjs'
import { fluentBitApache } from './fluent-bit-apache.mjs'

const parsers = `[PARSER]
    Name        access
    Format      regex
    Regex       ${fluentBitApache}
    Time_Key    time
    Time_Format %d/%b/%Y:%H:%M:%S %z
`

const service = (log) => `[SERVICE]
    Flush        1
    Grace        1
    Daemon       off
    Log_Level    ${log}
    Parsers_File parsers.conf
`
const tail = ({ input }, parser, ends) => `[INPUT]
    Name           tail
    Path           ${input}
    Read_From_Head on
    Exit_On_Eof    ${ends ? 'on' : 'off'}
${parser ? '    Parser         access\n' : ''}`
const fromTcp = ({ port }) => `[INPUT]
    Name   tcp
    Listen 127.0.0.1
    Port   ${port}
    Format json
`
const toFile = ({ output, directory }) => `[OUTPUT]
    Name   file
    Match  *
    Path   ${directory}
    File   ${output.slice(directory.length + 1)}
    Format plain
`
const filter = (name, lines) => `[FILTER]
    Name  ${name}
    Match *
${lines.map((line) => `    ${line}\n`).join('')}`

const run = (place, text, ends = false) => ({
  files: { 'fluent-bit.conf': text, 'parsers.conf': parsers },
  flags: ['-c', join(place.directory, 'fluent-bit.conf')],
  ends,
})

const renamed = ['host clientip', 'user auth', 'method verb', 'path request', 'referer referrer']
const chain =
  filter('modify', ['Condition Key_value_matches code ^5', 'Add tags error']) +
  filter(
    'modify',
    renamed.map((pair) => `Rename ${pair}`),
  ) +
  filter('type_converter', ['str_key code response int', 'str_key size bytes int']) +
  filter('modify', ['Remove code', 'Remove size'])

const apache = (place) => run(place, service('off') + tail(place, true) + chain + toFile(place))

export default {
  program: 'fluent-bit',
  version: ['-V'],
  sameOutput: ['apache-parity'],
  cases: {
    'file-json': (place) => run(place, service('error') + tail(place, false) + toFile(place)),
    'grok-null': (place) =>
      run(
        place,
        `${service('error')}${tail(place, true, true)}[OUTPUT]\n    Name  null\n    Match *\n`,
        true,
      ),
    'apache-parity': (place) => run(place, service('error') + tail(place, true) + toFile(place)),
    ...apacheCases(apache),
    'tcp-json-mutate': (place) =>
      run(
        place,
        `${service('error')}${fromTcp(place)}${filter('modify', ['Condition Key_value_equals level error', 'Add tags alert'])}${filter('modify', ['Rename msg message', 'Add env prod'])}${toFile(place)}`,
      ),
    'json-bulk': (place) =>
      run(
        place,
        `${service('error')}${fromTcp(place)}[OUTPUT]
    Name               es
    Match              *
    Host               127.0.0.1
    Port               ${place.sinkPort}
    Logstash_Format    on
    Suppress_Type_Name on
`,
      ),
  },
}
