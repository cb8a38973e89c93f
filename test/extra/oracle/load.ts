/** Loads the documents of the oracle into one node: the index `d` with a mapping, `e` without one. */
import { bulkBody, dynamicDocuments, mappings, settings } from './data.ts'
import { ask } from './nodes.ts'

const seed = 42

export async function loadDocuments(url: string, count = 300): Promise<void> {
  await ask(url, { method: 'DELETE', path: '/d,e?ignore_unavailable=true' })
  const created = await ask(url, { method: 'PUT', path: '/d', body: { settings, mappings } })
  if (created.status !== 200) throw new Error(`no index: ${created.text}`)
  const plain = { settings: { number_of_shards: 1, number_of_replicas: 0 } }
  await ask(url, { method: 'PUT', path: '/e', body: plain })
  // A refresh within the load would make segments, and OpenSearch merges them in the order of their sizes.
  const refreshes = (every: string | null) =>
    ask(url, { method: 'PUT', path: '/d,e/_settings', body: { 'index.refresh_interval': every } })
  await refreshes('-1')
  await ask(url, { method: 'POST', path: '/_bulk', body: bulkBody('d', count, seed) })
  // At once, so that all documents are in one segment and in this order.
  const lines = dynamicDocuments.map(
    (document, id) => `{"index":{"_index":"e","_id":"${id}"}}\n${document}\n`,
  )
  await ask(url, { method: 'POST', path: '/_bulk', body: lines.join('') })
  await refreshes(null)
  await ask(url, { method: 'POST', path: '/d,e/_forcemerge?max_num_segments=1' })
  await ask(url, { method: 'POST', path: '/_refresh' })
}
