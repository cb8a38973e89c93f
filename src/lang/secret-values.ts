/**
 * Finds what is secret in the text of a configuration by its looks, because messages about a text that cannot be
 * read quote it: values of options named like passwords, and passwords in URLs. Placeholders are none: they only
 * name a secret.
 */

const secretName = String.raw`[\w.-]{0,80}(?:pass?w|pwd|passphrase|secret|api_?key|access_?key|private_?key|cloud_auth|token)[\w.-]{0,80}`
const value = String.raw`"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|([^\s"'{}\[\],#]+)`
const option = new RegExp(String.raw`(?<![\w.-])["']?${secretName}["']?\s*=>\s*(?:${value})`, 'gi')
const urlPassword = /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/?#"'@:]{0,200}:([^\s/?#"'@]{1,500})@/gi
const reference = /[$%]\{/

const maxFound = 1000

export function secretValues(text: string): string[] {
  const found = new Set<string>()
  for (const [, double, single, bare] of text.matchAll(option)) add(found, double ?? single ?? bare)
  for (const [, password] of text.matchAll(urlPassword)) add(found, password)
  return [...found]
}

function add(found: Set<string>, text: string | undefined): void {
  if (text === undefined || reference.test(text) || found.size >= maxFound) return
  found.add(text)
  if (text.includes('\\')) found.add(text.replace(/\\(["'\\])/g, '$1'))
}
