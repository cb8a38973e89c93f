/** Squid's native access log. */
export const squid: Record<string, string> = {
  SQUID3: [
    String.raw`%{NUMBER:timestamp}\s+%{NUMBER:duration}\s%{IP:client_address}\s%{WORD:cache_result}/%{NONNEGINT:status_code}`,
    String.raw`\s%{NUMBER:bytes}\s%{WORD:request_method}\s%{NOTSPACE:url}\s%{NOTSPACE:user}`,
    String.raw`\s%{WORD:hierarchy_code}/(?:%{IPORHOST:server}|-)\s%{NOTSPACE:content_type}`,
  ].join(''),
}
