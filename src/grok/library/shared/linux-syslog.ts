/** Linux syslog: what both sets share. */
export const linuxSyslog: Record<string, string> = {
  SYSLOG5424PRINTASCII: '[!-~]+',
  CRON_ACTION: '[A-Z ]+',
  SYSLOGLINE: '%{SYSLOGBASE2} %{GREEDYDATA:message}',
  // Up to the first closing bracket, and over further ones as far as what follows asks for it.
  SYSLOG5424SD: String.raw`\[[^\]]*\]+(?:[^\]]+\]+)*?`,
}
