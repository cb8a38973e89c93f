// Where the figures come from: processor, cores, Node version, load, and which other log shippers are installed.
// Peers are only looked for on PATH; nothing is ever fetched.
import { accessSync, constants } from 'node:fs'
import os from 'node:os'
import { delimiter, join } from 'node:path'

const peers = ['fluent-bit', 'rsyslogd', 'syslog-ng', 'vector', 'logstash']

function onPath(program) {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    if (directory === '') continue
    try {
      accessSync(join(directory, program), constants.X_OK)
      return true
    } catch {
      // not in this directory
    }
  }
  return false
}

export function machine() {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model ?? 'unknown',
    cores: cpus.length,
    memoryMb: Math.round(os.totalmem() / 1_048_576),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    load: os.loadavg().map((value) => Number(value.toFixed(2))),
    peers: peers.filter(onPath),
  }
}
