/** The store of `engine.ts` behind its search API. */
import { startSearchApi } from '../../src/api/search/server.ts'
import type { openStore } from './engine.ts'

export { bodyMemory, openStore } from './engine.ts'

/** Answers the port. */
export async function serve({ cluster, embedded }: Awaited<ReturnType<typeof openStore>>) {
  const ports = { first: 0, last: 0 }
  return await startSearchApi({ cluster, search: embedded, nodeId: 'bench', host: '127.0.0.1', ports })
}
