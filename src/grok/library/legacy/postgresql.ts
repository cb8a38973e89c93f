/** PostgreSQL's log with the line prefix `%t %u %c %p`. */
export const postgresql: Record<string, string> = {
  POSTGRESQL: '%{DATESTAMP:timestamp} %{TZ} %{DATA:user_id} %{GREEDYDATA:connection_id} %{POSINT:pid}',
}
