/**
 * The mongodb output: a document per event, through the package `mongodb`, which its user installs. What the server
 * cannot take for now is sent again until it can; documents it already has are skipped.
 */

import type { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { fieldNames, isFields, LsFloat, readField, type Value } from '../../event/value.ts'
import { packageConcern, startConcern } from '../../plugin/concern.ts'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { pause } from '../delivery/pause.ts'
import { loadPeer } from '../packages/peer-package.ts'

const packageName = 'mongodb'
const maxBulkSize = 1000
const duplicateKey = 11_000

export interface MongoCollection {
  insertMany(documents: readonly unknown[], options: { ordered: boolean }): Promise<unknown>
}
interface MongoClient {
  connect(): Promise<unknown>
  db(name: string): { collection(name: string): MongoCollection }
  close(force?: boolean): Promise<void>
}
export interface MongoPackage {
  readonly MongoClient: new (uri: string, options?: Record<string, unknown>) => MongoClient
  readonly ObjectId: { new (): unknown; createFromTime(seconds: number): unknown }
  readonly Double: new (value: number) => unknown
  readonly Long: { fromBigInt(value: bigint): unknown }
}

interface WriteError {
  readonly code?: number
  readonly message: string
  readonly writeErrors?: unknown
}

export default defineOutput({
  name: 'mongodb',
  summary: 'Writes events to MongoDB.',
  description:
    'A document that cannot be stored, because it is too large for example, is logged and given up.',
  options: {
    uri: option.string({ required: true, doc: 'Connection string of the server.' }),
    database: option.string({ required: true, doc: 'Name of the database.' }),
    collection: option.string({ required: true, doc: 'Name of the collection; may contain `%{…}`.' }),
    isodate: option.boolean({
      default: false,
      doc: 'Whether `@timestamp` is a date; a JSON text, with its quotes, otherwise.',
    }),
    generate_id: option.boolean({
      default: false,
      aliases: ['generateId'],
      doc: 'Whether `_id` is made of the time of the event.',
    }),
    retry_delay: option.number({ default: 3, doc: 'Seconds to wait before trying again.' }),
    bulk: option.boolean({ default: false, doc: 'Whether several documents go in one request.' }),
    bulk_interval: option.number(withoutEffect('events never wait.', 2)),
    bulk_size: option.number({ default: 900, doc: 'Most documents of a request, up to 1000.' }),
  },
  concerns: (options) => [
    ...startConcern('bulk_size', () => checkSize(options.bulk_size)),
    ...packageConcern('uri', packageName),
  ],
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const collectionOf = compile.template(options.collection)
    let mongo: MongoPackage | undefined
    let client: MongoClient | undefined

    function documentOf(event: Event): Record<string, unknown> {
      const document = plain(event.data, mongo!) as Record<string, unknown>
      const { timestamp } = event
      if (!options.isodate && timestamp !== undefined) document['@timestamp'] = JSON.stringify(timestamp)
      if (options.generate_id) {
        const seconds = Math.floor((timestamp?.millis ?? Date.now()) / 1000)
        const id = Buffer.from(String(new mongo!.ObjectId()), 'hex')
        id.writeUInt32BE(seconds >>> 0, 0)
        const { ObjectId } = mongo!
        document['_id'] = new (ObjectId as unknown as new (hex: string) => unknown)(id.toString('hex'))
      }
      return document
    }

    const collection = (name: string) => client!.db(options.database).collection(name)

    /** Those that have to be sent again, alone. */
    async function insert(name: string, events: readonly Event[]): Promise<readonly Event[]> {
      const documents = events.map(documentOf)
      try {
        await collection(name).insertMany(documents, { ordered: false })
        return []
      } catch (error) {
        abort.throwIfAborted()
        const { message, code, writeErrors } = error as WriteError
        logger.warn('Failed to send event to MongoDB', { exception: message })
        const failed = [writeErrors ?? []].flat() as { code?: number; index?: number; errmsg?: string }[]
        if (failed.length > 0) {
          // All others are stored.
          for (const { code: reason, index, errmsg } of failed)
            if (reason !== duplicateKey && index !== undefined) giveUp(events[index]!, errmsg ?? message)
          return []
        }
        if (code === duplicateKey) return []
        if (!isHopeless(error as Error)) return events
        if (events.length === 1) {
          logger.error('A document cannot be stored in MongoDB', { exception: message })
          giveUp(events[0]!, message)
          return []
        }
        // One document must not take the others along.
        for (const event of events) await deliver(name, [event])
        return []
      }
    }

    async function deliver(name: string, events: readonly Event[]): Promise<void> {
      for (let left = events; left.length > 0; ) {
        left = await insert(name, left)
        if (left.length > 0) await pause(Math.max(0.01, options.retry_delay) * 1000, abort)
      }
    }

    return {
      async register() {
        checkSize(options.bulk_size)
        mongo = await loadMongo()
        client = new mongo.MongoClient(options.uri, { serverSelectionTimeoutMS: 10_000 })
      },
      async receive(events) {
        const groups = new Map<string, Event[]>()
        for (const event of events) {
          const name = collectionOf(event)
          const known = groups.get(name)
          if (known === undefined) groups.set(name, [event])
          else known.push(event)
        }
        const size = options.bulk ? Math.max(1, options.bulk_size) : 1
        for (const [name, group] of groups)
          for (let at = 0; at < group.length; at += size) await deliver(name, group.slice(at, at + size))
      },
      async close() {
        const closing = client
        client = undefined
        await closing?.close(true)
      },
    }
  },
})

function loadMongo(): Promise<MongoPackage> {
  return loadPeer<MongoPackage>(packageName, 'MongoDB is written to', { member: 'MongoClient' })
}

/** True when no later try can work: the document itself is wrong. */
function isHopeless({ name, message, code }: Error & { code?: unknown }): boolean {
  return (
    /^(BSON|MongoInvalidArgument|TypeError|RangeError)/.test(name) ||
    code === 10_334 ||
    /too large/.test(message)
  )
}

/** Values in the words of the package: floats stay floats, large integers whole. */
function plain(value: Value, mongo: MongoPackage): unknown {
  if (value instanceof LsFloat) return new mongo.Double(value.value)
  if (value instanceof Timestamp) return new Date(value.millis)
  if (typeof value === 'bigint')
    return BigInt.asIntN(64, value) === value ? mongo.Long.fromBigInt(value) : String(value)
  if (Array.isArray(value)) return value.map((item) => plain(item, mongo))
  if (!isFields(value)) return value
  const document: Record<string, unknown> = Object.create(null)
  for (const name of fieldNames(value)) document[name] = plain(readField(value, name)!, mongo)
  return document
}

function checkSize(size: number): void {
  if (size > maxBulkSize)
    throw new Error(`Bulk size must be lower than '${maxBulkSize}', currently '${size}'`)
}
