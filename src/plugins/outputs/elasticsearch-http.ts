/** The elasticsearch_http output, as very old configurations call the elasticsearch output. */
import { defineBulkOutput } from './elasticsearch/output.ts'
import { elasticsearchProduct } from './elasticsearch/settings.ts'

export default defineBulkOutput({
  name: 'elasticsearch_http',
  summary: 'Stores events in Elasticsearch; an older name of `elasticsearch`.',
  product: elasticsearchProduct,
  currentOptions: ['port'],
})
