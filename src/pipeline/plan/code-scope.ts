/**
 * The one way values enter generated code: as bound constants with names we make. User text can only
 * become a string literal (`literal`) or a bound value (`bind`), never code.
 */
export class CodeScope {
  readonly names: string[] = []
  readonly values: unknown[] = []
  #known = new Map<unknown, string>()

  /** The name under which generated code sees the value. */
  bind(value: unknown, prefix = 'k'): string {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const name = `${prefix}${this.names.length}`
    this.names.push(name)
    this.values.push(value)
    this.#known.set(value, name)
    return name
  }

  /** Compiles a function body that sees the bound names; `url` shows up in profiles and stack traces. */
  compile<T>(body: string, url: string): T {
    const place = url.replace(/[^\w:/.-]/g, '_')
    return new Function(...this.names, `"use strict";\n${body}\n//# sourceURL=${place}`)(...this.values) as T
  }
}
