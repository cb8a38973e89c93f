/**
 * Finds the text of a pipeline: `config.string`, or the files or the address in `path.config`. Every file is a part
 * of its own with its own line numbers; parts are in the order of (protocol, path), which is the order of the filters.
 */
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Logger } from '../log/logger.ts'
import { inspect } from '../log/ruby-inspect.ts'
import { glob } from '../storage/glob.ts'
import { readPipe } from '../storage/read-pipe.ts'
import { compareUtf8 } from '../text/utf8-order.ts'
import { ConfigLoadingError } from './errors.ts'
import type { Settings } from './settings.ts'

export interface ConfigPart {
  /** `string`, `file`, `http`, `https`; parts that were added have `Class`, as plugin ids in Logstash do. */
  readonly protocol: string
  /** Path, address or `config_string`. */
  readonly id: string
  readonly text: string
}

const defaultInput = 'input { stdin { type => stdin } }'
const defaultOutput = 'output { stdout { codec => rubydebug } }'

const maxFileBytes = 64 * 1024 * 1024
const pipeLimits = { bytes: maxFileBytes, milliseconds: 10_000 }

/** An empty list when `path.config` names no file. */
export async function loadConfigParts(settings: Settings): Promise<ConfigPart[]> {
  const context = { pipelineId: settings.get('pipeline.id') }
  const text = settings.get('config.string')
  if (text !== null) return sorted(stringParts(text, new Logger('logstash.config.source.local', context)))
  const path = settings.get('path.config')
  if (!path) return []
  if (/^https?:\/\//i.test(path)) return [await remotePart(path)]
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(path)?.[1]
  if (scheme !== undefined && scheme.toLowerCase() !== 'file') {
    throw new ConfigLoadingError(
      `URI scheme not supported: ${path}\nEither pass a local file path or "file|http://" URI`,
    )
  }
  return sorted(await fileParts(path, new Logger('logstash.config.source.local.configpathloader', context)))
}

function stringParts(text: string, logger: Logger): ConfigPart[] {
  const parts: ConfigPart[] = [{ protocol: 'string', id: 'config_string', text }]
  if (!/input\s*\{/.test(text)) {
    logger.warn(`No input in 'config.string' (-e), adding \`${defaultInput}\``)
    parts.push({ protocol: 'Class', id: 'default input', text: defaultInput })
  }
  if (!/output\s*\{/.test(text)) {
    logger.warn(`No output in 'config.string' (-e), adding \`${defaultOutput}\``)
    parts.push({ protocol: 'Class', id: 'default output', text: defaultOutput })
  }
  return parts
}

async function remotePart(address: string): Promise<ConfigPart> {
  const { fetchConfig, withoutPassword } = await import('./remote-config.ts')
  const text = await fetchConfig(address)
  const id = withoutPassword(new URL(address))
  return { protocol: address.slice(0, address.indexOf(':')).toLowerCase(), id, text }
}

async function fileParts(given: string, logger: Logger): Promise<ConfigPart[]> {
  const pattern = await searchPattern(given)
  const matched = await glob(pattern)
  if (logger.isEnabled('debug')) {
    const siblings = await glob(join(dirname(pattern), '*'))
    const files = siblings.filter((file) => !matched.includes(file))
    const message = `Skipping the following files while reading config since they don't match the specified glob pattern`
    logger.debug(message, { files })
  }
  const parts: ConfigPart[] = []
  const badlyEncoded: string[] = []
  for (const file of matched) {
    const found = await stat(file).catch(() => undefined)
    // A pipe is read where it is given as such; one that lies in a folder would be waited for without end.
    if (found === undefined || !(found.isFile() || (found.isFIFO() && file === pattern))) continue
    logger.debug('Reading config file', { config_file: file })
    if (file.endsWith('~')) {
      logger.warn('NOT reading config file because it is a temp file', { config_file: file })
      continue
    }
    if (found.size > maxFileBytes)
      throw new ConfigLoadingError(`The config file ${file} is larger than 64 MiB`)
    const bytes = await readBytes(file, found.isFIFO())
    if (isUtf8(bytes)) parts.push({ protocol: 'file', id: file, text: bytes.toString('utf8') })
    else badlyEncoded.push(file)
  }
  if (badlyEncoded.length > 0) {
    throw new ConfigLoadingError(
      `The following config files contains non-ascii characters but are not UTF-8 encoded ${inspect(badlyEncoded)}`,
    )
  }
  if (parts.length === 0) logger.info('No config files found in path', { path: pattern })
  return parts
}

async function readBytes(file: string, isPipe: boolean): Promise<Buffer> {
  try {
    return isPipe ? await readPipe(file, pipeLimits) : await readFile(file)
  } catch (error) {
    throw new ConfigLoadingError(`Cannot read the config file ${file}: ${(error as Error).message}`, error)
  }
}

/** An absolute pattern; a directory stands for the files in it. */
async function searchPattern(given: string): Promise<string> {
  const local = given.replace(/^file:\/\//i, '')
  const path = resolve(local === '~' || local.startsWith('~/') ? homedir() + local.slice(1) : local)
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true ? join(path, '*') : path
}

function sorted(parts: ConfigPart[]): ConfigPart[] {
  return parts.sort((a, b) => compareUtf8(a.protocol, b.protocol) || compareUtf8(a.id, b.id))
}
