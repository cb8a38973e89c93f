/** The configuration of an InfluxDB 1 on loopback, whose data lie in a folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the path of the file. */
export function influxConfig(
  folder: string,
  ports: { readonly http: number; readonly inner: number },
): string {
  const path = join(folder, 'influxdb.conf')
  writeFileSync(
    path,
    `reporting-disabled = true
bind-address = "127.0.0.1:${ports.inner}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[http]
  bind-address = "127.0.0.1:${ports.http}"
`,
  )
  return path
}
