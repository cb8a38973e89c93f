/**
 * Holds a value against a JSON schema: the few keywords that our OpenAPI document uses, and an error for any
 * other, so that nothing in it is silently ignored. References point into the document itself.
 */
type Schema = Readonly<Record<string, unknown>>

type Check = (limit: never, value: unknown, path: string, root: unknown) => string[]

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

const checks: Readonly<Record<string, Check>> = {
  $ref: (reference: string, value, path, root) => violations(resolve(root, reference), value, path, root),
  type: (name: string, value, path) =>
    types[name]?.(value) ? [] : [`${path} is no ${name}: ${shown(value)}`],
  enum: (allowed: unknown[], value, path) =>
    allowed.includes(value) ? [] : [`${path} is none of ${allowed.join(', ')}: ${shown(value)}`],
  pattern: (pattern: string, value, path) =>
    typeof value !== 'string' || new RegExp(pattern).test(value)
      ? []
      : [`${path} does not match ${pattern}: ${shown(value)}`],
  minimum: (least: number, value, path) =>
    typeof value !== 'number' || value >= least ? [] : [`${path} is less than ${least}: ${shown(value)}`],
  minLength: (least: number, value, path) =>
    typeof value !== 'string' || value.length >= least ? [] : [`${path} is too short: ${shown(value)}`],
  required: (names: string[], value, path) =>
    isObject(value)
      ? names.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name} is missing`)
      : [],
  properties: (properties: Record<string, Schema>, value, path, root) =>
    isObject(value)
      ? Object.entries(properties).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? violations(schema, value[name], `${path}.${name}`, root) : [],
        )
      : [],
  additionalProperties: (schema: Schema, value, path, root) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => violations(schema, member, `${path}.${name}`, root))
      : [],
  items: (schema: Schema, value, path, root) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => violations(schema, item, `${path}[${index}]`, root))
      : [],
  allOf: (schemas: Schema[], value, path, root) =>
    schemas.flatMap((schema) => violations(schema, value, path, root)),
  anyOf: (schemas: Schema[], value, path, root) => {
    const found = schemas.map((schema) => violations(schema, value, path, root))
    return found.some((list) => list.length === 0) ? [] : found.flat()
  },
  description: () => [],
  examples: () => [],
}

/** What is wrong with the value, one sentence each. */
export function violations(schema: Schema, value: unknown, path: string, root: unknown): string[] {
  return Object.entries(schema).flatMap(([keyword, limit]) => {
    const check = checks[keyword]
    if (check === undefined) return [`${path}: the schema says ${keyword}, which is not understood here`]
    return check(limit as never, value, path, root)
  })
}

function resolve(root: unknown, reference: string): Schema {
  let place = root
  for (const name of reference.replace(/^#\//, '').split('/')) place = (place as Schema | undefined)?.[name]
  if (place === undefined) throw new Error(`nothing at ${reference}`)
  return place as Schema
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? String(value)
}
