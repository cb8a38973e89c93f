/**
 * rename, merge and copy against a naive model: an event is a tree of Maps, which have no inherited names
 * and no compiled accessors, and every operation is written down as the specification tells it.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Fields, Value } from '../../../event/value.ts'
import { runFilter } from '../../../plugin/testing.ts'
import mutate from '../mutate.ts'

type Tree = string | number | null | Tree[] | Map<string, Tree>

function tree(value: Value | undefined): Tree {
  if (Array.isArray(value)) return value.map(tree)
  if (typeof value !== 'object' || value === null) return value as Tree
  return new Map(Object.entries(value).map(([name, item]) => [name, tree(item)]))
}

function copyOf(value: Tree): Tree {
  if (Array.isArray(value)) return value.map(copyOf)
  return value instanceof Map ? new Map([...value].map(([name, item]) => [name, copyOf(item)])) : value
}

class Model {
  readonly root: Map<string, Tree>

  constructor(fields: Fields) {
    this.root = tree(fields) as Map<string, Tree>
  }

  get(path: string[]): Tree | undefined {
    let value: Tree | undefined = this.root
    for (const name of path) value = value instanceof Map ? value.get(name) : undefined
    return value
  }

  set(path: string[], value: Tree): void {
    let parent: Tree = this.root
    for (const name of path.slice(0, -1)) {
      if (Array.isArray(parent)) return
      if (!(parent instanceof Map)) throw new Error('below a scalar')
      if (!parent.has(name)) parent.set(name, new Map())
      parent = parent.get(name)!
    }
    if (Array.isArray(parent)) return
    if (!(parent instanceof Map)) throw new Error('below a scalar')
    parent.set(path.at(-1)!, value)
  }

  remove(path: string[]): Tree | undefined {
    const value = this.get(path)
    const parent = this.get(path.slice(0, -1))
    if (value !== undefined && parent instanceof Map) parent.delete(path.at(-1)!)
    return value
  }

  rename(from: string[], to: string[]): void {
    const value = this.remove(from)
    if (value !== undefined) this.set(to, value)
  }

  copy(from: string[], to: string[]): void {
    const value = this.get(from)
    if (value !== undefined && value !== null) this.set(to, copyOf(value))
  }

  merge(into: string[], from: string[]): void {
    const old = this.get(into) ?? null
    const added = this.get(from) ?? null
    if (old instanceof Map !== added instanceof Map) return
    if (old instanceof Map) {
      this.set(into, new Map([...old, ...(copyOf(added) as Map<string, Tree>)]))
    } else this.set(into, [...listOf(old), ...listOf(copyOf(added))])
  }
}

function listOf(value: Tree): Tree[] {
  return value === null ? [] : Array.isArray(value) ? value : [value]
}

const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString', 'value')
const path = fc.array(name, { minLength: 1, maxLength: 3 })
const reference = (names: string[]) => (names.length === 1 ? names[0]! : names.map((n) => `[${n}]`).join(''))

const { value: anyValue } = fc.letrec<{ value: Value; map: Fields }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Value>('x', 'y', 1, null),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('map'),
  ),
  map: fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<Fields>,
}))
const event = fc.dictionary(name, anyValue, { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<Fields>
const operation = fc.constantFrom('rename', 'copy', 'merge')

it('agrees with the model', async () => {
  await fc.assert(
    fc.asyncProperty(
      operation,
      fc.array(fc.tuple(path, path), { maxLength: 3 }),
      event,
      async (kind, pairs, given) => {
        const fields = JSON.parse(JSON.stringify(given)) as Fields
        const table = new Map(pairs.map(([left, right]) => [reference(left), reference(right)]))
        const byName = new Map(pairs.map(([left, right]) => [reference(left), [left, right] as const]))
        const model = new Model(fields)
        try {
          for (const [left, right] of byName.values()) model[kind](left, right)
        } catch {
          model.root.set('tags', ['_mutate_error'])
        }
        const [result] = await runFilter(mutate, new Map([[kind, table]]), [fields])
        expect(tree(result)).toEqual(model.root)
      },
    ),
    { numRuns: 1000 },
  )
})
