/** PostgreSQL's log with the line prefix `%t %u %c %p`. */
export const postgresql: Record<string, string> = {
  POSTGRESQL:
    '%{DATESTAMP:timestamp} %{TZ:[event][timezone]} %{DATA:[user][name]} %{GREEDYDATA:[postgresql][log][connection_id]} %{POSINT:[process][pid]:int}',
}
