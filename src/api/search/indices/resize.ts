/**
 * `_shrink`, `_split` and `_clone`. What Elasticsearch and OpenSearch check before they copy an index is checked here
 * too; the copy itself is refused.
 */
import { memberOf } from '../../../search/index/cluster-state.ts'
import { settingOf } from '../../../search/index/index-metadata.ts'
import { illegalArgument, validationFailed } from '../../../search/request/errors.ts'
import { alreadyExists } from '../../../search/request/index-errors.ts'
import { isObject, own } from '../../../search/request/json-object.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import type { Call } from '../call.ts'
import type { Answer } from '../route.ts'

export function refuseResize(call: Call): Answer {
  if (call.path.includes('/_split/') && !hasShards(call))
    throw validationFailed('index.number_of_shards is required for split operations')
  const { indices } = call.cluster.state
  const target = memberOf(indices, call.part('target'))
  if (target !== undefined) throw alreadyExists(target.name, target.uuid)
  const source = memberOf(indices, call.part('index'))
  if (source !== undefined && settingOf(source, 'index.blocks.write') !== 'true') {
    const state = call.cluster.compat.isOpenSearch ? 'block write operations' : 'be read-only'
    throw new SearchError(
      'illegal_state_exception',
      `index ${source.name} must ${state} to resize index. use "index.blocks.write=true"`,
      { status: 500 },
    )
  }
  throw illegalArgument(
    `the embedded search cannot shrink, split or clone [${call.part('index')}]: create [${call.part('target')}] and use _reindex`,
  )
}

function hasShards(call: Call): boolean {
  const settings = own(call.body.object ?? {}, 'settings')
  if (!isObject(settings)) return false
  const index = own(settings, 'index')
  return (
    own(settings, 'index.number_of_shards') !== undefined ||
    own(settings, 'number_of_shards') !== undefined ||
    (isObject(index) && own(index, 'number_of_shards') !== undefined)
  )
}
