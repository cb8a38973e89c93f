/**
 * What code may learn of the machine: environment, files it may read. Nothing is written and no
 * command is run.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, resolve } from 'node:path'
import { textArgument } from '../arguments.ts'
import { textOfBytes } from '../bytes.ts'
import { linesOf } from '../core/string.ts'
import { argumentError, keyError, raise, systemCallError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { inspectText } from '../inspect-text.ts'
import {
  defineMethods,
  defineStatics,
  newClass,
  newModule,
  objectClass,
  type RubyValue,
  topConstants,
} from '../ruby-class.ts'
import { RubyTime } from '../time.ts'
import { Instance } from '../values.ts'

const errno = newModule('Errno')
const noEntry = newClass('ENOENT', systemCallError, errno)
const isDirectory = newClass('EISDIR', systemCallError, errno)
const noAccess = newClass('EACCES', systemCallError, errno)

const io = newClass('IO')
const file = newClass('File', io)
file.constants.set('SEPARATOR', '/')
const maxBytes = 100_000_000

function open<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EISDIR') raise(isDirectory, `Is a directory @ io_fread - ${path}`)
    if (code === 'EACCES') raise(noAccess, `Permission denied - ${path}`)
    raise(noEntry, `No such file or directory - ${path}`)
  }
}

function content(value: RubyValue | undefined): string {
  const path = textArgument(value)
  return open(path, () => {
    if (statSync(path).size > maxBytes)
      raise(argumentError, `file is larger than ${maxBytes} bytes - ${path}`)
    return textOfBytes(readFileSync(path))
  })
}

/** A trailing slash is no part of the name; a leading dot is no extension. */
const extension = (path: string): string => extname(path.replace(/\/+$/, ''))

function baseName(path: string, suffix: string | undefined): string {
  const name = basename(path) || (path === '' ? '' : '/')
  if (suffix === undefined) return name
  if (suffix === '.*') return extname(name) === '' ? name : name.slice(0, -extname(name).length)
  return suffix !== name && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

const stat = (value: RubyValue | undefined) => {
  const path = textArgument(value)
  return open(path, () => statSync(path))
}

const reading = {
  'read 1-3': (_: RubyValue, [path]: RubyValue[]) => content(path),
  'readlines 1-3': (_: RubyValue, [path, ...rest]: RubyValue[]) => linesOf(content(path), rest),
  'foreach 1-3': (_: RubyValue, [path]: RubyValue[], block: { one(value: RubyValue): RubyValue } | null) => {
    for (const line of linesOf(content(path), [])) block?.one(line)
    return null
  },
}
defineStatics(io, reading)
defineStatics(file, {
  ...reading,
  'basename 1-2': (_, [path, suffix]) =>
    baseName(textArgument(path), suffix === undefined ? undefined : textArgument(suffix)),
  'dirname 1-2': (_, [path]) => dirname(textArgument(path)),
  'extname 1': (_, [path]) => extension(textArgument(path)),
  'split 1': (_, [path]) => [dirname(textArgument(path)), baseName(textArgument(path), undefined)],
  'join *': (_, args) =>
    args
      .flat(5)
      .map((part) => textArgument(part as RubyValue))
      .join('/')
      .replace(/\/{2,}/g, '/'),
  'exist?,exists? 1': (_, [path]) => existsSync(textArgument(path)),
  'file? 1': (_, [path]) => existsSync(textArgument(path)) && statSync(textArgument(path)).isFile(),
  'directory? 1': (_, [path]) => existsSync(textArgument(path)) && statSync(textArgument(path)).isDirectory(),
  'readable? 1': (_, [path]) => existsSync(textArgument(path)),
  'size 1': (_, [path]) => stat(path).size,
  'zero?,empty? 1': (_, [path]) => existsSync(textArgument(path)) && statSync(textArgument(path)).size === 0,
  'mtime 1': (_, [path]) => RubyTime.local(Math.floor(stat(path).mtimeMs)),
  'expand_path,absolute_path 1-2': (_, [path, from]) =>
    isAbsolute(textArgument(path)) || from === undefined
      ? resolve(textArgument(path))
      : resolve(textArgument(from), textArgument(path)),
})

const environment = newClass('ENV', objectClass)
topConstants.set('ENV', new Instance(environment, null))
const lookUp = (value: RubyValue | undefined): string | null => process.env[textArgument(value)] ?? null
const all = (): RubyHash =>
  RubyHash.from(Object.entries(process.env).map(([name, value]) => [name, value ?? null]))
defineMethods<Instance<null>>(environment, {
  '[] 1': (_, [name]) => lookUp(name),
  'fetch 1-2': (_, [name, fallback], block) => {
    const value = lookUp(name)
    if (value !== null) return value
    if (block !== null) return block.one(name!)
    return fallback ?? raise(keyError, `key not found: ${inspectText(textArgument(name))}`)
  },
  'key?,has_key?,include? 1': (_, [name]) => lookUp(name) !== null,
  'to_h,to_hash': () => all(),
  keys: () => all().keys(),
  to_s: () => 'ENV',
})
