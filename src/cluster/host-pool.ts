/**
 * Which host is asked next: round-robin. A host that failed is left out until it has answered a probe, which is sent
 * after an exponential back-off. It gets a request before that only when there is no other.
 */
import type { ClusterHost } from './cluster-host.ts'

interface Member {
  readonly host: ClusterHost
  failures: number
  /** Not probed before this time; 0 when it works. */
  deadUntil: number
  lastError: string | undefined
}

export interface HostStatus {
  readonly url: string
  readonly isAlive: boolean
  readonly lastError: string | undefined
}

const firstPause = 1_000
const maxPause = 60_000
/** A cluster that says it has more nodes than this is asked by way of these. */
const maxHosts = 256

export class HostPool {
  readonly #now: () => number
  #members: Member[]
  #next = 0

  constructor(hosts: readonly ClusterHost[], now: () => number = Date.now) {
    this.#now = now
    this.#members = hosts.map(newMember)
  }

  get hosts(): readonly ClusterHost[] {
    return this.#members.map(({ host }) => host)
  }

  get status(): readonly HostStatus[] {
    return this.#members.map(({ host, failures, lastError }) => ({
      url: host.url,
      isAlive: failures === 0,
      lastError: failures === 0 ? undefined : lastError,
    }))
  }

  /** The hosts in the order in which a request tries them: those that work round-robin, then the dead by the time of their probe. */
  order(): ClusterHost[] {
    const count = this.#members.length
    const start = this.#next++ % count
    const turned = this.#members.map((_, place) => this.#members[(start + place) % count]!)
    const alive = turned.filter(({ failures }) => failures === 0)
    const dead = turned.filter(({ failures }) => failures > 0)
    dead.sort((one, other) => one.deadUntil - other.deadUntil)
    return [...alive, ...dead].map(({ host }) => host)
  }

  /** Failed hosts whose pause is over. They are named once, and again after what the probe says. */
  due(): ClusterHost[] {
    const now = this.#now()
    const due = this.#members.filter(({ failures, deadUntil }) => failures > 0 && deadUntil <= now)
    for (const member of due) member.deadUntil = Number.POSITIVE_INFINITY
    return due.map(({ host }) => host)
  }

  worked({ url }: ClusterHost): void {
    const member = this.#find(url)
    if (member === undefined || member.failures === 0) return
    member.failures = 0
    member.deadUntil = 0
  }

  failed({ url }: ClusterHost, message: string): void {
    const member = this.#find(url)
    if (member === undefined) return
    member.lastError = message
    // Requests that were under way together count as one failure.
    if (member.deadUntil > this.#now() && Number.isFinite(member.deadUntil)) return
    const pause = Math.min(firstPause * 2 ** member.failures, maxPause)
    member.failures += 1
    member.deadUntil = this.#now() + pause
  }

  /** The hosts a cluster says it has; those that stay keep what is known about them. */
  replace(hosts: readonly ClusterHost[]): void {
    const byUrl = new Map(hosts.slice(0, maxHosts).map((host) => [host.url, host]))
    this.#members = [...byUrl.values()].map((host) => this.#find(host.url) ?? newMember(host))
  }

  #find(url: string): Member | undefined {
    return this.#members.find(({ host }) => host.url === url)
  }
}

function newMember(host: ClusterHost): Member {
  return { host, failures: 0, deadUntil: 0, lastError: undefined }
}
