/** The topics of this set; each name stands in one of them. */
import { maven } from '../shared/maven.ts'
import { aws } from './aws.ts'
import { bacula } from './bacula.ts'
import { bind } from './bind.ts'
import { bro } from './bro.ts'
import { exim } from './exim.ts'
import { firewalls } from './firewalls.ts'
import { grokPatterns } from './grok-patterns.ts'
import { haproxy } from './haproxy.ts'
import { httpd } from './httpd.ts'
import { java } from './java.ts'
import { junos } from './junos.ts'
import { linuxSyslog } from './linux-syslog.ts'
import { mcollective } from './mcollective.ts'
import { mongodb } from './mongodb.ts'
import { nagios } from './nagios.ts'
import { postgresql } from './postgresql.ts'
import { rails } from './rails.ts'
import { redis } from './redis.ts'
import { ruby } from './ruby.ts'
import { squid } from './squid.ts'
import { zeek } from './zeek.ts'

export const ecsTopics: readonly Readonly<Record<string, string>>[] = [
  aws,
  bacula,
  bind,
  bro,
  exim,
  firewalls,
  grokPatterns,
  haproxy,
  httpd,
  java,
  junos,
  linuxSyslog,
  maven,
  mcollective,
  mongodb,
  nagios,
  postgresql,
  rails,
  redis,
  ruby,
  squid,
  zeek,
]
