import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileGrok } from './compile.ts'
import { GrokExplainer } from './explain.ts'
import { grokLibrary } from './library/index.ts'
import { suggest } from './suggest.ts'

const library = grokLibrary('legacy')
const apache = '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326'
const haproxy =
  '127.0.0.1:39759 [09/Dec/2013:12:59:46.633] loadbalancer default/instance8 0/51536/1/48082/99627 200 83285 - - ---- 87/87/87/1/0 0/67 "GET /p HTTP/1.1"'
const iptables =
  'May 25 18:00:53 fw kernel: IN=eth0 SRC=192.0.2.1 DST=203.0.113.9 LEN=40 PROTO=TCP SPT=443 DPT=51234'
const iptablesExpression =
  '%{SYSLOGTIMESTAMP:ts} %{HOSTNAME:host} kernel: IN=%{WORD:in} SRC=%{IP:src} DST=%{IP:dst} LEN=%{INT:len:int} PROTO=%{WORD:proto} SPT=%{POSINT:spt:int} DPT=%{POSINT:dpt:int}'
const nginx =
  '^%{IPORHOST:remote} "%{WORD:verb} %{URIPATHPARAM:path}" %{INT:status:int} rt=%{NUMBER:rt:float} "%{DATA:agent}"$'
const iso = '%{TIMESTAMP_ISO8601:ts} %{LOGLEVEL:level} %{GREEDYDATA:text}'
const json = String.raw`^\{"level":"%{LOGLEVEL:level}","n":%{INT:n:int}\}$`

/** What is found does not depend on how fast the machine is. */
const withoutHaste = { timeout: 60_000, budget: 60_000 }

interface Row {
  about: string
  expression: string
  line: string
  /** The piece to name, and those around it, from the inside. */
  piece: string
  inside?: string[]
  /** How the line goes on where it stops. */
  found: string
  /** What to try, where something fits. */
  advice?: string
}

const rows: Row[] = [
  {
    about: 'apache: no such month',
    expression: '%{COMMONAPACHELOG}',
    line: apache.replace('Oct', 'Okz'),
    piece: '%{MONTH}',
    inside: ['%{HTTPDATE:timestamp}', '%{HTTPD_COMMONLOG}', '%{COMMONAPACHELOG}'],
    found: 'Okz/2000:13',
    advice: '%{WORD}',
  },
  {
    about: 'apache: an ISO date',
    expression: '%{COMMONAPACHELOG}',
    line: apache.replace('10/Oct/2000:13:55:36 -0700', '2000-10-10T13:55:36Z'),
    // 20 is a day of the month.
    piece: '/',
    inside: ['%{HTTPDATE:timestamp}', '%{HTTPD_COMMONLOG}', '%{COMMONAPACHELOG}'],
    found: '00-10-10T13',
    advice: '%{TIMESTAMP_ISO8601:timestamp}',
  },
  {
    about: 'apache: a status that is a word',
    expression: '%{COMMONAPACHELOG}',
    line: apache.replace(' 200 ', ' OK '),
    piece: '(?:-|%{NUMBER:response})',
    inside: ['%{HTTPD_COMMONLOG}', '%{COMMONAPACHELOG}'],
    found: 'OK 2326',
    advice: '%{WORD}',
  },
  {
    about: 'apache: the column of the user is missing',
    expression: '%{COMMONAPACHELOG}',
    line: apache.replace(' frank', ''),
    piece: '%{HTTPDUSER:auth}',
    inside: ['%{HTTPD_COMMONLOG}', '%{COMMONAPACHELOG}'],
    found: '[10/Oct',
    advice: '(?:%{HTTPDUSER:auth} )?',
  },
  {
    about: 'apache: the last quote is missing',
    expression: '%{COMBINEDAPACHELOG}',
    line: `${apache} "-" "Mozilla/5.0 (X11)`,
    piece: '%{QUOTEDSTRING}',
    inside: ['%{QS:agent}', '%{HTTPD_COMBINEDLOG}', '%{COMBINEDAPACHELOG}'],
    found: '"Mozilla/5.0 (X11)',
  },
  {
    about: 'apache: cut off before the referrer',
    expression: '%{COMBINEDAPACHELOG}',
    line: apache,
    piece: ' ',
    inside: ['%{HTTPD_COMBINEDLOG}', '%{COMBINEDAPACHELOG}'],
    found: '',
  },
  {
    about: 'syslog: a misspelt month, and a month later in the text',
    expression: '%{SYSLOGTIMESTAMP:ts} %{SYSLOGHOST:host} %{GREEDYDATA:text}',
    line: 'Fbe  6 12:14:14 host may be down',
    piece: '%{MONTH}',
    inside: ['%{SYSLOGTIMESTAMP:ts}'],
    found: 'Fbe  6 12:14:14',
    advice: '%{WORD}',
  },
  {
    about: 'syslog: no colon behind the program, something in front',
    expression: '%{SYSLOGBASE} %{GREEDYDATA:text}',
    line: '<34>Oct 11 22:14:15 mymachine su failed for lonvick',
    piece: ':',
    inside: ['%{SYSLOGBASE}'],
    found: ' failed for lonvick',
  },
  {
    about: 'syslog: an ISO time',
    expression: '%{SYSLOGTIMESTAMP:ts} %{SYSLOGHOST:host}',
    line: '2024-02-06T12:14:14Z host',
    piece: '%{MONTH}',
    inside: ['%{SYSLOGTIMESTAMP:ts}'],
    found: '2024-02-06T12:14:14Z host',
    advice: '%{TIMESTAMP_ISO8601:ts}',
  },
  {
    about: 'syslog: the hour is 25',
    expression: '^%{SYSLOGTIMESTAMP:ts} %{SYSLOGHOST:host}',
    line: 'Feb  6 25:14:14 host',
    // 2 is an hour.
    piece: ':',
    inside: ['%{TIME}', '%{SYSLOGTIMESTAMP:ts}'],
    found: '5:14:14 host',
  },
  {
    about: 'haproxy: a status that is no number',
    expression: '%{HAPROXYHTTPBASE}',
    line: haproxy.replace(' 200 ', ' <NOSRV> '),
    piece: '%{INT:http_status_code}',
    inside: ['%{HAPROXYHTTPBASE}'],
    found: '<NOSRV> 83285',
    advice: '%{NOTSPACE:http_status_code}',
  },
  {
    about: 'haproxy: no milliseconds',
    expression: '%{HAPROXYHTTPBASE}',
    line: haproxy.replace('46.633', '46'),
    piece: '%{INT:haproxy_milliseconds}',
    inside: ['%{HAPROXYDATE:accept_date}', '%{HAPROXYHTTPBASE}'],
    // The dot in front of them takes the bracket.
    found: ' loadbalancer',
  },
  {
    about: 'iptables: an address with 299',
    expression: iptablesExpression,
    line: iptables.replace('203.0.113.9', '203.0.299.9'),
    piece: '%{IP:dst}',
    found: '203.0.299.9 LEN',
    advice: '%{HOSTNAME:dst}',
  },
  {
    about: 'iptables: port 0',
    expression: iptablesExpression,
    line: iptables.replace('SPT=443', 'SPT=0'),
    piece: '%{POSINT:spt:int}',
    found: '0 DPT',
    advice: '%{INT:spt:int}',
  },
  {
    about: 'iptables: a field between',
    expression: iptablesExpression,
    line: iptables.replace('LEN=40', 'MAC=0a:1b LEN=40'),
    piece: ' LEN=',
    found: 'MAC=0a:1b LEN=40',
  },
  {
    about: 'java: a stack line cut off',
    expression: '%{JAVASTACKTRACEPART}',
    line: '\tat com.example.Main.run(Main.java:41',
    piece: String.raw`\)`,
    inside: ['%{JAVASTACKTRACEPART}'],
    found: '',
  },
  {
    about: 'java: no method',
    expression: String.raw`^%{SPACE}at %{JAVACLASS:class}\(%{JAVAFILE:file}\)$`,
    line: 'at com.example.Main:run(Main.java)',
    piece: String.raw`\(`,
    found: ':run(Main.java)',
  },
  {
    about: 'nginx: a time in other units',
    expression: nginx,
    line: '10.0.0.1 "GET /x" 200 rt=12ms "curl"',
    piece: ' "',
    found: 'ms "curl"',
  },
  {
    about: 'nginx: something behind the end',
    expression: nginx,
    line: '10.0.0.1 "GET /x" 200 rt=0.1 "curl" -',
    piece: '$',
    found: ' -',
  },
  {
    about: 'JSON: a number in quotes',
    expression: json,
    line: '{"level":"info","n":"5"}',
    piece: '%{INT:n:int}',
    found: '"5"}',
    advice: '%{QUOTEDSTRING:n:int}',
  },
  {
    about: 'JSON: a blank behind the colon',
    expression: json,
    line: '{"level": "info","n":5}',
    piece: String.raw`\{"level":"`,
    found: ' "info"',
  },
  {
    about: 'ISO: month 13',
    expression: iso,
    line: '2024-13-01 10:00:00 INFO x',
    // 1 is a month.
    piece: '-',
    inside: ['%{TIMESTAMP_ISO8601:ts}'],
    found: '3-01 10:00:00',
    advice: '%{INT}',
  },
  {
    about: 'ISO: two blanks',
    expression: iso,
    line: '2024-12-01 10:00:00  INFO x',
    piece: '%{LOGLEVEL:level}',
    found: ' INFO x',
    advice: String.raw`\s+`,
  },
  {
    about: 'ISO: a tab',
    expression: iso,
    line: '2024-12-01 10:00:00\tINFO x',
    piece: ' ',
    found: '\tINFO x',
    advice: String.raw`\s+`,
  },
  {
    about: 'ISO: a level nobody knows',
    expression: iso,
    line: '2024-12-01 10:00:00 VERBOSE x',
    piece: '%{LOGLEVEL:level}',
    found: 'VERBOSE x',
    advice: '%{WORD:level}',
  },
  {
    about: 'a lower-case level for a group of capitals',
    expression: '^%{TIMESTAMP_ISO8601:ts} (?<level>[A-Z]+) %{GREEDYDATA:text}',
    line: '2024-12-01 10:00:00 info x',
    piece: '(?<level>[A-Z]+)',
    found: 'info x',
    advice: '%{LOGLEVEL:level}',
  },
  {
    about: 'an IPv6 address for an IPv4 one',
    expression: '%{WORD:verb} %{IPV4:client} %{INT:n}',
    line: 'GET 2001:db8::1 5',
    piece: '%{IPV4:client}',
    found: '2001:db8::1 5',
    advice: '%{IPV6:client}',
  },
  {
    about: 'an address out of range at the beginning',
    expression: '%{IP:client} %{WORD:verb}',
    line: '300.1.2.3 GET',
    piece: '%{IP:client}',
    found: '300.1.2.3 GET',
    advice: '%{HOSTNAME:client}',
  },
  {
    about: 'a negative number',
    expression: '^%{IP:client} %{POSINT:n}$',
    line: '10.0.0.1 -5',
    piece: '%{POSINT:n}',
    found: '-5',
    advice: '%{INT:n}',
  },
  {
    about: 'more than expected at the end',
    expression: '^%{IP:client} %{POSINT:n}$',
    line: '10.0.0.1 5 extra',
    piece: '$',
    found: ' extra',
    advice: '%{GREEDYDATA}',
  },
  {
    about: 'a missing field',
    expression: '^%{INT:a} %{INT:b} %{WORD:c}$',
    line: '1 foo',
    piece: '%{INT:b}',
    found: 'foo',
    advice: '(?:%{INT:b} )?',
  },
  {
    about: 'a date for a number',
    expression: '%{INT:n} %{WORD:w}',
    line: '2024-02-06T12:14:14Z host',
    piece: ' ',
    found: '-02-06T12',
    advice: '%{TIMESTAMP_ISO8601:n}',
  },
  {
    about: 'a text that is nowhere',
    expression: '%{GREEDYDATA:a}foo',
    line: 'bar baz',
    piece: 'foo',
    found: 'bar baz',
  },
  {
    about: 'the third of three',
    expression: String.raw`^(?:%{WORD}\.){3}%{WORD}$`,
    line: 'a.b.c',
    piece: String.raw`\.`,
    inside: [String.raw`(?:%{WORD}\.){3}`],
    found: '',
  },
  {
    about: 'an alternative that gets further than the other',
    expression: '^(?:user=%{WORD:user}|id=%{INT:id}) ok$',
    line: 'id=x ok',
    piece: '%{INT:id}',
    inside: ['(?:user=%{WORD:user}|id=%{INT:id})'],
    found: 'x ok',
    advice: '%{WORD:id}',
  },
  {
    about: 'a definition on the spot',
    expression: '%{WORD:w} %{CODE:code=[A-Z]{3}-\\d+} end',
    line: 'x ABC_12 end',
    piece: '%{CODE:code=[A-Z]{3}-\\d+}',
    found: 'ABC_12 end',
    advice: '%{WORD:code}',
  },
]

describe('what is named', () => {
  it.each(rows)('$about', ({ expression, line, piece, inside = [], found, advice }) => {
    expect(compileGrok(expression, library).pattern.search(line)).toBeNull()
    const explainer = new GrokExplainer(expression, library, withoutHaste)
    const explanation = explainer.explain(line)
    const { failed, culprit, stop } = explanation
    expect(failed.slice(0, culprit + 1).map((step) => step.piece.text)).toEqual([
      ...inside.toReversed(),
      piece,
    ])
    expect(found === '' ? line.slice(stop) : line.slice(stop, stop + found.length)).toBe(found)
    expect(explanation.incomplete).toBe(false)
    if (advice !== undefined) expect(suggest(explainer, explanation, line)?.expression).toBe(advice)
  })

  it('is shown with what matched before it', () => {
    const explainer = new GrokExplainer('%{WORD:a}-%{WORD:b} %{INT:c}', library)
    expect(explainer.explain('?? one-two three')).toMatchObject({
      start: 3,
      stop: 11,
      matched: [
        { piece: '%{WORD:a}', text: 'one', depth: 0 },
        { piece: '-', text: '-', depth: 0 },
        { piece: '%{WORD:b}', text: 'two', depth: 0 },
        { piece: ' ', text: ' ', depth: 0 },
      ],
    })
  })
})

describe('an explanation', () => {
  it('refuses names without a definition', () => {
    expect(() => new GrokExplainer('%{NOPE}', library)).toThrow('pattern %{NOPE} not defined')
  })

  it('ends when a search takes too long', () => {
    const explainer = new GrokExplainer('^(?<x>(?:a|a|b)+)+c%{INT:n}$', library, { timeout: 20 })
    expect(explainer.explain(`${'a'.repeat(2000)}!c`)).toMatchObject({ stop: 2000, incomplete: true })
  })

  it('does with groups that are only numbered', () => {
    const explainer = new GrokExplainer(String.raw`(a|b)\1 %{INT}x`, library, {})
    expect(explainer.explain('aa 5').stop).toBeGreaterThanOrEqual(0)
    const plain = new GrokExplainer(String.raw`(a|b)\1 c`, library)
    expect(plain.explain('bb d')).toMatchObject({ stop: 3, failed: [{ piece: { text: ' c' } }] })
  })

  it('never fails, whatever the expression and the line', () => {
    const part = fc.constantFrom(
      '%{INT:a}',
      '%{WORD}',
      '%{DATA:d}',
      '(?:',
      '(?<n>',
      ')',
      '|',
      '[a-c]',
      'a',
      ' ',
      '+',
      '?',
      '{2}',
      '.',
      '^',
      '$',
      '\\b',
      '(?=',
      '(?!',
      '(?>',
      '\\k<n>',
      '(?i)',
      '-',
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '-', '\n'), maxLength: 12 }),
        (parts, line) => {
          const expression = parts.join('')
          try {
            if (compileGrok(expression, library).pattern.search(line) !== null) return
          } catch {
            return
          }
          const explainer = new GrokExplainer(expression, library)
          const explanation = explainer.explain(line)
          expect(explanation.stop).toBeGreaterThanOrEqual(0)
          expect(explanation.stop).toBeLessThanOrEqual(line.length)
          suggest(explainer, explanation, line)
        },
      ),
      { numRuns: 300 },
    )
  })
})
