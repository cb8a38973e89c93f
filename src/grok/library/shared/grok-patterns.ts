/**
 * The core patterns that are the same in both sets. Written for an engine that backtracks: one loop where
 * the accepted text allows it, alternatives that differ early, and look-aheads in place of atomic groups.
 */
export const grokPatterns: Record<string, string> = {
  USERNAME: '[A-Za-z0-9._-]+',
  USER: '%{USERNAME}',
  EMAILADDRESS: '%{EMAILLOCALPART}@%{HOSTNAME}',

  INT: '[+-]?[0-9]+',
  // Takes all digits and the fraction or nothing: the look-aheads keep it from giving any back.
  BASE10NUM: String.raw`(?<![0-9.+-])[+-]?(?:[0-9]+(?:\.[0-9]+|(?!\.[0-9]))|\.[0-9]+)(?![0-9])`,
  NUMBER: '%{BASE10NUM}',
  BASE16NUM: '(?<![0-9A-Fa-f])[+-]?(?:0x)?[0-9A-Fa-f]+',
  BASE16FLOAT: String.raw`\b(?<![0-9A-Fa-f.])[+-]?(?:0x)?(?:[0-9A-Fa-f]+(?:\.[0-9A-Fa-f]*)?|\.[0-9A-Fa-f]+)\b`,
  POSINT: String.raw`\b[1-9][0-9]*\b`,
  NONNEGINT: String.raw`\b[0-9]+\b`,

  WORD: String.raw`\b\w+\b`,
  NOTSPACE: String.raw`\S+`,
  SPACE: String.raw`\s*`,
  DATA: '.*?',
  GREEDYDATA: '.*',
  QUOTEDSTRING: String.raw`(?<!\\)(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|\x60[^\x60\\]*(?:\\.[^\x60\\]*)*\x60)`,
  QS: '%{QUOTEDSTRING}',
  UUID: '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}',
  URN: "urn:[0-9A-Za-z][0-9A-Za-z-]{0,31}:(?:[0-9A-Za-z()+,.:=@;$_!*'/?#-]|%[0-9A-Fa-f]{2})+",

  MAC: '(?:%{CISCOMAC}|%{WINDOWSMAC}|%{COMMONMAC})',
  CISCOMAC: String.raw`[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2}`,
  WINDOWSMAC: '[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}',
  COMMONMAC: '[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}',
  IPV6: ipv6(),
  IPV4: String.raw`(?<![0-9])(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})(?![0-9])`,
  IP: '(?:%{IPV6}|%{IPV4})',
  HOSTNAME: String.raw`\b[0-9A-Za-z][0-9A-Za-z-]{0,62}(?:\.[0-9A-Za-z][0-9A-Za-z-]{0,62})*\.?`,
  IPORHOST: '(?:%{IP}|%{HOSTNAME})',
  HOSTPORT: '%{IPORHOST}:%{POSINT}',

  PATH: '(?:%{UNIXPATH}|%{WINPATH})',
  UNIXPATH: '/[[:alnum:]/_%!$@:.,+~-]*',
  WINPATH: String.raw`(?:[A-Za-z]+:|\\)\\[^?*]*`,
  TTY: String.raw`/dev/(?:pts|tty[pq]?)\w*/?[0-9]+`,
  URIPROTO: '[A-Za-z][A-Za-z0-9+.-]+',
  URIPATH: "/[A-Za-z0-9/$.+!*'(){},~:;=@#%&_-]*",

  MONTH: String.raw`\b(?:[Jj](?:an(?:uary?)?|un[ei]?|ul[iy]?)|[Ff]eb(?:ruary?)?|[Mm](?:[aä]?r(?:ch|z)?|a[iy]?)|[Aa](?:pr(?:il)?|ug(?:ust)?)|[Ss]ep(?:tember)?|[Oo][ck]?t(?:ober)?|[Nn]ov(?:ember)?|[Dd]e[cz](?:ember)?)\b`,
  // The short form comes first: alone, "12" is the month 1.
  MONTHNUM: '(?:0?[1-9]|1[0-2])',
  MONTHNUM2: '(?:0[1-9]|1[0-2])',
  MONTHDAY: '(?:0[1-9]|[12][0-9]|3[01]|[1-9])',
  DAY: '(?:(?:Mon|Fri|Sun)(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Sat(?:urday)?)',
  YEAR: '[0-9]{2}(?:[0-9]{2})?',
  HOUR: '(?:2[0-3]|[01]?[0-9])',
  MINUTE: '[0-5][0-9]',
  // 60 is a leap second.
  SECOND: '(?:[0-5]?[0-9]|60)(?:[:.,][0-9]+)?',
  TIME: '%{HOUR}:%{MINUTE}:%{SECOND}(?![0-9])',
  DATE_US: '%{MONTHNUM}[/-]%{MONTHDAY}[/-]%{YEAR}',
  DATE_EU: '%{MONTHDAY}[./-]%{MONTHNUM}[./-]%{YEAR}',
  DATE: '(?:%{DATE_US}|%{DATE_EU})',
  DATESTAMP: '%{DATE}[- ]%{TIME}',
  TZ: '(?:[ACEMP][DS]T|UTC)',
  ISO8601_TIMEZONE: '(?:Z|[+-]%{HOUR}:?%{MINUTE})',
  ISO8601_SECOND: '%{SECOND}',
  TIMESTAMP_ISO8601:
    '%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?%{ISO8601_TIMEZONE}?',
  DATESTAMP_RFC822: '%{DAY} %{MONTH} %{MONTHDAY} %{YEAR} %{TIME} %{TZ}',
  DATESTAMP_RFC2822: '%{DAY}, %{MONTHDAY} %{MONTH} %{YEAR} %{TIME} %{ISO8601_TIMEZONE}',
  DATESTAMP_OTHER: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{TZ} %{YEAR}',
  DATESTAMP_EVENTLOG: '%{YEAR}%{MONTHNUM2}%{MONTHDAY}%{HOUR}%{MINUTE}%{SECOND}',
  SYSLOGTIMESTAMP: '%{MONTH} +%{MONTHDAY} %{TIME}',
  HTTPDATE: '%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}',

  // Printable ASCII without brackets.
  PROG: String.raw`[!-Z\\^-~]+`,
  SYSLOGHOST: '%{IPORHOST}',
  LOGLEVEL:
    '(?:[Aa]lert|ALERT|[Cc]rit?(?:ical)?|CRIT?(?:ICAL)?|[Dd]ebug|DEBUG|[Ee](?:merg(?:ency)?|rr?(?:or)?)|E(?:MERG(?:ENCY)?|RR?(?:OR)?)|[Ff]atal|FATAL|[Ii]nfo?(?:rmation)?|INFO?(?:RMATION)?|[Nn]otice|NOTICE|[Ss]evere|SEVERE|[Tt]race|TRACE|[Ww]arn?(?:ing)?|WARN?(?:ING)?)',
}

/**
 * Up to seven leading groups, each level holding what may follow that many: more groups behind `::`, an
 * IPv4 tail, or just the `::`. More leading groups are tried before fewer. A zone takes the rest of the text.
 */
function ipv6(): string {
  const group = '[0-9A-Fa-f]{1,4}'
  const octet = '(?:1[0-9]{2}|2[0-4][0-9]|25[0-5]|[1-9]?[0-9])'
  const ipv4 = String.raw`${octet}(?:\.${octet}){3}`
  const tail = (leading: number): string => {
    if (leading === 6) return `:${group}|${ipv4}|:`
    const beforeIpv4 = 5 - leading
    return `(?::${group}){1,${7 - leading}}|${beforeIpv4 === 0 ? '' : `(?::${group}){0,${beforeIpv4}}`}:${ipv4}|:`
  }
  let levels = `(?:${group}|:)`
  for (let leading = 6; leading >= 1; leading--) levels = `(?:${group}:${levels}|${tail(leading)})`
  return `(?=[0-9A-Fa-f]{0,4}:)(?:${group}:${levels}|:(?:${tail(0)}))(?:%.+)?`
}
