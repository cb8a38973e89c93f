/** Returns the text of bytes of UTF-8, without a copy of the bytes; what is no UTF-8 becomes replacement characters. */
export function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
