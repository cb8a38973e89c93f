/** Tells a person who opens an address in a browser from a program: only browsers name `text/html` in `Accept`. */
import type { IncomingHttpHeaders } from 'node:http'

export function isPageVisit({ accept }: IncomingHttpHeaders): boolean {
  return (accept ?? '')
    .toLowerCase()
    .split(',')
    .some((offer) => /^\s*text\/html\s*(?:$|;)/.test(offer) && !/;\s*q=0(?:\.0*)?\s*(?:$|;)/.test(offer))
}

/** A `Host` header with another port: the same machine by the name the visitor knows it by. */
export function hostWithPort(host: string | undefined, port: number): string | undefined {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d*)?$/i.exec(host ?? '') ?? []
  return name === undefined ? undefined : `${name}:${port}`
}
