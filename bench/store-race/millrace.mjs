// Millrace as a user starts it, with its search API on loopback and a pipeline that has nothing to do.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../ports.mjs'
import { millraceCommand } from '../subjects.mjs'
import { startServer } from './server.mjs'

const config = 'input { heartbeat { interval => 3600 } } output { null { } }\n'

export async function startMillrace(subject, directory) {
  const [apiPort, port] = await freePorts(2)
  const path = join(directory, 'pipeline.conf')
  const data = join(directory, 'index')
  mkdirSync(data)
  writeFileSync(path, config)
  const more = [
    ...['--search.enabled', 'true'],
    ...['--search.http.port', String(port)],
    ...['--search.compat.flavor', 'opensearch'],
  ]
  const command = millraceCommand(subject, { config: path, data, apiPort, more })
  return await startServer({ name: subject.name, command, port, directory })
}
