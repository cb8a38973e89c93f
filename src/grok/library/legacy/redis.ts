/** The server log of Redis up to 2.8, and what the MONITOR command prints. */
import { redis as shared } from '../shared/redis.ts'

export const redis: Record<string, string> = {
  ...shared,
  REDISLOG: String.raw`\[%{POSINT:pid}\] %{REDISTIMESTAMP:timestamp} \*`,
  REDISMONLOG: String.raw`%{NUMBER:timestamp} \[%{INT:database} %{IP:client}:%{NUMBER:port}\] "%{WORD:command}"\s?%{GREEDYDATA:params}`,
}
