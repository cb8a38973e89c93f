/** A node with the store, into which others write numbered lines, and the count of those lines: which are missing, which
 * are there twice. */
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, Millrace } from '../../support/millrace.ts'

const pageSize = 10_000

export class LineStore {
  readonly url: string
  readonly node: Millrace

  private constructor(node: Millrace, url: string) {
    this.node = node
    this.url = url
  }

  static async start(host = '127.0.0.1'): Promise<LineStore> {
    const port = await freePort()
    const node = await Millrace.start({
      config: 'input { heartbeat { interval => 3600 } } output { null {} }',
      args: ['--search.http.host', host, '--search.http.port', String(port)],
      env: { MILLRACE_INSECURE_BIND: 'true' },
      search: true,
    })
    await node.untilSearchable(60_000)
    const store = new LineStore(node, `http://${host}:${port}`)
    await store.#ask('PUT', '/lines', { mappings: { properties: { n: { type: 'integer' } } } })
    return store
  }

  /** An output that writes there; `more` are further options. */
  output(more = ''): string {
    return `output { elasticsearch { id => "store" hosts => ["${this.url}"] index => "lines" manage_template => false data_stream => false ${more} } }`
  }

  /** How many documents there are. */
  async count(): Promise<number> {
    await this.#ask('POST', '/lines/_refresh')
    return Number((await this.#ask('GET', '/lines/_count'))['count'] ?? 0)
  }

  async untilStored(count: number, limit: number): Promise<void> {
    for (const end = Date.now() + limit; (await this.count()) < count; await wait(300)) {
      if (Date.now() > end) throw new Error(`${await this.count()} of ${count} in ${limit} ms`)
    }
  }

  /** Waits until all of them are there, and some more for what should not come. */
  async outcome(sent: number, limit: number): Promise<{ missing: number; doubled: number }> {
    await this.untilStored(sent, limit).catch((error: Error) => console.log(error.message))
    await wait(3000)
    await this.#ask('POST', '/lines/_refresh')
    const seen = new Uint8Array(sent)
    let doubled = 0
    for (let after: unknown[] | undefined; ; ) {
      const { hits } = (await this.#ask('POST', '/lines/_search', {
        size: pageSize,
        sort: ['n', '_doc'],
        _source: false,
        ...(after !== undefined && { search_after: after }),
      })) as { hits: { hits: { sort: unknown[] }[] } }
      for (const { sort } of hits.hits) {
        const n = Number(sort[0])
        if (seen[n] === 1) doubled += 1
        seen[n] = 1
      }
      if (hits.hits.length < pageSize) break
      after = hits.hits.at(-1)!.sort
    }
    console.log(`${sent} lines`)
    return { missing: sent - seen.reduce((sum, one) => sum + one, 0), doubled }
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(this.url + path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    return (await response.json()) as Record<string, unknown>
  }
}
