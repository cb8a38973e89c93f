/**
 * Templates say what the records of a flow set look like; exporters send them now and then. They are kept by
 * exporter and number until they get too old, and there is a limit to how many are kept.
 */
import type { FieldTable, FlowField } from './field-tables.ts'

interface TemplateField {
  /** Undefined for fields nobody knows: their bytes are passed over. */
  readonly field: FlowField | undefined
  /** 65535: the length stands before the value. */
  readonly length: number
}

export interface Template {
  readonly fields: readonly TemplateField[]
  /** Bytes of the shortest record. */
  readonly shortest: number
}

export type Version = 9 | 10

export const variableLength = 65_535
const maxTemplates = 10_000
const maxFields = 1000

export class TemplateCache {
  readonly #known = new Map<string, { template: Template; until: number }>()
  readonly #milliseconds: number
  readonly #changed: (version: Version) => void

  /** `changed` is told when the templates of a version are others than before. */
  constructor(seconds: number, changed: (version: Version) => void = () => {}) {
    this.#milliseconds = seconds * 1000
    this.#changed = changed
  }

  get(version: Version, source: number, id: number, now: number): Template | undefined {
    const key = `${version}|${source}|${id}`
    const found = this.#known.get(key)
    if (found === undefined) return undefined
    if (found.until >= now) return found.template
    this.#known.delete(key)
    return undefined
  }

  set(version: Version, source: number, id: number, template: Template, now: number): void {
    const key = `${version}|${source}|${id}`
    const isSame = isEqual(this.#known.get(key)?.template, template)
    this.#known.delete(key)
    if (this.#known.size >= maxTemplates) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(key, { template, until: now + this.#milliseconds })
    if (!isSame) this.#changed(version)
  }

  /** The templates of a version by exporter and number, for a file. */
  entries(version: Version): [key: string, template: Template][] {
    const prefix = `${version}|`
    return [...this.#known].flatMap(([key, { template }]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), template]] : [],
    )
  }
}

function isEqual(known: Template | undefined, template: Template): boolean {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(template)
}

/** Reads `count` field specifiers of four bytes (eight with an enterprise number) from `at` on. */
export function readTemplate(
  bytes: Buffer,
  at: number,
  count: number,
  tableOf: (index: number, enterprise: number) => FieldTable | undefined,
  hasEnterprises: boolean,
): { template: Template; end: number } | undefined {
  if (count > maxFields) return undefined
  const fields: TemplateField[] = []
  let end = at
  let shortest = 0
  for (let index = 0; index < count; index++) {
    if (end + 4 > bytes.length) return undefined
    const code = bytes.readUInt16BE(end)
    const length = bytes.readUInt16BE(end + 2)
    end += 4
    let enterprise = 0
    const isOwn = hasEnterprises && code >= 0x8000
    if (isOwn) {
      if (end + 4 > bytes.length) return undefined
      enterprise = bytes.readUInt32BE(end)
      end += 4
    }
    fields.push({ field: tableOf(index, enterprise)?.get(isOwn ? code - 0x8000 : code), length })
    shortest += length === variableLength ? 1 : length
  }
  return { template: { fields, shortest: Math.max(1, shortest) }, end }
}
