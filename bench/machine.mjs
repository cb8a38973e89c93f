// Where the figures come from: processor, cores, Node version, load.
import os from 'node:os'

export function machine() {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model ?? 'unknown',
    cores: cpus.length,
    memoryMb: Math.round(os.totalmem() / 1_048_576),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    load: os.loadavg().map((value) => Number(value.toFixed(2))),
  }
}
