/**
 * Definitions of formats that are a row of fields are written one field per line; these put the row
 * together. They join texts only: what they return is a definition like any other.
 */

export const spaced = (...fields: string[]): string => fields.join(' ')

export const tabbed = (...fields: string[]): string => fields.join('\\t')

/** A field that is logged as `-` when it has no value, and then stores nothing. */
export const orDash = (field: string): string => `(?:-|${field})`

/** A field of a row that may be cut off here, with everything behind it. */
export const optional = (...rest: string[]): string => `(?:${rest.join('')})?`

/** A column stored as it stands, even when empty. Columns never contain a tab. */
export const column = (field: string): string => `(?<${field}>[^\\t]*)`
