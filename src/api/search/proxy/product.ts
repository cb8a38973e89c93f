/** Detects the product of a cluster by its answer to `GET /`: once, and again after the cluster was unreachable. */
import type { ClusterClient } from '../../../cluster/cluster-client.ts'
import { isObject } from '../../../search/request/json-object.ts'

export interface Product {
  readonly isOpenSearch: boolean
  /** `3.8.0` */
  readonly number: string
  /** Points in time, and from which version on. */
  readonly hasPointInTime: boolean
  /** True when ties can be sorted by `_shard_doc`. */
  readonly hasShardDoc: boolean
}

const maxRootBytes = 1024 * 1024

function productOf(root: unknown): Product {
  const version = isObject(root) && isObject(root['version']) ? root['version'] : {}
  const number = String(version['number'] ?? '')
  const isOpenSearch = version['distribution'] === 'opensearch'
  const [major = 0, minor = 0] = number.split('.').map(Number)
  const since = (...[first, second]: readonly [number, number]) =>
    major > first || (major === first && minor >= second)
  return {
    isOpenSearch,
    number,
    hasPointInTime: isOpenSearch ? since(2, 4) : since(7, 12),
    hasShardDoc: isOpenSearch ? since(3, 3) : since(7, 12),
  }
}

export class ProductCheck {
  readonly #client: ClusterClient
  #known: Promise<Product> | undefined

  constructor(client: ClusterClient) {
    this.#client = client
  }

  /** Rejects when the cluster cannot be asked. */
  get(headers: Readonly<Record<string, string>>): Promise<Product> {
    this.#known ??= this.#ask(headers).catch((error: unknown) => {
      this.#known = undefined
      throw error
    })
    return this.#known
  }

  /** Called when the cluster was unreachable: it may have been upgraded or replaced. */
  forget(): void {
    this.#known = undefined
  }

  async #ask(headers: Readonly<Record<string, string>>): Promise<Product> {
    const { status, body } = await this.#client.ask({ method: 'GET', path: '/', headers }, maxRootBytes)
    if (status !== 200) throw new Error(`GET / of the cluster was answered with ${status}`)
    return productOf(JSON.parse(body.toString('utf8')))
  }
}
