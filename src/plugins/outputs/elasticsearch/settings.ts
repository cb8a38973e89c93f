/** The options of the bulk outputs as one table, and what an output is called towards its users. */
import type { OptionValues } from '../../../plugin/define.ts'
import { connectionOptions } from './connection-options.ts'
import { indexingOptions } from './indexing-options.ts'

export const bulkOptions = { ...connectionOptions, ...indexingOptions }

export type BulkOptions = OptionValues<typeof bulkOptions>

/** `Elasticsearch` or `OpenSearch`, as messages call the cluster. */
export interface Product {
  readonly name: 'Elasticsearch' | 'OpenSearch' | 'Millrace'
  /** Short form in messages about single instances. */
  readonly short: 'ES' | 'OpenSearch' | 'Millrace'
  /** Class names in log lines. */
  readonly className: string
  /** In ECS mode an output without indexing options writes to a data stream. */
  readonly prefersDataStreams: boolean
  /** Kind of template when the options do not tell. */
  readonly legacyTemplate: boolean
}

export const elasticsearchProduct: Product = {
  name: 'Elasticsearch',
  short: 'ES',
  className: 'LogStash::Outputs::ElasticSearch',
  prefersDataStreams: true,
  legacyTemplate: false,
}

export const opensearchProduct: Product = {
  name: 'OpenSearch',
  short: 'OpenSearch',
  className: 'LogStash::Outputs::OpenSearch',
  prefersDataStreams: false,
  legacyTemplate: true,
}

/** The store of this process. */
export const millraceProduct: Product = {
  name: 'Millrace',
  short: 'Millrace',
  className: 'LogStash::Outputs::Millrace',
  prefersDataStreams: false,
  legacyTemplate: false,
}
