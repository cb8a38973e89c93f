/** A thread that searches for the store while the store's own thread is busy. */
import { parentPort, workerData } from 'node:worker_threads'
import { parseJson } from './api/search/request-json.ts'
import { compileJavaPattern } from './regex/java-pattern.ts'
import { SearchReplica } from './search/readers/search-replica.ts'
import { isObject } from './search/request/json-object.ts'
import { decodedCache } from './search/segment/decoded-cache.ts'
import { diskFiles } from './storage/files.ts'
import { enterRoster } from './threads/roster.ts'
import type { ReaderData } from './threads/store/reader-thread.ts'

if (parentPort !== null) {
  const port = parentPort
  enterRoster('search-reader')
  decodedCache.limit = (workerData as ReaderData).cacheBytes
  const replica = new SearchReplica({
    files: diskFiles,
    compile: compileJavaPattern,
    parse(body, dialect) {
      const json = parseJson(Buffer.from(body.buffer, body.byteOffset, body.length), dialect)
      if (!isObject(json)) throw new Error('the body is no object')
      return json
    },
    post: (message, transfer) => port.postMessage(message, transfer as ArrayBuffer[] | undefined),
  })
  port.on('message', (message) => replica.receive(message))
  port.postMessage({ kind: 'ready' })
}
