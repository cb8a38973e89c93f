/** Codecs of configurations that were written before there were codecs: `format`, `charset`, `message_format`. */
import type { CodecChoice, Option } from './option.ts'
import type { RawValue } from './raw-value.ts'

/** The codec that old options ask for; undefined when there are none, or the declaration has its own use for them. */
export function codecOfOldOptions(
  options: Readonly<Record<string, unknown>>,
  table: ReadonlyMap<string, Option<unknown>>,
  usual: string,
): CodecChoice | undefined {
  const given = (name: string): string | undefined => {
    const declared = table.get(name)
    const value = options[name]
    const isOld = (declared?.removed ?? declared?.accepted) !== undefined
    return isOld && typeof value === 'string' ? value : undefined
  }
  const message = given('message_format')
  if (message !== undefined) return choice('line', 'format', message)
  const format = given('format')
  const charset = given('charset')
  if (format === undefined && charset === undefined) return undefined
  const name = format === undefined ? usual : format === 'plain' ? 'plain' : 'json'
  return charset === undefined ? choice(name) : choice(name, 'charset', charset)
}

function choice(name: string, option?: string, value: RawValue = null): CodecChoice {
  return { name, options: new Map(option === undefined ? [] : [[option, value]]) }
}
