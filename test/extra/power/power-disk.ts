/**
 * A disk whose power can be cut without ending anything: an image with a file system of its own, attached through a loop
 * device, lies on an XFS that can clone files. A clone holds what the file system had given to the device by then and
 * nothing of the page cache, which is what a computer finds after a power cut; it is atomic and takes milliseconds, and
 * the writer goes on. Needs root, loop devices and `mkfs.xfs`; `unavailable` says what is missing.
 */
import { execFileSync } from 'node:child_process'
import { constants, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface FileSystem {
  readonly name: string
  readonly make: readonly string[]
  readonly options: string
}

/** Journals commit each second, so that cuts also fall between names, sizes and contents. */
export const fileSystems: readonly FileSystem[] = [
  { name: 'ext4', make: ['mkfs.ext4', '-q', '-F'], options: 'commit=1' },
  { name: 'ext4, data=writeback', make: ['mkfs.ext4', '-q', '-F'], options: 'commit=1,data=writeback' },
  { name: 'xfs', make: ['mkfs.xfs', '-q', '-f'], options: 'nouuid' },
]

const imageBytes = 512 * 1024 * 1024
const hostBytes = 32 * 1024 * 1024 * 1024
const memoryLimit = '4g'

export function unavailable(): string | undefined {
  if (process.platform !== 'linux') return 'needs loop devices of Linux'
  if (process.getuid?.() !== 0) return 'mounting needs root'
  for (const command of ['mkfs.xfs', 'mkfs.ext4']) {
    if (!existsSync(`/usr/sbin/${command}`) && !existsSync(`/sbin/${command}`)) return `needs ${command}`
  }
  return undefined
}

const run = ([command = '', ...args]: readonly string[]) => execFileSync(command, args, { stdio: 'pipe' })

export class PowerDisk {
  readonly #base = mkdtempSync(join(tmpdir(), 'millrace-power-'))
  readonly #mounts: string[] = []
  #made = 0

  constructor() {
    const memory = join(this.#base, 'memory')
    mkdirSync(memory)
    // In memory: what is tried is what was given to the device, not how long the device takes.
    this.#mount(['-t', 'tmpfs', '-o', `size=${memoryLimit}`, 'tmpfs'], memory)
    const image = join(memory, 'host.img')
    sparse(image, hostBytes)
    run(['mkfs.xfs', '-q', '-m', 'reflink=1', image])
    this.#mount(['-o', 'loop', image], join(this.#base, 'host'))
  }

  /** A new image; its file. */
  image({ make }: FileSystem): string {
    const image = this.#path()
    sparse(image, imageBytes)
    run([...make, image])
    return image
  }

  /** What a power cut now would leave of an image. */
  async cut(image: string): Promise<string> {
    const copy = this.#path()
    await copyFile(image, copy, constants.COPYFILE_FICLONE_FORCE)
    return copy
  }

  /** The folder in which the files of an image are; recovers its journal as a start of the computer does. */
  attach(image: string, { options }: FileSystem): string {
    const folder = join(this.#base, `mounted-${++this.#made}`)
    this.#mount(['-o', `loop,${options}`, image], folder)
    return folder
  }

  detach(folder: string): void {
    run(['umount', '--lazy', folder])
    this.#mounts.splice(this.#mounts.indexOf(folder), 1)
    rmSync(folder, { recursive: true })
  }

  drop(image: string): Promise<void> {
    return rm(image, { force: true })
  }

  remove(): void {
    for (const folder of this.#mounts.splice(0).reverse()) run(['umount', '--lazy', folder])
    rmSync(this.#base, { recursive: true, force: true })
  }

  #path(): string {
    return join(this.#base, 'host', `${++this.#made}.img`)
  }

  #mount(args: readonly string[], folder: string): void {
    mkdirSync(folder, { recursive: true })
    run(['mount', ...args, folder])
    this.#mounts.push(folder)
  }
}

function sparse(path: string, bytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, bytes)
}
