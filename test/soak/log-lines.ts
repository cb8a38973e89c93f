/** Access-log lines that look like those of a site: some thousand addresses, paths and agents, the same in every run. */
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
  'curl/8.5.0',
  'Wget/1.21',
  'kube-probe/1.31',
]
const statuses = [200, 200, 200, 200, 200, 304, 301, 404, 403, 500]
const topics = ['teas', 'basket', 'account', 'search', 'assets', 'checkout', 'blog', 'login']
const maxLines = 8192

/** The text of the field `message`, as JSON with its quotes. */
const lines = Array.from({ length: maxLines }, (_, i) => {
  const address = `10.${(i * 31) % 64}.${(i * 17) % 100}.${i % 250}`
  const path = `/${topics[i % topics.length]}/${(i * 7919) % 3001}?page=${i % 13}`
  const time = `04/May/2026:08:${String(i % 60).padStart(2, '0')}:${String((i * 7) % 60).padStart(2, '0')} +0000`
  const status = statuses[(i * 3) % statuses.length]
  const agent = agents[i % agents.length]
  return JSON.stringify(
    `${address} - - [${time}] "GET ${path} HTTP/1.1" ${status} ${(i * 263) % 50_000} "-" "${agent}"`,
  )
})

/** An event as JSON text; `extra` are further members, each with a comma before it. */
export function eventText(via: string, sequence: number, extra = ''): string {
  const message = lines[(sequence * 2741) % maxLines]!
  return `{"via":"${via}","seq":${sequence},"message":${message}${extra}}`
}
