/** `_plugins/_security/health` of OpenSearch, which needs no login. */
import type { Answer } from '../route.ts'

export const healthAnswer: Answer = { body: { message: null, mode: 'strict', status: 'UP' } }
