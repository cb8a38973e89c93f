/** The commands of README.md: every line of its shell blocks, in order. */
import { readFileSync } from 'node:fs'

export function readmeCommands(path = 'README.md'): string[] {
  const text = readFileSync(path, 'utf8')
  const commands: string[] = []
  for (const [, block = ''] of text.matchAll(/^```sh\n(.*?)^```/gms)) {
    for (const line of block.split('\n')) {
      const command = line.replace(/\s+#\s.*$/, '').trim()
      if (command !== '') commands.push(command)
    }
  }
  return commands
}

/** The block in JavaScript that shows the library. */
export function readmeProgram(path = 'README.md'): string {
  const [, program] = /^```js\n(.*?)^```/ms.exec(readFileSync(path, 'utf8')) ?? []
  if (program === undefined) throw new Error('README.md has no program')
  return program
}
