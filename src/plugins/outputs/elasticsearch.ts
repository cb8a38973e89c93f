/** The elasticsearch output: stores events in Elasticsearch, or in whatever speaks its bulk protocol. */
import { defineBulkOutput } from './elasticsearch/output.ts'
import { elasticsearchProduct } from './elasticsearch/settings.ts'

export default defineBulkOutput({
  name: 'elasticsearch',
  summary: 'Stores events in Elasticsearch.',
  product: elasticsearchProduct,
})
