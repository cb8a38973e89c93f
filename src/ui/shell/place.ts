/**
 * Where in the dashboard somebody is: the path names the view, parameters its state. Both are short, documented in
 * docs/guide/dashboard.md and stable, because other programs write such links. Unknown parameters are kept.
 */
import { signal } from '@preact/signals'

interface Place {
  /** Without `/ui`: `['flow', 'main']`. */
  readonly path: readonly string[]
  readonly parameters: URLSearchParams
}

export const place = signal<Place>({ path: [], parameters: new URLSearchParams() })

function placeOf(url: { pathname: string; search: string }): Place {
  const path = url.pathname
    .replace(/^\/ui(?=\/|$)/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  return { path, parameters: new URLSearchParams(url.search) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Commas, colons and tildes stay readable: chat programs cut links at brackets, not at those. */
export function addressOf(
  path: readonly string[],
  parameters: URLSearchParams = new URLSearchParams(),
): string {
  const query = parameters
    .toString()
    .replace(/%(2C|3A|7E|40|2F|2A)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return `/ui/${path.map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`
}

/** `replace`: a change that is no step to come back from. */
export function go(address: string, { replace = false } = {}): void {
  if (address === `${location.pathname}${location.search}`) return
  history[replace ? 'replaceState' : 'pushState'](null, '', address)
  place.value = placeOf(location)
}

/** Changes parameters of the current view; undefined takes one away. */
export function setParameters(
  changes: Readonly<Record<string, string | undefined>>,
  options?: { replace?: boolean },
): void {
  const parameters = new URLSearchParams(place.value.parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') parameters.delete(name)
    else parameters.set(name, value)
  }
  go(addressOf(place.value.path, parameters), options)
}

/** Follows history and plain clicks on links of the dashboard. */
export function watchPlace(): void {
  place.value = placeOf(location)
  addEventListener('popstate', () => {
    place.value = placeOf(location)
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return
    const link = (event.target as Element | null)?.closest?.('a')
    if (link?.target !== '' || link.hasAttribute('download')) return
    const url = new URL(link.href, location.href)
    if (url.origin !== location.origin || !/^\/ui(?:\/|$)/.test(url.pathname)) return
    if (url.hash !== '' && url.pathname === location.pathname) return
    event.preventDefault()
    go(url.pathname + url.search)
  })
}
