/** The millrace output: stores events in the search store of this process, without a network in between. */
import { defineOutput, OutputUnusable } from '../../plugin/define.ts'
import { option } from '../../plugin/option.ts'
import { mintIds } from '../event-names/minted-ids.ts'
import { compileActions } from './elasticsearch/bulk-actions.ts'
import { Delivery, deliveryMetrics } from './elasticsearch/delivery.ts'
import { indexingOptions } from './elasticsearch/indexing-options.ts'
import { type BulkOptions, millraceProduct } from './elasticsearch/settings.ts'
import { StoreClient } from './elasticsearch/store-client.ts'

const { action, document_id, routing, version, version_type, pipeline } = indexingOptions
const { doc_as_upsert, upsert, retry_on_conflict } = indexingOptions

/** The store is in the same process: what it cannot do now it can do in a moment. */
const firstRetrySeconds = 0.1
const maxRetrySeconds = 5

export default defineOutput({
  name: 'millrace',
  summary: 'Stores events in the search store of this process.',
  description: [
    'Batches go straight into the store that the node serves as the search API (`search.http.port`). An event counts',
    'as delivered once the store has it on the disk. Events without a `document_id` get one that follows from their',
    'place in the queue, so that what is delivered again is stored once. When `search.backend` names a cluster, the',
    'documents go there, and batches wait while it is away.',
    '',
    'The elasticsearch and opensearch outputs take the same way when their `hosts` mean the store of this process.',
  ].join('\n'),
  options: {
    index: option.string({
      default: 'millrace-%{+yyyy.MM.dd}',
      doc: 'Index to write to; may contain `%{…}`.',
    }),
    action,
    document_id,
    routing,
    version,
    version_type,
    pipeline,
    doc_as_upsert,
    upsert,
    retry_on_conflict,
  },
  ...deliveryMetrics,
  concurrency: 'shared',
  create({ id, pipelineId, options, compile, abort, logger, metric, store, giveUp }) {
    let client: StoreClient | undefined
    let delivery: Promise<Delivery> | undefined
    const toAction = compileActions({
      options: options as unknown as BulkOptions,
      product: millraceProduct,
      compile,
      defaultIndex: options.index,
      alias: undefined,
      dataStream: undefined,
      version: () => ({ major: undefined, distribution: 'elasticsearch' }),
      mint: mintIds(pipelineId, id),
    })

    const open = async (): Promise<Delivery> => {
      const connection = await store.connect()
      if (connection === undefined) {
        throw new OutputUnusable('this node has no search store: set `search.enabled: true`')
      }
      client = new StoreClient(connection, abort)
      return new Delivery({
        client,
        product: millraceProduct,
        bulkPath: '_bulk',
        initialSeconds: firstRetrySeconds,
        maxSeconds: maxRetrySeconds,
        hopeless: new Set([400, 404]),
        droppedErrors: new Set(),
        silencedErrors: new Set(),
        logger,
        deadLetter: giveUp,
        metric,
      })
    }

    return {
      overlaps: true,
      receive(events) {
        delivery ??= open()
        return delivery.then((opened) => opened.deliver(events, toAction))
      },
      async close() {
        await client?.close()
      },
    }
  },
})
