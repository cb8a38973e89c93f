/** The package `net-snmp` as far as the plugins use it, users of SNMPv3 in its words, and the MIB modules it comes with. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { loadPeer } from '../packages/peer-package.ts'
import type { UserChoice } from './options.ts'

export const packageName = 'net-snmp'

export interface Varbind {
  readonly oid: string
  readonly type: number
  readonly value: unknown
}

type Answer = (error: Error | null, varbinds: readonly Varbind[]) => void

export interface SnmpSession {
  get(oids: readonly string[], answer: Answer): void
  /** `feed` returns true to end the walk. */
  subtree(
    oid: string,
    maxRepetitions: number,
    feed: (varbinds: readonly Varbind[]) => boolean | void,
    done: (error?: Error | null) => void,
  ): void
  close(): void
  on(event: string, listener: (error: Error) => void): unknown
}

export interface Notification {
  readonly pdu: Readonly<Record<string, unknown>> & {
    readonly type: number
    readonly varbinds: readonly Varbind[]
  }
  readonly rinfo: { readonly address: string; readonly port: number }
}

export interface SnmpReceiver {
  getAuthorizer(): { addCommunity(community: string): void; addUser(user: Record<string, unknown>): void }
  close(closed?: () => void): void
  readonly listener?: { readonly sockets?: unknown }
}

export interface SnmpPackage {
  readonly Version1: number
  readonly Version2c: number
  readonly Version3: number
  readonly ObjectType: Readonly<Record<string, number>>
  readonly PduType: Readonly<Record<string, number>>
  readonly SecurityLevel: Readonly<Record<string, number>>
  readonly AuthProtocols: Readonly<Record<string, number>>
  readonly PrivProtocols: Readonly<Record<string, number>>
  readonly ErrorStatus: Readonly<Record<string, string | number>>
  createSession(target: string, community: string, options: Record<string, unknown>): SnmpSession
  createV3Session(
    target: string,
    user: Record<string, unknown>,
    options: Record<string, unknown>,
  ): SnmpSession
  createReceiver(
    options: Record<string, unknown>,
    receive: (error: Error | null, notification: Notification) => void,
  ): SnmpReceiver
}

export function loadSnmp(): Promise<SnmpPackage> {
  return loadPeer<SnmpPackage>(packageName, 'SNMP is spoken')
}

/** The folder of MIB modules that comes with the package. */
export function providedMibs(): string {
  return join(dirname(createRequire(import.meta.url).resolve(packageName)), 'lib', 'mibs')
}

const authNames: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha: 'sha',
  sha2: 'sha256',
  hmac128sha224: 'sha224',
  hmac192sha256: 'sha256',
  hmac256sha384: 'sha384',
  hmac384sha512: 'sha512',
}

const privNames: Readonly<Record<string, string>> = {
  des: 'des',
  aes: 'aes',
  aes128: 'aes',
  aes256: 'aes256b',
  aes256with3desKey: 'aes256r',
}

export function userOf(options: UserChoice, snmp: SnmpPackage): Record<string, unknown> {
  const { auth_protocol, priv_protocol } = options
  const level = options.security_level ?? levelFor(options)
  return {
    name: options.security_name ?? '',
    level: snmp.SecurityLevel[level],
    ...(auth_protocol !== undefined && {
      authProtocol: snmp.AuthProtocols[authNames[auth_protocol] ?? ''],
      authKey: options.auth_pass?.value,
    }),
    ...(priv_protocol !== undefined && {
      privProtocol: snmp.PrivProtocols[privNames[priv_protocol] ?? ''],
      privKey: options.priv_pass?.value,
    }),
  }
}

function levelFor({ auth_protocol, priv_protocol }: UserChoice): string {
  if (auth_protocol === undefined) return 'noAuthNoPriv'
  return priv_protocol === undefined ? 'authNoPriv' : 'authPriv'
}
