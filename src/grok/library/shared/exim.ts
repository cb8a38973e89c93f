/** Exim: what both sets share. */
export const exim: Record<string, string> = {
  EXIM_MSGID: '[0-9A-Za-z]{6}-[0-9A-Za-z]{6}-[0-9A-Za-z]{2}',
  EXIM_QT: '(?:[0-9]+y)?(?:[0-9]+w)?(?:[0-9]+d)?(?:[0-9]+h)?(?:[0-9]+m)?(?:[0-9]+s)?',
  EXIM_EXCLUDE_TERMS:
    '(?:Message is frozen|(?:Start|End) queue run| Warning: | retry time not reached ' +
    '| no (?:IP address|host name) found for (?:IP address|host) ' +
    '| unexpected disconnection while reading SMTP command | no immediate delivery: ' +
    '|another process is handling this message)',
  EXIM: '%{EXIM_MESSAGE_ARRIVAL}',
}

/**
 * A run of fields in any order. JavaScript forgets the groups of a loop in its next round, so the fields
 * are found by look-aheads from the start of the run, the last of a kind counting, and the loop that takes
 * the run stores nothing. `subject` and `unknown` are the forms of those fields without their names.
 */
export function namedFields(subject: string, unknown: string): string {
  // Shorter than IP, which would be here fourteen times.
  const address = String.raw`\[(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[^\]]+)?)\]`
  const field =
    String.raw`(?>H=(?:\S+ )?(?:\(\S+\) )?${address}(?::%{POSINT})?|I=${address}:%{NUMBER}` +
    String.raw`|P=\S+|S=%{NUMBER}|id=\S+|${subject}|${unknown})`
  const run = `(?: ${field})*`
  const stored = ['REMOTE_HOST', 'INTERFACE', 'PROTOCOL', 'MSG_SIZE', 'HEADER_ID', 'SUBJECT']
  return stored.map((name) => `(?=(?:${run} %{EXIM_${name}})?)`).join('') + run
}
