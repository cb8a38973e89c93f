/**
 * The text of a schema that an option names by path or URL. Codecs are made without waiting, so a URL is fetched by
 * a process of its own while this one waits for it, within limits.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const milliseconds = 20_000
const maxBytes = 16 * 1024 * 1024

/** The address is an argument of this program, never part of its text. */
const program = `
fetch(process.argv[1], { signal: AbortSignal.timeout(${milliseconds - 5000}) }).then(async (answer) => {
  if (!answer.ok) throw new Error('status ' + answer.status)
  process.stdout.write(await answer.text())
}).catch((error) => {
  process.stderr.write(String(error.cause?.message ?? error.message))
  process.exitCode = 1
})`

export function schemaText(uri: string): string {
  if (uri.startsWith('file:')) return readFileSync(fileURLToPath(uri), 'utf8')
  if (!/^https?:\/\//.test(uri)) return readFileSync(uri, 'utf8')
  try {
    return execFileSync(process.execPath, ['-e', program, uri], {
      encoding: 'utf8',
      timeout: milliseconds,
      maxBuffer: maxBytes,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`The schema at ${uri} cannot be read: ${stderr || message}`)
  }
}
