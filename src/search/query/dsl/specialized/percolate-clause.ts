/** Parses `percolate`. */
import { contentError, illegalArgument, validationFailed } from '../../../request/errors.ts'
import { scalarText } from '../../../request/request-values.ts'
import { Binding } from '../../binding/binding.ts'
import { memorySegment } from '../../percolator/memory-segment.ts'
import { PercolateQuery } from '../../percolator/percolate-query.ts'
import { storedContext } from '../../percolator/stored-query.ts'
import { RewriteError } from '../../query-error.ts'
import type { Json, ParseClause } from '../clause.ts'

/** Names and inner hits of stored queries are not shown. */
const nothingElse = { named: [], innerHits: [] }

interface StoredDocument {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
}

export const percolateClause: ParseClause = (body, parser) => {
  const { document, documents, id } = body
  const field = scalarText(body['field'])
  if (field === undefined) throw illegalArgument('Required [field]')
  const given = ['document', 'documents', 'id'].filter((name) => body[name] !== undefined)
  if (given.length === 0)
    throw illegalArgument('Required one of fields [document, documents, id], but none were specified. ')
  if (given.length > 1)
    throw illegalArgument(`The following fields are not allowed together: [${given.join(', ')}] `)
  const list = document !== undefined ? [document] : documents === undefined ? undefined : [documents].flat()
  const stored = id === undefined && list?.length !== 0 ? undefined : storedOf(body)
  const name = scalarText(body['name']) ?? field
  return {
    name: scalarText(body['_name']),
    bind(binding) {
      binding.requireCheap('[percolate] queries')
      const mapped = binding.field(field)
      if (mapped === undefined) throw binding.refusal(`field [${field}] does not exist`)
      if (mapped.type !== 'percolator')
        throw binding.refusal(
          `expected field [${field}] to be of type [percolator], but is of type [${mapped.type}]`,
        )
      const { mapping } = binding.context
      if (mapping === undefined) throw illegalArgument('[percolate] is not supported here')
      const asked = stored === undefined ? list! : [fetched(binding, stored)]
      const context = storedContext(binding.context)
      const query = new PercolateQuery({
        field: mapped.name,
        name,
        documents: memorySegment(asked, mapping),
        bind: (json) => ({ ...nothingElse, query: parser.apart(json).bind(new Binding(context)) }),
      })
      binding.percolations.push(query)
      return query
    },
  }
}

function storedOf(body: Json): StoredDocument {
  const index = scalarText(body['index'])
  const id = scalarText(body['id'])
  if (id !== undefined && index === undefined)
    throw contentError(
      'Failed to build [percolate] after last required field arrived',
      illegalArgument('[index] is a required argument'),
    )
  if (index === undefined || id === undefined)
    throw validationFailed(
      ...(index === undefined ? ['index is missing'] : []),
      ...(id === undefined ? ['id is missing'] : []),
    )
  return { index, id, routing: scalarText(body['routing']) }
}

/** The document of an index. Shards do not take part in fetching it. */
function fetched({ context }: Binding, stored: StoredDocument): unknown {
  const source = context.lookUp?.(stored)
  if (source === undefined)
    throw new RewriteError(
      'resource_not_found_exception',
      `indexed document [${stored.index}/${stored.id}] couldn't be found`,
      { status: 404 },
    )
  return source
}
