/** For tests of migrations: two endpoints, requests to them, and everything an index holds in one text. */
import { ClusterClient } from '../cluster/cluster-client.ts'
import { parseHost } from '../cluster/cluster-host.ts'
import { startEndpoint } from '../endpoint.ts'
import { MemoryFiles } from '../storage/memory-files.ts'
import { canonicalJson } from './canonical-json.ts'
import { walkDocuments } from './document-walk.ts'
import { type MigrationOptions, migrate } from './migration.ts'
import { SearchStore } from './search-store.ts'
import { visibleCheckpoints } from './shard-walk.ts'

/** Starts a source and a target, and stops both. */
export async function startEnds(): Promise<{ from: TestEnd; to: TestEnd; stop(): Promise<void> }> {
  const endpoints = [await startEndpoint({ flavor: 'opensearch' }), await startEndpoint({ strict: true })]
  const [from, to] = endpoints.map(({ url }) => new TestEnd(url)) as [TestEnd, TestEnd]
  return {
    from,
    to,
    async stop() {
      for (const end of [from, to]) await end.cutOff()
      for (const endpoint of endpoints) await endpoint.stop()
    },
  }
}

export class TestEnd {
  readonly url: string
  #client: ClusterClient

  constructor(url: string) {
    this.url = url
    this.#client = this.#open()
  }

  #open(): ClusterClient {
    const hosts = [parseHost(this.url)]
    return new ClusterClient({ hosts, connectMillis: 5000, requestMillis: 60_000, retries: 0 })
  }

  get store(): SearchStore {
    return this.storeUntil()
  }

  /** One that asks nothing more after the signal. */
  storeUntil(signal?: AbortSignal): SearchStore {
    return new SearchStore({ client: this.#client, url: this.url, maxRetryMillis: 0, signal })
  }

  /** As after a kill: requests that are under way may arrive, further ones do not. */
  async cutOff(): Promise<void> {
    await this.#client.close()
  }

  async reopen(): Promise<void> {
    await this.#client.close()
    this.#client = this.#open()
  }

  async ask<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<T> {
    return this.store.json<T>(method, path, body)
  }

  async bulk(lines: readonly unknown[]): Promise<void> {
    const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    const { status, text } = await this.store.text('POST', '/_bulk', `${body}\n`)
    if (status !== 200 || /"status":(?:400|403|5)/.test(text)) throw new Error(text.slice(0, 500))
  }

  /** Every document with id, routing, version and source, sorted. */
  async contents(index: string, hasVersions = true): Promise<string[]> {
    const { store } = this
    const through = await visibleCheckpoints(store, index)
    const found: string[] = []
    await walkDocuments(store, index, [], through, {
      workers: 1,
      visit(documents) {
        for (const { id, routing, version, source } of documents)
          found.push(JSON.stringify([id, routing, hasVersions ? version : 0, canonicalJson(source)]))
      },
    })
    return found.sort()
  }
}

interface TestRun {
  readonly told: string[]
  readonly files: MemoryFiles
  readonly options: MigrationOptions
}

export function testRun(from: TestEnd, to: TestEnd, given: Partial<MigrationOptions> = {}): TestRun {
  const told: string[] = []
  const files = (given.files as MemoryFiles | undefined) ?? new MemoryFiles()
  const options: MigrationOptions = {
    source: from.store,
    target: to.store,
    patterns: ['*'],
    files,
    directory: 'state',
    workers: 3,
    mayReplace: false,
    keepsSource: true,
    verifiesAll: false,
    isDryRun: false,
    tell: (line) => void told.push(line),
    progress: () => {},
    ...given,
  }
  return { told, files, options }
}

export async function migrated(from: TestEnd, to: TestEnd, given: Partial<MigrationOptions> = {}) {
  const { told, options } = testRun(from, to, given)
  return { told, ...(await migrate(options)) }
}
