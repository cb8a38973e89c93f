// The index of the race: every field declared, one shard, no copies, everything else as it comes.
const keyword = { type: 'keyword' }
const object = (properties) => ({ properties })

export const index = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: object({
    '@timestamp': { type: 'date' },
    '@version': keyword,
    level: keyword,
    host: object({ name: keyword }),
    service: object({ name: keyword, version: keyword }),
    message: { type: 'text' },
    http: object({
      request: object({ method: keyword, bytes: { type: 'integer' } }),
      response: object({ status_code: { type: 'short' }, bytes: { type: 'integer' } }),
    }),
    url: object({ path: keyword }),
    client: object({ ip: { type: 'ip' }, geo: object({ country: keyword }) }),
    user_agent: object({ original: keyword }),
    event: object({ duration_ms: { type: 'double' } }),
    trace: object({ id: keyword }),
    process: object({ pid: { type: 'integer' } }),
    tags: keyword,
  }),
}
