/** What the two sets share of firewall logs: the words and phrases of Cisco's messages. */

/** As little text as will do, without the white space around it. */
export const trimmed = (field: string): string => String.raw`\s*(?:(?<${field}>\S(?:.*?\S)??)\s*)??`

export const firewalls: Record<string, string> = {
  CISCOTIMESTAMP: '%{MONTH} +%{MONTHDAY}(?: %{YEAR})? %{TIME}',
  CISCOTAG: '[A-Z0-9]+-%{INT}-[A-Z0-9_]+',

  // The short form of "denied" comes first: the long one is taken where what follows asks for it.
  CISCO_ACTION:
    'Built|Teardown|Den(?:y|ied)|denied(?: by ACL)??|requested|permitted|discarded|est-allowed|Dropping|created|deleted',
  CISCO_REASON: [
    'Duplicate TCP SYN|Failed to locate egress interface|Invalid transport field|No matching connection',
    String.raw`DNS (?:Response|Query)|(?:%{WORD}(?:\s+%{WORD})*\s*)?`,
  ].join('|'),
  CISCO_DIRECTION: '[Ii]nbound|[Oo]utbound',
  CISCO_INTERVAL: 'first hit|%{INT}-second interval',
  CISCO_XLATE_TYPE: 'static|dynamic',

  CISCOFW104003: String.raw`\((?:Primary|Secondary)\) Switching to FAILED\.`,
  CISCOFW104004: String.raw`\((?:Primary|Secondary)\) Switching to OK\.`,
}
