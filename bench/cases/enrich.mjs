// The chain of Logstash's own "apache" case: access lines through grok, date, geoip and useragent, a dot each. An
// event that lacks what one of them adds makes no dot, so the dots say that all of them worked.
import { geoDatabase } from '../generate/geo-database.mjs'
import { fileCase } from './file-source.mjs'

export default fileCase({
  id: 'enrich',
  title: 'grok, date, geoip and useragent, a dot each',
  published:
    'Logstash 6.0 to 6.3 on a MacBook Pro of 2017, all cores: 47 to 68 k events/s (elastic/logstash 9625)',
  events: 200_000,
  data: 'apache',
  output: 'stdout',
  digest: { kind: 'dots' },
  config: () => `filter {
  grok { match => { "message" => "%{COMBINEDAPACHELOG}" } }
  date { match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"] }
  geoip { source => "clientip" database => "${geoDatabase()}" }
  useragent { source => "agent" target => "useragent" }
}
output { if [geoip][city_name] and [useragent][name] { stdout { codec => dots } } }
`,
  limit: ({ input }) => ['enrich.mjs', input],
})
