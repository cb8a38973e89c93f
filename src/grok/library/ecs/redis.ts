/** The server log of Redis up to 2.8, and what the MONITOR command prints. */
import { redis as shared } from '../shared/redis.ts'

export const redis: Record<string, string> = {
  ...shared,
  REDISLOG: String.raw`\[%{POSINT:[process][pid]:int}\] %{REDISTIMESTAMP:timestamp} \*`,
  REDISMONLOG: String.raw`%{NUMBER:timestamp} \[%{INT:[redis][database][id]} %{IP:[client][ip]}:%{POSINT:[client][port]:int}\] "%{WORD:[redis][command][name]}"\s?%{GREEDYDATA:[redis][command][args]}`,
}
