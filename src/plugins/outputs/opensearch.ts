/** The opensearch output: the elasticsearch output for OpenSearch clusters. */
import { defineBulkOutput } from './elasticsearch/output.ts'
import { opensearchProduct } from './elasticsearch/settings.ts'

export default defineBulkOutput({
  name: 'opensearch',
  summary: 'Stores events in OpenSearch.',
  product: opensearchProduct,
  currentOptions: ['ssl', 'ssl_certificate_verification', 'cacert', 'http_compression'],
})
