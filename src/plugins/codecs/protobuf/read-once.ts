/** Reads a file and, through `read`, the files it names: each once, however often it is named, also in circles. */
export function readOnce(path: string, visit: (path: string, read: (path: string) => void) => void): void {
  const seen = new Set<string>()
  const read = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    visit(file, read)
  }
  read(path)
}
