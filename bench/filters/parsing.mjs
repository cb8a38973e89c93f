// Filters that take a text apart: pairs, columns, a pattern without expressions. Beside each the plainest JavaScript
// that is right for the text at hand.
const pairs = Array.from({ length: 10 }, (_, n) => `key${n}=value${n}`).join(' ')

const dissected = [
  ['day', ' '],
  ['time', ' '],
  ['level', ' ['],
  ['thread', '] '],
]

export const parsingFilters = {
  'kv, 10 pairs': {
    fields: { text: pairs },
    config: (n) => `kv { source => "text" target => "kv${n}" }`,
    bare: (n) => `event.kv${n} = pairsOf(event.text)`,
    known: {
      pairsOf(text) {
        const found = {}
        for (const pair of text.split(' ')) {
          const at = pair.indexOf('=')
          found[pair.slice(0, at)] = pair.slice(at + 1)
        }
        return found
      },
    },
  },
  'csv, 6 columns': {
    fields: { text: '10.0.0.1,GET,/index.html,200,5123,"Mozilla/5.0, compatible"' },
    config: (n) =>
      `csv { source => "text" target => "csv${n}" columns => ["ip", "verb", "path", "status", "bytes", "agent"] }`,
    bare: (n) => `event.csv${n} = columnsOf(event.text)`,
    known: {
      columnsOf(text) {
        const [ip, verb, path, status, bytes] = text.split(',', 5)
        return { ip, verb, path, status, bytes, agent: text.slice(text.indexOf('"') + 1, -1) }
      },
    },
  },
  'dissect, 5 fields': {
    fields: { text: '2024-01-15 07:13:42 INFO [main] shop.orders: order 17 accepted' },
    config: (n) =>
      `dissect { mapping => { "text" => "%{day${n}} %{time${n}} %{level${n}} [%{thread${n}}] %{rest${n}}" } }`,
    bare: (n) => `putParts(event, ${n})`,
    known: {
      putParts(event, n) {
        const { text } = event
        let start = 0
        for (const [name, delimiter] of dissected) {
          const end = text.indexOf(delimiter, start)
          event[name + n] = text.slice(start, end)
          start = end + delimiter.length
        }
        event[`rest${n}`] = text.slice(start)
      },
    },
  },
}
