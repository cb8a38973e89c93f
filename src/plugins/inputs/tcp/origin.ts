/** Who is at the other end of a connection, and the fields its events get for that. */
import type { EcsCompatibility, Origin, Value } from '../../../plugin/define.ts'

interface Peer {
  readonly name: string
  readonly ip: string
  /** A text when a proxy named it. */
  readonly port: number | string
  readonly proxyIp?: string | undefined
  readonly proxyPort?: string | undefined
  readonly certificateSubject?: string | undefined
}

const legacyNames: Readonly<Record<keyof Peer, string>> = {
  proxyIp: 'proxy_host',
  proxyPort: 'proxy_port',
  name: 'host',
  ip: '[@metadata][ip_address]',
  port: 'port',
  certificateSubject: 'sslsubject',
}

const ecsNames: Readonly<Record<keyof Peer, string>> = {
  proxyIp: '[@metadata][input][tcp][proxy][ip]',
  proxyPort: '[@metadata][input][tcp][proxy][port]',
  name: '[@metadata][input][tcp][source][name]',
  ip: '[@metadata][input][tcp][source][ip]',
  port: '[@metadata][input][tcp][source][port]',
  certificateSubject: '[@metadata][input][tcp][tls][client][subject]',
}

export function originOf(peer: Peer, ecs: EcsCompatibility): Origin {
  const names = ecs === 'disabled' ? legacyNames : ecsNames
  const fields: [string, Value][] = []
  for (const part of Object.keys(names) as (keyof Peer)[]) {
    const value = peer[part]
    if (value !== undefined) fields.push([names[part], value])
  }
  return { fields }
}
