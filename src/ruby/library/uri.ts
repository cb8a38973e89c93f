/**
 * URI (and Addressable::URI, which takes anything), CGI.escape.
 */

import { escapeHtml, htmlEntities } from '../../text/html-escape.ts'
import { textArgument } from '../arguments.ts'
import { bytesOf, textOfBytes } from '../bytes.ts'
import { equal } from '../compare.ts'
import { itemsOf } from '../core/items.ts'
import { functions } from '../core/kernel.ts'
import { argumentError, raise, standardError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { toText } from '../inspect.ts'
import { inspectText } from '../inspect-text.ts'
import {
  defineMethods,
  defineStatics,
  knownNames,
  newClass,
  newModule,
  objectClass,
  type RubyValue,
} from '../ruby-class.ts'
import { Instance, isText, textOf } from '../values.ts'

const uri = newModule('URI')
const uriError = newClass('Error', standardError, uri)
const invalidUri = newClass('InvalidURIError', uriError, uri)
const generic = newClass('Generic', objectClass, uri)
const http = newClass('HTTP', generic, uri)
const https = newClass('HTTPS', http, uri)
const addressable = newModule('Addressable')
const addressableUri = newClass('URI', objectClass, addressable)
newClass('InvalidURIError', standardError, addressableUri)
const cgi = newClass('CGI')

interface Parts {
  scheme: string | null
  userinfo: string | null
  host: string | null
  port: number | null
  path: string
  query: string | null
  fragment: string | null
}

const form =
  /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is
const allowed = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/
const ports: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ftp: 21,
  ldap: 389,
  ldaps: 636,
  ws: 80,
  wss: 443,
}

function read(text: string): Parts {
  const [, scheme = null, userinfo = null, host, port, path = '', query = null, fragment = null] =
    form.exec(text) ?? []
  return {
    scheme,
    userinfo,
    host: host ?? null,
    port: port === undefined || port === '' ? null : Number(port),
    path,
    query,
    fragment,
  }
}

function parse(value: RubyValue | undefined): Instance<Parts> {
  if (value instanceof Instance) return value as Instance<Parts>
  if (!isText(value))
    raise(invalidUri, `bad URI(is not URI?): ${toText(value ?? null) === '' ? 'nil' : toText(value ?? null)}`)
  const text = textOf(value).trim()
  if (!allowed.test(text) || /%(?![0-9a-f]{2})/i.test(text))
    raise(invalidUri, `bad URI(is not URI?): ${inspectText(textOf(value))}`)
  const parts = read(text)
  const scheme = parts.scheme?.toLowerCase() ?? null
  parts.port ??= scheme === null ? null : (ports[scheme] ?? null)
  return new Instance(scheme === 'https' ? https : scheme === 'http' ? http : generic, {
    ...parts,
    scheme,
    host: parts.host?.toLowerCase() === '' ? '' : parts.host,
  })
}

function render({ scheme, userinfo, host, port, path, query, fragment }: Parts): string {
  const shownPort = port === null || port === ports[scheme ?? ''] ? '' : `:${port}`
  const authority = host === null ? '' : `//${userinfo === null ? '' : `${userinfo}@`}${host}${shownPort}`
  return `${scheme === null ? '' : `${scheme}:`}${authority}${path}${query === null ? '' : `?${query}`}${fragment === null ? '' : `#${fragment}`}`
}

const accessors: Record<string, (self: Instance<Parts>) => RubyValue> = {
  scheme: ({ state }) => state.scheme,
  host: ({ state }) => state.host,
  hostname: ({ state }) => state.host?.replace(/^\[(.*)\]$/, '$1') ?? null,
  port: ({ state }) => state.port,
  path: ({ state }) => state.path,
  query: ({ state }) => state.query,
  fragment: ({ state }) => state.fragment,
  userinfo: ({ state }) => state.userinfo,
  user: ({ state }) => state.userinfo?.split(':')[0] ?? null,
  password: ({ state }) => state.userinfo?.split(':').slice(1).join(':') || null,
  to_s: ({ state }) => render(state),
}

defineMethods<Instance<Parts>>(generic, {
  ...accessors,
  inspect: (self) => `#<${self.rubyClass.name} ${render(self.state)}>`,
  request_uri: ({ state }) =>
    `${state.path === '' ? '/' : state.path}${state.query === null ? '' : `?${state.query}`}`,
  'absolute?': ({ state }) => state.scheme !== null,
  'relative?': ({ state }) => state.scheme === null,
  '== 1': (self, [other]) =>
    other instanceof Instance && equal(render(self.state), render(other.state as Parts)),
})
defineMethods<Instance<Parts>>(addressableUri, {
  ...accessors,
  inspect: (self) => `#<Addressable::URI URI:${render(self.state)}>`,
  basename: ({ state }) => state.path.replace(/^.*\//, ''),
  extname: ({ state }) => /\.[^./]+$/.exec(state.path)?.[0] ?? '',
  query_values: ({ state }) => (state.query === null ? null : RubyHash.from(pairsOf(state.query))),
  site: ({ state }) => render({ ...state, path: '', query: null, fragment: null }),
  authority: ({ state }) =>
    render({ ...state, scheme: null, path: '', query: null, fragment: null }).replace(/^\/\//, ''),
})
defineStatics(addressableUri, {
  'parse 1': (_, [text]) => (text === null ? null : new Instance(addressableUri, read(textArgument(text)))),
})

function encodeForm(text: string): string {
  return Array.from(bytesOf(text), (byte) => {
    const char = String.fromCharCode(byte)
    return /[\w*.-]/.test(char)
      ? char
      : byte === 0x20
        ? '+'
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}

function decodeForm(text: string, plusIsBlank: boolean): string {
  const source = plusIsBlank ? text.replaceAll('+', ' ') : text
  if (!source.includes('%')) return source
  const bytes = bytesOf(source)
  const result: number[] = []
  for (let i = 0; i < bytes.length; i++) {
    const hex = bytes[i] === 0x25 ? bytes.toString('latin1', i + 1, i + 3) : ''
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      result.push(Number.parseInt(hex, 16))
      i += 2
    } else result.push(bytes[i]!)
  }
  return textOfBytes(Uint8Array.from(result))
}

function pairsOf(query: string): [string, string][] {
  return query
    .split(/[&;]/)
    .filter((part) => part !== '')
    .map((part) => {
      const [key = '', ...value] = part.split('=')
      return [decodeForm(key, true), decodeForm(value.join('='), true)]
    })
}

function strictDecode(text: string): string {
  if (/%(?![0-9a-f]{2})/i.test(text)) raise(argumentError, `invalid %-encoding (${text})`)
  return decodeForm(text, true)
}

defineStatics(uri, {
  'parse 1': (_, [text]) => parse(text),
  'encode_www_form_component 1-2': (_, [text]) => encodeForm(toText(text!)),
  'decode_www_form_component 1-2': (_, [text]) => strictDecode(textArgument(text)),
  'decode_www_form 1-2': (_, [text]) => pairsOf(textArgument(text)),
  'encode_www_form 1': (_, [pairs]) =>
    itemsOf(pairs!)
      .map((pair) => (pair as RubyValue[]).map((part) => encodeForm(toText(part))).join('='))
      .join('&'),
  'extract 1-2': (_, [text]) => textArgument(text).match(/\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"]+/gi) ?? [],
  'join 1+': (_, args) =>
    parse(args.map((arg) => textArgument(arg)).reduce((base, next) => new URL(next, base).href)),
})
defineStatics(cgi, {
  'escape 1': (_, [text]) => encodeForm(textArgument(text)),
  'unescape 1-2': (_, [text]) => decodeForm(textArgument(text), true),
  'escapeHTML 1': (_, [text]) => escapeHtml(textArgument(text)),
  'unescapeHTML 1': (_, [text]) =>
    textArgument(text).replace(
      /&(?:amp|lt|gt|quot|#39);/g,
      (entity) => Object.keys(htmlEntities).find((char) => htmlEntities[char] === entity)!,
    ),
})

functions.set('URI', { min: 1, max: 1, call: (_, [text]) => parse(text) })
knownNames.add('URI')
