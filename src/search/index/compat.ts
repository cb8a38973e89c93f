/** The product that the node presents itself as: version numbers and the few names that differ. */
import type { JsonDialect } from '../request/body/json-syntax-error.ts'

export type Flavor = 'elasticsearch8' | 'elasticsearch7' | 'opensearch'

export interface Compat {
  readonly flavor: Flavor
  readonly number: string
  readonly luceneVersion: string
  readonly wireVersion: string
  readonly indexVersion: string
  /** `index.version.created`. */
  readonly versionId: number
  readonly isOpenSearch: boolean
  /** Whose words JSON syntax errors have. */
  readonly json: JsonDialect
  /** `master` or `cluster_manager`. */
  readonly managerRole: string
}

/** OpenSearch sets this bit in its version ids, to distinguish them from Elasticsearch's. */
const openSearchMask = 0x0800_0000

export function compatOf(flavor: Flavor): Compat {
  if (flavor === 'opensearch')
    return {
      flavor,
      number: '3.8.0',
      luceneVersion: '10.3.2',
      wireVersion: '2.19.0',
      indexVersion: '2.0.0',
      versionId: openSearchMask ^ 3_080_099,
      isOpenSearch: true,
      json: 'jackson3',
      managerRole: 'cluster_manager',
    }
  if (flavor === 'elasticsearch7')
    return {
      flavor,
      number: '7.17.29',
      luceneVersion: '8.11.3',
      wireVersion: '6.8.0',
      indexVersion: '6.0.0-beta1',
      versionId: 7_172_999,
      isOpenSearch: false,
      json: 'jackson2',
      managerRole: 'master',
    }
  return {
    flavor,
    number: '8.15.0',
    luceneVersion: '9.11.1',
    wireVersion: '7.17.0',
    indexVersion: '7.0.0',
    versionId: 8_512_000,
    isOpenSearch: false,
    json: 'jackson2',
    managerRole: 'master',
  }
}
