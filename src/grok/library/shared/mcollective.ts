/** What the two sets share of the Marionette Collective: the audit log, a time followed by a colon. */
export const mcollective: Record<string, string> = {
  MCOLLECTIVEAUDIT: '%{TIMESTAMP_ISO8601:timestamp}:',
}
