/** A few words for JSON schemas, so that the description of a body reads like the body. */
export type Schema = Readonly<Record<string, unknown>>

export const integer: Schema = { type: 'integer' }
export const count: Schema = { type: 'integer', minimum: 0 }
export const number: Schema = { type: 'number' }
export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean' }
export const anything: Schema = {}

/** Every property is required unless it stands among the optional ones; further ones are allowed. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  const required = Object.keys(properties)
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: { ...properties, ...optional },
  }
}

export function map(values: Schema): Schema {
  return { type: 'object', additionalProperties: values }
}

export function list(items: Schema): Schema {
  return { type: 'array', items }
}

export function oneOf(...values: readonly (string | number | null)[]): Schema {
  return { enum: values }
}

export function nullable(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** All of a schema, and these properties too. */
export function extended(name: string, properties: Schema): Schema {
  return { allOf: [reference(name), properties] }
}

export function described(schema: Schema, description: string): Schema {
  return { ...schema, description }
}
