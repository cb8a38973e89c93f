// Documents as services log them, about 730 bytes each: nested objects, few and many distinct texts, ids that never
// come twice, one time in ten a little late, a list in some. What the store is measured with.
import { seeded } from './random.mjs'

export const version = 1

const syllables =
  'ba co da fe gi ho ju ka le mi no pa qui ra se ti va wo xe ya zo ser con net log tab port ing tion'
const frequent =
  'connection timeout failed user request completed database error retry cache miss session token expired upstream server response queue message worker started stopped memory disk latency invalid payload index shard commit'
const levels = ['INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'DEBUG', 'DEBUG', 'WARN', 'ERROR']
const methods = ['GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD']
const statuses = [
  200, 200, 200, 200, 200, 200, 201, 204, 301, 302, 304, 400, 401, 403, 404, 404, 429, 500, 502, 503,
]
const countries = ['US', 'DE', 'FR', 'GB', 'CN', 'IN', 'BR', 'JP', 'NL', 'PL', 'ES', 'IT', 'CA', 'SE', 'AU']
const systems = [
  'Windows NT 10.0; Win64; x64',
  'X11; Linux x86_64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'iPhone; CPU iPhone OS 17_4 like Mac OS X',
]
const parts = [
  'auth',
  'cart',
  'checkout',
  'search',
  'billing',
  'gateway',
  'notify',
  'profile',
  'catalog',
  'stock',
]
const roles = ['api', 'worker', 'web', 'cron']
const folders = ['api', 'v1', 'v2', 'static', 'img', 'users', 'orders', 'items']

const list = (length, make) => Array.from({ length }, (_, index) => make(index))

export function* lines(count, seed) {
  const random = seeded(seed)
  const share = () => random.below(1_000_000) / 1_000_000
  /** The first of a list are the most frequent; more so with a higher power. */
  const skewed = (from, power) => from[Math.floor(from.length * share() ** power)]
  const words = dictionary(random)
  const word = () => skewed(words, 4)
  const addresses = list(
    60_000,
    () => `${1 + random.below(222)}.${list(3, () => random.below(256)).join('.')}`,
  )
  const hosts = list(
    200,
    (i) => `ip-10-${i % 7}-${(i * 37) % 256}-${(i * 91) % 256}.eu-west-1.compute.internal`,
  )
  const services = list(40, (i) => `${parts[i % 10]}-${roles[Math.floor(i / 10)]}`)
  const agents = list(
    300,
    (i) =>
      `Mozilla/5.0 (${systems[i % 4]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (i % 30)}.0.${1000 + i * 7}.${i} Safari/537.36`,
  )
  const paths = list(5000, () => {
    const number = random.chance(0.5) ? `/${random.below(100_000)}` : ''
    return `/${random.pick(folders)}/${word()}${number}${random.chance(0.2) ? `?q=${word()}` : ''}`
  })
  const some = (n) => list(n, word).join(' ')
  const messages = [
    (d) => `${d.method} ${d.path} returned ${d.status} in ${d.took} ms for client ${d.ip}`,
    () => `user ${random.below(500_000)} ${some(2)} session token expired for ${word()}`,
    (d) =>
      `connection timeout while reading response header from upstream ${d.ip}:${1024 + random.below(60_000)} ${some(2)}`,
    (d) => `database query completed rows=${random.below(10_000)} table=${word()} duration=${d.took}ms`,
    () => `cache miss key=${word()}:${random.below(1_000_000)} ${some(3)}`,
    () =>
      `worker-${random.below(64)} processed message ${random.hex(8)}-${random.hex(4)}-${random.hex(4)} from queue ${some(3)}`,
    () => `failed to ${some(2)}: invalid payload ${word()} at offset ${random.below(100_000)} ${some(2)}`,
    () => `${some(10)} started`,
  ]
  let time = Date.UTC(2026, 0, 1)
  for (let index = 0; index < count; index++) {
    time += random.below(20)
    const d = {
      method: random.pick(methods),
      path: skewed(paths, 3),
      status: random.pick(statuses),
      took: Math.floor(Math.exp(share() * 9)),
      ip: skewed(addresses, 3),
    }
    yield JSON.stringify({
      '@timestamp': new Date(time - (random.chance(0.1) ? random.below(5000) : 0)).toISOString(),
      '@version': '1',
      level: random.pick(levels),
      host: { name: skewed(hosts, 2) },
      service: { name: skewed(services, 2), version: `2.${random.below(8)}.${random.below(20)}` },
      message: random.pick(messages)(d),
      http: {
        request: { method: d.method, bytes: random.below(4000) },
        response: { status_code: d.status, bytes: Math.floor(Math.exp(share() * 13)) },
      },
      url: { path: d.path },
      client: { ip: d.ip, geo: { country: skewed(countries, 2) } },
      user_agent: { original: skewed(agents, 3) },
      event: { duration_ms: d.took + random.below(1000) / 1000 },
      trace: { id: random.hex(32) },
      process: { pid: 1000 + random.below(3000) },
      tags: random.chance(0.3) ? ['prod', word()] : ['prod'],
    })
  }
}

function dictionary(random) {
  const all = syllables.split(' ')
  const words = new Set(frequent.split(' '))
  while (words.size < 30_000) words.add(list(2 + random.below(3), () => random.pick(all)).join(''))
  return [...words]
}
