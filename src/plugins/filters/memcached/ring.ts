/**
 * Which of several servers has a key: consistent hashing on the continuum of libmemcached as Ruby's Dalli places it,
 * so that keys written by Logstash are found.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

interface MemcachedHost {
  readonly host: string
  readonly port: number
  readonly weight: number
}

const pointsPerServer = 160
const defaultPort = 11_211

/** `host`, `host:port`, `host:port:weight`, `::1`, `[::1]:port`. */
export function hostOf(text: string): MemcachedHost {
  const [, inside, plain, port, weight] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?(?::(\d+))?$/.exec(text.trim()) ?? []
  const host = inside ?? plain ?? text.trim()
  return {
    host,
    port: port === undefined ? defaultPort : Number(port),
    weight: weight === undefined ? 1 : Number(weight),
  }
}

/** Gives the index of the server for a key. */
export function compileRing(hosts: readonly MemcachedHost[]): (key: Buffer) => number {
  if (hosts.length === 1) return () => 0
  const total = hosts.reduce((sum, { weight }) => sum + weight, 0)
  const points: { value: number; index: number }[] = []
  for (const [index, { host, port, weight }] of hosts.entries()) {
    const count = Math.floor((hosts.length * pointsPerServer * weight) / total)
    for (let i = 0; i < count; i++) {
      const digest = createHash('sha1').update(`${host}:${port}:${i}`).digest()
      points.push({ value: digest.readUInt32BE(0), index })
    }
  }
  points.sort((a, b) => a.value - b.value)
  return (key) => {
    const value = crc32(key)
    let low = 0
    let high = points.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (points[middle]!.value <= value) low = middle + 1
      else high = middle
    }
    return points[low === 0 ? points.length - 1 : low - 1]!.index
  }
}
