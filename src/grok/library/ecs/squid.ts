/** Squid's native access log; a dash stands for what is not known, and `000` for a request without an answer. */
export const squid: Record<string, string> = {
  SQUID3_STATUS: '%{POSINT:[http][response][status_code]:int}|0(?:00)??',
  SQUID3: [
    String.raw`%{NUMBER:timestamp}\s+%{NUMBER:[squid][request][duration]:int}\s%{IP:[source][ip]}\s%{WORD:[event][action]}/%{SQUID3_STATUS}`,
    String.raw`\s%{INT:[http][response][bytes]:int}\s%{WORD:[http][request][method]}\s%{NOTSPACE:[url][original]}\s(?:-|%{NOTSPACE:[user][name]})`,
    String.raw`\s%{WORD:[squid][hierarchy_code]}/(?:-|%{IPORHOST:[destination][address]})\s(?:-|%{NOTSPACE:[http][response][mime_type]})`,
  ].join(''),
}
