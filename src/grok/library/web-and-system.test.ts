/**
 * The core patterns and those of web servers, syslog, Amazon's logs, Java, BIND, Bro and Zeek, and Exim:
 * rows seen on Ruby's engine where the collection is at hand, names, costs, and own rows for the core.
 */
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CompiledGrok, compileGrok } from '../compile.ts'
import { aws as ecsAws } from './ecs/aws.ts'
import { bind as ecsBind } from './ecs/bind.ts'
import { bro as ecsBro } from './ecs/bro.ts'
import { exim as ecsExim } from './ecs/exim.ts'
import { grokPatterns as ecsCore } from './ecs/grok-patterns.ts'
import { haproxy as ecsHaproxy } from './ecs/haproxy.ts'
import { httpd as ecsHttpd } from './ecs/httpd.ts'
import { java as ecsJava } from './ecs/java.ts'
import { linuxSyslog as ecsLinuxSyslog } from './ecs/linux-syslog.ts'
import { zeek } from './ecs/zeek.ts'
import { grokLibrary, type PatternSet } from './index.ts'
import { aws } from './legacy/aws.ts'
import { bind } from './legacy/bind.ts'
import { bro } from './legacy/bro.ts'
import { exim } from './legacy/exim.ts'
import { grokPatterns as core } from './legacy/grok-patterns.ts'
import { haproxy } from './legacy/haproxy.ts'
import { httpd } from './legacy/httpd.ts'
import { java } from './legacy/java.ts'
import { linuxSyslog } from './legacy/linux-syslog.ts'
import { grokOf, type StoredText, searchLine } from './search-line.ts'

interface Row {
  set: PatternSet
  pattern: string
  line: string
  match: string | null
  captures?: StoredText[]
}

const topics = {
  legacy: { core, httpd, linuxSyslog, aws, haproxy, java, bind, bro, exim },
  'ecs-v1': {
    core: ecsCore,
    httpd: ecsHttpd,
    linuxSyslog: ecsLinuxSyslog,
    aws: ecsAws,
    haproxy: ecsHaproxy,
    java: ecsJava,
    bind: ecsBind,
    bro: ecsBro,
    zeek,
    exim: ecsExim,
  },
}
const names: Record<PatternSet, string[]> = {
  legacy: Object.values(topics.legacy).flatMap((topic) => Object.keys(topic)),
  'ecs-v1': Object.values(topics['ecs-v1']).flatMap((topic) => Object.keys(topic)),
}

const sorted = (captures: StoredText[]): string[] => captures.map((capture) => JSON.stringify(capture)).sort()

const goldenFile = new URL('../../../../shared/conformance/grok-golden.json', import.meta.url)

describe.skipIf(!existsSync(goldenFile))(
  'rows seen on Ruby (skipped where the collection is missing)',
  () => {
    const rows = existsSync(goldenFile)
      ? (JSON.parse(readFileSync(goldenFile, 'utf8')) as { rows: Row[] }).rows
      : []
    for (const set of ['legacy', 'ecs-v1'] as const) {
      for (const [topic, patterns] of Object.entries(topics[set])) {
        it(`${set}: ${topic}`, () => {
          const own = rows.filter((row) => row.set === set && Object.hasOwn(patterns, row.pattern))
          expect(own.length).toBeGreaterThan(0)
          for (const { pattern, line, match, captures = [] } of own) {
            const found = searchLine(set, `%{${pattern}}`, line)
            expect(found.match, `${pattern} in ${line}`).toBe(match)
            expect(sorted(found.captures), `${pattern} in ${line}`).toEqual(sorted(captures))
          }
        })
      }
    }
  },
)

describe('the names', () => {
  const count = (topic: Record<string, string>): number => Object.keys(topic).length
  it('are as many in each topic as in the real library', () => {
    expect(Object.values(topics.legacy).map(count)).toEqual([70, 9, 10, 7, 7, 10, 2, 4, 16])
    expect(Object.values(topics['ecs-v1']).map(count)).toEqual([71, 9, 10, 10, 9, 18, 6, 6, 8, 17])
  })
  it('of the older set are all in the newer one', () => {
    for (const name of names.legacy) expect(names['ecs-v1'].includes(name), name).toBe(true)
  })
})

describe('every definition', () => {
  it('compiles and has no loops that could explode', () => {
    for (const set of ['legacy', 'ecs-v1'] as const) {
      for (const name of names[set]) {
        const { dangers } = grokOf(set, `%{${name}}`).pattern
        expect(
          dangers.filter((danger) => danger.exponential),
          `${set} ${name}`,
        ).toEqual([])
        // Blanks on both sides of structured data that is not there.
        if (name !== 'SYSLOG5424LINE') expect(dangers, `${set} ${name}`).toEqual([])
      }
    }
  })
  it('stores what it stores outside of loops, where JavaScript would forget it', () => {
    for (const set of ['legacy', 'ecs-v1'] as const) {
      for (const name of names[set])
        expect(grokOf(set, `%{${name}}`).pattern.notes, `${set} ${name}`).toEqual([])
    }
  })
})

describe('rows with far too many columns', () => {
  const columns = '\ta'.repeat(400)
  const start = '2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\tcdn.example.org\t/index.html\t200'
  const connection = '1.5\tCHhA\t192.0.2.1\t1\t192.0.2.2\t2\t1'
  it.each([
    ['CLOUDFRONT_ACCESS_LOG', start + columns],
    ['BRO_HTTP', connection + columns],
    ['BRO_CONN', connection + columns],
  ])('%s refuses them without reaching the limit', (name, line) => {
    for (const set of ['legacy', 'ecs-v1'] as const)
      expect(searchLine(set, `%{${name}}`, line).match).toBeNull()
  })
})

describe('core patterns', () => {
  const whole = (name: string): CompiledGrok => grokOf('legacy', `\\A%{${name}}\\z`)
  it('IPV4 and IPV6 take every address whole', () => {
    fc.assert(fc.property(fc.ipV4(), (address) => whole('IPV4').pattern.test(address)))
    fc.assert(fc.property(fc.ipV6(), (address) => whole('IPV6').pattern.test(address)))
    fc.assert(fc.property(fc.ipV6(), (address) => whole('IPV6').pattern.test(`${address}%eth0`)))
  })
  it('NUMBER gives nothing back once it has taken it', () => {
    const digits = fc.stringMatching(/^[0-9]{1,6}$/)
    fc.assert(
      fc.property(digits, digits, (units, fraction) => {
        for (const text of [units, `-${units}`, `${units}.${fraction}`, `.${fraction}`]) {
          expect(searchLine('legacy', '%{NUMBER:n}', `x ${text} y`).captures).toEqual([['n', null, text]])
          expect(searchLine('legacy', '^%{NUMBER}[0-9.]', text).match).toBeNull()
        }
      }),
    )
  })
  it('QUOTEDSTRING ends at the first quote that is not escaped', () => {
    const content = fc.array(fc.constantFrom('a', ' ', '\\"', '\\\\', "'", '`', '\n'), { maxLength: 8 })
    fc.assert(
      fc.property(content, (pieces) => {
        const quoted = `"${pieces.join('')}"`
        expect(searchLine('legacy', '%{QS}', `x ${quoted} "y"`).match).toBe(quoted)
      }),
    )
    expect(searchLine('legacy', '%{QS}', 'an \\"escaped start\\"').match).toBeNull()
    expect(searchLine('legacy', '%{QS}', `"open ${'\\a'.repeat(5000)}`).match).toBeNull()
  })
  it.each([
    ['INT', 'at -12.5', '-12'],
    ['BASE16NUM', 'n=0xCAFE', '0xCAFE'],
    ['POSINT', '007 12', '12'],
    ['UUID', 'u 123e4567-e89b-12d3-a456-426614174000.', '123e4567-e89b-12d3-a456-426614174000'],
    ['MAC', 'at 0011.2233.aaff', '0011.2233.aaff'],
    ['MAC', 'at 00-11-22-33-aa-ff', '00-11-22-33-aa-ff'],
    ['IPV6', 'at ::ffff:10.0.0.1', '::ffff:10'],
    ['IPV4', '256.1.1.1 10.0.0.256 1.2.3.4', '1.2.3.4'],
    ['HOSTPORT', 'to example.org.:8080/', 'example.org.:8080'],
    ['UNIXPATH', 'in /usr/local/bin/x-1.2 now', '/usr/local/bin/x-1.2'],
    ['WINPATH', 'in C:\\Program Files\\x*', 'C:\\Program Files\\x'],
    ['TTY', 'on /dev/ttyp0', '/dev/ttyp0'],
    ['URI', 'see ftp://u:p@example.org:21/a?b=c#d "', 'ftp://u:p@example.org:21/a?b=c#d'],
    ['MONTHNUM', '12', '1'],
    ['MONTH', 'Mart März', 'März'],
    ['YEAR', '20261', '2026'],
    ['TIME', 'at 23:59:60,5 h', '23:59:60,5'],
    ['DATE', '31/12/2026', '31/12/2026'],
    ['DATESTAMP', '12-31-26 10:00:00', '12-31-26 10:00:00'],
    ['DATESTAMP_RFC822', 'Mon Jan 02 2006 15:04:05 EST', 'Mon Jan 02 2006 15:04:05 EST'],
    ['DATESTAMP_RFC2822', 'Mon, 02 Jan 2006 15:04:05 -0700', 'Mon, 02 Jan 2006 15:04:05 -0700'],
    ['DATESTAMP_OTHER', 'Mon Jan 02 15:04:05 UTC 2006', 'Mon Jan 02 15:04:05 UTC 2006'],
    ['TIMESTAMP_ISO8601', '2026-01-02T03:04:05.678+01:00', '2026-01-02T03:04:05.678+01:00'],
    ['TIMESTAMP_ISO8601', 'at 2026-01-02 03:04', '2026-01-02 03:04'],
    ['HTTPDATE', '[10/Oct/2000:13:55:36 -0700]', '10/Oct/2000:13:55:36 -0700'],
    ['EMAILADDRESS', 'to first.last+tag@mail.example.org.', 'first.last+tag@mail.example.org.'],
    ['LOGLEVEL', 'a WARNING', 'WARNING'],
    ['LOGLEVEL', 'Emergency', 'Emergency'],
    ['PROG', '[postfix/smtpd]', 'postfix/smtpd'],
  ])('%s in %s', (name, line, match) => {
    expect(searchLine('legacy', `%{${name}}`, line).match).toBe(match)
    expect(searchLine('ecs-v1', `%{${name}}`, line).match).toBe(match)
  })
  it('are the parts of the others, so that a changed one changes them', () => {
    const changed = new Map(grokLibrary('legacy')).set('SYSLOGHOST', '[a-z]+_[a-z]+')
    const line = 'Jan  2 03:04:05 my_host su[1]: hi'
    expect(compileGrok('%{SYSLOGBASE}', changed).pattern.test(line)).toBe(true)
    expect(compileGrok('%{SYSLOGLINE}', changed).pattern.test(line)).toBe(true)
    expect(grokOf('legacy', '%{SYSLOGBASE}').pattern.test(line)).toBe(false)
  })
})
