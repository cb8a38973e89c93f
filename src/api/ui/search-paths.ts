/**
 * What the dashboard may ask of the search API through its own port: searches, facts about indices, and the few
 * changes it offers. Anything else is for port 9200.
 */
import { Router } from '../../http/router.ts'

const asked: readonly (readonly [methods: string, paths: string])[] = [
  ['POST', '/_search /:index/_search'],
  ['POST', '/_count /:index/_count'],
  ['GET', '/_field_caps /:index/_field_caps'],
  ['POST', '/:index/_validate/query /_validate/query'],
  ['POST', '/:index/_pit /:index/_search/point_in_time'],
  ['DELETE', '/_pit /_search/point_in_time'],
  ['GET', '/:index/_doc/:id'],
  ['GET', '/'],
  ['GET', '/_cat/indices /_cat/indices/:index /_cat/segments/:index /_cat/aliases /_cat/templates'],
  ['GET', '/_cluster/health /_nodes/stats'],
  ['GET', '/_resolve/index/:index /_alias /_data_stream /_index_template /_component_template /_template'],
  ['GET', '/:index /:index/_mapping /:index/_settings /:index/_stats /:index/_segments /:index/_alias'],
  ['GET', '/_tasks /_tasks/:task /_ilm/policy'],
]

const changes: readonly (readonly [methods: string, paths: string])[] = [
  ['PUT DELETE', '/:index'],
  ['POST', '/:index/_refresh /:index/_forcemerge /:index/_open /:index/_close'],
  ['POST', '/_reindex /_aliases'],
  ['DELETE', '/_data_stream/:name'],
  ['POST', '/_tasks/:task/_cancel'],
]

const router = new Router<true>()
for (const [methods, paths] of [...asked, ...changes])
  for (const path of paths.split(' ')) for (const method of methods.split(' ')) router.add(method, path, true)

/** `path` as sent, without the query string. */
export function isOffered(method: string, path: string): boolean {
  const match = router.find(method, path)
  // What begins with an underscore is no index, but another route of the API.
  return match !== undefined && !(match.parameters['index'] ?? '').startsWith('_')
}
