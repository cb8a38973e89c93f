// syslog-ng: a file or network source that does not take lines for syslog, regexp-parser and date-parser or
// json-parser for the work, format-json out. With flow control on, it loses nothing when the output is slower.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { apacheCases } from './apache-cases.mjs'
import { folderBelow } from './find.mjs'

const pattern =
  '^(?<clientip>\\S+) (?<ident>\\S+) (?<auth>\\S+) \\[(?<timestamp>[^\\]]+)\\] "(?<verb>\\w+) (?<request>\\S+) ' +
  'HTTP/(?<httpversion>[\\d.]+)" (?<response>\\d+) (?:-|(?<bytes>\\d+)) (?<referrer>"[^"]*") (?<agent>"[^"]*")$'

const head = (version) => `@version: ${/^\d+\.\d+/.exec(version)?.[0] ?? 'current'}
options { use-dns(no); dns-cache(no); log-fifo-size(100000); keep-timestamp(yes); };
`
const fileSource = ({ input }) =>
  `source in { file("${input}" flags(no-parse) log-fetch-limit(1000) log-iw-size(10000) log-msg-size(65536)); };\n`
const toFile = ({ output }, keys) =>
  `destination out { file("${output}" flush-lines(1000) template("$(format-json ${keys})\\n")); };\n`
const log = (steps) => `log { source(in); ${steps} destination(out); flags(flow-control); };\n`

/** A case by the configuration it makes of its place. */
const run =
  (textOf) =>
  (place, { root, version }) => ({
    files: { 'syslog-ng.conf': head(version) + textOf(place) },
    flags: [
      ...['-F', '--no-caps', '--stderr'],
      ...['-f', join(place.directory, 'syslog-ng.conf')],
      ...['-R', join(place.directory, 'persist')],
      ...['-p', join(place.directory, 'syslog-ng.pid')],
      ...['-c', join(place.directory, 'control')],
      ...moduleFlags(root),
    ],
    ends: false,
  })

function moduleFlags(root) {
  const folder = folderBelow(root, ['usr/lib/syslog-ng', 'usr/lib/x86_64-linux-gnu/syslog-ng'])
  if (folder === undefined) return []
  const version = readdirSync(folder).find((name) => /^\d/.test(name))
  return version === undefined ? [] : ['--module-path', join(folder, version)]
}

const apache = run(
  (place) => `${fileSource(place)}parser access { regexp-parser(patterns('${pattern}') prefix("a.")); };
parser time { date-parser(format("%d/%b/%Y:%H:%M:%S %z") template("\${a.timestamp}")); };
rewrite error { set("error" value("a.tags") condition("\${a.response}" >= "500")); };
${toFile(place, '--scope none --pair message=$MSG --pair @timestamp=$ISODATE --pair host=$HOST --exclude a.timestamp --key a.* --shift-levels 1')}${log(
  'parser(access); parser(time); rewrite(error);',
)}`,
)

export default {
  program: 'syslog-ng',
  version: ['-V'],
  sameOutput: [],
  cases: {
    'file-json': run(
      (place) =>
        fileSource(place) +
        toFile(place, '--scope none --pair message=$MSG --pair @timestamp=$ISODATE --pair host=$HOST') +
        log(''),
    ),
    ...apacheCases(apache),
    'tcp-json-mutate': run(
      (
        place,
      ) => `source in { network(ip("127.0.0.1") port(${place.port}) transport("tcp") flags(no-parse) log-iw-size(10000) log-msg-size(65536)); };
parser fields { json-parser(prefix("j.")); };
rewrite change {
  set("alert" value("j.tags") condition("\${j.level}" eq "error"));
  rename("j.msg" "j.message");
  set("prod" value("j.env"));
};
${toFile(place, '--scope none --key j.* --shift-levels 1 --pair @timestamp=$ISODATE')}${log('parser(fields); rewrite(change);')}`,
    ),
  },
}
