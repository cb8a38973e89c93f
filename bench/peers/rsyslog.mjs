// rsyslog: imfile or imptcp in, liblognorm's rules (mmnormalize) or mmjsonparse for the work, one JSON template out.
// It has no reader for the time format of access logs, so there it does less than the others.
import { join } from 'node:path'
import { apacheCases } from './apache-cases.mjs'
import { folderBelow } from './find.mjs'

const modules = ['usr/lib/x86_64-linux-gnu/rsyslog', 'usr/lib/aarch64-linux-gnu/rsyslog', 'usr/lib/rsyslog']

const rules = `version=2
rule=:%clientip:word% %ident:word% %auth:word% [%timestamp:char-to:]%] "%verb:word% %request:word% HTTP/%httpversion:char-to:"%" %response:word% %bytes:word% "%referrer:char-to:"%" "%agent:char-to:"%"
`
const captured = 'clientip ident auth timestamp verb request httpversion response bytes referrer agent'.split(
  ' ',
)

const head = ({ directory }, loaded) => `global(workDirectory="${directory}" maxMessageSize="64k")
${loaded.map((name) => `module(load="${name}")\n`).join('')}`

const template = (properties) => `template(name="json" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="host" name="hostname" format="jsonf")
${properties.map(([outname, name]) => `  property(outname="${outname}" name="${name}" format="jsonf")\n`).join('')}}
`

const fileInput = ({ input }) =>
  `input(type="imfile" file="${input}" tag="access" ruleset="work" freshStartTail="off")\n`

const ruleset = ({ output }, steps) => `ruleset(name="work") {
${steps.map((step) => `  ${step}\n`).join('')}  action(type="omfile" file="${output}" template="json")
}
`

/** A case by the configuration it makes of its place. */
const run =
  (textOf, more = {}) =>
  (place, { root }) => ({
    files: { 'rsyslog.conf': textOf(place), ...more },
    flags: [
      ...['-n', '-C'],
      ...['-f', join(place.directory, 'rsyslog.conf')],
      ...['-i', join(place.directory, 'rsyslogd.pid')],
      ...moduleFlags(root),
    ],
    ends: false,
  })

function moduleFlags(root) {
  const folder = folderBelow(root, modules)
  return folder === undefined ? [] : ['-M', folder]
}

const apache = run(
  (place) =>
    head(place, ['imfile', 'mmnormalize']) +
    template([['message', 'msg'], ...captured.map((name) => [name, `$!${name}`]), ['tags', '$!tags']]) +
    ruleset(place, [
      `action(type="mmnormalize" rulebase="${join(place.directory, 'access.rulebase')}" useRawMsg="on")`,
      'if ($!response >= 500) then { set $!tags = "error"; }',
    ]) +
    fileInput(place),
  { 'access.rulebase': rules },
)

export default {
  program: 'rsyslogd',
  version: ['-v'],
  sameOutput: [],
  cases: {
    'file-json': run(
      (place) =>
        head(place, ['imfile']) + template([['message', 'msg']]) + ruleset(place, []) + fileInput(place),
    ),
    ...apacheCases(apache),
    'tcp-json-mutate': run(
      (place) => `${head(place, ['imptcp', 'mmjsonparse'])}template(name="json" type="list") {
  property(name="$!all-json-plain")
  constant(value="\\n")
}
${ruleset(place, [
  'action(type="mmjsonparse" cookie="" useRawMsg="on")',
  'if ($!level == "error") then { set $!tags = "alert"; }',
  'set $!message = $!msg;',
  'unset $!msg;',
  'set $!env = "prod";',
])}input(type="imptcp" address="127.0.0.1" port="${place.port}" ruleset="work")
`,
    ),
  },
}
