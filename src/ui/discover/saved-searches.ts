/** Searches somebody keeps in this browser by name: the address says all there is to know about one. */
import { recall, remember } from '../shell/preferences.ts'

interface SavedSearch {
  readonly name: string
  /** The parameters of the address. */
  readonly query: string
}

const maxSaved = 200

export function savedSearches(): SavedSearch[] {
  try {
    const list: unknown = JSON.parse(recall('saved') ?? '[]')
    if (!Array.isArray(list)) return []
    return list.filter(
      (item): item is SavedSearch => typeof item?.name === 'string' && typeof item?.query === 'string',
    )
  } catch {
    return []
  }
}

/** Replaces one of the same name. */
export function saveSearch(name: string, query: string): void {
  const others = savedSearches().filter((one) => one.name !== name)
  remember('saved', JSON.stringify([{ name, query }, ...others].slice(0, maxSaved)))
}

export function forgetSearch(name: string): void {
  remember('saved', JSON.stringify(savedSearches().filter((one) => one.name !== name)))
}

/** A page number belongs to a moment, not to a search. */
export function keptQuery(parameters: URLSearchParams): string {
  const kept = new URLSearchParams(parameters)
  kept.delete('p')
  return kept.toString()
}
