// Texts with references, conditions, and JSON. A condition guards a filter that never runs, so its cost is the
// condition's own; one that holds would cost the filter as well.
const fields = { level: 'error', status: 503, labels: ['a', 'b', 'c'] }

const condition = (config, bare, known) => ({
  fields,
  config: (n) => `if ${config} { mutate { add_tag => ["never${n}"] } }`,
  bare: (n) => `if (${bare}) event.tags = ['never${n}']`,
  known,
})

let day
let dotted
function dottedDay(time) {
  if (day === undefined || !time.startsWith(day)) {
    day = time.slice(0, 10)
    dotted = day.replaceAll('-', '.')
  }
  return dotted
}

export const otherFilters = {
  'sprintf fields': {
    fields,
    config: (n) => `mutate { add_field => { "f${n}" => "%{level}-%{status} on %{[labels][0]}" } }`,
    bare: (n) => `event.f${n} = event.level + '-' + event.status + ' on ' + event.labels[0]`,
  },
  'sprintf date': {
    fields,
    config: (n) => `mutate { add_field => { "f${n}" => "logs-%{+YYYY.MM.dd}" } }`,
    bare: (n) => `event.f${n} = 'logs-' + dottedDay(event['@timestamp'])`,
    known: { dottedDay },
  },
  'if ==': condition('[level] == "info"', `event.level === 'info'`),
  'if >=': condition('[status] >= 600', 'event.status >= 600'),
  'if in': condition('[level] in ["debug", "info", "warn"]', 'listed.has(event.level)', {
    listed: new Set(['debug', 'info', 'warn']),
  }),
  'if =~': condition('[level] =~ /^(warn|fatal)/', 'wanted.test(event.level)', { wanted: /^(?:warn|fatal)/ }),
  'if and, or, not': condition(
    '![missing] and ([status] < 100 or "z" in [labels])',
    `event.missing === undefined && (event.status < 100 || event.labels.includes('z'))`,
  ),
  json: {
    fields: { document: '{"user":{"id":7,"name":"alice"},"took":12.5,"ok":true,"list":[1,2,3]}' },
    config: (n) => `json { source => "document" target => "j${n}" }`,
    bare: (n) => `event.j${n} = JSON.parse(event.document)`,
  },
}
