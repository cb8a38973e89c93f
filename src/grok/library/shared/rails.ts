/** What the two sets share of Rails: the request id, 32 hexadecimal digits. */
export const rails: Record<string, string> = {
  RUUID: String.raw`\h{32}`,
}
