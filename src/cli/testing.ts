/** For tests of commands: a folder of files, and an output that is kept. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CommandOutput } from './command-output.ts'

export async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-cli-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

export class KeptOutput implements CommandOutput {
  printed = ''
  told = ''
  readonly isTerminal = false
  readonly columns = 100

  print(text: string): void {
    this.printed += text
  }

  tell(text: string): void {
    this.told += text
  }
}
