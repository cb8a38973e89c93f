// Apache combined access lines, about 195 bytes each, pure ASCII. The mix is that of a public web site: mostly GET,
// a fifth of the answers not 2xx, long and short browser names, `-` for absent values.
import { seeded } from './random.mjs'

export const version = 1

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const methods = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE']
const statuses = [200, 200, 200, 200, 200, 200, 200, 201, 206, 301, 304, 304, 404, 404, 500, 503]
const users = ['-', '-', '-', '-', '-', '-', '-', 'frank', 'alice', 'bob']
const words = [
  'images',
  'blog',
  'articles',
  'api',
  'v1',
  'users',
  'search',
  'static',
  'products',
  'cart',
  'docs',
]
const endings = ['', '/', '.html', '.png', '.css', '.js', '.json', '.php']
const referrers = [
  '-',
  '-',
  'https://www.example.com/',
  'https://www.example.org/blog/2024/02/how-to-read-a-log.html',
  'https://search.example.net/find?q=node%20logs&lang=en',
]
const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0',
  'Mozilla/5.0 (compatible; ExampleBot/2.1; +https://www.example.com/bot.html)',
  'curl/8.5.0',
  'Go-http-client/1.1',
  '-',
]

const two = (number) => String(number).padStart(2, '0')

function stamp(millis) {
  const at = new Date(millis)
  const day = `${two(at.getUTCDate())}/${months[at.getUTCMonth()]}/${at.getUTCFullYear()}`
  return `${day}:${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`
}

function target(random) {
  let path = ''
  for (let parts = 1 + random.below(4); parts > 0; parts--) path += `/${random.pick(words)}`
  path += random.pick(endings)
  return random.chance(0.25) ? `${path}?id=${random.below(100_000)}&page=${random.below(50)}` : path
}

export function* lines(count, seed) {
  const random = seeded(seed)
  let millis = Date.UTC(2024, 0, 15, 7, 13, 42)
  for (let index = 0; index < count; index++) {
    millis += random.below(900)
    const client = `${1 + random.below(223)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`
    const request = `${random.pick(methods)} ${target(random)} HTTP/1.${random.chance(0.9) ? 1 : 0}`
    const status = random.pick(statuses)
    const bytes = status === 304 ? '-' : random.below(300_000)
    const tail = `${status} ${bytes} "${random.pick(referrers)}" "${random.pick(browsers)}"`
    yield `${client} - ${random.pick(users)} [${stamp(millis)}] "${request}" ${tail}`
  }
}
