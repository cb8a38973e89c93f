/** The names in a directory of a disk that knows whole paths only, sorted. */
export function listedNames(directory: string, paths: Iterable<string>): string[] {
  const prefix = `${directory}/`
  const names = new Set<string>()
  for (const path of paths) {
    if (path.startsWith(prefix)) names.add(path.slice(prefix.length).split('/')[0]!)
  }
  return [...names].sort()
}
