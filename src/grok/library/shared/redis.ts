/** What the two sets share of Redis: its time, day before month and no year. */
export const redis: Record<string, string> = {
  REDISTIMESTAMP: '%{MONTHDAY} %{MONTH} %{TIME}',
}
