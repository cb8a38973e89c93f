/**
 * Hosts files: `address name alias…` per line. They answer before any name server is asked.
 */
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

export interface Hosts {
  addressOf(name: string): string | undefined
  nameOf(address: string): string | undefined
}

const maxFileBytes = 64 * 1024 * 1024

export function parseHosts(texts: readonly string[]): Hosts {
  const addresses = new Map<string, string>()
  const names = new Map<string, string>()
  for (const line of texts.join('\n').split('\n')) {
    const [address = '', ...hosts] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const host of hosts) {
      if (!addresses.has(host)) addresses.set(host, address)
      if (!names.has(address)) names.set(address, host)
    }
  }
  return { addressOf: (name) => addresses.get(name), nameOf: (address) => names.get(address) }
}

/** Files that cannot be read count as empty. */
export async function readHosts(paths: readonly string[]): Promise<Hosts> {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')))
  return parseHosts(texts.filter((text) => text.length <= maxFileBytes))
}
