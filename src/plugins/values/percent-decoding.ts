/** Percent-decoding of texts that people write by hand: one with a wrong escape stays as it is. */

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
