/** Converts a JSON value to text. `String` would call a member named `toString`, which is data of whoever sent it. */
export function plainText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value))
    return value.map((item) => (item === null || item === undefined ? '' : plainText(item))).join(',')
  return Object.getPrototypeOf(value) === Object.prototype ? '[object Object]' : String(value)
}
