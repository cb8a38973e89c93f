/** Small choices kept in this browser. Where storage is forbidden they last as long as the page. */
const kept = new Map<string, string>()

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(`millrace.${name}`) ?? kept.get(name)
  } catch {
    return kept.get(name)
  }
}

export function remember(name: string, value: string): void {
  kept.set(name, value)
  try {
    localStorage.setItem(`millrace.${name}`, value)
  } catch {
    // Private windows may refuse.
  }
}

/** A list, newest first, without repetitions. */
export function recallList(name: string): string[] {
  try {
    const list: unknown = JSON.parse(recall(name) ?? '[]')
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
  } catch {
    return []
  }
}

export function rememberInList(name: string, value: string, maxItems: number): void {
  const others = recallList(name).filter((item) => item !== value)
  remember(name, JSON.stringify([value, ...others].slice(0, maxItems)))
}
