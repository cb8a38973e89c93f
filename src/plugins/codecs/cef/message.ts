/**
 * The text of a CEF message taken apart and put together. Seven header fields end with bars, the extension is
 * a list of `key=value` whose values may hold blanks:
 *
 *   Sep 19 08:26:10 host CEF:0|Vendor|Product|1.0|100|Name|5|src=10.0.0.1 msg=two words
 */
interface CefMessage {
  /** What stands before `CEF:`. */
  readonly syslog: string | undefined
  /** Version to severity. */
  readonly header: readonly string[]
  readonly extension: readonly (readonly [key: string, value: string])[]
}

const headerFields = 7

/** Throws when this is no CEF. */
export function readCefMessage(text: string): CefMessage {
  // Some senders put the message in quotes.
  const data = text.startsWith('"') ? text.slice(1, -1) : text
  const header: string[] = []
  let start = 0
  let at = 0
  for (; at < data.length && header.length < headerFields; at++) {
    if (data[at] === '\\') at += 1
    else if (data[at] === '|') {
      header.push(unescapeHeader(data.slice(start, at)))
      start = at + 1
    }
  }
  if (header.length < headerFields) throw new Error('the header of a CEF message has seven fields')
  const [first = ''] = header
  const place = first.lastIndexOf('CEF:')
  if (place < 0) throw new Error('the message does not begin with CEF:')
  const syslog = first.slice(0, place).trim()
  header[0] = first.slice(place + 4)
  return {
    syslog: syslog === '' ? undefined : syslog,
    header,
    extension: readExtension(data.slice(start).trim()),
  }
}

function unescapeHeader(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\|])/g, '$1') : text
}

/** A key, and everything up to the blank before the next key. */
const keyStart = /(?:^|\s)([\w.\-[\]]+)=/y

function readExtension(text: string): [string, string][] {
  const pairs: [string, string][] = []
  let key: string | undefined
  let from = 0
  const close = (end: number) => {
    if (key !== undefined) pairs.push([key, unescapeValue(text.slice(from, end).trim())])
  }
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') {
      at += 1
      continue
    }
    if (at > 0 && !/\s/.test(text[at]!)) continue
    keyStart.lastIndex = at
    const found = keyStart.exec(text)
    if (found === null) continue
    close(at)
    key = found[1]!
    from = keyStart.lastIndex
    at = from - 1
  }
  close(text.length)
  if (text !== '' && pairs.length === 0)
    throw new Error('the extension of a CEF message is a list of key=value')
  return pairs
}

const valueEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', '=': '=', '\\': '\\', '|': '|' }

function unescapeValue(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\([nr=\\|])/g, (_, code: string) => valueEscapes[code]!)
}

export function escapeHeader(text: string): string {
  return text.replace(/[\\|]/g, '\\$&').replace(/\r\n|[\r\n]/g, ' ')
}

export function escapeValue(text: string): string {
  return text.replace(/[\\=]/g, '\\$&').replace(/\r\n|[\r\n]/g, '\\n')
}
