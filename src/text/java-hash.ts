/** Hashes of Java, and how Java prints an object that has no text of its own. */

/** `String.hashCode`: a 32-bit number with a sign. */
export function javaHash(text: string): number {
  let value = 0
  for (let at = 0; at < text.length; at++) value = (Math.imul(value, 31) + text.charCodeAt(at)) | 0
  return value
}

/** `Class@1b2c3d4`: the number stands for the address of an object, and is the same for the same `contents`. */
export function javaObject(className: string, contents: string): string {
  return `${className}@${(javaHash(contents) >>> 0).toString(16)}`
}
