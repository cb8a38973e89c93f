// Where a peer is: in the directory that BENCH_PEERS names, or on PATH. The directory may be a plain folder of
// programs or a root into which distribution packages were unpacked without installing them; then the programs stand
// in usr/sbin and the like, and their libraries and modules beside them. Nothing is ever fetched.
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const binaries = ['', 'bin', 'sbin', 'usr/bin', 'usr/sbin', 'usr/local/bin', 'opt/fluent-bit/bin']

/** `{ path, root }`, where `root` is set only for the named directory; undefined when the program is nowhere. */
export function findProgram(name, environment = process.env) {
  const root = environment.BENCH_PEERS
  if (root) {
    for (const folder of binaries) {
      const path = join(root, folder, name)
      if (isProgram(path)) return { path, root }
    }
  }
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    if (folder !== '' && isProgram(join(folder, name))) return { path: join(folder, name), root: undefined }
  }
  return undefined
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The library folders below an unpacked root: lib and usr/lib, and the folders in them that hold libraries. */
export function libraryFolders(root) {
  if (root === undefined) return []
  return ['lib', 'usr/lib', 'usr/local/lib'].flatMap((name) => {
    const folder = join(root, name)
    if (!existsSync(folder)) return []
    const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return [folder, ...inside.map((entry) => join(folder, entry.name))]
  })
}

/** The first of these folders below the root, or undefined: where a program keeps its modules. */
export function folderBelow(root, candidates) {
  if (root === undefined) return undefined
  return candidates.map((name) => join(root, name)).find((folder) => existsSync(folder))
}
